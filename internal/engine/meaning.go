package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/embed"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/index/vectors"
)

// Vectors are made when a page is taken into the index, but for those of pages
// that were indexed before there was an embedder (or with another one): these are
// made when a search first wants vectors, as far as its time allows, and the next
// one goes on. Without vectors, or with some of them, keywords answer.

// vectorsDir is where a root's vectors are kept.
func (e *Engine) vectorsDir(st *store) string {
	return filepath.Join(e.opt.Dirs.Cache, "vectors", st.root.Key())
}

// openEmbedder opens what the user chose, once for each choice; nil for none.
func (e *Engine) openEmbedder(ctx context.Context, v *view) (embed.Embedder, error) {
	e.embedMu.Lock()
	defer e.embedMu.Unlock()
	if e.chosen != nil && *e.chosen == v.choice {
		return e.embedder, nil
	}
	var opened embed.Embedder
	switch name := v.choice.Name; {
	case name == embed.BuiltIn:
		opened = e.lexicon
	case name == embed.None:
	case e.opt.Embed == nil:
		return nil, &pimento.Error{Op: "embedder", Path: name, Kind: pimento.KindUnavailable, Err: errors.New("not to be had here")}
	default:
		var err error
		if opened, err = e.opt.Embed(ctx, v.choice); err != nil {
			return nil, err
		}
	}
	if e.embedder != nil {
		_ = e.embedder.Close()
	}
	choice := v.choice
	e.embedder, e.chosen = opened, &choice
	return opened, nil
}

// vectors opens a root's vectors on first use. Another embedder has others.
func (e *Engine) vectors(ctx context.Context, st *store, by embed.Embedder) (*vectors.Store, error) {
	info := by.Info()
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.vectors != nil && st.vectorsOf == info.ID {
		return st.vectors, st.vectors.Refresh(ctx)
	}
	v, err := vectors.Open(ctx, e.vectorsDir(st), info.ID, info.Dim)
	if err == nil {
		if st.vectors != nil {
			_ = st.vectors.Close()
		}
		st.vectors, st.vectorsOf = v, info.ID
	}
	return v, err
}

// embedAll makes the vectors of entries that have none yet. The error is the
// embedder's.
func embedAll(ctx context.Context, by embed.Embedder, v *vectors.Store, entries []pimento.Entry, complete bool) error {
	var sts []pimento.Statement
	texts := map[pimento.Statement]string{}
	for _, en := range entries {
		if _, ok := texts[en.Statement]; !ok {
			texts[en.Statement] = en.Text
			sts = append(sts, en.Statement)
		}
	}
	sts = v.Missing(sts)
	if len(sts) == 0 && !complete {
		return nil
	}
	batch := make([]string, len(sts))
	for i, st := range sts {
		batch[i] = texts[st]
	}
	vs, err := by.Embed(ctx, batch)
	if err != nil {
		return err
	}
	_ = v.Add(ctx, sts, vs, complete) // what cannot be stored holds for this process
	return nil
}

// embedNew makes the vectors of what was just indexed, once all that was there
// before has been dealt with. Another embedder than the built-in one is too slow
// for that, and a mark says that there is something for it. What fails is made up
// for by nobody: such an entry is found by its words.
func (e *Engine) embedNew(ctx context.Context, st *store, entries []pimento.Entry) {
	if _, err := os.Stat(e.vectorsDir(st)); err != nil {
		return // nobody has wanted vectors of this root yet
	}
	e.mu.Lock()
	choice := e.config.choice
	e.mu.Unlock()
	switch choice.Name {
	case embed.None:
	case embed.BuiltIn:
		if v, err := e.vectors(ctx, st, e.lexicon); err == nil && v.Complete() {
			_ = embedAll(ctx, e.lexicon, v, entries, false)
		}
	default:
		_ = os.WriteFile(e.newsMark(st), nil, 0o600)
	}
}

// newsMark is the file that says that pages were indexed since the vectors of a
// slow embedder were complete.
func (e *Engine) newsMark(st *store) string { return filepath.Join(e.vectorsDir(st), "NEWS") }

// embedRest makes vectors of pages that have none, until all have or ctx is done.
func (e *Engine) embedRest(ctx context.Context, st *store, idx index.Index, by embed.Embedder, v *vectors.Store) error {
	news := os.Remove(e.newsMark(st)) == nil
	if v.Complete() && !news {
		return nil
	}
	var paths []string
	if err := eachPage(ctx, idx, func(p index.Page) bool { paths = append(paths, p.Path); return true }); err != nil {
		return err
	}
	var batch []pimento.Entry
	for _, rel := range paths {
		if ctx.Err() != nil {
			break
		}
		p, _, err := st.parsed(ctx, rel)
		if err != nil {
			continue // the sync says so
		}
		if batch = append(batch, st.entries(p, rel)...); len(batch) >= embedBatch {
			if err := embedAll(ctx, by, v, batch, false); err != nil {
				return err
			}
			batch = batch[:0]
		}
	}
	done := ctx.Err() == nil && complete(ctx, idx)
	if news && !done {
		_ = os.WriteFile(e.newsMark(st), nil, 0o600)
	}
	return embedAll(context.WithoutCancel(ctx), by, v, batch, done)
}

// embedBatch is how many entries are embedded and stored at once.
const embedBatch = 256

// nearest finds statements by their vectors.
func (e *Engine) nearest(v *view, st *store, idx index.Index) func(context.Context, []float32, int) ([]vectors.Near, error) {
	return func(ctx context.Context, q []float32, n int) ([]vectors.Near, error) {
		by, err := e.openEmbedder(ctx, v)
		if by == nil || err != nil {
			return nil, err
		}
		vs, err := e.vectors(ctx, st, by)
		if err != nil {
			return nil, err
		}
		spare := ctx
		if end, ok := ctx.Deadline(); ok { // half of what is left
			var cancel context.CancelFunc
			spare, cancel = context.WithTimeout(ctx, end.Sub(e.opt.Clock())/2)
			defer cancel()
		}
		if err := e.embedRest(spare, st, idx, by, vs); err != nil && spare.Err() == nil {
			return nil, err
		}
		return vs.Nearest(ctx, q, n)
	}
}
