package mirror

import (
	"context"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/embed"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/index/vectors"
	"github.com/pimento-memory/pimento/internal/recall"
)

// The built-in vectors are made when a page is taken into the index. Another
// embedder is too slow for that, and pages may have been indexed before there was
// any: so the index says when entries were last taken in, each embedder's vectors
// say of which such moment they hold everything, and where the two differ a search
// makes what is missing, as far as its time allows; the next one goes on, and a
// long-lived process once the answer is out. Without vectors, or with some of
// them, keywords answer.

// Vectors are a root's vectors by one embedder.
type Vectors struct {
	*vectors.Store
	making sync.Mutex // one goroutine at a time makes more of them
}

// Vectors opens a root's vectors by an embedder on first use.
func (m *Mirror) Vectors(ctx context.Context, by embed.Embedder) (*Vectors, error) {
	info := by.Info()
	m.mu.Lock()
	defer m.mu.Unlock()
	if v := m.vectors[info.ID]; v != nil {
		return v, v.Refresh(ctx)
	}
	s, err := vectors.Open(ctx, m.vectorsDir(), info.ID, info.Dim)
	if err != nil {
		return nil, err
	}
	v := &Vectors{Store: s}
	if m.vectors == nil {
		m.vectors = map[string]*Vectors{}
	}
	m.vectors[info.ID] = v
	return v, nil
}

// newsOf is the mark of the moment when entries were last taken into an index.
func newsOf(ctx context.Context, idx index.Index) uint64 {
	p, _, err := idx.Page(context.WithoutCancel(ctx), newsMark)
	if err != nil || p.Synced <= 0 {
		return 1 // never
	}
	return uint64(p.Synced)
}

// takeIn takes pages into a root's index, and what stands on them into its
// built-in vectors where they hold all that was there before.
func (m *Mirror) takeIn(ctx context.Context, idx index.Index, put []index.Page, gone []string, entries []pimento.Entry) error {
	before, now := newsOf(ctx, idx), m.nanos()
	if slices.ContainsFunc(put, func(p index.Page) bool { return len(p.Docs) > 0 }) {
		put = append(put, index.Page{Path: newsMark, Synced: now})
	}
	if m.outrun() {
		gone = append(gone, completeMark)
	}
	err := idx.Apply(context.WithoutCancel(ctx), put, gone)
	m.opt.Taken(put, gone)
	if len(entries) > 0 {
		m.embedNew(ctx, idx, entries, before, uint64(now))
	}
	return err
}

// embeds says whether somebody has wanted the built-in vectors of this root.
func (m *Mirror) embeds() bool {
	_, err := os.Stat(m.vectorsDir())
	return err == nil && m.opt.Tabled()
}

// embedNew makes the built-in vectors of what was just indexed. What fails, or
// takes too long, the next search makes up for.
func (m *Mirror) embedNew(ctx context.Context, idx index.Index, entries []pimento.Entry, before, now uint64) {
	if !m.embeds() {
		return
	}
	if v, err := m.Vectors(ctx, m.opt.Table); err == nil && v.Seen() == before {
		w := embedding{by: m.opt.Table, store: v.Store, live: alive(ctx, idx), clock: m.opt.Clock}
		_ = w.all(ctx, entries, now)
	}
}

// alive says which statements still stand in an index; nil when it does not hold
// everything.
func alive(ctx context.Context, idx index.Index) func(pimento.Statement) bool {
	if !complete(ctx, idx) {
		return nil
	}
	ctx = context.WithoutCancel(ctx)
	return func(st pimento.Statement) (found bool) {
		err := idx.With(ctx, recall.IDKey(string(st)), func(_ string, d index.Doc) bool {
			found = d.Statement == st
			return !found
		})
		return found || err != nil
	}
}

// An embedding is making vectors for one root.
type embedding struct {
	by    embed.Embedder
	store *vectors.Store
	live  func(pimento.Statement) bool
	clock func() time.Time
	next  int // texts to embed at once
}

// embedBatch is how many texts are embedded at once, at most.
const embedBatch = 256

// all makes the vectors of entries that have none yet. A table takes microseconds
// for a text and a model may take a tenth of a second, so the first slice is one
// text, and each one is stored before the next: however little time there is,
// something is done. With all of them stored, mark is noted. The error is the
// embedder's.
func (w *embedding) all(ctx context.Context, entries []pimento.Entry, mark uint64) error {
	var sts []pimento.Statement
	texts := map[pimento.Statement]string{}
	for _, en := range entries {
		if _, ok := texts[en.Statement]; !ok {
			texts[en.Statement] = recall.Said(en)
			sts = append(sts, en.Statement)
		}
	}
	sts = w.store.Missing(sts)
	for len(sts) > 0 {
		n := min(max(w.next, 1), len(sts))
		if err := w.slice(ctx, sts[:n], texts); err != nil {
			return err
		}
		sts = sts[n:]
	}
	if mark != 0 {
		_ = w.store.Add(ctx, vectors.Batch{Mark: mark, Live: w.live})
	}
	return nil
}

func (w *embedding) slice(ctx context.Context, sts []pimento.Statement, texts map[pimento.Statement]string) error {
	batch := make([]string, len(sts))
	for i, st := range sts {
		batch[i] = texts[st]
	}
	start := w.clock()
	vs, err := w.by.Embed(ctx, batch)
	if err != nil {
		return err
	}
	_ = w.store.Add(ctx, vectors.Batch{Statements: sts, Vectors: vs, Live: w.live}) // what cannot be stored holds for this process
	w.next = 4 * len(sts)
	if end, ok := ctx.Deadline(); ok { // no more than half of what is left
		now := w.clock()
		w.next = min(w.next, int(float64(len(sts))*float64(end.Sub(now)/2)/float64(max(now.Sub(start), 1))))
	}
	w.next = min(max(w.next, 1), embedBatch)
	return nil
}

// EmbedRest makes the vectors that are missing, until none is or ctx is done.
func (m *Mirror) EmbedRest(ctx context.Context, idx index.Index, by embed.Embedder, v *Vectors) error {
	mark := newsOf(ctx, idx)
	if v.Seen() == mark {
		return nil
	}
	if !v.making.TryLock() {
		return nil // somebody is at it
	}
	defer v.making.Unlock()
	w := embedding{by: by, store: v.Store, live: alive(ctx, idx), clock: m.opt.Clock}
	err := m.embedPages(ctx, idx, &w)
	done := err == nil && ctx.Err() == nil && w.live != nil
	if done {
		return w.all(ctx, nil, mark)
	}
	m.unembedded.Store(true)
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// embedPages looks for entries without a vector and makes it. It begins anywhere:
// a text that takes more time than there ever is must not keep those behind it
// from their turn.
func (m *Mirror) embedPages(ctx context.Context, idx index.Index, w *embedding) error {
	paths, err := PagePaths(ctx, idx, nil)
	if err != nil || len(paths) == 0 {
		return err
	}
	var batch []pimento.Entry
	first := int(m.nanos() % int64(len(paths)))
	for i := range paths {
		if ctx.Err() != nil {
			return nil
		}
		rel := paths[(first+i)%len(paths)]
		batch = append(batch, m.lacking(ctx, idx, w.store, rel)...)
		if len(batch) >= max(w.next, 1) {
			if err := w.all(ctx, batch, 0); err != nil {
				return err
			}
			batch = batch[:0]
		}
	}
	return w.all(ctx, batch, 0)
}

// lacking are the entries of a page that have no vector. Only a page that has
// some is read.
func (m *Mirror) lacking(ctx context.Context, idx index.Index, v *vectors.Store, rel string) []pimento.Entry {
	p, _, err := idx.Page(ctx, rel)
	if err != nil {
		return nil
	}
	sts := make([]pimento.Statement, len(p.Docs))
	for i, d := range p.Docs {
		sts[i] = d.Statement
	}
	missing := v.Missing(sts)
	if len(missing) == 0 {
		return nil
	}
	pg, _, err := m.Parsed(ctx, rel)
	if err != nil {
		return nil // the sync says so
	}
	return slices.DeleteFunc(m.Entries(pg), func(en pimento.Entry) bool { return !slices.Contains(missing, en.Statement) })
}

// Unembedded says whether somebody could not make all the vectors that a search wanted
// since [Mirror.EmbedAgain].
func (m *Mirror) Unembedded() bool { return m.unembedded.Load() }

// EmbedAgain forgets what could not be made, before it is tried again.
func (m *Mirror) EmbedAgain() { m.unembedded.Store(false) }
