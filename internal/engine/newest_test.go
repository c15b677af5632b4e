package engine

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pimento-memory/pimento/internal/index"
)

// TestNewestDocs: what is dropped on the way changes nothing.
func TestNewestDocs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	orders := map[string]func(i int) int64{
		"any":        func(int) int64 { return r.Int64N(1000) },
		"few days":   func(int) int64 { return r.Int64N(3) },
		"ascending":  func(i int) int64 { return int64(i) },
		"descending": func(i int) int64 { return int64(-i) },
		"all alike":  func(int) int64 { return 0 },
		"no date":    func(int) int64 { return math.MinInt64 + 1 },
	}
	for name, date := range orders {
		for _, count := range []int{0, 1, 19, 20, 21, 159, 160, 161, 3000} {
			docs := newestDocs{k: 20, oldest: math.MinInt64}
			var all []int64
			for i := range count {
				d := docAt{doc: index.Doc{Date: date(i), Line: i}}
				all = append(all, d.doc.Date)
				docs.add(d)
			}
			var want, got []int
			sorted := slices.Sorted(slices.Values(all))
			for i, d := range all {
				if len(want) < 20 && d >= sorted[max(0, len(sorted)-20)] {
					want = append(want, i)
				}
			}
			for _, d := range docs.take() {
				got = append(got, d.doc.Line)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s, %d: %v, want %v", name, count, got, want)
			}
		}
	}
}
