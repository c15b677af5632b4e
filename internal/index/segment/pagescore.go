package segment

import (
	"math/bits"
	"slices"

	"github.com/pimento-memory/pimento/internal/index"
)

// bounds are the most that the best entry of each page can have; 0 for a page that
// holds no term.
func (sc *scorer) bounds() []float32 {
	bounds, long := slices.Grow(sc.sums.bounds[:0], len(sc.words)), sc.long
	sc.weigh()
	before, after := max(sc.q.Prev, sc.q.Asked), sc.q.Next
	far := before * sc.q.Far
	around := 1 + before + far + after
	for page := range sc.words {
		first, end := sc.starts[page], sc.starts[page+1]
		most, held := outline(sc.sums.best[first:end], sc.sums.held[first:end], before, far, after)
		if len(long) > 0 && le.Uint32(long) < end {
			for ; len(long) > 0 && le.Uint32(long) < end; long = long[longRow:] {
				most = max(most, sc.sums.whole[le.Uint32(long)]) // no passage has more than its entry as a whole
			}
			most *= around
		}
		bounds = append(bounds, sc.bound(page, most, held))
	}
	sc.sums.bounds = bounds
	return bounds
}

// weigh sums the weights of each set of eight terms, so that those of what a page
// holds need not be summed one by one.
func (sc *scorer) weigh() {
	for i := 0; 8*i < len(sc.q.Terms); i++ {
		sets := &sc.sums.weights[i]
		for set := 1; set < len(sets); set++ {
			weight := float32(0)
			if t := 8*i + bits.TrailingZeros8(uint8(set)); t < len(sc.q.Terms) {
				weight = sc.q.Terms[t].Weight
			}
			sets[set] = sets[set&(set-1)] + weight
		}
	}
}

// outline is the most that one of some docs can have without its page, as long as each
// is an entry of its own and its neighbours count so much, and the terms that they hold.
func outline(best []float32, holds []uint64, before, far, after float32) (most float32, held uint64) {
	prior, prev, cur := float32(0), float32(0), float32(0)
	holds = holds[:len(best)]
	for i, next := range best {
		held |= holds[i]
		if sum := cur + before*prev + far*prior + after*next; sum > most { // max would care for what is no number
			most = sum
		}
		prior, prev, cur = prev, cur, next
	}
	return max(most, cur+before*prev+far*prior), held
}

// bound adds to the most that an entry has without its page what the page can add: a
// term counts no more there than if every passage held it.
func (sc *scorer) bound(page int, most float32, held uint64) float32 {
	if held == 0 {
		return 0
	}
	weight := float32(0)
	for i := 0; held != 0; held >>= 8 {
		weight += sc.sums.weights[i][held&0xff]
		i++
	}
	return roundUp * (most + sc.q.Page*weight*sc.units.most[page])
}

// pageScore is the score of a page whose docs hold the given terms, above 0.
func (sc *scorer) pageScore(page int) (score float32) {
	if sc.q.Page == 0 {
		return 1 // only that it holds one matters
	}
	var holders [index.MaxTerms]uint16
	all := uint64(0)
	for _, held := range sc.sums.held[sc.starts[page]:sc.starts[page+1]] {
		all |= held
		for ; held != 0; held &= held - 1 {
			holders[bits.TrailingZeros64(held)]++
		}
	}
	for ; all != 0; all &= all - 1 {
		t := bits.TrailingZeros64(all)
		score += sc.pagePart(page, sc.q.Terms[t].Weight, holders[t])
	}
	return score
}

// pagePart is what a term that so many of its passages hold adds to a page.
func (sc *scorer) pagePart(page int, weight float32, holders uint16) float32 {
	if int(holders) <= len(sc.units.pages) {
		return float32(weight * sc.units.pages[holders-1][page])
	}
	return sc.q.PagePart(weight, holders, int(sc.words[page]))
}
