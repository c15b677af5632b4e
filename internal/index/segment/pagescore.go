package segment

import (
	"math/bits"
	"sort"

	"github.com/pimento-memory/pimento/internal/index"
)

// An outline is what the docs of a page come to.
type outline struct {
	least, most float32 // between these is the best of their scores, without their page
	sum         float32 // the most that they can add to the score of a page in which a term counts 1
	held        uint64
}

func (sc *scorer) outline(first, end uint32) (o outline) {
	best, short, held := sc.sums.best[first:end], sc.short[first:end], sc.sums.held[first:end]
	q, prev := sc.q, float32(0)
	least, most := min(q.Prev, q.Asked), max(q.Prev, q.Asked)
	for i, b := range best {
		next := float32(0)
		if i+1 < len(best) {
			next = q.Next * best[i+1]
		}
		o.most = max(o.most, b+most*prev+next)
		if b > 0 { // else it may not count
			o.least = max(o.least, b+least*prev+next)
		}
		o.sum += b * sc.units.inverse[short[i]]
		o.held |= held[i]
		prev = b
	}
	return o
}

// fewest is how many entries must be asked for at most for it to be worth while to
// know beforehand how good they will be.
const fewest = 64

// least is what the k best entries have at least, because so many pages have one
// that has it without its page; 0 when that is not known.
func (sc *scorer) least(outlines []outline, k int) float32 {
	if k > fewest || len(outlines) < k || len(sc.long) > 0 {
		return 0
	}
	var best [fewest]float32 // descending
	for _, o := range outlines {
		if o.least <= best[k-1] {
			continue
		}
		i := k - 1
		for ; i > 0 && best[i-1] < o.least; i-- {
			best[i] = best[i-1]
		}
		best[i] = o.least
	}
	return best[k-1] / roundUp
}

// pageBound is the most that a page's score can be, for the sum of its outline: a
// term counts no more for several passages than each time for one, and no more than
// if every passage held it.
func (sc *scorer) pageBound(page int, sum float32) float32 {
	return roundUp * min(sum*sc.units.pages[0][page], sc.weight*sc.units.most[page])
}

// pageScore is the score of a page whose docs hold the given terms, above 0.
func (sc *scorer) pageScore(page int, all uint64) (score float32) {
	if sc.q.Page == 0 {
		return 1 // only that it holds one matters
	}
	var holders [index.MaxTerms]uint16
	for _, held := range sc.sums.held[sc.starts[page]:sc.starts[page+1]] {
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

// crowded is from how many docs a page on the scores of pages are added up as
// postings are read: there are few pages then, and a bad bound for each. For fewer
// it costs more than the scores of docs do.
const crowded = 16

// A holding adds up, for one term, what it adds to crowded pages.
type holding struct {
	*scorer
	pages     []float32 // nil when pages are not crowded
	weight    float32
	page, end uint32 // the page being read, and the first doc behind it
	holders   uint16
}

func (sc *scorer) holding(weight float32) holding {
	return holding{scorer: sc, pages: sc.sums.pages, weight: weight}
}

// add takes up the next docs that hold the term.
func (h *holding) add(docs []uint32) {
	for _, doc := range docs {
		if doc >= h.end {
			h.flush()
			h.page = pageAt(h.starts, h.page, doc)
			h.end, h.holders = h.starts[h.page+1], 0
		}
		h.holders++
	}
}

func (h *holding) flush() {
	switch {
	case h.holders == 0:
	case h.q.Page == 0:
		h.pages[h.page] = 1 // only that it holds one matters
	default:
		h.pages[h.page] += h.pagePart(int(h.page), h.weight, h.holders)
	}
}

// pageAt is the page of a doc that is not before the given page.
func pageAt(starts []uint32, page, doc uint32) uint32 {
	for range 4 { // it is mostly one of the next
		if starts[page+1] > doc {
			return page
		}
		page++
	}
	return page + uint32(sort.Search(len(starts)-1-int(page), func(i int) bool { return starts[int(page)+i+1] > doc }))
}
