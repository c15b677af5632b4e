package engine

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/index/memindex"
	"github.com/pimento-memory/pimento/internal/index/segment"
	"github.com/pimento-memory/pimento/internal/journal"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/vault"
)

// A store is one memory root with what is derived from it.
type store struct {
	root    *vault.Root
	journal *journal.Journal
	scope   pimento.Scope
	project string // the project's id, "" for the global root

	mu      sync.Mutex // guards what follows
	idx     index.Index
	vectors map[string]*embedded    // by the ID of the embedder, since they were wanted
	pages   map[string]cachedPage   // pages parsed by this process
	glances map[sight]pimento.Entry // candidates read since the last sync that found a change

	unembedded atomic.Bool // a search could not make all the vectors that it wanted
	reshape    atomic.Bool // the curated page has other bytes than its kept shapes, see shapes.go

	syncing   turnstile        // one sync of this root at a time; guards what follows
	behind    bool             // the last sync could not finish
	plain     bool             // it found no encrypted page
	analyzers []*text.Analyzer // one at least; each for one goroutine at a time
}

type cachedPage struct {
	stamp pimento.Stamp
	page  *page.Page
}

// maxCachedPages bounds what a long-lived process keeps parsed.
const maxCachedPages = 64

// openStore prepares a root; nothing is read and nothing is created.
func (e *Engine) openStore(scope pimento.Scope, dir string, p vault.Project) (*store, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	id := string(scope) + ":" + dir
	if st := e.stores[id]; st != nil {
		return st, nil
	}
	root, err := e.opt.Dirs.OpenRoot(scope, dir, e.opt.Disk)
	if err != nil {
		return nil, err
	}
	j, err := journal.Open(filepath.Join(e.opt.Dirs.State, "journals", journalKey(scope, root, p)))
	if err != nil {
		return nil, err
	}
	st := &store{root: root, journal: j, scope: scope, project: p.ID, analyzers: []*text.Analyzer{text.NewAnalyzer()}, syncing: make(turnstile, 1)}
	e.stores[id] = st
	return st, nil
}

// journalKey names a root's journal. Worktrees of a project share one, as they
// share its consent; so do projects that have their memory in common.
func journalKey(scope pimento.Scope, root *vault.Root, p vault.Project) string {
	switch {
	case scope == pimento.Local:
		return p.ID + "-local"
	case scope == pimento.Global || p.Elsewhere:
		return root.Key()
	}
	return p.ID
}

// indexDir is where a root's index is kept, that of each version of the program.
func (e *Engine) indexDir(st *store) string {
	return filepath.Join(e.opt.Dirs.Cache, "index", st.root.Key())
}

// index opens the root's index on first use. An index that cannot be opened is
// replaced by one in memory, with a fault.
func (e *Engine) index(ctx context.Context, st *store) (index.Index, *pimento.Fault) {
	ctx = context.WithoutCancel(ctx) // both are quick, and half an index is worse than a late one
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.idx != nil {
		if err := st.idx.Refresh(ctx); err != nil {
			return st.idx, &pimento.Fault{Kind: "index", Detail: err.Error()} // what it held still holds
		}
		return st.idx, nil
	}
	idx, err := segment.Open(ctx, segment.Dir(e.indexDir(st)), segment.Options{})
	if err != nil {
		st.idx = memindex.New()
		return st.idx, &pimento.Fault{Kind: "index", Detail: err.Error()}
	}
	st.idx = idx
	return idx, nil
}

// inMemory replaces an index on disk that cannot be used.
func (st *store) inMemory(why error) (index.Index, *pimento.Fault) {
	st.dropIndex()
	st.mu.Lock()
	defer st.mu.Unlock()
	st.idx = memindex.New()
	return st.idx, &pimento.Fault{Kind: "index", Detail: why.Error()}
}

// dropIndex forgets a broken index, so that the next use opens it anew.
func (st *store) dropIndex() {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.idx != nil {
		_ = st.idx.Close()
		st.idx = nil
	}
}

func (st *store) close() error {
	st.mu.Lock()
	defer st.mu.Unlock()
	err := st.journal.Close()
	if st.idx != nil {
		err = errors.Join(err, st.idx.Close())
		st.idx = nil
	}
	for _, v := range st.vectors {
		err = errors.Join(err, v.Close())
	}
	st.vectors = nil
	return err
}

// dropVectors forgets the open vectors, so that the next use opens them anew.
func (st *store) dropVectors() {
	st.mu.Lock()
	defer st.mu.Unlock()
	for _, v := range st.vectors {
		_ = v.Close()
	}
	st.vectors = nil
}

// path is a page's absolute path, for people.
func (st *store) path(rel string) string {
	return filepath.Join(st.root.Dir(), filepath.FromSlash(rel))
}

// parsed reads and parses a page. A long-lived process keeps the last pages.
func (st *store) parsed(ctx context.Context, rel string) (*page.Page, pimento.Stamp, error) {
	if !st.root.Holds(rel) {
		return nil, pimento.Stamp{}, &pimento.Error{Op: "read", Path: rel, Kind: pimento.KindNotFound, Err: fs.ErrNotExist}
	}
	b, stamp, err := st.root.Read(ctx, rel)
	if err != nil {
		return nil, stamp, err
	}
	return st.parse(rel, b, stamp), stamp, nil
}

// parse parses the bytes of a page, unless it has been parsed with this stamp.
func (st *store) parse(rel string, b []byte, stamp pimento.Stamp) *page.Page {
	st.mu.Lock()
	defer st.mu.Unlock()
	if c, ok := st.pages[rel]; ok && c.stamp == stamp {
		return c.page
	}
	p := page.Parse(rel, b)
	if st.pages == nil || len(st.pages) >= maxCachedPages {
		st.pages = map[string]cachedPage{}
	}
	st.pages[rel] = cachedPage{stamp, p}
	return p
}

// eachPageOf reads every page of a root, in no particular order. One that goes
// meanwhile is left out; skipped is what lies there and is no page.
func eachPageOf(ctx context.Context, root *vault.Root, visit func(rel string, p *page.Page, err error)) (skipped []vault.Skip, err error) {
	read := root.Reader()
	defer read.Close()
	return root.Sweep(ctx, func(rel string, _ pimento.Stamp) {
		switch b, _, err := read.Read(ctx, rel); {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			visit(rel, nil, err)
		default:
			visit(rel, page.Parse(rel, b), nil)
		}
	}, nil)
}

// entries are a page's entries with their scope filled in.
func (st *store) entries(p *page.Page) []pimento.Entry {
	es := p.Entries()
	out := make([]pimento.Entry, len(es))
	for i, en := range es {
		en.Scope = st.scope
		out[i] = en
	}
	return out
}

// entry finds the entry of an index doc on its page as it is now.
func (st *store) entry(ctx context.Context, rel string, d index.Doc) (pimento.Entry, error) {
	p, _, err := st.parsed(ctx, rel)
	if err != nil {
		return pimento.Entry{}, err
	}
	en, ok := p.Find(d.Statement, d.N)
	if !ok {
		return pimento.Entry{}, &pimento.Error{Op: "read", Path: rel, Kind: pimento.KindNotFound,
			Err: errors.New("an entry that was found has been changed or taken out meanwhile"), Hint: "ask again"}
	}
	en.Scope = st.scope
	return en, nil
}
