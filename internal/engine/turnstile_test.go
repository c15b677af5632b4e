package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/mirror"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/vault"
)

// served is an engine with one page, and the view and root that it sees.
func served(t *testing.T) (*Engine, *view, *store) {
	t.Helper()
	return servedWith(t, Options{Deadline: 50 * time.Millisecond})
}

func servedWith(t *testing.T, opt Options) (*Engine, *view, *store) {
	t.Helper()
	home := t.TempDir()
	dirs := vault.DirsFrom(home, func(string) string { return "" })
	page := filepath.Join(dirs.Global, "MEMORY.md")
	if err := os.MkdirAll(filepath.Dir(page), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(page, []byte("- Deploys go through staging.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	opt.Dirs, opt.Dir, opt.Now = dirs, home, time.Now
	e, err := Open(opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	v := e.look(t.Context())
	return e, v, v.store(pimento.Global)
}

func hasFault(faults []pimento.Fault, kind string) bool {
	return slices.ContainsFunc(faults, func(f pimento.Fault) bool { return f.Kind == kind })
}

// The building of a large index goes on behind the turn that began it, for
// minutes; the turns after it are answered all the same.
func TestATurnDoesNotWaitForTheIndexToBeBuilt(t *testing.T) {
	building, finish := make(chan struct{}), make(chan struct{})
	begun := sync.OnceFunc(func() { close(building) })
	e, _, st := servedWith(t, Options{Deadline: 50 * time.Millisecond, Indexing: func(int, int) {
		begun()
		<-finish // it does not end while the turn runs
	}})
	for i := range 2 {
		filler := strings.Repeat("These words fill the page and say nothing at all. ", 50_000)
		if err := os.WriteFile(st.path(fmt.Sprintf("filler-%d.md", i)), []byte(filler), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	built := make(chan mirror.Synced)
	go func() {
		_, s, _ := st.Sync(context.Background(), mirror.Occasion{Idle: true})
		built <- s
	}()
	<-building
	r := e.Turn(t.Context(), pimento.Turn{Event: pimento.PromptTurn, Harness: "pi", Session: "s", Prompt: "how do deploys go"})
	r.After(t.Context())
	if !hasFault(r.Block.Faults, "deadline") {
		t.Errorf("%+v", r.Block.Faults)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if a := e.Recall(ctx, pimento.Query{Text: "deploys"}); !hasFault(a.Faults, "deadline") {
		t.Errorf("%+v", a)
	}
	close(finish)
	if s := <-built; s.Behind || s.Err != nil {
		t.Fatalf("%+v", s)
	}
	if a := e.Recall(t.Context(), pimento.Query{Text: "deploys"}); len(a.Hits) != 1 || len(a.Faults) > 0 {
		t.Errorf("afterwards: %+v", a)
	}
}

// What a user asks to remember is written before the answer, and somebody who
// holds the root's lock puts the writing off, and costs no answer.
func TestALockDoesNotCostTheAnswer(t *testing.T) {
	e, _, st := served(t)
	e.opt.Deadline = time.Second
	unlock, err := st.root.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r := e.Turn(t.Context(), pimento.Turn{Event: pimento.PromptTurn, Harness: "pi", Session: "s", Prompt: "how do deploys go? And remember that the staging port is 6432."})
	unlock()
	if len(r.Notices) != 1 || !strings.Contains(r.Notices[0].Text, "will be remembered: the staging port is 6432") {
		t.Errorf("the notices: %q", r.Notices)
	}
	r.After(t.Context())
	if b, err := os.ReadFile(st.path(page.Memory)); err != nil || strings.Count(string(b), "the staging port is 6432") != 1 {
		t.Errorf("the page: %q %v", b, err)
	}
	if !strings.Contains(r.Block.Prefix+r.Block.Tail, "Deploys go") || len(r.Block.Faults) > 0 {
		t.Errorf("%+v", r.Block)
	}
}

// A clock that goes backwards, or was never set, costs no write and no answer.
func TestAClockThatIsWrong(t *testing.T) {
	e, _, _ := served(t)
	e.opt.Deadline = 10 * time.Second
	for i, now := range []time.Time{time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC), time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC),
		time.Unix(0, 0), time.Date(1969, 7, 20, 0, 0, 0, 0, time.UTC), time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC), time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)} {
		e.opt.Now = func() time.Time { return now }
		note := []string{"Alders", "Birches", "Cedars", "Dogwoods", "Elms", "Firs"}[i] + " line the avenue."
		if res, err := e.Remember(t.Context(), Note{Text: note, Scope: pimento.Global, Daily: i%2 == 1}); err != nil || res.Action != pimento.Put {
			t.Fatalf("at %v: %+v, %v", now, res, err)
		}
		r := e.Turn(t.Context(), pimento.Turn{Event: pimento.PromptTurn, Harness: "pi", Session: "s", Prompt: note})
		r.After(t.Context())
		if len(r.Block.Faults) > 0 {
			t.Errorf("at %v: %v", now, r.Block.Faults)
		}
		if a := e.Recall(t.Context(), pimento.Query{Text: note}); len(a.Hits) == 0 || a.Hits[0].Entry.Text != note {
			t.Errorf("at %v: %+v", now, a)
		}
	}
}
