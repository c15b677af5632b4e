package segment

import (
	"cmp"
	"context"
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
			for j := range p.Docs {
				st.Docs++
				st.Len += int64(p.Docs[j].Len)
				for k, t := range terms {
					if frequency(&p.Docs[j], t) > 0 {
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

// frequency is how often the doc holds the term.
func frequency(d *index.Doc, term string) uint16 {
	lo, hi := 0, len(d.Terms)
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		if t := &d.Terms[mid]; t.Text < term {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(d.Terms) && d.Terms[lo].Text == term {
		return d.Terms[lo].TF
	}
	return 0
}

// Search implements [index.Reader].
func (x *Index) Search(ctx context.Context, q index.Query) (out []index.Match, err error) {
	err = x.read(ctx, "index.search", func(s *snapshot) {
		var all []found
		if q.Limit <= 0 {
			return
		}
		for i := range s.layers {
			all = x.searchLayer(all, &s.layers[i], &q)
		}
		all = searchRecent(all, s.recent, &q)
		slices.SortFunc(all, found.before)
		out = make([]index.Match, min(q.Limit, len(all)))
		for i := range out {
			out[i] = all[i].Match
		}
		complete(out, all, &q)
	})
	return out, err
}

// found is a match that still knows where it was found.
type found struct {
	index.Match
	layer *layer     // nil for a recent page
	whole *index.Doc // of a recent page: the doc with its terms
	doc   uint32     // within the layer, or the position on the page
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

// searchRecent adds the matches among the recent pages, without their docs and
// parts.
func searchRecent(all []found, pages []*index.Page, q *index.Query) []found {
	for _, p := range pages {
		for j := range p.Docs {
			d := &p.Docs[j]
			var score float32
			for i := range q.Terms {
				if tf := frequency(d, q.Terms[i].Text); tf > 0 {
					score += q.Part(q.Terms[i].Weight, tf, d.Len)
				}
			}
			if score > 0 {
				all = append(all, found{Match: index.Match{Page: p.Path, Score: score}, whole: d, doc: uint32(j)})
			}
		}
	}
	return all
}

// searchLayer adds the best matches of a layer, without their docs and parts.
func (x *Index) searchLayer(all []found, l *layer, q *index.Query) []found {
	f := l.file
	n := int(f.h.docs)
	scores := x.scores(n)
	hits := 0
	sc := scorer{q: q, lens: f.section(secLens), scores: scores}
	for i := range q.Terms {
		if info, ok := f.lookup(q.Terms[i].Text); ok && q.Terms[i].Weight > 0 {
			sc.add(f.postings(info), q.Terms[i].Weight)
			hits += info.df
		}
	}
	if hits == 0 {
		x.giveBack(scores)
		return all
	}
	for _, g := range l.dead {
		clear(scores[g.first : g.first+g.docs])
	}
	for _, b := range best(scores, min(q.Limit, n, hits)) {
		_, page := f.doc(b.doc)
		all = append(all, found{Match: index.Match{Page: string(f.path(page)), Score: b.score}, layer: l, doc: b.doc})
	}
	clear(scores)
	x.giveBack(scores) // only now: after a panic they would not be clean
	return all
}

// A scorer adds the parts of terms to the scores of the docs of one segment.
// Most docs hold a term once or twice and are short, so their BM25 for a weight
// of 1 is computed once for each such pair; multiplying it by the weight is what
// index.BM25 does last.
type scorer struct {
	q      *index.Query
	lens   []byte
	scores []float32
	units  [3][256]float32 // by tf-1 and Len; 0: not computed yet
}

func (sc *scorer) add(l list, weight float32) {
	b, doc, k1 := l.b, uint32(0), sc.q.K1
	for p := 0; p < len(b); {
		// list.next by hand: this loop is where a search spends its time.
		v := uint32(b[p])
		p++
		if v >= 0x80 {
			v, p = long(b, p-1)
		}
		doc += v >> 1
		tf := uint32(1)
		if v&1 != 0 {
			tf, p = long(b, p)
		}
		n := le.Uint32(sc.lens[4*int(doc):])
		if tf-1 < uint32(len(sc.units)) && n < uint32(len(sc.units[0])) {
			u := &sc.units[tf-1][n]
			if *u == 0 {
				*u = index.BM25(1, uint16(tf), k1, sc.q.Norm(int(n)))
			}
			sc.scores[doc] += float32(weight * *u)
			continue
		}
		sc.scores[doc] += index.BM25(weight, uint16(tf), k1, sc.q.Norm(int(n)))
	}
}

// complete fills in the docs and the parts of the winners, which are looked up
// in the lists again: keeping the parts of all docs would cost more.
func complete(out []index.Match, all []found, q *index.Query) {
	byLayer := map[*layer][]int{}
	parts := make([]float32, len(out)*len(q.Terms))
	for i := range out {
		out[i].Parts = parts[i*len(q.Terms) : (i+1)*len(q.Terms) : (i+1)*len(q.Terms)]
		if l := all[i].layer; l != nil {
			byLayer[l] = append(byLayer[l], i)
			continue
		}
		out[i].Doc = *all[i].whole
		out[i].Doc.Terms = nil
		for t := range q.Terms {
			out[i].Parts[t] = q.Part(q.Terms[t].Weight, frequency(all[i].whole, q.Terms[t].Text), out[i].Doc.Len)
		}
	}
	for l, winners := range byLayer {
		slices.SortFunc(winners, func(a, b int) int { return cmp.Compare(all[a].doc, all[b].doc) })
		for _, i := range winners {
			out[i].Doc, _ = l.file.doc(all[i].doc)
		}
		for t := range q.Terms {
			info, ok := l.file.lookup(q.Terms[t].Text)
			if !ok {
				continue
			}
			p := l.file.postings(info)
			for _, i := range winners {
				if p.seek(all[i].doc) {
					out[i].Parts[t] = q.Part(q.Terms[t].Weight, uint16(p.tf), out[i].Doc.Len)
				}
			}
		}
	}
}

// scored is a doc with its score.
type scored struct {
	score float32
	doc   uint32
}

// best selects the k best docs in any order; of equal ones the first. It keeps
// a heap whose root is the worst of the best.
func best(scores []float32, k int) []scored {
	heap := make([]scored, 0, k)
	least := float32(0)
	for i, s := range scores {
		if !(s > least) {
			continue
		}
		if len(heap) < k {
			heap = append(heap, scored{s, uint32(i)})
			up(heap)
		} else {
			heap[0] = scored{s, uint32(i)}
			down(heap)
		}
		if len(heap) == k {
			least = heap[0].score
		}
	}
	return heap
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
