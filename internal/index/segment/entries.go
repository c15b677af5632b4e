package segment

import (
	"math/bits"

	"github.com/pimento-memory/pimento/internal/index"
)

// scored is an entry with its score.
type scored struct {
	score, own, near float32
	doc, docs        uint32 // its passages
	idle             bool   // it holds no term
}

// entries selects the q.Limit best entries, in any order; of equal ones the
// first. Only pages are looked at that hold a term of the query.
func (sc *scorer) entries(f *file) []scored {
	heap := top{k: min(sc.q.Limit, int(f.h.docs))}
	r := reckoner{scorer: sc, file: f, long: sc.long}
	held, starts := sc.sums.held, f.firsts()
	for page := range len(starts) - 1 {
		any := uint64(0)
		for _, h := range held[starts[page]:starts[page+1]] {
			any |= h
		}
		if any != 0 {
			r.page(uint32(page), starts[page], starts[page+1], any, &heap)
		}
	}
	return heap.s
}

// A reckoner turns the sums of a page's passages into the scores of its entries.
type reckoner struct {
	*scorer
	file    *file
	long    []byte // rows that are not passed yet
	own     []scored
	holders [index.MaxTerms]uint16 // passages of the page that hold a term
}

// page offers the entries of the docs from first to end, which hold the terms of
// any.
func (r *reckoner) page(page, first, end uint32, any uint64, heap *top) {
	own := r.entriesOf(first, end)
	if len(heap.s) == heap.k && r.most(own, any) <= heap.least {
		return
	}
	whole := r.pageScore(page, first, end, any)
	for i := range own {
		e := &own[i]
		var prev, next float32
		asked := false
		if i > 0 && own[i-1].own > 0 {
			prev, asked = own[i-1].own, r.file.flags(own[i-1].doc)&index.Asks != 0
		}
		if i+1 < len(own) {
			next = own[i+1].own
		}
		if e.score, e.near = r.q.Scored(e.own, whole, prev, next, asked); e.score > heap.least && (!e.idle || !r.q.Holding) {
			heap.take(*e)
		}
	}
}

// roundUp covers what the order of additions may change in the last bits.
const roundUp = 1.0001

// most is a bound of the scores of a page's entries, found without counting: a
// term adds no more than its weight times K1+1 to a page.
func (r *reckoner) most(own []scored, any uint64) float32 {
	best := float32(0)
	for i := range own {
		best = max(best, own[i].own)
	}
	page := float32(0)
	for ; any != 0; any &= any - 1 {
		page += r.q.Terms[bits.TrailingZeros64(any)].Weight
	}
	return roundUp * (best*(1+max(r.q.Prev, r.q.Asked)+r.q.Next) + r.q.Page*page*(r.q.K1+1))
}

// entriesOf are the entries of some docs of a page with their own scores.
func (r *reckoner) entriesOf(first, last uint32) []scored {
	r.own = r.own[:0]
	best, whole := r.sums.best, r.sums.whole
	for d := first; d < last; {
		for len(r.long) > 0 && le.Uint32(r.long) < d {
			r.long = r.long[longRow:]
		}
		if len(r.long) == 0 || le.Uint32(r.long) != d {
			r.own = append(r.own, scored{own: r.q.OwnScore(best[d], best[d]), doc: d, docs: 1, idle: best[d] == 0})
			d++
			continue
		}
		n := le.Uint32(r.long[4:])
		if n == 0 || d+n > last {
			panic(damage("passages of an entry out of range"))
		}
		most := float32(0)
		for _, b := range best[d : d+n] {
			most = max(most, b)
		}
		r.own = append(r.own, scored{own: r.q.OwnScore(most, whole[d]), doc: d, docs: n, idle: most == 0})
		d += n
	}
	return r.own
}

// pageScore is the page's score. The terms are added in their order, as
// everywhere.
func (r *reckoner) pageScore(page, first, end uint32, any uint64) (score float32) {
	if r.q.Page == 0 {
		return 0
	}
	for _, h := range r.sums.held[first:end] {
		for ; h != 0; h &= h - 1 {
			r.holders[bits.TrailingZeros64(h)]++
		}
	}
	length := int(r.file.extent(page).length)
	for ; any != 0; any &= any - 1 {
		t := bits.TrailingZeros64(any)
		score += r.q.PagePart(r.q.Terms[t].Weight, r.holders[t], length)
		r.holders[t] = 0
	}
	return score
}

// A top keeps the k best entries in a heap whose root is the worst of them.
type top struct {
	k     int
	least float32 // scores must be above it
	s     []scored
}

func (h *top) take(e scored) {
	if len(h.s) < h.k {
		h.s = append(h.s, e)
		up(h.s)
	} else {
		h.s[0] = e
		down(h.s)
	}
	if len(h.s) == h.k {
		h.least = h.s[0].score
	}
}

// worse orders the heap.
func (a scored) worse(b scored) bool {
	return a.score < b.score || a.score == b.score && a.doc > b.doc
}

func up(heap []scored) {
	for i := len(heap) - 1; i > 0; {
		parent := (i - 1) / 2
		if !heap[i].worse(heap[parent]) {
			return
		}
		heap[i], heap[parent] = heap[parent], heap[i]
		i = parent
	}
}

func down(heap []scored) {
	for i := 0; ; {
		child := 2*i + 1
		if child >= len(heap) {
			return
		}
		if child+1 < len(heap) && heap[child+1].worse(heap[child]) {
			child++
		}
		if !heap[child].worse(heap[i]) {
			return
		}
		heap[i], heap[child] = heap[child], heap[i]
		i = child
	}
}
