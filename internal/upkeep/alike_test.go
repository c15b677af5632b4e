package upkeep

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
)

// madeUp are entries of words as unevenly used as people's, some of them an earlier one
// with a few words changed.
func madeUp(r *rand.Rand, n, vocabulary int) []Known {
	zipf := rand.NewZipf(r, 1.1, 5, uint64(vocabulary-1))
	out := make([]Known, n)
	for i := range out {
		words := make([]string, 1+r.IntN(30))
		for j := range words {
			words[j] = fmt.Sprintf("w%dk", zipf.Uint64())
		}
		if i > 0 && r.IntN(4) == 0 {
			words = strings.Fields(out[r.IntN(i)].Text)
			for range r.IntN(6) {
				words[r.IntN(len(words))] = fmt.Sprintf("w%dk", zipf.Uint64())
			}
		}
		text := strings.Join(words, " ")
		out[i] = Known{Entry: pimento.Entry{Text: text, Occurrence: pimento.Occurrence{Scope: pimento.Global, Page: "a.md", Statement: pimento.StatementOf(text), N: i}}}
	}
	return out
}

// TestAlikeFindsWhatComparingAllFinds: no bound on what two entries can share leaves out
// any that do, where no term is in a crowd; and where some are, none that were found
// by comparing all that meet as a whole.
func TestAlikeFindsWhatComparingAllFinds(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, size := range []struct{ entries, vocabulary int }{{40, 60}, {250, 400}, {250, 3000}, {1500, 40}, {3000, 300}} {
		f := finder{entries: madeUp(r, size.entries, size.vocabulary)}
		for _, e := range f.entries {
			f.gists = append(f.gists, gistOf(e.Entry))
		}
		got := map[[2]int]bool{}
		f.alike(func(a, b int) { got[[2]int{a, b}] = true })
		want := f.asAWhole()
		for pair := range got {
			if jaccard(f.gists[pair[0]].terms, f.gists[pair[1]].terms) < candidateAlike {
				t.Errorf("%v: %v are not alike", size, pair)
			}
		}
		if len(want) < size.entries/10 || len(got) != len(want) {
			t.Errorf("%v: %d pairs, not %d", size, len(got), len(want))
		}
		for pair := range want {
			if !got[pair] {
				t.Errorf("%v: %v left out", size, pair)
			}
		}
		if size.entries > crowd {
			continue
		}
		for i := range f.gists {
			for j := range i {
				if like := jaccard(f.gists[i].terms, f.gists[j].terms) >= candidateAlike; like != got[[2]int{j, i}] {
					t.Errorf("%v: %d and %d: %v", size, j, i, like)
				}
			}
		}
	}
}

// asAWhole is alike without bounds: whatever shares enough of its rarest terms is compared.
func (f *finder) asAWhole() map[[2]int]bool {
	out := map[[2]int]bool{}
	terms, df := f.numbered()
	lists, unlisted := make([][]int, len(df)), make([]int, len(terms))
	for i, x := range terms {
		shared := map[int]int{}
		for _, t := range x[:min(len(x), len(x)-needed(len(x))+several(len(x)))] {
			for _, j := range lists[t] {
				shared[j]++
			}
			switch {
			case df[t] == 1:
			case len(lists[t]) < crowd:
				lists[t] = append(lists[t], i)
			default:
				unlisted[i]++
			}
		}
		for j, n := range shared {
			if n >= max(1, min(several(len(x)), several(len(terms[j])))-unlisted[j]) && jaccard(x, terms[j]) >= candidateAlike {
				out[[2]int{j, i}] = true
			}
		}
	}
	return out
}

func TestSetsThatShareHalf(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	set := func() (out []int32) {
		for range 1 + r.IntN(9) {
			out = append(out, int32(r.IntN(12)))
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	for range 5000 {
		a, b := set(), set()
		if got, want := shareHalf(a, b), jaccard(a, b) >= candidateAlike; got != want {
			t.Fatalf("%v, %v: %v", a, b, got)
		}
	}
}

func BenchmarkPairs(b *testing.B) {
	entries := madeUp(rand.New(rand.NewPCG(7, 8)), 20_000, 20_000)
	slices.SortFunc(entries, func(a, b Known) int { return cmp.Compare(a.N, b.N) })
	for b.Loop() {
		Pairs(entries)
	}
}
