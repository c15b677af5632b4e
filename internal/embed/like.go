package embed

import (
	"cmp"
	"math"
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Like is a word of the table and how near it is to another one, the cosine.
type Like struct {
	Word string
	Sim  float32
}

// Words cuts a text written in Chinese into the words that the table has.
func (s *Static) Words(t string) (out []string) {
	for i := 0; i < len(t); {
		r, n := utf8.DecodeRuneInString(t[i:])
		if unicode.Is(unicode.Han, r) {
			if w, size := s.longest(t[i:]); w >= 0 {
				out = append(out, t[i:i+size])
				n = size
			}
		}
		i += n
	}
	return out
}

// Like finds the words nearest to a stem (or Chinese word) of the table, itself
// left out, nearest first; none for a word that the table does not have.
func (s *Static) Like(word string) []Like {
	if l, ok := likes.Load(word); ok {
		return l.([]Like)
	}
	out := s.like(word, 24)
	likes.Store(word, out)
	return out
}

var likes sync.Map

func (s *Static) like(word string, n int) []Like {
	w := s.table.find(word)
	if w < 0 {
		return nil
	}
	t := &s.table
	q := make([]float32, t.dim)
	t.add(q, w, 1)
	norm := float32(0)
	for _, x := range q {
		norm += x * x
	}
	if norm == 0 {
		return nil
	}
	norm = float32(1 / math.Sqrt(float64(norm)))
	for i := range q {
		q[i] *= norm
	}
	var out []Like
	for o := range t.words {
		if o == w {
			continue
		}
		row := t.data[t.rowAt+o*t.rowLength+4:][:t.dim]
		dot, sq := float32(0), int32(0)
		for i := range len(row) {
			b := int8(row[i])
			dot += q[i] * float32(b)
			sq += int32(b) * int32(b)
		}
		if sq == 0 {
			continue
		}
		if sim := dot / float32(math.Sqrt(float64(sq))); sim > 0.3 {
			out = append(out, Like{t.key(o), sim})
		}
	}
	slices.SortFunc(out, func(a, b Like) int { return cmp.Or(cmp.Compare(b.Sim, a.Sim), cmp.Compare(a.Word, b.Word)) })
	return out[:min(n, len(out))]
}
