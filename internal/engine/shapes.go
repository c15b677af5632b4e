package engine

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/inject"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/regular"
)

// shapesFile holds what the entries of a root's curated page can be shown as,
// under a profile that shows it entry by entry. It is made when the page is
// written; a page that somebody else wrote gets its own once an answer is out, or
// when the process ends.
const shapesFile = "page-table.shapes"

func (e *Engine) shapesFile(st *store) string { return filepath.Join(e.tableDir(st), shapesFile) }

// tableDir is where the page table of a root lies, and what goes with it.
func (e *Engine) tableDir(st *store) string {
	return filepath.Join(e.opt.Dirs.State, "tables", st.root.Key())
}

// paged says whether the profile shows curated pages entry by entry.
func (e *Engine) paged() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.config.profile.Paged
}

// shapes makes the file of a root's curated page, and says how many entries it
// holds.
func (st *store) shapes(ctx context.Context) (file []byte, n int, err error) {
	d, err := st.draft(ctx, st.memoryPage())
	if err != nil {
		return nil, 0, err
	}
	entries := st.Entries(d.page)
	return inject.EncodeShapes(d.digest, entries), len(entries), nil
}

// keptShapes gives the entries of a curated page the shapes that were kept of
// them. Of other bytes than the page has now none are used; they are made where
// they are needed, and kept after the answer.
func (e *Engine) keptShapes(st *store, p *page.Page, entries []pimento.Entry, items []inject.Item) {
	b, err := regular.Read(e.shapesFile(st))
	if err != nil {
		st.reshape.Store(true)
		return
	}
	shapes, ok := inject.DecodeShapes(b, pimento.DigestOf(p.Bytes()), entries)
	if !ok {
		st.reshape.Store(true)
		return
	}
	for i := range items {
		items[i].Shapes = &shapes[i]
	}
}

// pagedOut says whether the curated pages may have to be shown in part: a token
// has a byte at least.
func pagedOut(p pimento.Profile, texts []inject.Text) bool {
	n := 0
	for _, t := range texts {
		n += len(t.Body)
	}
	return p.Resident.Tokens > 0 && n > p.Resident.Tokens
}

// reshapeLater notes that a root's curated page is among those taken in, or gone.
func (st *store) reshapeLater(put []index.Page, gone []string) {
	mine := func(p index.Page) bool { return p.Path == st.memoryPage() }
	if slices.Contains(gone, st.memoryPage()) || slices.ContainsFunc(put, mine) {
		st.reshape.Store(true)
	}
}

// reshape keeps the shapes of the curated pages that were changed by others. Of one
// without entries none are begun, but none stay either: they would say what was
// taken away. Under a profile that reads none, those that another one left go. What
// fails is made where it is needed.
func (e *Engine) reshape(ctx context.Context, stores []*store) {
	paged := e.paged()
	for _, st := range stores {
		if !st.reshape.Swap(false) {
			continue
		}
		if !paged {
			_ = os.Remove(e.shapesFile(st))
			continue
		}
		file, n, err := st.shapes(ctx)
		if err == nil && n == 0 {
			_, err = os.Stat(e.shapesFile(st))
		}
		if err == nil {
			_ = regular.Write(e.shapesFile(st), file)
		}
	}
}

// reshapeAll does so for every root that was opened.
func (e *Engine) reshapeAll() {
	e.mu.Lock()
	stores := slices.Collect(maps.Values(e.stores))
	e.mu.Unlock()
	e.reshape(context.Background(), stores)
}
