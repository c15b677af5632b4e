package engine

import (
	"context"
	"errors"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/embed"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/index/vectors"
)

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
		return nil, &pimento.Error{Op: "embedder", Path: name, Kind: pimento.KindUnavailable, Err: errors.New("not to be had here"), Hint: hintDoctor}
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

// finishVectors goes on where a search ran out of time.
func (e *Engine) finishVectors(ctx context.Context, v *view, st *store) {
	st.EmbedAgain()
	idx, _ := st.Index(ctx)
	finish := func(by embed.Embedder) {
		if vs, err := st.Vectors(ctx, by); err == nil {
			_ = st.EmbedRest(ctx, idx, by, vs) // a search meets the same error and reports it
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
		vs, err := st.Vectors(ctx, by)
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
		if err := st.EmbedRest(spare, idx, by, vs); err != nil && spare.Err() == nil {
			return nil, err
		}
		if spare == unhurried && errors.Is(spare.Err(), context.DeadlineExceeded) {
			v.fault("embedder", "the endpoint is slow: not all entries have a vector yet; the next question goes on")
		}
		return vs.Nearest(ctx, q, n)
	}
}
