package engine_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gofrs/flock"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/embed"
	"github.com/pimento-memory/pimento/internal/engine"
)

// tired is an embedder that manages so many texts and then hangs until it is
// told to stop.
type tired struct {
	fake
	left *atomic.Int64
}

func (f tired) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if f.left.Add(-int64(len(texts))) < 0 {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return f.fake.Embed(ctx, texts)
}

// choose opens an engine with an embedder of some name.
func (w *world) choose(name string, by embed.Embedder) *engine.Engine {
	w.Helper()
	put(w, filepath.Join(w.dirs.Config, "config.json"), fmt.Sprintf(`{"embedder": %q}`, name))
	opt := w.options()
	opt.Embed = func(context.Context, embed.Choice) (embed.Embedder, error) { return by, nil }
	e, err := engine.Open(opt)
	w.must(err)
	w.Cleanup(func() { e.Close() })
	return e
}

// TestSlowEmbedder: turns end when their time is over, however many entries have
// no vector, and each one gets a little farther.
func TestSlowEmbedder(t *testing.T) {
	w := newWorld(t)
	w.deadline = 40 * time.Millisecond
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, "- entry %d says nothing\n", i)
	}
	w.page("MEMORY.md", b.String()+"- Ships sail to zanzibar\n")
	w.run(func(e *engine.Engine) { e.Recall(t.Context(), pimento.Query{Text: "entry", Mode: pimento.Keyword}) }) // indexes
	f := tired{fake{calls: &atomic.Int64{}}, &atomic.Int64{}}
	for turns := 1; ; turns++ {
		f.left.Store(33)
		e := w.choose("fake", f)
		e.Turn(t.Context(), pimento.Turn{Event: pimento.PromptTurn, Harness: "pi", Session: fmt.Sprint("s", turns), Prompt: "quokka?"})
		if f.left.Load() > 0 && f.calls.Load() > 300 {
			break // nothing is left to do; on a busy machine a turn may come to nothing
		}
		if turns > 200 {
			t.Fatal("it never ends; texts embedded:", f.calls.Load())
		}
	}
	f.left.Store(1000) // the question, and what a busy machine may have left
	a := w.choose("fake", f).Recall(t.Context(), pimento.Query{Text: "quokka?"})
	if len(a.Hits) == 0 || a.Hits[0].Entry.Text != "Ships sail to zanzibar" {
		t.Errorf("%+v", a)
	}
}

// TestHangingEmbedder: words answer a prompt in time, whether the embedder hangs
// when it is opened or when it is asked.
func TestHangingEmbedder(t *testing.T) {
	for name, hangs := range map[string]func(ctx context.Context, c embed.Choice) (embed.Embedder, error){
		"opened": func(ctx context.Context, _ embed.Choice) (embed.Embedder, error) { <-ctx.Done(); return nil, ctx.Err() },
		"asked": func(context.Context, embed.Choice) (embed.Embedder, error) {
			return tired{fake{calls: &atomic.Int64{}}, &atomic.Int64{}}, nil
		},
	} {
		w := newWorld(t)
		w.page("MEMORY.md", "- Ships sail to zanzibar\n")
		w.page("topics/notes.md", "- The harbour master is called Ada\n")
		put(w, filepath.Join(w.dirs.Config, "config.json"), `{"embedder": "fake"}`)
		w.deadline = 2 * time.Second
		opt := w.options()
		opt.Embed = hangs
		e, err := engine.Open(opt)
		w.must(err)
		synctest.Test(t, func(t *testing.T) { // no time passes but by hanging
			b := e.Turn(t.Context(), pimento.Turn{Event: pimento.PromptTurn, Harness: "pi", Session: "s", Prompt: "who is the harbour master?"}).Block
			wantIn(t, "the tail, hanging when "+name, b.Tail, "called Ada")
			if len(b.Faults) != 1 || b.Faults[0].Kind != "embedder" {
				t.Errorf("hanging when %s: %+v", name, b.Faults)
			}
			// A command and a tool set no end.
			a := e.Recall(t.Context(), pimento.Query{Text: "who is the harbour master?"})
			if len(a.Hits) == 0 || len(a.Faults) != 1 {
				t.Errorf("hanging when %s: %+v", name, a)
			}
		})
		w.must(e.Close())
	}
}

// TestEndpointHangsOnEntries: a question that nobody has set an end to does not wait
// for the vectors of entries for ever; what there is answers, and it says so.
func TestEndpointHangsOnEntries(t *testing.T) {
	w := newWorld(t)
	w.page("MEMORY.md", "- Ships sail to zanzibar\n- The harbour master is called Ada\n")
	f := tired{fake{calls: &atomic.Int64{}}, &atomic.Int64{}}
	f.left.Store(2) // the question, and one entry
	e := w.choose("http://localhost:1/api/embed", f)
	synctest.Test(t, func(t *testing.T) {
		a := e.Recall(t.Context(), pimento.Query{Text: "who is the harbour master?"})
		if len(a.Hits) == 0 || a.Hits[0].Entry.Text != "The harbour master is called Ada" {
			t.Errorf("%+v", a.Hits)
		}
		if got := faultOf(a.Faults, "embedder"); !strings.Contains(got, "not all entries have a vector yet") {
			t.Errorf("faults %+v", a.Faults)
		}
	})
}

// TestVectorsLocked: another process that writes vectors keeps nobody waiting.
func TestVectorsLocked(t *testing.T) {
	w := newWorld(t)
	w.page("MEMORY.md", "- Ships sail to zanzibar\n")
	w.run(func(e *engine.Engine) { e.Recall(t.Context(), pimento.Query{Text: "vessel"}) }) // makes vectors
	locks, _ := filepath.Glob(filepath.Join(w.dirs.Cache, "vectors", "*", "VECLOCK"))
	if len(locks) != 1 {
		t.Fatal(locks)
	}
	held := flock.New(locks[0])
	w.must(held.Lock())
	defer held.Unlock()
	w.page("topics/new.md", "- The wombat sleeps\n")
	e := w.choose("fake", fake{calls: &atomic.Int64{}})
	a := e.Recall(t.Context(), pimento.Query{Text: "teapot?"}) // without a deadline this hung until the lock was free
	if len(a.Hits) == 0 || a.Hits[0].Entry.Text != "The wombat sleeps" {
		t.Errorf("%+v", a)
	}
}

// TestChoicesTakeTurns: what was indexed while one embedder was in use is found by
// every other one later.
func TestChoicesTakeTurns(t *testing.T) {
	w := newWorld(t)
	w.page("MEMORY.md", "- Lunch is at noon\n")
	one, two := fake{calls: &atomic.Int64{}, id: "one"}, fake{calls: &atomic.Int64{}, id: "two"}
	finds := func(name string, by embed.Embedder, question, want string) {
		t.Helper()
		a := w.choose(name, by).Recall(t.Context(), pimento.Query{Text: question})
		if len(a.Hits) == 0 || a.Hits[0].Entry.Text != want {
			t.Errorf("%s asked %q: %+v", name, question, a)
		}
	}
	for _, c := range []struct {
		name string
		by   embed.Embedder
	}{{"static", nil}, {"one", one}, {"two", two}, {"none", nil}} {
		w.choose(c.name, c.by).Recall(t.Context(), pimento.Query{Text: "what is there?"}) // all are complete
	}
	w.page("topics/a.md", "- Ships sail to zanzibar\n- Chose PostgreSQL for everything that must not be lost\n")
	w.choose("none", nil).Recall(t.Context(), pimento.Query{Text: "ships"})
	finds("static", nil, "which database do we run?", "Chose PostgreSQL for everything that must not be lost")
	finds("one", one, "quokka?", "Ships sail to zanzibar")
	finds("two", two, "quokka?", "Ships sail to zanzibar")
	w.page("topics/b.md", "- Secrets are rotated by the vault operator\n- The wombat sleeps\n")
	finds("two", two, "teapot?", "The wombat sleeps")
	finds("one", one, "teapot?", "The wombat sleeps")
	finds("static", nil, "who changes the passwords?", "Secrets are rotated by the vault operator")
}

// TestFailsOnce: what an embedder could not do is made up for when it can again.
func TestFailsOnce(t *testing.T) {
	w := newWorld(t)
	w.page("MEMORY.md", "- Ships sail to zanzibar\n")
	f := fake{calls: &atomic.Int64{}}
	w.choose("fake", f).Recall(t.Context(), pimento.Query{Text: "quokka?"})
	w.page("topics/a.md", "- The wombat sleeps\n")
	bad := f
	bad.fail = true
	if a := w.choose("fake", bad).Recall(t.Context(), pimento.Query{Text: "teapot?"}); len(a.Faults) == 0 {
		t.Error("no fault")
	}
	if a := w.choose("fake", stumbling{f}).Recall(t.Context(), pimento.Query{Text: "teapot?"}); len(a.Faults) == 0 {
		t.Error("no fault")
	}
	if a := w.choose("fake", f).Recall(t.Context(), pimento.Query{Text: "teapot?"}); len(a.Hits) == 0 || a.Hits[0].Entry.Text != "The wombat sleeps" {
		t.Errorf("%+v", a)
	}
}

// stumbling embeds questions and fails on memories.
type stumbling struct{ fake }

func (f stumbling) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if strings.Contains(texts[0], "sleeps") {
		return nil, errors.New("stumbled")
	}
	return f.fake.Embed(ctx, texts)
}

// TestPurgedVectors: a long-lived process does not bring a purged text's vector
// back, and works on.
func TestPurgedVectors(t *testing.T) {
	w := newWorld(t)
	w.page("MEMORY.md", "- Ships sail to zanzibar\n- The wombat sleeps\n")
	long := w.serve()
	question := pimento.Query{Text: "which vessel goes abroad?"}
	long.Recall(t.Context(), question)
	var id string
	w.run(func(e *engine.Engine) {
		a := e.Recall(t.Context(), pimento.Query{Text: "zanzibar"})
		id = string(a.Hits[0].Entry.Statement)
		_, err := e.Purge(t.Context(), id, engine.Actor{})
		w.must(err)
	})
	w.page("topics/a.md", "- Chose PostgreSQL for everything\n")
	long.Recall(t.Context(), question)
	w.must(long.Close())
	_ = filepath.WalkDir(filepath.Join(w.dirs.Cache, "vectors"), func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && strings.Contains(get(t, path), unhex(t, id)) {
			t.Errorf("%s holds it again", path)
		}
		return nil
	})
}

func unhex(t *testing.T, s string) (b string) {
	t.Helper()
	var n int
	for i := 0; i < len(s); i += 2 {
		if _, err := fmt.Sscanf(s[i:i+2], "%02x", &n); err != nil {
			t.Fatal(err)
		}
		b += string([]byte{byte(n)})
	}
	return b
}
