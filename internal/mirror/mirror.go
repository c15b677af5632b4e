// Package mirror keeps what is derived from a memory root up to the root's files: the
// index of what stands there, the vectors of it, and the pages that a long-lived
// process has parsed. Everything of it may be deleted at any time, and is made again.
//
// A [Mirror] belongs to one root and may be used by several goroutines. [Mirror.Sync]
// looks at the files and takes in what has changed, as far as its time allows; what is
// left waits for the next call, and the index answers from what it has meanwhile. What
// other hands did to a page is written into the root's journal before the index holds
// it: a process that dies in between must not take the news along.
//
// [Pasts] does the same, simpler, for the file of past sessions of a project.
//
// Errors of a disk or an index are returned as faults or in [Synced]. None of them stops
// anybody: an index that cannot be used is replaced by one in memory.
package mirror

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/embed"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/index/memindex"
	"github.com/pimento-memory/pimento/internal/index/segment"
	"github.com/pimento-memory/pimento/internal/journal"
	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/vault"
	"github.com/pimento-memory/pimento/internal/watch"
)

// Options say what a mirror is of, and how the process works that has it.
type Options struct {
	Root    *vault.Root
	Journal *journal.Journal
	Scope   pimento.Scope
	Project string // the project's id, "" for the global root

	Cache    string           // where all that is derived is kept
	Now      func() time.Time // the door's clock, which dates events
	Clock    func() time.Time // the machine's clock, which also stamps files
	Deadline time.Duration    // of a turn
	Serve    bool             // a long-lived process
	Watch    *watch.Watcher   // nil where nothing is watched

	Table  *embed.Static // the built-in embedder
	Tabled func() bool   // whether its vectors are made of what is taken in

	// Taken is told which pages were taken in, and which are gone.
	Taken func(put []index.Page, gone []string)

	// Indexing, when set, is told how many pages of how many have been read, where
	// they are more than one batch.
	Indexing func(done, total int)
}

// A Mirror is what is derived from one root.
type Mirror struct {
	opt Options

	mu      sync.Mutex // guards what follows
	idx     index.Index
	vectors map[string]*Vectors     // by the ID of the embedder, since they were wanted
	pages   map[string]cachedPage   // pages parsed by this process
	glances map[sight]pimento.Entry // candidates read since the last sync that found a change

	unembedded atomic.Bool // a search could not make all the vectors that it wanted

	syncing   turnstile        // one sync of this root at a time; guards what follows
	behind    bool             // the last sync could not finish
	plain     bool             // it found no encrypted page
	analyzers []*text.Analyzer // one at least; each for one goroutine at a time
}

// New prepares a mirror; nothing is read and nothing is made.
func New(opt Options) *Mirror {
	return &Mirror{opt: opt, analyzers: []*text.Analyzer{text.NewAnalyzer()}, syncing: make(turnstile, 1)}
}

// indexDir is where the root's index is kept, that of each version of the program.
func (m *Mirror) indexDir() string { return filepath.Join(m.opt.Cache, "index", m.opt.Root.Key()) }

// vectorsDir is where its vectors are kept.
func (m *Mirror) vectorsDir() string { return filepath.Join(m.opt.Cache, "vectors", m.opt.Root.Key()) }

// Index opens the root's index on first use. An index that cannot be opened is
// replaced by one in memory, with a fault.
func (m *Mirror) Index(ctx context.Context) (index.Index, *pimento.Fault) {
	ctx = context.WithoutCancel(ctx) // both are quick, and half an index is worse than a late one
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.idx != nil {
		if err := m.idx.Refresh(ctx); err != nil {
			return m.idx, &pimento.Fault{Kind: "index", Detail: err.Error()} // what it held still holds
		}
		return m.idx, nil
	}
	var fault *pimento.Fault
	m.idx, fault = open(ctx, m.indexDir())
	return m.idx, fault
}

// open opens the index in a directory, or makes one in memory where that cannot be, with
// a fault.
func open(ctx context.Context, dir string) (index.Index, *pimento.Fault) {
	idx, err := segment.Open(ctx, segment.Dir(dir), segment.Options{})
	if err != nil {
		return memindex.New(), &pimento.Fault{Kind: "index", Detail: err.Error()}
	}
	return idx, nil
}

// inMemory replaces an index on disk that cannot be used.
func (m *Mirror) inMemory(why error) (index.Index, *pimento.Fault) {
	m.Drop()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.idx = memindex.New()
	return m.idx, &pimento.Fault{Kind: "index", Detail: why.Error()}
}

// Drop forgets a broken index, so that the next use opens it anew.
func (m *Mirror) Drop() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.idx != nil {
		_ = m.idx.Close()
		m.idx = nil
	}
}

// Erase deletes all that is derived from the root. Nobody opens it anew meanwhile: what
// a sync under way put into the directory would keep it there, and what was erased.
func (m *Mirror) Erase() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	_ = m.letGo()
	m.pages, m.glances = nil, nil
	return errors.Join(os.RemoveAll(m.indexDir()), os.RemoveAll(m.vectorsDir()))
}

// Prune deletes the indexes that other versions of the program have left.
func (m *Mirror) Prune() error { return segment.Prune(m.indexDir()) }

// Close lets go of index and vectors; the next use opens them again.
func (m *Mirror) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.letGo()
}

// letGo is Close for who holds mu.
func (m *Mirror) letGo() error {
	var err error
	if m.idx != nil {
		err = m.idx.Close()
		m.idx = nil
	}
	for _, v := range m.vectors {
		err = errors.Join(err, v.Close())
	}
	m.vectors = nil
	return err
}

// Busy says whether a sync is under way.
func (m *Mirror) Busy() bool { return m.syncing.taken() }
