package segment

import (
	"math"

	"github.com/pimento-memory/pimento/internal/index"
)

// scored is an entry with its score.
type scored struct {
	score, own, near float32
	doc, docs        uint32 // its passages
	idle             bool   // it holds no term
}

// entries selects the q.Limit best entries, in any order; of equal ones the
// first. Only pages are looked at of which the best entry may be good enough.
func (sc *scorer) entries(f *file) []scored {
	heap := top{k: min(sc.q.Limit, int(f.h.docs))}
	heap.s = make([]scored, 0, min(heap.k, roomFor))
	r := reckoner{scorer: sc, long: sc.long}
	bounds := sc.bounds()
	for _, page := range leading(bounds) {
		r.page(page, &heap)
		bounds[page] = 0
	}
	r.long = sc.long
	for page, bound := range bounds {
		if bound > heap.least {
			r.page(page, &heap)
		}
	}
	return heap.s
}

// A reckoner turns the sums of a page's passages into the scores of its entries.
type reckoner struct {
	*scorer
	long []byte // rows that are not passed yet
	own  []scored
}

// page offers the entries of a page. A score is worked out only where a bound of it
// is good enough: most entries of a large memory hold a word of the question, and
// few matter.
func (r *reckoner) page(page int, heap *top) {
	first, end, whole := r.starts[page], r.starts[page+1], r.pageScore(page)
	for len(r.long) > 0 && le.Uint32(r.long) < first {
		r.long = r.long[longRow:]
	}
	if len(r.long) > 0 && le.Uint32(r.long) < end {
		r.longPage(first, end, whole, heap)
		return
	}
	best := r.sums.best[first:end]
	prev, far := float32(0), float32(0)
	for i, b := range best {
		next := float32(0)
		if i+1 < len(best) {
			next = best[i+1]
		}
		if r.bound(b, r.q.Before(prev, far), whole, next) > heap.least && (b > 0 || !r.q.Holding) {
			r.offer(heap, r.single(first+uint32(i)), r.own1(prev), r.own1(far), whole, r.own1(next))
		}
		prev, far = b, prev
	}
}

// bound is the most that an entry's score can be, whether or not the one before it
// asks.
func (r *reckoner) bound(own, before, page, next float32) float32 {
	return roundUp * (own + r.q.Page*page + max(r.q.Prev, r.q.Asked)*before + r.q.Next*next)
}

// single is the entry of one passage that doc d is.
func (r *reckoner) single(d uint32) scored {
	b := r.sums.best[d]
	return scored{own: r.own1(b), doc: d, docs: 1, idle: b == 0}
}

// own1 is the own score of an entry of one passage.
func (r *reckoner) own1(best float32) float32 { return r.q.OwnScore(best, best) }

// offer works out a score. What flags tell is looked up where it matters.
func (r *reckoner) offer(heap *top, e scored, prev, far, page, next float32) {
	if far > 0 && r.file.flags(e.doc)&index.Said == 0 {
		far = 0
	}
	before := r.q.Before(prev, far)
	asked := before > 0 && r.file.flags(e.doc-1)&index.Asks != 0
	if e.score, e.near = r.q.Scored(e.own, page, before, next, asked); heap.wants(e) && (!e.idle || !r.q.Holding) {
		heap.take(e)
	}
}

// longPage is page for one with entries of several passages.
func (r *reckoner) longPage(first, end uint32, whole float32, heap *top) {
	own := r.entriesOf(first, end)
	for i, e := range own {
		var prev, far, next float32
		if i > 0 {
			prev = own[i-1].own
		}
		if i > 1 {
			far = own[i-2].own
		}
		if i+1 < len(own) {
			next = own[i+1].own
		}
		if r.bound(e.own, r.q.Before(prev, far), whole, next) > heap.least && (!e.idle || !r.q.Holding) {
			r.offer(heap, e, prev, far, whole, next)
		}
	}
}

// roundUp covers what the order of additions may change in the last bits.
const roundUp = 1.0001

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

// roomFor is for how many of the best there is room from the start.
const roomFor = 256

// A top keeps the k best entries in a heap whose root is the worst of them.
type top struct {
	k     int
	least float32 // scores must be above it
	s     []scored
}

// wants says whether an entry is among the best so far; of equal ones it is that
// which stands first.
func (h *top) wants(e scored) bool {
	return e.score > h.least || e.score == h.least && len(h.s) == h.k && h.s[0].worse(e)
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

// leading are the pages with the highest bounds, in their order. They are looked at
// first, because they mostly hold the best entries, and what comes after those is
// seen not to be good enough.
func leading(bounds []float32) (pages []int) {
	var best [16]float32 // descending
	for _, s := range bounds {
		i := len(best) - 1
		if s <= best[i] {
			continue
		}
		for ; i > 0 && best[i-1] < s; i-- {
			best[i] = best[i-1]
		}
		best[i] = s
	}
	least := max(best[len(best)-1], math.SmallestNonzeroFloat32)
	for page, s := range bounds {
		if s >= least && len(pages) < len(best) {
			pages = append(pages, page)
		}
	}
	return pages
}
