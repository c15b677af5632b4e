package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
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

// vectorsDir is where a root's vectors are kept.
func (e *Engine) vectorsDir(st *store) string {
	return filepath.Join(e.opt.Dirs.Cache, "vectors", st.root.Key())
}

// openEmbedder opens what the user chose, once for each choice; nil for none.
func (e *Engine) openEmbedder(ctx context.Context, v *view) (embed.Embedder, error) {
	e.embedMu.Lock()
	defer e.embedMu.Unlock()
	if e.chosen != nil && *e.chosen == v.embedder {
		return e.embedder, nil
	}
	var opened embed.Embedder
	switch name := v.embedder.Name; {
	case name == embed.BuiltIn:
		opened = e.lexicon
	case name == embed.None:
	case e.opt.Embed == nil:
		return nil, &pimento.Error{Op: "embedder", Path: name, Kind: pimento.KindUnavailable, Err: errors.New("not to be had here")}
	default:
		var err error
		if opened, err = e.opt.Embed(ctx, v.embedder); err != nil {
			return nil, err
		}
	}
	choice := v.embedder
	e.embedder, e.chosen = opened, &choice // the one before stays open: somebody may be using it
	return opened, nil
}

// embedded are a root's vectors by one embedder.
type embedded struct {
	*vectors.Store
	making sync.Mutex // one goroutine at a time makes more of them
}

// vectors opens a root's vectors by an embedder on first use.
func (e *Engine) vectors(ctx context.Context, st *store, by embed.Embedder) (*embedded, error) {
	info := by.Info()
	st.mu.Lock()
	defer st.mu.Unlock()
	if v := st.vectors[info.ID]; v != nil {
		return v, v.Refresh(ctx)
	}
	s, err := vectors.Open(ctx, e.vectorsDir(st), info.ID, info.Dim)
	if err != nil {
		return nil, err
	}
	v := &embedded{Store: s}
	if st.vectors == nil {
		st.vectors = map[string]*embedded{}
	}
	st.vectors[info.ID] = v
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
func (e *Engine) takeIn(ctx context.Context, st *store, idx index.Index, put []index.Page, gone []string, entries []pimento.Entry) error {
	before, now := newsOf(ctx, idx), e.clockNanos()
	if len(entries) > 0 {
		put = append(put, index.Page{Path: newsMark, Synced: now})
	}
	if e.outrun(st) {
		gone = append(gone, completeMark)
	}
	err := idx.Apply(context.WithoutCancel(ctx), put, gone)
	st.reshapeLater(put, gone)
	if len(entries) > 0 {
		e.embedNew(ctx, st, idx, entries, before, uint64(now))
	}
	return err
}

// embedNew makes the built-in vectors of what was just indexed. What fails, or
// takes too long, the next search makes up for.
func (e *Engine) embedNew(ctx context.Context, st *store, idx index.Index, entries []pimento.Entry, before, now uint64) {
	e.mu.Lock()
	name := e.config.embedder.Name
	e.mu.Unlock()
	if _, err := os.Stat(e.vectorsDir(st)); err != nil || name == embed.None {
		return // nobody has wanted them of this root yet
	}
	if v, err := e.vectors(ctx, st, e.lexicon); err == nil && v.Seen() == before {
		w := embedding{by: e.lexicon, store: v.Store, live: alive(ctx, idx), clock: e.opt.Clock}
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

// embedRest makes the vectors that are missing, until none is or ctx is done.
func (e *Engine) embedRest(ctx context.Context, st *store, idx index.Index, by embed.Embedder, v *embedded) error {
	mark := newsOf(ctx, idx)
	if v.Seen() == mark {
		return nil
	}
	if !v.making.TryLock() {
		return nil // somebody is at it
	}
	defer v.making.Unlock()
	w := embedding{by: by, store: v.Store, live: alive(ctx, idx), clock: e.opt.Clock}
	err := e.embedPages(ctx, st, idx, &w)
	done := err == nil && ctx.Err() == nil && w.live != nil
	if done {
		return w.all(ctx, nil, mark)
	}
	st.unembedded.Store(true)
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// embedPages looks for entries without a vector and makes it. It begins anywhere:
// a text that takes more time than there ever is must not keep those behind it
// from their turn.
func (e *Engine) embedPages(ctx context.Context, st *store, idx index.Index, w *embedding) error {
	paths, err := pagePaths(ctx, idx, nil)
	if err != nil || len(paths) == 0 {
		return err
	}
	var batch []pimento.Entry
	first := int(e.clockNanos() % int64(len(paths)))
	for i := range paths {
		if ctx.Err() != nil {
			return nil
		}
		rel := paths[(first+i)%len(paths)]
		batch = append(batch, e.unembedded(ctx, st, idx, w.store, rel)...)
		if len(batch) >= max(w.next, 1) {
			if err := w.all(ctx, batch, 0); err != nil {
				return err
			}
			batch = batch[:0]
		}
	}
	return w.all(ctx, batch, 0)
}

// unembedded are the entries of a page that have no vector. Only a page that has
// some is read.
func (e *Engine) unembedded(ctx context.Context, st *store, idx index.Index, v *vectors.Store, rel string) []pimento.Entry {
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
	pg, _, err := st.parsed(ctx, rel)
	if err != nil {
		return nil // the sync says so
	}
	return slices.DeleteFunc(st.entries(pg), func(en pimento.Entry) bool { return !slices.Contains(missing, en.Statement) })
}

// finishVectors goes on where a search ran out of time.
func (e *Engine) finishVectors(ctx context.Context, v *view, st *store) {
	st.unembedded.Store(false)
	idx, _ := e.index(ctx, st)
	finish := func(by embed.Embedder) {
		if vs, err := e.vectors(ctx, st, by); err == nil {
			_ = e.embedRest(ctx, st, idx, by, vs) // a search meets the same error and reports it
		}
	}
	by, err := e.openEmbedder(ctx, v)
	if by == nil && err == nil {
		return
	}
	finish(e.lexicon)
	if err == nil {
		err = e.resting(v.embedder)
	}
	if err == nil && by.Info().ID != e.lexicon.Info().ID {
		finish(by)
	}
}

// A hurried embedder leaves a quarter of the time to what words have found.
type hurried struct {
	embed.Embedder
	e      *Engine
	choice embed.Choice
}

func (h hurried) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	ctx, cancel := h.e.hasten(ctx)
	defer cancel()
	vs, err := embed.Hurried(h.Embedder).Embed(ctx, texts)
	h.e.endpointDid(h.choice, err)
	return vs, err
}

// hurry is the embedder for a question, opened and asked so that words can answer
// where it hangs; nil for none.
func (e *Engine) hurry(ctx context.Context, v *view) (embed.Embedder, error) {
	if v.embedder.Name == embed.BuiltIn {
		return e.openEmbedder(ctx, v) // microseconds
	}
	if _, bounded := ctx.Deadline(); bounded || e.opt.Serve {
		if err := e.resting(v.embedder); err != nil {
			return nil, err
		}
	}
	ctx, cancel := e.hasten(ctx)
	defer cancel()
	by, err := e.openEmbedder(ctx, v)
	if err != nil {
		e.endpointDid(v.embedder, err)
	}
	if by == nil || err != nil {
		return nil, err
	}
	return hurried{by, e, v.embedder}, nil
}

// askedVectors is how long a question that nobody has set an end to waits for its
// vector: words have an answer, and a person or a model waits for it.
const askedVectors = 3 * time.Second

// askedEntries is how long such a question waits for the vectors of entries that an
// endpoint has not made yet. A model of our own always gets on.
const askedEntries = 30 * time.Second

// makeUpFor is the time in which a question may make what vectors are missing.
func (e *Engine) makeUpFor(ctx context.Context, v *view) (context.Context, context.CancelFunc) {
	if _, bounded := ctx.Deadline(); bounded || v.embedder.URL == "" {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, askedEntries)
}

// hasten is what an embedder may take of a question: three quarters of what is left.
func (e *Engine) hasten(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); !ok {
		return context.WithTimeout(ctx, askedVectors)
	}
	return e.share(ctx, 4)
}

// share is a context that ends when all but one of so many parts of the time that is
// left are over.
func (e *Engine) share(ctx context.Context, parts time.Duration) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return ctx, func() {}
	}
	left := end.Sub(e.opt.Clock())
	return context.WithTimeout(ctx, left-left/parts)
}

// nearest finds statements by their vectors, and makes what is missing: for half of the
// time that is left, or, where nobody has set an end, as long as unhurried lasts.
func (e *Engine) nearest(unhurried context.Context, v *view, st *store, idx index.Index) func(context.Context, embed.Embedder, []float32, int) ([]vectors.Near, error) {
	return func(ctx context.Context, by embed.Embedder, q []float32, n int) ([]vectors.Near, error) {
		vs, err := e.vectors(ctx, st, by)
		if err != nil {
			return nil, err
		}
		spare, cancel := e.share(ctx, 2)
		defer cancel()
		if _, bounded := ctx.Deadline(); !bounded {
			spare = unhurried
		}
		if h, ok := by.(hurried); ok {
			by = h.Embedder // many texts may take their time
		}
		if err := e.embedRest(spare, st, idx, by, vs); err != nil && spare.Err() == nil {
			return nil, err
		}
		if spare == unhurried && errors.Is(spare.Err(), context.DeadlineExceeded) {
			v.fault("embedder", "the endpoint is slow: not all entries have a vector yet; the next question goes on")
		}
		return vs.Nearest(ctx, q, n)
	}
}
