package embed

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/pimento-memory/pimento/internal/text"
)

//go:embed static.vec
var builtin string

// Static is the embedder that is always there: a table of word vectors in the
// binary, trained by cmd/trainvec. The vector of a text is the sum of the
// vectors of its words, each weighted by its rarity; the order of words does
// not count, and a word has one vector whatever it means in its place. So it
// knows that a database and PostgreSQL have to do with each other, and nothing
// about what a sentence says of them.
//
// Words are cut by package text and looked up by their stems, so that
// identifiers count by their parts; stop words are left out. A word that is not
// in the table but is made of two that are ("storefront") counts as both.
// Chinese is cut into the longest words of up to four characters that the table
// has; of single characters it has few, those that are words ("lock", "table").
type Static struct {
	table     table
	info      Info
	analyzers sync.Pool // of *text.Analyzer
}

// NewStatic opens the built-in table. It reads a header only: the rest is paged
// in as words are looked up.
func NewStatic() *Static {
	s, err := OpenStatic(builtin)
	if err != nil {
		panic(err) // a test holds the embedded file; no other is ever opened
	}
	return s
}

// OpenStatic opens another table than the built-in one, for the trainer.
func OpenStatic(data string) (*Static, error) {
	t, err := openTable(data)
	if err != nil {
		return nil, err
	}
	s := &Static{table: t}
	s.info = Info{ID: fmt.Sprintf("static-%d-%08x", t.dim, t.sum()), Dim: t.dim, Weak: true, Related: related}
	s.analyzers.New = func() any { return text.NewAnalyzer() }
	return s, nil
}

// related was measured on the pairs of sentences in the tests, which nobody
// trained on. Of statements with nothing in common 95 in 100 are below 0.26; of
// questions and their answers in other words three quarters are above 0.52. It
// does what 0.65 does for a small BERT model, whose similarities lie in a narrow
// band.
const related = 0.30

// Info describes the table; its ID changes with every byte of it.
func (s *Static) Info() Info { return s.info }

// Close does nothing.
func (s *Static) Close() error { return nil }

// Embed never fails but for a cancelled context.
func (s *Static) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	a := s.analyzers.Get().(*text.Analyzer)
	defer s.analyzers.Put(a)
	out := make([][]float32, len(texts))
	for i, t := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out[i] = s.vector(a, t)
	}
	return out, nil
}

// vector is the vector of one text, nil when no word of it is known.
func (s *Static) vector(a *text.Analyzer, t string) []float32 {
	v := make([]float32, s.table.dim)
	s.parts(a, t, func(w int, share float32) { s.table.add(v, w, share) })
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum < 1e-20 {
		return nil
	}
	f := float32(1 / math.Sqrt(sum))
	for i := range v {
		v[i] *= f
	}
	return v
}

// Parts calls visit for each word of the table of which the text's vector is
// the sum, and how much it counts in it. Words are numbered as in [EncodeTable].
func (s *Static) Parts(t string, visit func(word int, share float32)) {
	a := s.analyzers.Get().(*text.Analyzer)
	defer s.analyzers.Put(a)
	s.parts(a, t, visit)
}

func (s *Static) parts(a *text.Analyzer, t string, visit func(w int, share float32)) {
	last := ""
	a.Analyze(t, func(field byte, term string) {
		if field != text.Word {
			return
		}
		s.word(term, visit)
		if w := s.table.find(last, " ", term); w >= 0 && last != "" {
			visit(w, 1)
		}
		last = term
	})
	s.chinese(t, visit)
}

// word visits a stem, or the two words that it is made of.
func (s *Static) word(stem string, visit func(w int, share float32)) {
	if w := s.table.find(stem); w >= 0 {
		visit(w, 1)
		return
	}
	left, right := s.split(stem)
	if left >= 0 {
		visit(left, 0.5)
		visit(right, 0.5)
	}
}

// Known is the share of a text's words that the table has as they are, from 0 to 1,
// stop words left out; 1 if there are none. Two characters of Chinese count as a word.
// A text whose names the table does not have is like all that speaks of such things.
func (s *Static) Known(t string) float64 {
	a := s.analyzers.Get().(*text.Analyzer)
	defer s.analyzers.Put(a)
	known, all := 0.0, 0.0
	count := func(w int, share float64) {
		if all += share; w >= 0 {
			known += share
		}
	}
	a.Analyze(t, func(field byte, term string) {
		if field == text.Word {
			count(s.table.find(term), 1)
		}
	})
	s.cut(t, func(word string, w int) {
		if !text.Stop(word) {
			count(w, float64(utf8.RuneCountInString(word))/2)
		}
	})
	if all == 0 {
		return 1
	}
	return known / all
}

// shortestPart is how many letters each half of a compound must have: with
// fewer, chance finds two words in anything.
const shortestPart = 4

// split finds the two known words of which an unknown one is made: of all
// places to cut, the one nearest to its middle.
func (s *Static) split(stem string) (left, right int) {
	if len(stem) > 40 {
		return -1, -1
	}
	middle := len(stem) / 2
	for d := 0; middle-d >= shortestPart || middle+d <= len(stem)-shortestPart; d++ {
		for _, at := range [2]int{middle + d, middle - d} {
			if at < shortestPart || at > len(stem)-shortestPart {
				continue
			}
			if left = s.table.find(stem[:at]); left < 0 {
				continue
			}
			if right = s.table.find(stem[at:]); right >= 0 {
				return left, right
			}
		}
	}
	return -1, -1
}

// longestWord is the length of the longest Chinese word, in characters.
const longestWord = 4

// chinese visits the Chinese words in t, without those that say nothing.
func (s *Static) chinese(t string, visit func(w int, share float32)) {
	s.cut(t, func(word string, w int) {
		switch {
		case w < 0 || text.Stop(word):
		case text.Weak(word):
			visit(w, weakShare)
		default:
			visit(w, 1)
		}
	})
}

// cut visits what the Chinese in t is made of: at each place the longest word that
// the table has, or one character that begins none, with -1.
func (s *Static) cut(t string, visit func(word string, w int)) {
	for i := 0; i < len(t); {
		if t[i] < 0xE0 { // no Han character begins with it
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(t[i:])
		if unicode.Is(unicode.Han, r) {
			w, size := s.longest(t[i:])
			if w >= 0 {
				n = size
			}
			visit(t[i:i+n], w)
		}
		i += n
	}
}

// weakShare is what a Chinese word counts that any question is framed with. The
// table has English ones at that weight.
const weakShare = 0.5

// longest finds the longest word at the start of t, and its size in bytes.
func (s *Static) longest(t string) (w, size int) {
	w = -1
	chars := 0
	for i, r := range t {
		if chars++; chars > longestWord || !unicode.Is(unicode.Han, r) {
			break
		}
		end := i + utf8.RuneLen(r)
		if n := s.table.find(t[:end]); n >= 0 {
			w, size = n, end
		}
	}
	return w, size
}
