package recall

import (
	"cmp"
	"slices"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/score"
)

// Published orders hits as the scored-topics system documents it: pinned ones
// first, the others by similarity * 100 + stability. stability holds the value of
// each hit; that of a pin is [score.PinnedScore]. In that system similarity is a
// cosine; here it is a hit's score as a share of the best one's, which is also at
// most 1. The order is kept for comparison: stability seldom reaches 2.5, so it
// only decides between hits that are alike to 2%.
func Published(hits []pimento.Hit, stability []float64) {
	shares := Shares(hits)
	type scored struct {
		pimento.Hit
		worth float64
	}
	all := make([]scored, len(hits))
	for i, h := range hits {
		all[i] = scored{h, stability[i]}
		if stability[i] < score.PinnedScore {
			all[i].worth += 100 * shares[i]
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(b.worth, a.worth) })
	for i := range all {
		hits[i] = all[i].Hit
	}
}

// Shares are the scores of hits as shares of the best one's, 0 to 1. A score has no
// upper limit, and means something only within its answer.
func Shares(hits []pimento.Hit) []float64 {
	best := 0.0
	for _, h := range hits {
		best = max(best, h.Score)
	}
	out := make([]float64, len(hits))
	for i, h := range hits {
		if best > 0 {
			out[i] = h.Score / best
		}
	}
	return out
}
