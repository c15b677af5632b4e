package embed

import (
	"cmp"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"strings"
)

// A Like is a word of the table and how near it is to another one, the cosine.
type Like struct {
	Word string
	Sim  float32
}

// Each word is kept with the single English words nearest to it, so that to ask
// for them costs nothing: they are what a memory is searched for beside the word
// itself.
const (
	likesEach = 12
	likeBytes = likesEach * 3
	likeLeast = 0.5
)

// LikesSize is what they take for each word, in bytes.
const LikesSize = likeBytes

// Likes are the English stems nearest to a stem, or to a Chinese word, nearest
// first; none for a word that the table does not have.
func (s *Static) Likes(word string) []Like {
	t := &s.table
	w := t.find(word)
	if w < 0 {
		return nil
	}
	row := t.data[t.likeAt+w*likeBytes:][:likeBytes]
	out := make([]Like, 0, likesEach)
	for i := 0; i < likeBytes; i += 3 {
		n := int(row[i]) | int(row[i+1])<<8
		if n == 0 || n > t.words {
			break
		}
		out = append(out, Like{t.key(n - 1), likeLeast + (1-likeLeast)*float32(row[i+2])/255})
	}
	return out
}

// Knows says whether the table has a stem: nobody mistyped it then.
func (s *Static) Knows(stem string) bool { return s.table.find(stem) >= 0 }

// Words cuts the Chinese of a text into the words that the table has.
func (s *Static) Words(t string) (out []string) {
	s.cut(t, func(word string, w int) {
		if w >= 0 {
			out = append(out, word)
		}
	})
	return out
}

// nearest makes the section of likes. All pairs of words are compared by the
// signs of their vectors, and the nearest of these number by number.
func nearest(rows []Row) []byte {
	codes, norms := make([][]uint64, len(rows)), make([]float32, len(rows))
	for i, r := range rows {
		codes[i] = make([]uint64, (len(r.Vector)+63)/64)
		for j, x := range r.Vector {
			norms[i] += x * x
			if x > 0 {
				codes[i][j/64] |= 1 << (j % 64)
			}
		}
		norms[i] = float32(math.Sqrt(float64(norms[i])))
	}
	var singles []int
	for i, r := range rows {
		if norms[i] > 0 && strings.IndexFunc(r.Word, func(c rune) bool { return c < 'a' || c > 'z' }) < 0 {
			singles = append(singles, i)
		}
	}
	var out []byte
	for i := range rows {
		out = appendLikes(out, likesOf(rows, codes, norms, singles, i))
	}
	return out
}

// compared is how many of the nearest by sign are compared number by number.
const compared = 150

type numbered struct {
	word int
	sim  float32
}

func likesOf(rows []Row, codes [][]uint64, norms []float32, singles []int, w int) []numbered {
	if norms[w] == 0 {
		return nil
	}
	far := make([]numbered, 0, len(singles))
	for _, o := range singles {
		if o != w {
			d := 0
			for k, c := range codes[w] {
				d += bits.OnesCount64(c ^ codes[o][k])
			}
			far = append(far, numbered{o, float32(d)})
		}
	}
	slices.SortFunc(far, func(a, b numbered) int { return cmp.Or(cmp.Compare(a.sim, b.sim), cmp.Compare(a.word, b.word)) })
	far = far[:min(compared, len(far))]
	for i, f := range far {
		dot := float32(0)
		for k, x := range rows[w].Vector {
			dot += x * rows[f.word].Vector[k]
		}
		far[i].sim = dot / norms[w] / norms[f.word]
	}
	slices.SortFunc(far, func(a, b numbered) int { return cmp.Or(cmp.Compare(b.sim, a.sim), cmp.Compare(a.word, b.word)) })
	return far[:min(likesEach, len(far))]
}

func appendLikes(b []byte, likes []numbered) []byte {
	n := 0
	for _, l := range likes {
		if l.sim < likeLeast {
			break
		}
		b = binary.LittleEndian.AppendUint16(b, uint16(l.word+1))
		b = append(b, byte(math.Round(float64(min(l.sim, 1)-likeLeast)/(1-likeLeast)*255)))
		n++
	}
	return append(b, make([]byte, (likesEach-n)*3)...)
}
