package segment

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/pimento-memory/pimento/internal/index"
)

// gone marks a dead doc in a renumbering.
const gone = ^uint32(0)

// merge makes one segment of several, without what is dead. Pages are brought
// into path order, their docs are renumbered, and each term's postings follow.
func merge(layers []layer, gen uint64) []byte {
	w := newWriter()
	for sec := range w.sec {
		n := 0
		for i := range layers {
			n += int(layers[i].file.h.end[sec]) - layers[i].file.start(sec)
		}
		w.sec[sec] = make([]byte, 0, n)
	}
	number := make([][]uint32, len(layers)) // new number of each doc of each layer
	for i := range layers {
		number[i] = make([]uint32, layers[i].file.h.docs)
		for j := range number[i] {
			number[i][j] = gone
		}
	}
	var docs []index.Doc
	for walk := newWalk(&snapshot{layers: layers}); walk.next(); {
		f, i := layers[walk.cur].file, walk.at[walk.cur]
		p, g := f.page(i), f.extent(i)
		docs = docs[:0]
		for d := g.first; d < g.first+g.docs; d++ {
			number[walk.cur][d] = w.h.docs + (d - g.first)
			doc, _ := f.doc(d)
			docs = append(docs, doc)
		}
		p.Docs = docs
		w.page(&p)
	}
	mergeTerms(w, layers, number)
	return w.finish(gen)
}

func mergeTerms(w *writer, layers []layer, number [][]uint32) {
	cursors := make([]*cursor, len(layers))
	for i := range layers {
		if c := layers[i].file.all(); c.next() {
			cursors[i] = c
		}
	}
	var list []posting
	var term []byte
	for {
		var least *cursor
		for _, c := range cursors {
			if c != nil && (least == nil || bytes.Compare(c.term, least.term) < 0) {
				least = c
			}
		}
		if least == nil {
			return
		}
		term, list = append(term[:0], least.term...), list[:0]
		sorted := true // as long as the pages of the layers do not interleave
		for i, c := range cursors {
			if c == nil || !bytes.Equal(c.term, term) {
				continue
			}
			for p := layers[i].file.postings(c.info); p.next(); {
				if n := number[i][p.doc]; n != gone {
					sorted = sorted && (len(list) == 0 || list[len(list)-1].doc < n)
					list = append(list, posting{n, uint16(p.tf)})
				}
			}
			if !c.next() {
				cursors[i] = nil
			}
		}
		if len(list) == 0 {
			continue
		}
		if !sorted {
			slices.SortFunc(list, func(a, b posting) int { return cmp.Compare(a.doc, b.doc) })
		}
		w.term(view(term), list)
	}
}
