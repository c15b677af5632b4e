package recall

import (
	"context"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/text"
)

// weigh gives each term its idf over all roots. A root whose statistics cannot
// be read is not asked further. It reports whether there is anything to ask.
func (a *asking) weigh(ctx context.Context) bool {
	sum := a.stats(ctx, a.words.names())
	if a.words.divide(ctx, a.roots, sum, a.params) {
		sum = a.stats(ctx, a.words.names())
	}
	if a.params.Typo > 0 && a.words.correct(ctx, a.roots, a.opts.Lexicon, sum, a.params) {
		sum = a.stats(ctx, a.words.names())
	}
	if sum.Docs == 0 {
		return false
	}
	p := a.params
	a.words.weigh(sum, p)
	a.query = index.Query{Terms: a.words.weighted(), K1: p.K1, B: p.B, Whole: p.Whole, Page: p.Page, Prev: p.Prev, Asked: p.Asked, Far: p.Far, Next: p.Next, Back: p.Back,
		AvgLen:  max(float32(sum.Len)/float32(sum.Docs), 1),
		AvgPage: max(float32(sum.Len)/float32(max(sum.Pages, 1)), 1),
		Holding: !a.opts.Loose}
	return true
}

// language is the one of a question. Where it shows none ("Verbindung Datenbank"), it is
// that of most entries that are not in English.
func (a *asking) language(ctx context.Context, question string) text.Language {
	l, shown := text.LanguageOf(question)
	if shown {
		return l
	}
	var flags []string
	for _, known := range text.Known() {
		flags = append(flags, text.FlagLanguage(known))
	}
	most := 0
	for i, n := range a.stats(ctx, flags).DF {
		if n > most {
			most, l = n, text.Known()[i]
		}
	}
	return l
}

// stats sums the statistics of terms over all roots.
func (a *asking) stats(ctx context.Context, names []string) index.Stats {
	sum := index.Stats{DF: make([]int, len(names))}
	alive := a.roots[:0:0]
	for _, r := range a.roots {
		st, err := r.Reader.Stats(ctx, names)
		if err != nil {
			a.failed(ctx, string(r.Scope), err)
			continue
		}
		alive = append(alive, r)
		sum.Docs += st.Docs
		sum.Pages += st.Pages
		sum.Len += st.Len
		for i, n := range st.DF {
			sum.DF[i] += n
		}
	}
	a.roots = alive
	return sum
}

// A candidate is a match on its way to a hit.
type candidate struct {
	root    *Source
	match   index.Match
	entry   pimento.Entry
	read    bool         // entry is filled in
	score   float64      // what the index computed, and what ranking adds
	promise float64      // the most that its text can add, as long as it was not read
	share   float64      // coverage
	timely  bool         // it is of the time that the question names
	sim     float64      // similarity to the question, 0 where it was not asked for
	meant   float64      // what it says for the entry as coverage does, where no word does
	heirs   []*candidate // what replaces it, see setHeirs
	why     whys

	state    state // of its text, see stated
	outdated bool  // the asker has a later state of it
}

// place is where a candidate stands.
func (c *candidate) place() pimento.Occurrence {
	d := c.match.Doc
	return pimento.Occurrence{Scope: c.root.Scope, Page: c.match.Page, Statement: d.Statement, N: d.N}
}

// lead is the score of a candidate for the first place, where neighbours do not
// count.
func (c *candidate) lead() float64 { return c.score - float64(c.match.Near) }

// search asks every root, and again for more where filters dropped too many.
func (a *asking) search(ctx context.Context) []*candidate {
	var out []*candidate
	for i := range a.roots {
		for fetch := a.params.Fetch + a.params.FetchEach*a.limit; ; fetch *= 4 {
			if a.late(ctx) {
				return out
			}
			found, more, ok := a.askRoot(ctx, &a.roots[i], fetch)
			if !ok {
				break
			}
			if a.unknown(found) >= a.limit || !more || fetch >= a.params.FetchMax {
				out = append(append(out, found...), a.then(ctx, &a.roots[i], found)...)
				break
			}
		}
	}
	return oneEach(out)
}

// unknown counts the candidates that the asker does not have yet.
func (a *asking) unknown(cs []*candidate) (n int) {
	for _, c := range cs {
		if !a.has(c.match.Doc.Statement) {
			n++
		}
	}
	return n
}

// has says whether the asker has a statement already.
func (a *asking) has(st pimento.Statement) bool { return a.opts.Known != nil && a.opts.Known(st) }

// askRoot searches one root for fetch entries; more says that there may be others.
func (a *asking) askRoot(ctx context.Context, r *Source, fetch int) (found []*candidate, more, ok bool) {
	a.query.Limit = fetch
	ms, err := r.Reader.Search(ctx, a.query)
	if err != nil {
		a.failed(ctx, string(r.Scope), err)
		return nil, false, false
	}
	more = len(ms) == fetch
	ms = slices.DeleteFunc(ms, func(m index.Match) bool {
		return !a.wants(m.Page, m.Doc)
	})
	return candidatesOf(r, a.shown(r, ms)), more, true
}

// candidatesOf makes candidates of a root's matches.
func candidatesOf(r *Source, ms []index.Match) []*candidate {
	slab := make([]candidate, len(ms))
	out := make([]*candidate, len(ms))
	for i, m := range ms {
		slab[i] = candidate{root: r, match: m, score: float64(m.Score)}
		out[i] = &slab[i]
	}
	return out
}

// find makes candidates of statements, wherever they stand in a root.
func (a *asking) find(ctx context.Context, r *Source, sts []pimento.Statement) []*candidate {
	var ms []index.Match
	for _, st := range sts {
		err := r.Reader.With(ctx, IDKey(string(st)), func(page string, d index.Doc) bool {
			ok := d.Statement == st && a.wants(page, d)
			if ok {
				ms = append(ms, index.Match{Page: strings.Clone(page), Doc: d})
			}
			return !ok
		})
		if err != nil {
			a.failed(ctx, string(r.Scope), err)
			break
		}
	}
	return candidatesOf(r, a.shown(r, ms))
}

// shown leaves out of a root's matches what the caller does not want to see. All that
// may be hits come by here, and get their times.
func (a *asking) shown(r *Source, ms []index.Match) []index.Match {
	if a.opts.Skip != nil && !a.q.All && len(ms) > 0 {
		ms = a.opts.Skip(r.Scope, ms)
	}
	if a.opts.Said != nil {
		a.date(r.Scope, ms, false)
	}
	return ms
}

// wants applies the filters: kinds, finished tasks, archived pages.
func (a *asking) wants(rel string, d index.Doc) bool {
	if len(a.q.Kinds) > 0 && !slices.Contains(a.q.Kinds, d.Kind) {
		return false
	}
	if a.q.All {
		return true
	}
	if d.Flags&index.Task != 0 && d.Flags&index.Done != 0 && !slices.Contains(a.q.Kinds, pimento.KindTask) {
		return false
	}
	return a.q.Archived || !page.Archived(rel)
}

// oneEach sorts and keeps each statement once: where it stands in its most
// specific scope, with the best score that any of its places got.
func oneEach(cs []*candidate) []*candidate {
	slices.SortFunc(cs, better)
	at := map[pimento.Statement]int{}
	out := cs[:0:0]
	for _, c := range cs {
		i, seen := at[c.match.Doc.Statement]
		if !seen {
			at[c.match.Doc.Statement] = len(out)
			out = append(out, c)
			continue
		}
		if c.root.Scope.Specificity() > out[i].root.Scope.Specificity() {
			c.score = out[i].score
			out[i] = c
		}
	}
	return out
}

// better orders candidates: score, specificity, page, position.
func better(x, y *candidate) int {
	switch {
	case x.score != y.score:
		if x.score > y.score {
			return -1
		}
		return 1
	case x.root.Scope != y.root.Scope:
		return y.root.Scope.Specificity() - x.root.Scope.Specificity()
	case x.match.Page != y.match.Page:
		return strings.Compare(x.match.Page, y.match.Page)
	}
	return x.match.Doc.Span.Start - y.match.Doc.Span.Start
}
