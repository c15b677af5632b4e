package segment

import (
	"math"
	"sync"

	"github.com/pimento-memory/pimento/internal/index"
)

// A layout is what a search needs to know of all docs and pages of a file, in the
// form in which it is looked at most, and in no good order. It is read once.
type layout struct {
	starts []uint32 // the first doc of each page, and at the end the number of docs
	words  []uint32 // how many words each page holds
	short  []byte   // Len of each doc, 255 for 255 and more

	mu    sync.Mutex
	units *units // for the last query; nil at first
}

// layout is that of the file.
func (f *file) layout() *layout {
	f.mu.Lock()
	known := f.lay
	f.mu.Unlock()
	if known != nil {
		return known
	}
	l := f.readLayout() // may fault, so not under the lock
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lay = l
	return l
}

func (f *file) readLayout() *layout {
	rows, lens := f.section(secPages), f.section(secLens)
	l := &layout{starts: make([]uint32, 0, f.h.pages+1), words: make([]uint32, 0, f.h.pages),
		short: make([]byte, f.h.docs)}
	last := uint32(0)
	for ; len(rows) > 0; rows = rows[pageRow:] {
		first := le.Uint32(rows[88:])
		if first < last || first > f.h.docs {
			panic(damage("docs of a page out of range"))
		}
		l.starts, last = append(l.starts, first), first
		l.words = append(l.words, uint32(min(le.Uint64(rows[96:]), math.MaxUint32)))
	}
	l.starts = append(l.starts, f.h.docs)
	for i := range l.short {
		l.short[i] = byte(min(le.Uint32(lens[4*i:]), 255))
	}
	return l
}

// units are the parts of a term of weight 1: multiplying by the weight is what
// index.BM25 does last. Most docs hold a term once or twice and are short, and most
// pages hold it in one or two docs. They are those of the next query as well, as
// long as the statistics do not change.
type units struct {
	k1, b, avgLen, avgPage float32

	docs  [4][256]float32 // by tf-1 and Len
	pages [4][]float32    // by how many passages hold it, less one, and page
	most  []float32       // by page: where all passages hold it
}

func (l *layout) unitsFor(q *index.Query) *units {
	l.mu.Lock()
	defer l.mu.Unlock()
	u := l.units
	if u != nil && u.k1 == q.K1 && u.b == q.B && u.avgLen == q.AvgLen && u.avgPage == q.AvgPage {
		return u
	}
	u = &units{k1: q.K1, b: q.B, avgLen: q.AvgLen, avgPage: q.AvgPage}
	for i := range u.docs {
		for n := range u.docs[i] {
			u.docs[i][n] = index.BM25(1, uint16(i+1), q.K1, q.Norm(n))
		}
	}
	for i := range u.pages {
		u.pages[i] = make([]float32, len(l.words))
		for page, n := range l.words {
			u.pages[i][page] = q.PagePart(1, uint16(i+1), int(n))
		}
	}
	u.most = make([]float32, len(l.words))
	for page, n := range l.words {
		u.most[page] = q.PagePart(1, uint16(min(l.starts[page+1]-l.starts[page], math.MaxUint16)), int(n))
	}
	l.units = u
	return u
}
