package segment

import (
	"context"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento/internal/index"
)

// batch is how many results are copied out of mapped memory before the caller
// sees them: its own code must not run while faults are caught.
const batch = 128

// With implements [index.Reader].
func (x *Index) With(ctx context.Context, term string, yield func(page string, d index.Doc) bool) error {
	var all []found
	err := x.read(ctx, "index.with", func(s *snapshot) {
		for i := range s.layers {
			all = s.layers[i].with(all, term)
		}
		for _, p := range s.recent {
			for j := range p.Docs {
				if p.Docs[j].TF(term) > 0 {
					f := found{Match: index.Match{Page: p.Path, Doc: p.Docs[j]}, doc: uint32(j)}
					f.Doc.Terms = nil
					all = append(all, f)
				}
			}
		}
		if len(s.layers)+len(s.recent) > 1 { // those of a layer are in order
			slices.SortStableFunc(all, found.before)
		}
	})
	if err != nil {
		return err
	}
	for i := range all {
		if !yield(all[i].Page, all[i].Doc) {
			return nil
		}
	}
	return nil
}

// with adds the live docs that hold the term.
func (l *layer) with(all []found, term string) []found {
	info, ok := l.file.lookup(term)
	if !ok {
		return all
	}
	all = slices.Grow(all, info.df)
	path, last := "", ^uint32(0)
	for p := l.file.postings(info); p.next(); {
		d, page := l.file.doc(p.doc)
		if l.isDead(page) {
			continue
		}
		if page != last {
			path, last = string(l.file.path(page)), page
		}
		all = append(all, found{Match: index.Match{Page: path, Doc: d}, doc: p.doc})
	}
	return all
}

// Pages implements [index.Reader].
func (x *Index) Pages(ctx context.Context, yield func(index.Page) bool) error {
	s, err := x.acquire(ctx, "index.pages")
	if err != nil {
		return err
	}
	defer x.release(s)
	w := newWalk(s)
	pages := make([]index.Page, 0, batch)
	var paths []byte
	for {
		pages, paths = pages[:0], paths[:0]
		if err := x.guard("index.pages", s, func() {
			for len(pages) < batch && w.next() {
				p := w.page()
				pages, paths = append(pages, p), append(paths, p.Path...)
			}
		}); err != nil {
			return err
		}
		all := string(paths) // one for all of them: a process that lives shortly asks for thousands
		for i := range pages {
			n := len(pages[i].Path)
			pages[i].Path, all = all[:n], all[n:]
		}
		for _, p := range pages {
			if !yield(p) {
				return nil
			}
		}
		if len(pages) < batch {
			return ctx.Err()
		}
	}
}

// Page implements [index.Reader].
func (x *Index) Page(ctx context.Context, path string) (p index.Page, ok bool, err error) {
	err = x.read(ctx, "index.page", func(s *snapshot) {
		if i, found := slices.BinarySearchFunc(s.recent, path, comparePath); found {
			p, ok = bare(s.recent[i]), true
			return
		}
		for i := len(s.layers) - 1; i >= 0 && !ok; i-- {
			f := s.layers[i].file
			page, found := s.layers[i].find(path)
			if !found {
				continue
			}
			p, ok = f.page(page), true
			g := f.extent(page)
			for d := g.first; d < g.first+g.docs; d++ {
				if doc, _ := f.doc(d); doc.Flags&index.More == 0 {
					p.Docs = append(p.Docs, doc)
				}
			}
		}
	})
	return p, ok, err
}

func comparePath(p *index.Page, path string) int { return strings.Compare(p.Path, path) }

// bare is a copy of the page with the first passages of its entries, without
// terms.
func bare(p *index.Page) index.Page {
	out := *p
	out.Docs = nil
	for _, d := range p.Docs {
		if d.Flags&index.More == 0 {
			d.Terms = nil
			out.Docs = append(out.Docs, d)
		}
	}
	return out
}

// A walk visits the live pages of a snapshot in path order.
type walk struct {
	s      *snapshot
	at     []uint32 // next page of each layer
	dead   []int    // next grave of each layer
	paths  []string // the path there, in mapped memory
	recent int      // next recent page
	cur    int      // where the current page is: a layer, or len(layers) for a recent one, -1 before the first
}

func newWalk(s *snapshot) *walk {
	n := len(s.layers)
	return &walk{s: s, at: make([]uint32, n), dead: make([]int, n), paths: make([]string, n), cur: -1}
}

// next moves on; false at the end.
func (w *walk) next() bool {
	switch {
	case w.cur < 0:
		for i := range w.s.layers {
			w.settle(i)
		}
	case w.cur < len(w.s.layers):
		w.at[w.cur]++
		w.settle(w.cur)
	default:
		w.recent++
	}
	w.cur = -1
	var least string
	for i := range w.s.layers {
		if w.at[i] < w.s.layers[i].file.h.pages && (w.cur < 0 || w.paths[i] < least) {
			w.cur, least = i, w.paths[i]
		}
	}
	if w.recent < len(w.s.recent) && (w.cur < 0 || w.s.recent[w.recent].Path < least) {
		w.cur = len(w.s.layers)
	}
	if w.cur < 0 {
		w.cur = len(w.s.layers)
		return false
	}
	return true
}

// settle skips dead pages of layer i.
func (w *walk) settle(i int) {
	l := &w.s.layers[i]
	for w.at[i] < l.file.h.pages {
		for w.dead[i] < len(l.dead) && l.dead[w.dead[i]].page < w.at[i] {
			w.dead[i]++
		}
		if w.dead[i] == len(l.dead) || l.dead[w.dead[i]].page != w.at[i] {
			w.paths[i] = view(l.file.path(w.at[i]))
			return
		}
		w.at[i]++
	}
}

// page is the current page without its digest and docs; its path may be in mapped
// memory.
func (w *walk) page() index.Page {
	if w.cur == len(w.s.layers) {
		p := *w.s.recent[w.recent]
		p.Digest, p.Docs = "", nil
		return p
	}
	return w.s.layers[w.cur].file.head(w.at[w.cur])
}
