package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/filelock"
	"github.com/pimento-memory/pimento/internal/qmd"
	"github.com/pimento-memory/pimento/internal/recall"
)

// A user may have global memory searched by qmd. Our own search runs all the
// same: it costs a thousandth of that, answers for the other roots, and for all
// when qmd is missing, late or without an answer.

// The engines of search, the values of the key "engine".
const (
	ownEngine = "own"
	qmdEngine = "qmd"
)

const (
	// promptSearch bounds what qmd may take of a prompt, the look for its
	// collection included.
	promptSearch = 3 * time.Second
	// askedSearch is the same for a search that somebody asked for; a harness
	// gives a tool about 15 s.
	askedSearch = 12 * time.Second
	// searchLimit is how many hits a search gives that names no number.
	searchLimit = 10
	// setupTime bounds making the collection.
	setupTime = 30 * time.Second
	// updateAfter is how long memory must have rested before qmd looks at it again.
	updateAfter = 500 * time.Millisecond
)

// outside is what the engine knows of the program that searches for it, guarded
// by shared.mu.
type outside struct {
	ready  bool        // it has our collection
	update *time.Timer // runs the next update
	due    bool        // files changed since the last one
}

// parseEngine reads the key "engine" of the user's own configuration.
func parseEngine(raw json.RawMessage) (string, error) {
	var name string
	if err := json.Unmarshal(raw, &name); err != nil || name != ownEngine && name != qmdEngine {
		return ownEngine, fmt.Errorf("key engine: %s is not allowed; use one of: own, qmd", raw)
	}
	return name, nil
}

func (e *Engine) qmd() qmd.Client {
	return qmd.Client{Program: qmd.Find(e.opt.Path), Dir: e.opt.Dirs.Global}
}

// Patience is how long a door should wait for a turn's answer.
func (e *Engine) Patience(ctx context.Context) time.Duration {
	limit := e.opt.Deadline + e.opt.Deadline/(answering-1)
	if e.look(ctx).engine == qmdEngine {
		limit += e.promptSearch()
	}
	return limit
}

// promptSearch is qmd's share of a prompt: no more than the whole, where the
// user has set that.
func (e *Engine) promptSearch() time.Duration {
	if e.opt.Bounded {
		return min(promptSearch, e.opt.Deadline)
	}
	return promptSearch
}

// search answers a question by the engine that the user chose. A prompt waits
// less long, and not for a collection to be made.
func (e *Engine) search(ctx context.Context, v *view, q pimento.Query, opts recall.Options, prompt bool) pimento.Answer {
	opts.Excerpts = true
	var opened []recall.Source
	switch {
	case !prompt:
		opened = e.sealed(ctx, v, 0)
	case v.encryption.Inject:
		opened = e.sealed(ctx, v, openedPerTurn)
	}
	own := e.answer(ctx, v, q, opts, opened...)
	st := v.store(pimento.Global)
	if v.engine != qmdEngine || own.Status == pimento.Malformed || st == nil || !st.root.Exists() ||
		len(q.Scopes) > 0 && !slices.Contains(q.Scopes, pimento.Global) {
		return own
	}
	limit := askedSearch
	if prompt {
		limit = e.promptSearch()
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	if q.Limit <= 0 {
		q.Limit = searchLimit
	}
	found, err := e.askQmd(ctx, q, promptQuery(q.Text, opts.QueryChars), prompt)
	if err != nil {
		detail := err.Error() + "; Pimento searched itself"
		if hint := pimento.HintOf(err); hint != "" {
			detail += " (" + hint + ")"
		}
		own.Faults = append(own.Faults, pimento.Fault{Kind: "engine", Detail: detail})
		return own
	}
	return e.merge(context.WithoutCancel(ctx), v, st, q, opts, own, found)
}

// askQmd asks within ctx, for twice as many hits as wanted, because several may
// lie in one entry or be known.
func (e *Engine) askQmd(ctx context.Context, q pimento.Query, question string, prompt bool) ([]qmd.Hit, error) {
	c := e.qmd()
	if err := e.collection(ctx, c, prompt); err != nil {
		return nil, err
	}
	by := qmd.Words
	switch q.Mode {
	case pimento.Semantic:
		by = qmd.Vectors
	case pimento.Deep:
		by = qmd.Deep
	}
	hits, err := c.Search(ctx, by, question, 2*q.Limit)
	if err != nil {
		e.qmdReady(false)
	}
	return hits, err
}

// collection makes sure that qmd knows our folder. A prompt does not wait until
// it does, and no search fails for what is only said about the folder.
func (e *Engine) collection(ctx context.Context, c qmd.Client, prompt bool) error {
	e.mu.Lock()
	ready := e.outside.ready
	e.mu.Unlock()
	if ready {
		return nil
	}
	has, err := c.Has(ctx)
	switch {
	case err != nil:
		return err
	case !has && prompt:
		e.startSetup(c)
		return errNoCollection()
	case !has || !prompt && e.halfSetUp():
		made := make(chan error, 1)
		e.background.Go(func() { made <- e.setup(ctx, c) })
		select {
		case err = <-made:
		case <-ctx.Done():
			err = errNoCollection()
		}
		if err != nil && !has {
			return err
		}
	}
	e.qmdReady(true)
	return nil
}

// setup makes the collection and says what lies in it. qmd writes its
// configuration in place, so that of all processes one does it at a time, and to
// the end: ctx is for what comes before. qmd has the collection before it has
// read the files, and may fail or be ended there; what was begun is noted, so that
// it is finished later.
func (e *Engine) setup(ctx context.Context, c qmd.Client) error {
	unlock, err := filelock.Take(ctx, filepath.Join(e.opt.Dirs.State, "locks", "qmd.lock"), 50*time.Millisecond)
	if err != nil {
		return &pimento.Error{Op: "qmd", Kind: pimento.KindUnavailable, Err: err}
	}
	defer unlock()
	has, err := c.Has(ctx)
	if err != nil || has && !e.halfSetUp() {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), setupTime)
	defer cancel()
	if err := os.WriteFile(e.qmdBegun(), nil, 0o600); err != nil {
		return &pimento.Error{Op: "qmd", Path: e.qmdBegun(), Kind: pimento.KindUnavailable, Err: err}
	}
	if !has {
		if err := c.Add(ctx); err != nil {
			return err
		}
	}
	if err := c.Describe(ctx); err != nil {
		return err
	}
	return os.Remove(e.qmdBegun())
}

// qmdBegun is a file that is there while the collection is made.
func (e *Engine) qmdBegun() string { return filepath.Join(e.opt.Dirs.State, "qmd.begun") }

// halfSetUp says whether somebody began to make the collection and, unless they
// are at it, did not get to the end.
func (e *Engine) halfSetUp() bool {
	_, err := os.Stat(e.qmdBegun())
	return err == nil
}

func errNoCollection() error {
	return &pimento.Error{Op: "qmd", Kind: pimento.KindUnavailable, Hint: "a search makes it: pimento recall hello",
		Err: fmt.Errorf("qmd has no collection %s yet", qmd.Collection)}
}

func (e *Engine) qmdReady(ready bool) {
	e.mu.Lock()
	e.outside.ready = ready
	e.mu.Unlock()
}

// startSetup makes the collection beside everything else. A process that serves
// one call leaves that to the next search which somebody asks for.
func (e *Engine) startSetup(c qmd.Client) {
	if !e.opt.Serve || e.life.Err() != nil {
		return
	}
	e.background.Go(func() {
		// Not e.life: a session of one prompt is over before qmd has said anything.
		ctx, cancel := context.WithTimeout(context.Background(), setupTime)
		defer cancel()
		_ = e.collection(ctx, c, false) // the next search says so
	})
}

// stirred notes that files of a root have changed, so that qmd will look at
// them again once they rest.
func (e *Engine) stirred(st *store) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.config.engine != qmdEngine || st.scope != pimento.Global || e.opt.NoUpdates {
		return
	}
	e.outside.due = true
	if !e.opt.Serve {
		return // Close does it
	}
	if e.outside.update == nil {
		e.outside.update = time.AfterFunc(updateAfter, e.updateQmd)
	} else {
		e.outside.update.Reset(updateAfter)
	}
}

// updateQmd starts the update that is due. Nobody waits for it.
func (e *Engine) updateQmd() {
	e.mu.Lock()
	due := e.outside.due
	e.outside.due = false
	if e.outside.update != nil {
		e.outside.update.Stop()
	}
	e.mu.Unlock()
	if due {
		_ = e.qmd().StartUpdate() // a qmd that is missing is said at the start of a session
	}
}

// greetQmd sets qmd up at the start of a session.
func (e *Engine) greetQmd(v *view) {
	if st := v.store(pimento.Global); v.engine == qmdEngine && st != nil && st.root.Exists() && e.qmd().Program != "" {
		e.startSetup(e.qmd())
	}
}

// checkEngine is doctor's look at what searches.
func (e *Engine) checkEngine(ctx context.Context, v *view) []Check {
	if v.engine != qmdEngine {
		return nil
	}
	c := e.qmd()
	ctx, cancel := context.WithTimeout(ctx, askedSearch)
	defer cancel()
	has, err := c.Has(ctx)
	if err == nil && !has {
		err = errNoCollection()
	}
	return []Check{{"engine", err == nil, describe("qmd "+c.Program, err), pimento.HintOf(err)}}
}
