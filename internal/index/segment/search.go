package segment

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento/internal/index"
)

// Stats implements [index.Reader]. The counts are exact: where a layer has dead
// docs, those that hold the term are subtracted.
func (x *Index) Stats(ctx context.Context, terms []string) (st index.Stats, err error) {
	err = x.read(ctx, "index.stats", func(s *snapshot) {
		st = index.Stats{DF: make([]int, len(terms))}
		for i := range s.layers {
			s.layers[i].stats(terms, &st)
		}
		for _, p := range s.recent {
			if len(p.Docs) > 0 {
				st.Pages++
			}
			for j := range p.Docs {
				st.Docs++
				st.Len += int64(p.Docs[j].Len)
				for k, t := range terms {
					if p.Docs[j].TF(t) > 0 {
						st.DF[k]++
					}
				}
			}
		}
	})
	return st, err
}

func (l *layer) stats(terms []string, st *index.Stats) {
	docs, length := l.live()
	st.Docs += docs
	st.Len += length
	st.Pages += int(l.file.h.filled)
	for _, g := range l.dead {
		if g.docs > 0 {
			st.Pages--
		}
	}
	for i, t := range terms {
		if info, ok := l.file.lookup(t); ok {
			st.DF[i] += info.df - l.deadIn(info)
		}
	}
}

// deadIn counts the dead docs that hold the term.
func (l *layer) deadIn(info termInfo) (n int) {
	if len(l.dead) == 0 {
		return 0
	}
	p := l.file.postings(info)
	for _, d := range l.dead {
		if !p.seek(d.first) && p.doc < d.first {
			break
		}
		for p.doc < d.first+d.docs {
			n++
			if !p.next() {
				return n
			}
		}
	}
	return n
}

// Search implements [index.Reader].
func (x *Index) Search(ctx context.Context, q index.Query) (out []index.Match, err error) {
	q.Terms = q.Terms[:min(len(q.Terms), index.MaxTerms)]
	err = x.read(ctx, "index.search", func(s *snapshot) {
		if q.Limit <= 0 {
			return
		}
		var all []found
		for i := range s.layers {
			all = x.searchLayer(all, &s.layers[i], &q)
		}
		for _, p := range s.recent {
			for i, m := range index.Matches(&q, p) {
				all = append(all, found{Match: m, doc: uint32(i)})
			}
		}
		slices.SortFunc(all, found.before)
		all = all[:min(q.Limit, len(all))]
		out = make([]index.Match, len(all))
		for i := range out {
			out[i] = all[i].Match
			if l := all[i].layer; l != nil {
				out[i].Doc, _ = l.file.doc(all[i].doc)
				out[i].Page = string(l.file.path(all[i].page))
			}
		}
	})
	return out, err
}

// found is a match that still knows where it was found.
type found struct {
	index.Match
	layer *layer // nil for a recent page, whose matches are whole already; else the path is in mapped memory
	doc   uint32 // its first doc within the layer, or the place among the matches of its page
	page  uint32
}

// before orders matches: best first, then by page path, then by position.
func (a found) before(b found) int {
	if c := cmp.Compare(b.Score, a.Score); c != 0 {
		return c
	}
	if c := strings.Compare(a.Page, b.Page); c != 0 {
		return c
	}
	return cmp.Compare(a.doc, b.doc)
}

// searchLayer adds the best matches of a layer, without their docs and parts.
func (x *Index) searchLayer(all []found, l *layer, q *index.Query) []found {
	f := l.file
	s := x.sums(int(f.h.docs))
	lay := f.layout()
	sc := scorer{q: q, file: f, lens: f.section(secLens), layout: lay, units: lay.unitsFor(q), sums: s, long: f.section(secLong)}
	if len(sc.long) > 0 && len(s.whole) < len(s.best) {
		s.whole = make([]float32, len(s.best))
	}
	for i, t := range q.Terms {
		if info, ok := f.lookup(t.Text); ok && t.Weight > 0 {
			sc.add(f.postings(info), i)
			sc.weight += t.Weight
		}
	}
	if sc.weight == 0 {
		x.giveBack(s)
		return all
	}
	for _, g := range l.dead {
		clear(s.held[g.first : g.first+g.docs])
		clear(s.best[g.first : g.first+g.docs])
	}
	best := sc.entries(f)
	all = slices.Grow(all, len(best))
	for _, b := range best {
		page := f.pageOf(b.doc)
		m := index.Match{Page: view(f.path(page)), Score: b.score, Own: b.own, Near: b.near}
		for _, h := range s.held[b.doc : b.doc+b.docs] {
			m.Held |= h
		}
		m.Heard = m.Held
		if f.flags(b.doc)&index.Said != 0 {
			m.Heard |= sc.before(b.doc, lay.starts[page])
		}
		all = append(all, found{Match: m, layer: l, doc: b.doc, page: page})
	}
	s.clear()
	x.giveBack(s) // only now: after a panic they would not be clean
	return all
}

// before are the terms that the q.Back entries before the one of doc d hold; its page
// begins with doc first.
func (sc *scorer) before(d, first uint32) (held uint64) {
	for n := 0; n < sc.q.Back && d > first; {
		d--
		held |= sc.sums.held[d]
		if sc.file.flags(d)&index.More == 0 {
			n++
		}
	}
	return held
}

// sums are what a search adds up for each doc of a segment; all 0 between
// searches.
type sums struct {
	best  []float32 // the scores of passages
	held  []uint64  // the terms that they hold
	whole []float32 // at the first passage of a long entry; too short where no file has one

	// Room for the next search, which does not care what is in it.
	bounds  []float32                        // the most that entries of a page can have
	weights [index.MaxTerms / 8][256]float32 // of sets of terms, see weigh
}

func (s *sums) clear() {
	clear(s.best)
	clear(s.held)
	clear(s.whole)
}

// A scorer adds the parts of terms to the sums of one segment.
type scorer struct {
	*layout
	q      *index.Query
	file   *file
	lens   []byte
	units  *units
	long   []byte // the section
	sums   *sums
	weight float32 // of all terms added
}

// decoded is how many postings are taken apart before they are added up: two short
// loops are faster than one that must hold everything at once.
const decoded = 256

// add takes up the postings of term t of the query.
func (sc *scorer) add(l list, t int) {
	if l.once == nil {
		sc.addList(l.b, t, wholes{long: sc.long, sums: sc.sums.whole})
		return
	}
	sc.addList(l.often.b, t, wholes{})
	sc.addOnce(l.once, t)
	for long := sc.long; len(long) > 0; long = long[longRow:] {
		first, most := le.Uint32(long), float32(0)
		for in := l.seek(first) || l.doc > first; in && l.doc < first+le.Uint32(long[4:]); in = l.next() {
			most = max(most, sc.part(t, l.tf, l.doc))
		}
		sc.sums.whole[first] += most
	}
}

// part is what term t adds to a doc that holds it tf times.
func (sc *scorer) part(t int, tf, doc uint32) float32 {
	return sc.q.Part(sc.q.Terms[t].Weight, uint16(tf), int(le.Uint32(sc.lens[4*int(doc):])))
}

// addOnce takes up the docs that hold the term once, a bit each.
func (sc *scorer) addOnce(once []byte, t int) {
	weight, bit, units := sc.q.Terms[t].Weight, uint64(1)<<t, &sc.units.docs[0]
	for at := 0; at < len(once); at += 8 {
		first, end := 8*at, min(8*at+64, len(sc.short))
		best, held, short := sc.sums.best[first:end], sc.sums.held[first:end], sc.short[first:end]
		for w := le.Uint64(once[at:]); w != 0; w &= w - 1 {
			i := bits.TrailingZeros64(w)
			part := float32(weight * units[short[i]])
			if short[i] == 255 {
				part = sc.part(t, 1, uint32(first+i))
			}
			best[i] += part
			held[i] |= bit
		}
	}
}

// addList takes up the postings of a list; w has the long entries that it is to see.
func (sc *scorer) addList(b []byte, t int, w wholes) {
	doc, weight, bit := uint32(0), sc.q.Terms[t].Weight, uint64(1)<<t
	best, held, short, units := sc.sums.best, sc.sums.held, sc.short, &sc.units.docs
	w.advance()
	var docs, tfs [decoded]uint32
	for p := 0; p < len(b); {
		n := 0
		for n < decoded && p < len(b) { // list.next by hand
			v := uint32(b[p])
			p++
			if v >= 0x80 {
				v, p = long(b, p-1)
			}
			doc += v >> 1
			docs[n], tfs[n] = doc, 1
			if v&1 != 0 {
				tfs[n], p = long(b, p)
			}
			n++
		}
		for i, doc := range docs[:n] {
			size := short[doc]
			var part float32
			if tf := tfs[i] - 1; tf < uint32(len(units)) && size < 255 {
				part = float32(weight * units[tf][size])
			} else {
				part = sc.part(t, tf+1, doc)
			}
			best[doc] += part
			held[doc] |= bit
			if doc >= w.next || doc < w.end {
				w.add(doc, part)
			}
		}
	}
	w.flush()
}

// wholes adds up, for one term, what it adds to long entries: its largest part
// in any passage.
type wholes struct {
	long       []byte // rows that are not passed yet
	sums       []float32
	first, end uint32 // the entry being read
	next       uint32 // where the next one begins
	most       float32
}

// add takes up a doc that is not between two long entries.
func (w *wholes) add(doc uint32, part float32) {
	for doc >= w.next {
		w.flush()
		w.first, w.end, w.long = w.next, w.next+le.Uint32(w.long[4:]), w.long[longRow:]
		w.advance()
	}
	if doc < w.end {
		w.most = max(w.most, part)
	}
}

// advance finds where the next long entry begins.
func (w *wholes) advance() {
	w.next = math.MaxUint32
	if len(w.long) > 0 {
		w.next = le.Uint32(w.long)
	}
}

func (w *wholes) flush() {
	if w.most > 0 {
		w.sums[w.first] += w.most
		w.most = 0
	}
}
