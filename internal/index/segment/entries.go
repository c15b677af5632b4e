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
	r := reckoner{scorer: sc, long: sc.long}
	held := sc.sums.held
	for d := uint32(0); int(d) < len(held); {
		if held[d] == 0 {
			d++
			continue
		}
		g := f.extent(f.pageOf(d))
		r.page(g, &heap)
		d = g.first + g.docs
	}
	return heap.s
}

// A reckoner turns the sums of a page's passages into the scores of its entries.
type reckoner struct {
	*scorer
	long    []byte // rows that are not passed yet
	own     []scored
	holders [index.MaxTerms]uint16 // passages of the page that hold a term
}

func (r *reckoner) page(g grave, heap *top) {
	own := r.entriesOf(g)
	if len(heap.s) == heap.k && r.most(g, own) <= heap.least {
		return
	}
	page := r.pageScore(g)
	for i := range own {
		e := &own[i]
		var prev, next float32
		if i > 0 {
			prev = own[i-1].own
		}
		if i+1 < len(own) {
			next = own[i+1].own
		}
		if e.score, e.near = r.q.Scored(e.own, page, prev, next); e.score > heap.least && (!e.idle || !r.q.Holding) {
			heap.take(*e)
		}
	}
}

// most is a bound of the scores of a page's entries, found without counting: a
// term adds no more than its weight times K1+1 to a page.
func (r *reckoner) most(g grave, own []scored) float32 {
	any, best := uint64(0), float32(0)
	for _, h := range r.sums.held[g.first : g.first+g.docs] {
		any |= h
	}
	for i := range own {
		best = max(best, own[i].own)
	}
	page := float32(0)
	for ; any != 0; any &= any - 1 {
		page += r.q.Terms[bits.TrailingZeros64(any)].Weight
	}
	return best*(1+r.q.Prev+r.q.Next) + r.q.Page*page*(r.q.K1+1)
}

// entriesOf are the entries of a page with their own scores.
func (r *reckoner) entriesOf(g grave) []scored {
	r.own = r.own[:0]
	best, whole := r.sums.best, r.sums.whole
	for d, end := g.first, g.first+g.docs; d < end; {
		for len(r.long) > 0 && le.Uint32(r.long) < d {
			r.long = r.long[longRow:]
		}
		if len(r.long) == 0 || le.Uint32(r.long) != d {
			r.own = append(r.own, scored{own: r.q.OwnScore(best[d], best[d]), doc: d, docs: 1, idle: best[d] == 0})
			d++
			continue
		}
		n := le.Uint32(r.long[4:])
		if n == 0 || d+n > end {
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
func (r *reckoner) pageScore(g grave) (score float32) {
	if r.q.Page == 0 {
		return 0
	}
	any := uint64(0)
	for _, h := range r.sums.held[g.first : g.first+g.docs] {
		any |= h
		for ; h != 0; h &= h - 1 {
			r.holders[bits.TrailingZeros64(h)]++
		}
	}
	for ; any != 0; any &= any - 1 {
		t := bits.TrailingZeros64(any)
		score += r.q.PagePart(r.q.Terms[t].Weight, r.holders[t], int(g.length))
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
