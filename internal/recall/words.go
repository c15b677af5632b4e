package recall

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"unicode/utf8"

	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/text"
)

// words is a question as terms, and how the terms belong together.
type words struct {
	terms []term
	units []unit
	pairs []pair
	mass  float64 // sum of the units' idf
	once  float64 // idf of a word that stands in one entry alone

	say    int // words that say something, apart from the time that is asked for
	window int // number of the unit, from 1, for the days or months that are asked for; 0 for none

	// The terms, as bits, that are words as they were asked: no synonyms, and not
	// single characters of Chinese, of which any entry holds some by chance.
	literal uint64

	lang     text.Language
	analyzer *text.Analyzer // stems are computed once per question, not once per entry
}

// A term is one term of the question in one field.
type term struct {
	key    string // as the index knows it
	field  byte
	factor string
	weight float32 // of the word and the field, without idf
	unit   int
	loose  bool    // it stands in for what the unit is, or may answer it
	sure   float64 // how likely it is what was meant: less than 1 for a corrected spelling
	df     int
	idf    float64
}

// A unit is what the question asks for once, though several fields hold it: a
// word, a CJK character or pair, a number, a tag.
type unit struct {
	held   uint64  // its terms, as bits in what the index asks for
	loose  uint64  // of them, those that stand in for it
	weak   float64 // largest weight of its terms
	idf    float64 // weak included
	time   bool    // it names the time that is asked for
	other  bool    // it does not, or not only
	date   bool    // it is of a date
	word   bool    // a Chinese word
	absent bool    // no entry holds it as it stands
	author bool    // the name of who has written something
	name   bool    // it is written as names are
	number bool    // it is a number that stands for one thing: a port, a status code
}

// A pair is two stems that stand side by side in the question.
type pair struct {
	first, second string
	held          uint64 // the bits of both stems, 0 if one of them is nowhere
	beside        uint8  // see text.BesideBit
	idf           float64
}

// analyse takes a question in a language apart.
func analyse(question string, l text.Language, p Params, analyzer *text.Analyzer) words {
	if analyzer == nil {
		analyzer = text.NewAnalyzer()
	}
	w := words{analyzer: analyzer, lang: l}
	at := map[int]int{} // Group to unit
	asked := text.QueryTerms(question, l, p.Analysed)
	w.terms = make([]term, 0, 2*len(asked)) // and others for the same
	for _, qt := range asked {
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
		if qt.Field != text.Author { // a word that is only asked for as a name says nothing else
			w.units[i].weak = max(w.units[i].weak, float64(qt.Weight))
		}
		w.units[i].name = w.units[i].name || qt.Name
		w.units[i].number = w.units[i].number || text.Number(qt.Term)
		w.terms = append(w.terms, term{key: qt.Key(), field: qt.Field, factor: factor, weight: weight * qt.Weight, unit: i, sure: 1})
	}
	w.pairsOf(question)
	return w
}

func (w *words) pairsOf(question string) {
	seen := map[[2]string]bool{}
	for a, b := range w.adjacent(question, func([]byte) bool { return true }) {
		if !seen[[2]string{a, b}] && len(w.pairs) < len(w.terms) {
			seen[[2]string{a, b}] = true
			w.pairs = append(w.pairs, pair{first: a, second: b, beside: text.BesideBit(a, b)})
		}
	}
}

// adjacent yields the pairs of stems that follow each other in s, stop words
// left out; not those of a word that may, given it in lower case, says no to.
func (w *words) adjacent(s string, may func(low []byte) bool) func(yield func(a, b string) bool) {
	return func(yield func(a, b string) bool) {
		last, stopped := "", false
		w.analyzer.Stems(w.lang, s, may, func(stem string) {
			if last != "" && stem != "" && last != stem && !stopped {
				stopped = !yield(last, stem)
			}
			last = stem
		})
	}
}

// keys are the terms so far, as the index knows them.
func (w *words) keys() map[string]bool {
	have := make(map[string]bool, len(w.terms))
	for _, t := range w.terms {
		have[t.key] = true
	}
	return have
}

func (w *words) names() []string {
	out := make([]string, len(w.terms))
	for i, t := range w.terms {
		out[i] = t.key
	}
	return out
}

// idfOf is ln(1 + (N-n+0.5)/(n+0.5)), the form of BM25's idf that is never
// negative.
func idfOf(docs, df int) float64 {
	return math.Log1p((float64(docs) - float64(df) + 0.5) / (float64(df) + 0.5))
}

// weigh gives units, terms and pairs their idf from the summed statistics, and
// keeps the terms that exist, the most telling if there are too many.
//
// A unit weighs as its most frequent spelling in texts; metadata counts only for
// what no text says. A unit that exists nowhere weighs most: not holding it is
// what makes a question unanswerable.
func (w *words) weigh(st index.Stats, p Params) {
	w.once = idfOf(st.Docs, 1)
	said, meta := make([]int, len(w.units)), make([]int, len(w.units))
	for i := range w.terms {
		t := &w.terms[i]
		t.df = st.DF[i]
		t.idf = idfOf(st.Docs, t.df)
		if t.loose || t.field == text.Author {
			continue
		}
		if w.units[t.unit].word && utf8.RuneCountInString(t.key) < 3 {
			continue // a character says less than the word
		}
		if t.field == text.Meta {
			meta[t.unit] = max(meta[t.unit], t.df)
		} else {
			said[t.unit] = max(said[t.unit], t.df)
		}
	}
	for i := range w.units {
		u := &w.units[i]
		df := said[i]
		if df == 0 {
			df = meta[i]
		}
		u.absent = df == 0
		u.idf = idfOf(st.Docs, df) * u.weak
		w.mass += u.idf
	}
	for i := range w.terms { // what stands in for a word tells no more than the word
		if t := &w.terms[i]; t.loose && w.units[t.unit].weak > 0 {
			t.idf = min(t.idf, w.units[t.unit].idf/w.units[t.unit].weak)
		}
	}
	w.authors(p)
	w.keep()
}

// authors tells the names of who has written something from other words.
func (w *words) authors(p Params) {
	for i := range w.terms {
		if t := &w.terms[i]; t.field == text.Author && t.df > 0 {
			w.units[t.unit].author = true
			t.weight = float32(p.Author * w.mass / t.idf)
		}
	}
	for i := range w.terms {
		if t := &w.terms[i]; t.field != text.Author && w.units[t.unit].author {
			t.weight *= p.AuthorWord
		}
	}
}

// keep drops the terms that stand nowhere, and the least telling of too many.
func (w *words) keep() {
	w.terms = slices.DeleteFunc(w.terms, func(t term) bool { return t.df == 0 })
	if len(w.terms) > index.MaxTerms {
		slices.SortStableFunc(w.terms, func(a, b term) int {
			return cmp.Compare(float64(b.weight)*b.idf, float64(a.weight)*a.idf)
		})
		w.terms = w.terms[:index.MaxTerms]
	}
	stems := map[string]int{}
	for i, t := range w.terms {
		w.units[t.unit].held |= 1 << i
		if t.loose {
			w.units[t.unit].loose |= 1 << i
		} else if t.field != text.CJK || utf8.RuneCountInString(t.key) > 2 {
			w.literal |= 1 << i
		}
		if t.field == text.Word {
			stems[t.key[1:]] = i
		}
	}
	for i := range w.pairs {
		p := &w.pairs[i]
		a, ok := stems[p.first]
		b, ok2 := stems[p.second]
		if ok && ok2 {
			p.held = 1<<a | 1<<b
			p.idf = (w.terms[a].idf + w.terms[b].idf) / 2
		}
	}
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
func (w *words) coverage(held uint64) float64 {
	if w.mass == 0 {
		return 0
	}
	got := 0.0
	for i := range w.units {
		got += w.found(&w.units[i], held)
	}
	return min(got/w.mass, 1)
}

// dated is the coverage of a match that is of the time that was asked for, as if its page
// told that.
func (w *words) dated(held uint64) float64 {
	share := w.coverage(held)
	if w.mass == 0 {
		return share
	}
	for i := range w.units {
		if u := &w.units[i]; u.time || i+1 == w.window {
			share += (u.idf - w.found(u, held)) / w.mass
		}
	}
	return min(share, 1)
}

// timeMass is the idf mass of the words of the time that was asked for.
func (w *words) timeMass() (sum float64) {
	for i := range w.units {
		if u := &w.units[i]; u.time || i+1 == w.window {
			sum += u.idf
		}
	}
	return sum
}

// found is what a match holds of a unit, at most the unit's idf.
func (w *words) found(u *unit, held uint64) (best float64) {
	for found := u.held & held; found != 0; found &= found - 1 {
		t := &w.terms[bits.TrailingZeros64(found)]
		idf := t.idf * u.weak
		if u.absent { // another word for it is all there is
			idf = u.idf
		}
		best = max(best, min(idf*t.sure, u.idf))
	}
	return best
}

// named is what a match holds, and what it lacks, of the names in the question.
func (w *words) named(held uint64) (has, lacks float64) {
	for i := range w.units {
		if u := &w.units[i]; u.name {
			found := w.found(u, held)
			has += found
			if found == 0 {
				lacks += u.idf
			}
		}
	}
	return has, lacks
}

// numberless is the share of the numbers that the question asks for, and that stand
// somewhere, which a match lacks.
func (w *words) numberless(held uint64) float64 {
	asked, lacks := 0.0, 0.0
	for i := range w.units {
		if u := &w.units[i]; u.number && !u.time && !u.absent {
			asked++
			if u.held&held == 0 {
				lacks++
			}
		}
	}
	return lacks / max(asked, 1)
}

// told is how much a match holds of the question's words as they were asked, in
// words that stand in one entry alone. However long the question, to hold three
// of them is no chance.
func (w *words) told(held uint64) float64 {
	if held &= w.literal; held == 0 {
		return 0
	}
	return w.coverage(held) * w.mass / w.once
}

// touches says whether a match holds a word of the question that says something, as it was
// asked and no word of a time.
func (w *words) touches(held uint64) bool {
	for i := range w.units {
		if u := &w.units[i]; u.weak >= 1 && !u.time && i+1 != w.window && u.held&^u.loose&held != 0 {
			return true
		}
	}
	return false
}

// promise is the most that bigrams can give a match that holds these terms.
func (w *words) promise(held uint64) (sum float64) {
	for _, p := range w.pairs {
		if p.held != 0 && p.held&held == p.held {
			sum += p.idf
		}
	}
	return sum
}

// mayStand says whether a match may hold one of the pairs side by side, as far as
// the index knows its text.
func (w *words) mayStand(held uint64, beside text.Beside) bool {
	for _, p := range w.pairs {
		if p.held != 0 && p.held&held == p.held && beside.May(p.beside) {
			return true
		}
	}
	return false
}

// bigrams is the summed idf of the question's pairs that stand side by side in
// the text of a match.
func (w *words) bigrams(s string, held uint64) (sum float64) {
	if !w.mayHold(s, held) {
		return 0
	}
	found := make([]bool, len(w.pairs))
	for a, b := range w.adjacent(s, w.mayBegin(held)) {
		for i, p := range w.pairs {
			if !found[i] && p.first == a && p.second == b {
				found[i] = true
				sum += p.idf
			}
		}
	}
	return sum
}
