package recall

import (
	"math"
	"slices"

	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/text"
)

// words is a question as terms, and how the terms belong together.
type words struct {
	terms []term
	units []unit
	pairs []pair
	mass  float64 // sum of the units' idf

	analyzer *text.Analyzer // stems are computed once per question, not once per entry
}

// A term is one term of the question in one field.
type term struct {
	key    string // as the index knows it
	field  byte
	factor string
	weight float32 // of the word and the field, without idf
	idf    float64
}

// A unit is what the question asks for once, though several fields hold it: a
// word, a CJK character or pair, a number, a tag.
type unit struct {
	terms []int   // into words.terms
	weak  float64 // largest weight of its terms
	idf   float64 // weak included
}

// A pair is two stems that stand side by side in the question.
type pair struct {
	first, second string
	at, next      int // their terms in words.terms, -1 when the question has dropped one
	idf           float64
}

// analyse takes a question apart.
func analyse(question string, p Params, analyzer *text.Analyzer) words {
	if analyzer == nil {
		analyzer = text.NewAnalyzer()
	}
	w := words{analyzer: analyzer}
	at := map[int]int{} // Group to unit
	for _, qt := range text.QueryTerms(question, p.Terms) {
		weight, factor := p.field(qt.Field)
		if weight == 0 {
			continue
		}
		i, ok := at[qt.Group]
		if !ok {
			i = len(w.units)
			at[qt.Group] = i
			w.units = append(w.units, unit{})
		}
		u := &w.units[i]
		u.terms = append(u.terms, len(w.terms))
		u.weak = max(u.weak, float64(qt.Weight))
		w.terms = append(w.terms, term{key: qt.Key(), field: qt.Field, factor: factor, weight: weight * qt.Weight})
	}
	w.pairsOf(question)
	return w
}

func (w *words) pairsOf(question string) {
	seen := map[[2]string]bool{}
	for a, b := range w.adjacent(question) {
		if !seen[[2]string{a, b}] && len(w.pairs) < len(w.terms) {
			seen[[2]string{a, b}] = true
			w.pairs = append(w.pairs, pair{first: a, second: b})
		}
	}
}

// adjacent yields the pairs of stems that follow each other in s, stop words
// left out.
func (w *words) adjacent(s string) func(yield func(a, b string) bool) {
	return func(yield func(a, b string) bool) {
		last, stopped := "", false
		w.analyzer.Analyze(s, func(field byte, stem string) {
			if field != text.Word || stopped {
				return
			}
			if last != "" && last != stem {
				stopped = !yield(last, stem)
			}
			last = stem
		})
	}
}

func (w *words) names() []string {
	out := make([]string, len(w.terms))
	for i, t := range w.terms {
		out[i] = t.key
	}
	return out
}

// weigh computes idf = ln(1 + (N-n+0.5)/(n+0.5)), the form of BM25's idf that is
// never negative, from the summed statistics. It reports whether any term
// exists.
//
// A unit weighs as its most frequent spelling in texts; metadata counts only for
// what no text says. A unit that exists nowhere weighs most: not holding it is
// what makes a question unanswerable.
func (w *words) weigh(st index.Stats) bool {
	n := float64(st.Docs)
	idf := func(df int) float64 { return math.Log1p((n - float64(df) + 0.5) / (float64(df) + 0.5)) }
	some := false
	stems := map[string]int{}
	for i := range w.terms {
		t := &w.terms[i]
		t.idf = idf(st.DF[i])
		some = some || st.DF[i] > 0
		if t.field == text.Word {
			stems[t.key[1:]] = i
		}
	}
	for i := range w.units {
		u := &w.units[i]
		said, meta := 0, 0
		for _, t := range u.terms {
			if w.terms[t].field == text.Meta {
				meta = max(meta, st.DF[t])
			} else {
				said = max(said, st.DF[t])
			}
		}
		if said == 0 {
			said = meta
		}
		u.idf = idf(said) * u.weak
		w.mass += u.idf
	}
	for i := range w.pairs {
		p := &w.pairs[i]
		p.at, p.next = -1, -1
		if t, ok := stems[p.first]; ok {
			p.at = t
			p.idf += w.terms[t].idf / 2
		}
		if t, ok := stems[p.second]; ok {
			p.next = t
			p.idf += w.terms[t].idf / 2
		}
	}
	return some
}

func (w *words) weighted() []index.WeightedTerm {
	out := make([]index.WeightedTerm, len(w.terms))
	for i, t := range w.terms {
		out[i] = index.WeightedTerm{Text: t.key, Weight: t.weight * float32(t.idf)}
	}
	return out
}

// coverage is the share of the question's idf mass that a match holds. A unit
// counts as found by its best term, and by no more than that term's own idf: a
// word that stands in the path of every entry (the name of the project) says
// nothing, however rare it is in their texts.
func (w *words) coverage(parts []float32) float64 {
	if w.mass == 0 {
		return 0
	}
	got := 0.0
	for _, u := range w.units {
		best := 0.0
		for _, t := range u.terms {
			if t < len(parts) && parts[t] > 0 {
				best = max(best, min(w.terms[t].idf*u.weak, u.idf))
			}
		}
		got += best
	}
	return min(got/w.mass, 1)
}

// bigrams is the summed idf of the question's pairs that stand side by side in
// the text of a match. The text is looked at only if the match holds both words
// of some pair.
func (w *words) bigrams(s string, parts []float32) float64 {
	holds := func(t int) bool { return t >= 0 && t < len(parts) && parts[t] > 0 }
	if !slices.ContainsFunc(w.pairs, func(p pair) bool { return holds(p.at) && holds(p.next) }) {
		return 0
	}
	sum, found := 0.0, make([]bool, len(w.pairs))
	for a, b := range w.adjacent(s) {
		for i, p := range w.pairs {
			if !found[i] && p.first == a && p.second == b {
				found[i] = true
				sum += p.idf
			}
		}
	}
	return sum
}
