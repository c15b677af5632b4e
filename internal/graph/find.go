package graph

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/text"
)

// How entities are found in a question.
const (
	longWord    = 4  // characters from which on a word also means entities with a longer one
	maxAsked    = 48 // words of a question that are looked up
	maxEntities = 8  // entities of a question whose facts are looked at
	maxLooked   = 64 // facts of one entity that are looked at
)

// Resolve finds the entity that a name means: its id if there is one, else the
// one whose words are those of the name. The second result are the ids of
// entities with a word of the name, for whoever has to ask again.
func (g *Graph) Resolve(ctx context.Context, name string) (id string, near []string, err error) {
	id = text.EntityID(name)
	facts, err := g.anyTime().Around(ctx, id, Both, 1)
	if err != nil || len(facts) > 0 {
		return id, nil, err
	}
	words := text.EntityWords(id)
	slices.Sort(words)
	seen := map[string]bool{}
	var same []string
	for _, w := range words {
		ids, err := g.entities(ctx, w, utf8.RuneCountInString(w) < longWord)
		if err != nil {
			return "", nil, err
		}
		for _, x := range ids {
			if seen[x] {
				continue
			}
			seen[x] = true
			near = append(near, x)
			if have := text.EntityWords(x); len(have) == len(words) {
				slices.Sort(have)
				if slices.Equal(have, words) {
					same = append(same, x)
				}
			}
		}
	}
	if len(same) == 1 {
		return same[0], nil, nil
	}
	slices.Sort(near)
	return "", near, nil
}

func (g *Graph) anyTime() *Graph { return &Graph{sources: g.sources, ended: g.ended} }

// entities are the ids of the entities with a word, or with one that begins so.
func (g *Graph) entities(ctx context.Context, word string, whole bool) (ids []string, err error) {
	for _, src := range g.sources {
		err = src.Reader.Terms(ctx, text.EntityPrefix(word, whole), func(key string) bool {
			if id := text.EntityOf(key); !slices.Contains(ids, id) && live(ctx, src.Reader, key) {
				ids = append(ids, id)
			}
			return len(ids) < maxLooked
		})
		if err != nil {
			return ids, err
		}
	}
	return ids, nil
}

// A mentioned is an entity that a question seems to mean.
type mentioned struct {
	id    string
	share float64 // of its words, how many the question has
	whole bool    // one of them word for word
}

// About are the facts that bear on a question: around the entities it names,
// the relations it asks for first, then the newest. At most limit.
//
// A word of the question means an entity that has it as a word; from four
// characters on, also one that has a longer word which begins so. So "auth"
// finds auth-service and not oauth_token, "car" does not find carol, and words
// like "is" and "go" find nothing.
func (g *Graph) About(ctx context.Context, question string, limit int) ([]pimento.Relation, error) {
	named, err := g.mentioned(ctx, question)
	if err != nil || len(named) == 0 || limit <= 0 {
		return nil, err
	}
	asked, meant := stems(question), map[string]float64{}
	type ranked struct {
		pimento.Relation
		rank float64
	}
	var all []ranked
	for _, m := range named {
		facts, err := g.Around(ctx, m.id, Both, maxLooked)
		if err != nil {
			return nil, err
		}
		for _, f := range facts {
			if f.Predicate == text.LinksTo || f.Predicate == text.Replaces {
				continue // what a page links to is recalled with it
			}
			if _, known := meant[f.Predicate]; !known {
				meant[f.Predicate] = 2 * shared(stems(f.Predicate), asked)
			}
			rank := m.share + meant[f.Predicate]
			if m.whole {
				rank++
			}
			if other(f, m.id, named) {
				rank++
			}
			all = append(all, ranked{f, rank})
		}
	}
	slices.SortStableFunc(all, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(b.From, a.From))
	})
	facts := make([]pimento.Relation, len(all))
	for i, r := range all {
		facts[i] = r.Relation
	}
	facts = once(facts)
	return facts[:min(len(facts), limit)], nil
}

// once tells what several pages say one time, in the place of the best and as
// the first of them said it.
func once(facts []pimento.Relation) (out []pimento.Relation) {
	type key struct{ s, p, o, until string }
	at := make(map[key]int, len(facts))
	for _, f := range facts {
		k := key{text.EntityID(f.Subject), text.EntityID(f.Predicate), text.EntityID(f.Object), f.Until}
		i, again := at[k]
		if !again {
			at[k] = len(out)
			out = append(out, f)
		} else if f.From != "" && f.From < out[i].From {
			out[i] = f
		}
	}
	return out
}

// other says whether the other end of a fact is named, too.
func other(f pimento.Relation, id string, named []mentioned) bool {
	from, to := text.EntityID(f.Subject), text.EntityID(f.Object)
	return slices.ContainsFunc(named, func(m mentioned) bool { return m.id != id && (m.id == from || m.id == to) })
}

// shared is how many of some stems are asked for.
func shared(stems, asked map[string]bool) (n float64) {
	for s := range stems {
		if asked[s] {
			n++
		}
	}
	return n
}

// mentioned are the entities that a question names, the surest first.
func (g *Graph) mentioned(ctx context.Context, question string) ([]mentioned, error) {
	question = strings.ToLower(question)
	words := askedWords(question)
	have := map[string]bool{}
	for _, w := range words {
		have[w] = true
	}
	seen := map[string]bool{}
	var out []mentioned
	for _, w := range words {
		ids, err := g.entities(ctx, w, utf8.RuneCountInString(w) < longWord)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			if seen[id] {
				continue
			}
			seen[id] = true
			if m, ok := match(id, question, have); ok {
				out = append(out, m)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b mentioned) int {
		if a.whole != b.whole {
			if a.whole {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(b.share, a.share), cmp.Compare(a.id, b.id))
	})
	return out[:min(len(out), maxEntities)], nil
}

// match weighs how much of an entity's name a question has.
func match(id, question string, have map[string]bool) (mentioned, bool) {
	m := mentioned{id: id}
	words := text.EntityWords(id)
	for _, w := range words {
		if r, _ := utf8.DecodeRuneInString(w); r >= 0x0E00 { // a name without spaces: it stands in the question or not
			if !strings.Contains(question, id) {
				return m, false
			}
			return mentioned{id, 1, true}, true
		}
		switch {
		case have[w]:
			m.whole = true
			m.share++
		case longer(w, have):
			m.share += 0.5
		}
	}
	m.share /= float64(max(len(words), 1))
	return m, m.share > 0
}

// longer says whether a word begins with a long enough word of the question.
func longer(word string, have map[string]bool) bool {
	for n := range len(word) {
		if n >= longWord && have[word[:n]] {
			return true
		}
	}
	return false
}

// askedWords are the words of a question that may name something.
func askedWords(question string) []string {
	var words []string
	for _, w := range text.EntityWords(question) {
		if len(words) < maxAsked && utf8.RuneCountInString(w) > 1 && !text.Stop(w) && !text.Weak(w) {
			words = append(words, w)
		}
	}
	return append(words, pairs(question)...)
}

// pairs are every two neighbouring characters of what is written without spaces,
// since there a name can begin anywhere.
func pairs(s string) (out []string) {
	text.Analyze(s, func(field byte, term string) {
		if field == text.CJK && utf8.RuneCountInString(term) == 2 && len(out) < maxAsked {
			out = append(out, term)
		}
	})
	return out
}

// stems are the stems of the words of a text.
func stems(s string) map[string]bool {
	out := map[string]bool{}
	text.Analyze(s, func(field byte, term string) {
		if field == text.Word {
			out[term] = true
		}
	})
	return out
}
