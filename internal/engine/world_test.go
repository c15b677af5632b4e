package engine_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/vault"
)

// A world is one user on one machine: a home directory, and a clock that only
// the test moves. The machine's own clock, which stamps files, runs on.
type world struct {
	testing.TB
	home string
	dirs vault.Dirs
	dir  string // the working directory
	now  time.Time

	profile  string
	deadline time.Duration
}

// newWorld is a user who works in a directory that is no repository.
func newWorld(t testing.TB) *world {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{TB: t, home: home, dirs: vault.DirsFrom(home, func(string) string { return "" }),
		dir: filepath.Join(home, "work"), now: time.Date(2026, 3, 14, 10, 0, 0, 0, time.UTC), deadline: 20 * time.Second}
	w.mkdir(w.dir)
	return w
}

// at is the same user in another directory.
func (w world) at(dir string) *world {
	w.dir = dir
	w.mkdir(dir)
	return &w
}

func (w *world) options() engine.Options {
	now := w.now
	return engine.Options{Dirs: w.dirs, Dir: w.dir, Profile: w.profile, Now: func() time.Time { return now },
		Clock: time.Now, Deadline: w.deadline, Sessions: w.transcripts()}
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatalf("%v\n%s", err, pimento.HintOf(err))
	}
}

func (w *world) mkdir(dir string) {
	w.Helper()
	w.must(os.MkdirAll(dir, 0o755))
}

// open is a process of its own.
func (w *world) open() *engine.Engine {
	w.Helper()
	e, err := engine.Open(w.options())
	w.must(err)
	return e
}

// run runs one command in a process of its own.
func (w *world) run(f func(*engine.Engine)) {
	w.Helper()
	e := w.open()
	f(e)
	w.must(e.Close())
}

// serve is a long-lived process, ended with the test.
func (w *world) serve() *engine.Engine {
	w.Helper()
	opt := w.options()
	opt.Serve = true
	e, err := engine.Open(opt)
	w.must(err)
	w.Cleanup(func() { _ = e.Close() })
	return e
}

func (w *world) remember(n engine.Note) (r engine.Result) {
	w.Helper()
	w.run(func(e *engine.Engine) {
		var err error
		r, err = e.Remember(w.Context(), n)
		w.must(err)
	})
	return r
}

// put writes a file, as an editor or a clone does.
func put(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func get(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return string(b)
}

// global is the path of a page of the global root.
func (w *world) global(rel string) string { return filepath.Join(w.dirs.Global, rel) }

// page writes a page of the global root by hand.
func (w *world) page(rel, text string) {
	w.Helper()
	put(w, w.global(rel), text)
}

func git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// repo makes a repository with one commit.
func repo(t testing.TB, dir string) string {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "init", "-q", "-b", "main")
	put(t, filepath.Join(dir, "README"), "hello\n")
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-q", "-m", "first")
	return dir
}

// A chat is one conversation. With branch it is a harness that tells what it
// finds in its branch, else one that leaves that to the session file.
type chat struct {
	w      *world
	turn   pimento.Turn
	branch bool
	ids    []string        // in the branch
	engine *engine.Engine  // nil: every prompt is a process of its own
	forged bool            // the test forged what it reads, so that no record can give it again
	texts  []string        // tails that were shown
	blocks []pimento.Block // all answers
}

func (w *world) chat(session string) *chat {
	return &chat{w: w, turn: pimento.Turn{Harness: "pi", Session: session}}
}

func (w *world) branchChat(session string) *chat {
	c := w.chat(session)
	c.branch = true
	return c
}

// fork is a new conversation that begins like this one.
func (c *chat) fork(session string) *chat {
	f := *c
	f.turn.Session, f.turn.Parent = session, c.turn.Session
	f.ids, f.texts, f.blocks = slices.Clone(c.ids), nil, nil
	return &f
}

func (c *chat) event(ev pimento.TurnEvent, change func(*pimento.Turn)) pimento.Block {
	c.w.Helper()
	in := c.turn
	in.Event = ev
	if c.branch {
		in.InContext = append([]string{}, c.ids...)
	}
	if change != nil {
		change(&in)
	}
	e := c.engine
	if e == nil {
		e = c.w.open()
		defer e.Close()
	}
	r := e.Turn(c.w.Context(), in)
	r.After(context.Background())
	if ev == pimento.PromptTurn {
		c.replays(e, r.Block)
		c.ids = append(c.ids, r.Block.TailIDs...)
		c.texts = append(c.texts, r.Block.Tail)
		c.blocks = append(c.blocks, r.Block)
	}
	return r.Block
}

// replays builds every recorded prompt of every conversation in these tests
// again: its bytes, and the decisions behind them.
func (c *chat) replays(e *engine.Engine, b pimento.Block) {
	c.w.Helper()
	r, err := e.Replay(c.w.Context(), b.TraceID)
	if pimento.KindOf(err) == pimento.KindNotFound && err != nil || c.forged {
		return // memory is off, or no record is kept
	}
	if err != nil || !r.Same || !r.Decided {
		c.w.Errorf("the prompt %s is not replayed: %v, the same bytes %t, the same decisions %t\n%v\n%v", b.TraceID, err, r.Same, r.Decided, r.Trace.Block.Trace, r.Block.Trace)
	}
}

// say is one prompt.
func (c *chat) say(prompt string) pimento.Block {
	c.w.Helper()
	return c.event(pimento.PromptTurn, func(t *pimento.Turn) { t.Prompt = prompt })
}

func (c *chat) compact(id string) {
	c.w.Helper()
	for _, ev := range []pimento.TurnEvent{pimento.BeforeCompact, pimento.AfterCompact} {
		c.event(ev, func(t *pimento.Turn) { t.Compaction = id })
	}
	c.ids = nil
}

// offTopic is a prompt that nothing in any test answers.
const offTopic = "zyzzyva quokka"

// news is what an unrelated prompt brings: only what changed.
func (c *chat) news() string {
	c.w.Helper()
	return c.say(offTopic).Tail
}

func wantIn(t testing.TB, what, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("%s lacks %q:\n%s", what, want, text)
		}
	}
}

func wantOut(t testing.TB, what, text string, bans ...string) {
	t.Helper()
	for _, ban := range bans {
		if strings.Contains(text, ban) {
			t.Errorf("%s holds %q:\n%s", what, ban, text)
		}
	}
}

func wantEmpty(t testing.TB, what, text string) {
	t.Helper()
	if text != "" {
		t.Errorf("%s is not empty:\n%s", what, text)
	}
}

func wantKind(t testing.TB, err error, kind pimento.ErrorKind) {
	t.Helper()
	if err == nil || pimento.KindOf(err) != kind {
		t.Errorf("error is %v (%v), want %v", err, pimento.KindOf(err), kind)
	}
}

func wantNoFaults(t testing.TB, b pimento.Block) {
	t.Helper()
	if len(b.Faults) > 0 {
		t.Errorf("faults: %v", b.Faults)
	}
}

// waitForLockWait gives another goroutine the time to come to a lock that the
// test holds. If it comes later, the test proves less, and passes.
func waitForLockWait() { time.Sleep(100 * time.Millisecond) }
