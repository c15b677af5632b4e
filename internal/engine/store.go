package engine

import (
	"errors"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/embed"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/journal"
	"github.com/pimento-memory/pimento/internal/mirror"
	"github.com/pimento-memory/pimento/internal/vault"
)

// A store is one memory root with its journal, and the mirror of what is derived
// from it.
type store struct {
	*mirror.Mirror
	root    *vault.Root
	journal *journal.Journal
	scope   pimento.Scope
	project string // the project's id, "" for the global root

	reshape atomic.Bool // the curated page has other bytes than its kept shapes, see shapes.go
}

// A place is an entry of a root.
type place struct {
	rel string
	st  pimento.Statement
	n   int
}

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
	st := &store{root: root, journal: j, scope: scope, project: p.ID}
	st.Mirror = mirror.New(mirror.Options{
		Root: root, Journal: j, Scope: scope, Project: p.ID,
		Cache: e.opt.Dirs.Cache, Now: e.Now, Clock: func() time.Time { return e.opt.Clock() },
		Deadline: e.opt.Deadline, Serve: e.opt.Serve, Watch: e.watch,
		Table: e.lexicon, Tabled: e.embeds, Indexing: e.opt.Indexing,
		Taken: func(put []index.Page, gone []string) {
			e.stirred(st)
			st.reshapeLater(put, gone)
		},
	})
	e.stores[id] = st
	return st, nil
}

// embeds says whether the user wants vectors at all.
func (e *Engine) embeds() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.config.embedder.Name != embed.None
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

func (st *store) close() error { return errors.Join(st.journal.Close(), st.Mirror.Close()) }

// path is a page's absolute path, for people.
func (st *store) path(rel string) string {
	return filepath.Join(st.root.Dir(), filepath.FromSlash(rel))
}
