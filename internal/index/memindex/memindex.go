// Package memindex is the index in memory. It is written to be obviously right: it looks
// at every doc for every query, and the other implementation is compared with it. So it is
// for tests, for small memories, and for a process whose index on disk cannot be opened. It
// does no I/O and stores nothing.
package memindex

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/pimento-memory/pimento/internal/index"
)

// An Index holds pages in memory. Use [New].
type Index struct {
	mu    sync.RWMutex
	pages map[string]index.Page // never changed in place
}

var _ index.Index = (*Index)(nil)

// New makes an empty index.
func New() *Index { return &Index{pages: map[string]index.Page{}} }

// Apply implements [index.Index]. It keeps its own copy of what it is given.
func (x *Index) Apply(ctx context.Context, put []index.Page, remove []string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, path := range remove {
		delete(x.pages, path)
	}
	for _, p := range put {
		p.Docs = slices.Clone(p.Docs)
		for i := range p.Docs {
			p.Docs[i].Terms = slices.Clone(p.Docs[i].Terms)
		}
		x.pages[p.Path] = p
	}
	return nil
}

// Refresh implements [index.Index]; there is nobody to hear from.
func (x *Index) Refresh(ctx context.Context) error { return ctx.Err() }

// Close implements [index.Index].
func (x *Index) Close() error { return nil }

// sorted is every page by path.
func (x *Index) sorted() []index.Page {
	x.mu.RLock()
	defer x.mu.RUnlock()
	all := make([]index.Page, 0, len(x.pages))
	for _, p := range x.pages {
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b index.Page) int { return strings.Compare(a.Path, b.Path) })
	return all
}

// Stats implements [index.Reader].
func (x *Index) Stats(ctx context.Context, terms []string) (index.Stats, error) {
	st := index.Stats{DF: make([]int, len(terms))}
	for _, p := range x.sorted() {
		if len(p.Docs) > 0 {
			st.Pages++
		}
		for _, d := range p.Docs {
			st.Docs++
			st.Len += int64(d.Len)
			for i, t := range terms {
				if d.TF(t) > 0 {
					st.DF[i]++
				}
			}
		}
	}
	return st, ctx.Err()
}

// Search implements [index.Reader].
func (x *Index) Search(ctx context.Context, q index.Query) ([]index.Match, error) {
	var all []index.Match
	q.Terms = q.Terms[:min(len(q.Terms), index.MaxTerms)]
	for _, p := range x.sorted() {
		all = append(all, index.Matches(&q, &p)...)
	}
	slices.SortStableFunc(all, func(a, b index.Match) int { return cmp.Compare(b.Score, a.Score) })
	return all[:min(len(all), max(q.Limit, 0))], ctx.Err()
}

// With implements [index.Reader].
func (x *Index) With(ctx context.Context, term string, yield func(page string, d index.Doc) bool) error {
	for _, p := range x.sorted() {
		for _, d := range p.Docs {
			if d.TF(term) > 0 && !yield(p.Path, bare(d)) {
				return nil
			}
		}
	}
	return ctx.Err()
}

// Terms implements [index.Reader].
func (x *Index) Terms(ctx context.Context, prefix string, yield func(term string) bool) error {
	found := map[string]bool{}
	for _, p := range x.sorted() {
		for _, d := range p.Docs {
			for _, t := range d.Terms {
				if strings.HasPrefix(t.Text, prefix) {
					found[t.Text] = true
				}
			}
		}
	}
	for _, t := range slices.Sorted(maps.Keys(found)) {
		if !yield(t) {
			return nil
		}
	}
	return ctx.Err()
}

// Pages implements [index.Reader].
func (x *Index) Pages(ctx context.Context, yield func(index.Page) bool) error {
	for _, p := range x.sorted() {
		p.Digest, p.Docs = "", nil
		if !yield(p) {
			return nil
		}
	}
	return ctx.Err()
}

// Page implements [index.Reader].
func (x *Index) Page(ctx context.Context, path string) (p index.Page, ok bool, err error) {
	x.mu.RLock()
	p, ok = x.pages[path]
	x.mu.RUnlock()
	docs := p.Docs
	p.Docs = nil
	for _, d := range docs {
		if d.Flags&index.More == 0 {
			p.Docs = append(p.Docs, bare(d))
		}
	}
	return p, ok, ctx.Err()
}

func bare(d index.Doc) index.Doc {
	d.Terms = nil
	return d
}
