package engine_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/journal"
	"github.com/pimento-memory/pimento/internal/vault"
)

// childEnv makes the test binary a process of its own: the home directory, the
// working directory, and what to do.
const childEnv = "ENGINE_TEST_CHILD"

func TestMain(m *testing.M) {
	if spec := os.Getenv(childEnv); spec != "" {
		os.Exit(child(strings.Split(spec, "\x1f")))
	}
	os.Exit(m.Run())
}

// child is what another process does. Every acknowledged write is a line on
// standard output.
func child(spec []string) int {
	home, dir, what, name := spec[0], spec[1], spec[2], spec[3]
	e, err := engine.Open(engine.Options{Dirs: vault.DirsFrom(home, func(string) string { return "" }), Dir: dir, Now: time.Now, Deadline: 20 * time.Second})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	defer e.Close()
	ctx := context.Background()
	switch what {
	case "remember":
		for i := 0; name == "for ever" || i < 25; i++ {
			text := fmt.Sprintf("Process %s number %d in run %d speaks.", name, i, os.Getpid())
			n := engine.Note{Text: text, Scope: pimento.Global}
			switch i % 3 {
			case 1:
				n.Daily = true
			case 2:
				n.Page = "topics/many"
			}
			if _, err := e.Remember(ctx, n); err != nil {
				fmt.Println("error:", err, pimento.HintOf(err))
				return 1
			}
			fmt.Println(text)
		}
	case "turn":
		r := e.Turn(ctx, pimento.Turn{Event: pimento.PromptTurn, Harness: "pi", Session: name, Prompt: gadgetPrompt})
		r.After(ctx)
		fmt.Printf("%s\n%s\n%v\n", r.Block.Prefix, r.Block.Tail, r.Block.Faults)
	case "dream":
		if _, err := e.Dream(ctx, engine.Dreaming{Apply: true}, engine.Actor{Name: "user"}); err != nil {
			fmt.Println("error:", err)
			return 1
		}
	case "note":
		_, err := e.Remember(ctx, engine.Note{Text: "A note in vain.", Scope: pimento.Global})
		fmt.Println(pimento.KindOf(err), err)
	}
	return 0
}

func (w *world) child(bin, what, name string) *exec.Cmd {
	cmd := exec.Command(bin)
	cmd.Env = append(os.Environ(), childEnv+"="+strings.Join([]string{w.home, w.dir, what, name}, "\x1f"))
	return cmd
}

func self(t testing.TB) string {
	t.Helper()
	bin, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return bin
}

// allPages is the text of every page of the global root.
func allPages(w *world) string {
	w.Helper()
	var b strings.Builder
	w.must(filepath.WalkDir(w.dirs.Global, func(p string, d os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(p, ".md") {
			b.WriteString(get(w, p) + "\n")
		}
		return err
	}))
	return b.String()
}

func wantOnce(t testing.TB, text string, lines []string) {
	t.Helper()
	for _, line := range lines {
		if n := strings.Count(text, line); n != 1 {
			t.Errorf("%q is there %d times", line, n)
		}
	}
}

func TestProcessesWriteAtOnce(t *testing.T) {
	w := newWorld(t)
	w.page("MEMORY.md", "- Alpha likes apples.\n")
	c := w.branchChat("s")
	c.say("hello")
	var cmds []*exec.Cmd
	var outs []*strings.Builder
	for i := range 4 {
		cmd, out := w.child(self(t), "remember", strconv.Itoa(i)), &strings.Builder{}
		cmd.Stdout, cmd.Stderr = out, out
		w.must(cmd.Start())
		cmds, outs = append(cmds, cmd), append(outs, out)
	}
	stop, done := make(chan struct{}), make(chan struct{})
	go func() { // prompts in between, each a process of its own
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
				c.news()
			}
		}
	}()
	var said []string
	for i, cmd := range cmds {
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v\n%s", err, outs[i])
		}
		said = append(said, strings.Split(strings.TrimSpace(outs[i].String()), "\n")...)
	}
	if len(said) != 100 {
		t.Errorf("%d writes were acknowledged", len(said))
	}
	wantOnce(t, allPages(w), said)
	close(stop)
	<-done
	for c.news() != "" { // what did not fit is told later
	}
	told := strings.Join(c.texts, "")
	wantOnce(t, told, said)
	wantOut(t, "what was told", told, "withdrawn", "edited")
	w.run(func(e *engine.Engine) {
		for _, s := range []string{said[0], said[1], said[2], said[len(said)-1]} {
			if _, err := e.WhyEntry(t.Context(), id(s)); err != nil {
				t.Errorf("%q: %v", s, err)
			}
		}
	})
}

func TestKilledWritersLoseNothingTheyAcknowledged(t *testing.T) {
	w := newWorld(t)
	loops := 30
	if testing.Short() {
		loops = 6
	}
	var said []string
	for range loops {
		cmd := w.child(self(t), "remember", "for ever")
		out, err := cmd.StdoutPipe()
		w.must(err)
		w.must(cmd.Start())
		lines, n := bufio.NewScanner(out), 1+rand.IntN(4)
		for lines.Scan() {
			if strings.HasPrefix(lines.Text(), "error:") {
				t.Error(lines.Text())
			}
			said = append(said, lines.Text())
			if n--; n == 0 {
				time.Sleep(time.Duration(rand.IntN(3000)) * time.Microsecond)
				_ = cmd.Process.Kill()
			}
		}
		_ = cmd.Wait()
	}
	w.remember(engine.Note{Text: "The next write replays.", Scope: pimento.Global})
	text := allPages(w)
	wantOnce(t, text, said)
	for line := range strings.Lines(text) { // no page is torn, nothing stands twice
		line = strings.TrimSpace(strings.TrimPrefix(line, "- "))
		if line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "<!-- 20") && strings.HasSuffix(line, "-->") {
			continue
		}
		if !strings.HasSuffix(line, " speaks.") && line != "The next write replays." {
			t.Errorf("torn line %q", line)
		}
		if strings.Count(text, line) != 1 {
			t.Errorf("twice: %q", line)
		}
	}
	w.run(func(e *engine.Engine) {
		checks := e.Doctor(t.Context())
		for _, c := range checks {
			if !c.OK {
				t.Errorf("doctor: %+v", c)
			}
		}
	})
}

func TestAPlanOfAnotherRootIsNotReplayedHere(t *testing.T) {
	w := newWorld(t)
	repo(t, w.dir)
	w.remember(engine.Note{Text: "The mainword.", Scope: pimento.Project})
	git(t, w.dir, "worktree", "add", "-q", filepath.Join(w.home, "tree"))
	tree := w.at(filepath.Join(w.home, "tree"))
	put(t, filepath.Join(tree.dir, ".pi/memory/MEMORY.md"), get(t, filepath.Join(w.dir, ".pi/memory/MEMORY.md")))
	var staged pimento.Event // a plan of the main tree that crashed before it was applied
	dirs, err := filepath.Glob(filepath.Join(w.dirs.State, "journals/*"))
	w.must(err)
	found := ""
	for _, dir := range dirs {
		j, err := journal.Open(dir)
		w.must(err)
		w.must(j.Each(t.Context(), []pimento.EventType{pimento.Staged}, func(ev pimento.Event) { staged, found = ev, dir }))
		w.must(j.Close())
	}
	if found == "" {
		t.Fatal("no staged plan in any journal")
	}
	before := get(t, filepath.Join(w.dir, ".pi/memory/MEMORY.md"))
	data := strings.ReplaceAll(string(staged.Data), staged.Txn, "01PENDING")
	page := filepath.Join(w.dir, ".pi/memory/MEMORY.md")
	w.must(os.Remove(page)) // back to what the plan was made for
	staged.ID, staged.Txn, staged.Data = "01PENDINGEVENT", "01PENDING", []byte(data)
	j, err := journal.Open(found)
	w.must(err)
	w.must(j.Append(t.Context(), []pimento.Event{staged}))
	w.must(j.Close())
	tree.remember(engine.Note{Text: "The treeword.", Scope: pimento.Project})
	if _, err := os.Stat(page); err == nil {
		t.Error("another worktree replayed the plan")
	}
	if n := strings.Count(get(t, filepath.Join(tree.dir, ".pi/memory/MEMORY.md")), "mainword"); n != 1 {
		t.Errorf("the plan was applied to the wrong root: %d", n)
	}
	w.remember(engine.Note{Text: "Another page.", Scope: pimento.Project, Page: "topics/x"})
	if got := get(t, page); got != before {
		t.Errorf("replayed:\n%q\nwant\n%q", got, before)
	}
}

// As another user, because root writes where it must not.
func TestReadOnlyDirectoriesStillAnswer(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs root, to become another user")
	}
	dir, err := os.MkdirTemp("/tmp", "engine-ro-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	bin := filepath.Join(dir, "child")
	b, err := os.ReadFile(self(t))
	if err == nil {
		err = os.WriteFile(bin, b, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	w.home, w.dirs, w.dir = filepath.Join(dir, "home"), vault.DirsFrom(filepath.Join(dir, "home"), func(string) string { return "" }), filepath.Join(dir, "home/work")
	w.mkdir(w.dir)
	library(w)
	nobody := func(what, name string) string {
		t.Helper()
		cmd := w.child(bin, what, name)
		asNobody(cmd)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	open := func(mode os.FileMode) {
		w.must(filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
			if err == nil && (d.IsDir() || mode == 0o755) {
				err = os.Chmod(p, 0o755)
			}
			return err
		}))
	}
	open(0)
	out := nobody("turn", "cold") // no cache, no state, and none can be made
	wantIn(t, "block", out, "Gadget03", "staging cluster")
	w.chat("warm").say("hello")
	w.page("topics/filler03.md", "- [fact] Gadget03 weighs exactly 777 grams of walnut.\n")
	open(0o755)
	for _, name := range []string{"fresh", "warm"} { // a cache and a state that can be read and not written
		wantIn(t, name+" block", nobody("turn", name), "Gadget03 weighs exactly 777")
	}
	wantIn(t, "remember", nobody("note", ""), "unavailable")
	w.must(filepath.WalkDir(w.dirs.Cache, func(p string, d os.DirEntry, err error) error { return os.Chmod(p, 0) }))
	wantIn(t, "block with an unreadable cache", nobody("turn", "fresh"), "Gadget03 weighs exactly 777")
	w.must(os.Chmod(w.dirs.State, 0))
	wantIn(t, "block with an unreadable state", nobody("turn", "fresh"), "Gadget03 weighs exactly 777")
	w.must(os.Chmod(w.global("topics"), 0))
	w.must(os.Chmod(w.global("MEMORY.md"), 0))
	wantIn(t, "block with an unreadable page", nobody("turn", "fresh"), "MEMORY.md")
	w.must(os.Chmod(w.dirs.Global, 0))
	wantIn(t, "block with an unreadable root", nobody("turn", "fresh"), "vault")
}
