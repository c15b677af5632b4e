package upkeep

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"
)

// alike reports pairs of entries that have at least candidateAlike of their terms
// in common. Two sets with a Jaccard similarity of at least t share l terms among
// the first n - ceil(t*n) + l of each, in any one order of all terms; the rarest
// first makes the lists short. To ask for several spares nearly all comparisons of entries
// that have one word in common by chance. A list ends at a crowd, and an entry that
// is missing in some needs to be met in so many fewer.
//
// In a large memory nearly all of a text's words are in a crowd. Of those that meet
// then by one word, sketches of both tell nearly all that cannot be alike (Sandes et
// al. 2020).
func (f *finder) alike(meet func(a, b int)) {
	terms, df := f.numbered()
	lists := make([][]listed, len(df)) // of the entries before this one, by their rarest terms
	sketches := make([]sketch, len(terms))
	var met []int32
	for i, x := range terms {
		n := int32(len(x))
		if n == 0 {
			continue // stop words alone
		}
		this := &sketches[i]
		*this = sketchOf(x)
		for _, t := range x[:len(x)-needed(len(x))+several(len(x))] {
			for _, y := range lists[t] {
				if 2*y.size < n || 2*n < y.size {
					continue
				}
				that := &sketches[y.entry]
				if that.shared++; that.shared == 1 {
					met = append(met, y.entry)
				}
			}
			switch {
			case df[t] == 1: // nobody else's
			case len(lists[t]) < crowd:
				lists[t] = append(lists[t], listed{int32(i), n})
			default:
				this.unlisted++
			}
		}
		for _, j := range met {
			that := &sketches[j]
			if that.shared >= max(1, min(this.several, that.several)-that.unlisted) && this.near(that) && shareHalf(x, terms[j]) {
				meet(int(j), i)
			}
			that.shared = 0
		}
		met = met[:0]
	}
}

// A listed entry has a term among its rarest.
type listed struct {
	entry int32
	size  int32 // how many terms it has
}

// A sketch is of an entry what is looked at before its terms.
type sketch struct {
	bits     [2]uint64 // one for each term, several terms for one
	size     int32
	several  int32 // of size
	unlisted int32 // of its rarest terms, those that were a crowd's
	shared   int32 // of them, what it shares with the entry at hand
}

func sketchOf(terms []int32) sketch {
	s := sketch{size: int32(len(terms)), several: int32(several(len(terms)))}
	for _, t := range terms {
		s.bits[t>>6&1] |= 1 << (t & 63)
	}
	return s
}

// near is false where two entries cannot be alike: each bit that differs is of a term
// that only one of them has, and of alike ones no more than a third of all are.
func (s *sketch) near(t *sketch) bool {
	apart := bits.OnesCount64(s.bits[0]^t.bits[0]) + bits.OnesCount64(s.bits[1]^t.bits[1])
	return 3*int32(apart) <= s.size+t.size
}

// shareHalf says whether of two sorted sets at least half (candidateAlike) of all terms
// are in both. It goes on only as long as that can be.
func shareHalf(a, b []int32) bool {
	need := (len(a) + len(b) + 2) / 3 // both / (a+b-both) >= 1/2
	missA, missB := len(a)-need, len(b)-need
	for i, j := 0, 0; missA >= 0 && missB >= 0; {
		switch {
		case i == len(a) || j == len(b):
			return true
		case a[i] == b[j]:
			i, j = i+1, j+1
		case a[i] < b[j]:
			i, missA = i+1, missA-1
		default:
			j, missB = j+1, missB-1
		}
	}
	return false
}

// needed is how many of n terms an entry must share at least with one that is alike,
// and several how many of the rarest are asked for.
func needed(n int) int  { return int(candidateAlike*float64(n) + 0.999) }
func several(n int) int { return min(needed(n), 3) }

// numbered are the terms of each entry as numbers, in ascending order, the rarest
// first; and how many entries hold each.
func (f *finder) numbered() (terms [][]int32, df []int) {
	held := map[string]int{}
	for _, g := range f.gists {
		for _, t := range g.terms {
			held[t]++
		}
	}
	number := make(map[string]int32, len(held))
	for n, t := range slices.SortedFunc(maps.Keys(held), func(a, b string) int { return cmp.Or(cmp.Compare(held[a], held[b]), cmp.Compare(a, b)) }) {
		number[t], df = int32(n), append(df, held[t])
	}
	terms = make([][]int32, len(f.gists))
	for i, g := range f.gists {
		for _, t := range g.terms {
			terms[i] = append(terms[i], number[t])
		}
		slices.Sort(terms[i])
	}
	return terms, df
}
