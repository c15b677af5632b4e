package main

import (
	"fmt"
	"log"
	"math"
	"slices"

	"github.com/viterin/vek/vek32"

	"github.com/pimento-memory/pimento/internal/embed"
)

// part is a word of the table in a text and how much it counts.
type part struct {
	word  int32
	share float32
}

// An example is a pair in the words of the table. Examples of one passage have
// the same number: they are no wrong answers for each other.
type example struct {
	query, passage []part
	same           int32
}

// examples are the pairs to train with, in lists of neighbours, and those that
// are kept back to measure by.
type examples struct {
	natural, own         [][]example
	naturalHeld, ownHeld []example
	statements           [][]part // all of our own
	of                   []int32  // the statement of each of ownHeld
}

// Shares of the pairs that are never trained on: one in so many.
const naturalKept, ownKept = 100, 10

// keptBack tells whether a statement of ours is never trained on.
func keptBack(st statement) bool { return fingerprint(st.text)%ownKept == 0 }

// A reading turns pairs into examples.
type reading struct {
	table *embed.Static
	seen  map[uint64]bool
	last  int32
	examples
}

func (r *reading) parts(s string) (out []part) {
	r.table.Parts(s, func(w int, share float32) { out = append(out, part{int32(w), share}) })
	return out
}

// leastPassage is how many words of the table a passage of a document must have.
const leastPassage = 3

// documents takes pairs of documents, those that were not read before, and
// returns how many it took.
func (r *reading) documents(ps []pair) int {
	var list []example
	for _, p := range ps {
		h := fingerprint(p.query + p.passage)
		if r.seen[h] {
			continue
		}
		r.seen[h] = true
		e := example{query: r.parts(p.query), passage: r.parts(p.passage), same: r.last}
		r.last++
		switch {
		case len(e.passage) < leastPassage || contains(e.passage, e.query):
		case h%naturalKept == 0:
			r.naturalHeld = append(r.naturalHeld, e)
		default:
			list = append(list, e)
		}
	}
	if len(list) > 0 {
		r.natural = append(r.natural, list)
	}
	return len(list)
}

// contains tells whether all words of the question stand in the passage.
func contains(passage, query []part) bool {
	for _, q := range query {
		if !slices.ContainsFunc(passage, func(p part) bool { return p.word == q.word }) {
			return false
		}
	}
	return true
}

// ours takes one file of our own.
func (r *reading) ours(file []statement) int {
	var list []example
	for _, st := range file {
		n := int32(len(r.examples.statements))
		e := example{passage: r.parts(st.text), same: r.last}
		r.last++
		r.examples.statements = append(r.examples.statements, e.passage)
		for _, q := range st.questions {
			e.query = r.parts(q)
			switch {
			case len(e.query) == 0 || len(e.passage) == 0:
			case keptBack(st):
				r.ownHeld, r.of = append(r.ownHeld, e), append(r.of, n)
			default:
				list = append(list, e)
			}
		}
	}
	r.own = append(r.own, list)
	return len(list)
}

// collect makes the examples of all sources and of our own pairs.
func (v *vocabulary) collect(sources []source, cache string, table *embed.Static) (*examples, error) {
	r := reading{table: table, seen: map[uint64]bool{}}
	var count [kinds]int
	for _, s := range sources {
		file, err := extract(s, cache)
		if err != nil {
			return nil, err
		}
		ps, err := naturalPairs(file)
		if err != nil {
			return nil, err
		}
		for kind := range ps {
			count[kind] += r.documents(ps[kind])
		}
	}
	glosses := r.documents(glossPairs(v.sets))
	own := 0
	for _, f := range v.pairs {
		own += r.ours(f)
	}
	log.Printf("pairs: %d of a title, %d of a name, %d of a first sentence, %d of neighbours, %d of WordNet, %d of our own; %d and %d kept back",
		count[titled], count[named], count[begun], count[followed], glosses, own, len(r.naturalHeld), len(r.ownHeld))
	return &r.examples, nil
}

// measure says how many of the questions kept back find their passage: of
// documents among a thousand others, as they are and without the words that they
// share, and of ours among all statements.
func (c *contrast) measure(ex *examples) string {
	var q, bare, p [][]part
	var of []int32
	for i := 0; i < len(ex.naturalHeld); i += max(1, len(ex.naturalHeld)/1000) {
		e := ex.naturalHeld[i]
		of = append(of, int32(len(p)))
		q, bare, p = append(q, e.query), append(bare, c.without(e.query, e.passage)), append(p, e.passage)
	}
	var own, ownBare [][]part
	for _, e := range ex.ownHeld {
		own, ownBare = append(own, e.query), append(ownBare, c.without(e.query, e.passage))
	}
	words := c.words()
	in := func(q, p [][]part, of []int32) string {
		return recalls(c.texts(words, q), c.texts(words, p), c.out, of)
	}
	return fmt.Sprintf("kept back, R@1/5/10: documents %s, without shared words %s; ours %s, without %s",
		in(q, p, of), in(bare, p, of), in(own, ex.statements, ex.of), in(ownBare, ex.statements, ex.of))
}

// texts are the vectors of texts.
func (c *contrast) texts(words []float32, texts [][]part) []float32 {
	out := make([]float32, len(texts)*c.out)
	for i, t := range texts {
		u := out[i*c.out : (i+1)*c.out]
		for _, p := range t {
			axpy(p.share, words[int(p.word)*c.out:(int(p.word)+1)*c.out], u)
		}
		if n := vek32.Dot(u, u); n > 0 {
			vek32.MulNumber_Inplace(u, float32(1/math.Sqrt(float64(n))))
		}
	}
	return out
}

// recalls is the percentage of questions whose passage is among the first one,
// five and ten.
func recalls(qs, ps []float32, dim int, of []int32) string {
	found := [3]float64{}
	for i, right := range of {
		q := qs[i*dim : (i+1)*dim]
		mine, better := vek32.Dot(q, ps[int(right)*dim:(int(right)+1)*dim]), 0
		for j := 0; j < len(ps); j += dim {
			if vek32.Dot(q, ps[j:j+dim]) > mine {
				better++
			}
		}
		for k, n := range []int{1, 5, 10} {
			if better < n {
				found[k] += 100 / float64(len(of))
			}
		}
	}
	return fmt.Sprintf("%.1f/%.1f/%.1f", found[0], found[1], found[2])
}

// abroad finds, for each word of the table, those of the other script that
// stand in a group of the thesaurus with it.
func (v *vocabulary) abroad(rows []embed.Row) [][]int32 {
	number := map[string]int{}
	for i, r := range rows {
		number[r.Word] = i
	}
	out := make([][]int32, len(rows))
	for _, g := range numbered(v.ours, number, newTokenizer(v.lexicon), 1) {
		for _, x := range g.words {
			for _, y := range g.words {
				if han(rows[x].Word) != han(rows[y].Word) {
					out[x] = append(out[x], int32(y))
				}
			}
		}
	}
	return out
}
