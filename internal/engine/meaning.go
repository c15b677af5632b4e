package engine

import (
	"context"
	"os"
	"path/filepath"

	"github.com/pimento-memory/pimento"
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

// vectors opens a root's vectors on first use; nil when there are none to be had.
func (e *Engine) vectors(ctx context.Context, st *store) (*vectors.Store, error) {
	if e.embedder == nil {
		return nil, nil
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.vectors != nil {
		return st.vectors, st.vectors.Refresh(ctx)
	}
	info := e.embedder.Info()
	v, err := vectors.Open(ctx, e.vectorsDir(st), info.ID, info.Dim)
	if err == nil {
		st.vectors = v
	}
	return v, err
}

// embed makes the vectors of entries that have none yet. The error is the
// embedder's.
func (e *Engine) embed(ctx context.Context, v *vectors.Store, entries []pimento.Entry, complete bool) error {
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
	vs, err := e.embedder.Embed(ctx, batch)
	if err != nil {
		return err
	}
	_ = v.Add(ctx, sts, vs, complete) // what cannot be stored holds for this process
	return nil
}

// embedNew makes the vectors of what was just indexed, once all that was there
// before has been dealt with. What fails is made up for by nobody: such an entry
// is found by its words.
func (e *Engine) embedNew(ctx context.Context, st *store, entries []pimento.Entry) {
	if _, err := os.Stat(e.vectorsDir(st)); err != nil {
		return // nobody has wanted vectors of this root yet
	}
	if v, err := e.vectors(ctx, st); err == nil && v != nil && v.Complete() {
		_ = e.embed(ctx, v, entries, false)
	}
}

// embedRest makes vectors of pages that have none, until all have or ctx is done.
func (e *Engine) embedRest(ctx context.Context, st *store, idx index.Index, v *vectors.Store) error {
	if v.Complete() {
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
			if err := e.embed(ctx, v, batch, false); err != nil {
				return err
			}
			batch = batch[:0]
		}
	}
	done := ctx.Err() == nil && complete(ctx, idx)
	return e.embed(context.WithoutCancel(ctx), v, batch, done)
}

// embedBatch is how many entries are embedded and stored at once.
const embedBatch = 256

// nearest finds statements by their vectors.
func (e *Engine) nearest(st *store, idx index.Index) func(context.Context, []float32, int) ([]vectors.Near, error) {
	return func(ctx context.Context, q []float32, n int) ([]vectors.Near, error) {
		v, err := e.vectors(ctx, st)
		if v == nil || err != nil {
			return nil, err
		}
		spare := ctx
		if end, ok := ctx.Deadline(); ok { // half of what is left
			var cancel context.CancelFunc
			spare, cancel = context.WithTimeout(ctx, end.Sub(e.opt.Clock())/2)
			defer cancel()
		}
		if err := e.embedRest(spare, st, idx, v); err != nil && ctx.Err() == nil && spare.Err() == nil {
			return nil, err
		}
		return v.Nearest(ctx, q, n)
	}
}
