package engine_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/embed"
	"github.com/pimento-memory/pimento/internal/engine"
)

// broken is an endpoint that answers nothing until it is mended.
type broken struct {
	fake
	asked  *atomic.Int64
	mended *atomic.Bool
}

func (b broken) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	b.asked.Add(1)
	if !b.mended.Load() {
		return nil, errors.New("the server answered 503")
	}
	return b.fake.Embed(ctx, texts)
}

// TestEndpointRests: prompts do not ask an endpoint that has just failed twice, whichever
// process it failed in; after a while one does, and waits longer if that fails too.
func TestEndpointRests(t *testing.T) {
	w := newWorld(t)
	w.page("MEMORY.md", "- Ships sail to zanzibar\n")
	put(w, filepath.Join(w.dirs.Config, "config.json"), `{"embedder": "http://localhost:1/api/embed"}`)
	by := broken{fake{calls: &atomic.Int64{}}, &atomic.Int64{}, &atomic.Bool{}}
	clock := time.Now()
	open := func(serve bool) *engine.Engine {
		opt := w.options()
		opt.Serve, opt.Clock = serve, func() time.Time { return clock }
		opt.Embed = func(context.Context, embed.Choice) (embed.Embedder, error) { return by, nil }
		e, err := engine.Open(opt)
		w.must(err)
		t.Cleanup(func() { e.Close() })
		return e
	}
	prompt := func(e *engine.Engine, asks bool, fault string) {
		t.Helper()
		before := by.asked.Load()
		b := e.Turn(t.Context(), pimento.Turn{Event: pimento.PromptTurn, Harness: "pi", Prompt: "quokka?"}).Block
		if asked := by.asked.Load() > before; asked != asks {
			t.Errorf("asked: %v", asked)
		}
		if got := faultOf(b.Faults, "embedder"); fault == "" && got != "" || !strings.Contains(got, fault) {
			t.Errorf("fault %q, not %q", got, fault)
		}
	}
	child := open(true)
	prompt(child, true, "503")
	by.mended.Store(true)
	prompt(child, true, "") // one failure is none
	by.mended.Store(false)
	prompt(child, true, "503")
	prompt(open(false), true, "503")
	prompt(child, false, "not asked again before")
	prompt(open(false), false, "not asked again before")
	clock = clock.Add(31 * time.Second)
	prompt(open(false), true, "503")
	clock = clock.Add(31 * time.Second)
	prompt(child, false, "not asked again before")
	for range 9 {
		clock = clock.Add(5 * time.Minute)
		prompt(child, true, "503")
	}
	by.mended.Store(true)
	prompt(child, false, "not asked again before")
	if a := open(false).Recall(t.Context(), pimento.Query{Text: "quokka?"}); len(a.Hits) != 1 || len(a.Faults) > 0 {
		t.Errorf("a person's command does not ask: %+v", a)
	}
	prompt(child, true, "")
}

func faultOf(fs []pimento.Fault, kind string) string {
	for _, f := range fs {
		if f.Kind == kind {
			return f.Detail
		}
	}
	return ""
}
