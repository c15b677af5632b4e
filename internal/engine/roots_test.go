package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/vault"
)

func TestTheGlobalRootMayBeALink(t *testing.T) {
	w := newWorld(t)
	real := filepath.Join(w.home, "dotfiles/memory")
	put(t, filepath.Join(real, "MEMORY.md"), "- The linkedword.\n")
	w.mkdir(filepath.Dir(w.dirs.Global))
	w.must(os.Symlink(real, w.dirs.Global))
	c := w.branchChat("s")
	c.engine = w.serve()
	wantIn(t, "prefix", c.say("hello").Prefix, "linkedword")
	w.remember(engine.Note{Text: "The otherword.", Scope: pimento.Global})
	put(t, filepath.Join(real, "topics/x.md"), "- The thirdword.\n")
	wantIn(t, "tail", c.news(), "otherword", "thirdword")
	wantIn(t, "page", get(t, filepath.Join(real, "MEMORY.md")), "otherword")
}

func TestAProjectsRootMayNotBeALink(t *testing.T) {
	for name, make := range map[string]func(w *world, m string){
		"the folder": func(w *world, m string) {
			w.must(os.Symlink(filepath.Join(w.home, "private"), m))
		},
		"its parent": func(w *world, m string) {
			w.must(os.Remove(filepath.Dir(m)))
			w.must(os.Rename(filepath.Join(w.home, "private"), filepath.Join(w.home, "memory")))
			w.must(os.Symlink(w.home, filepath.Dir(m)))
		},
		"a file": func(w *world, m string) { put(w, m, "- The privateword.\n") },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			repo(t, w.dir)
			put(t, filepath.Join(w.home, "private/MEMORY.md"), "- The privateword.\n")
			m := filepath.Join(w.dir, ".pi/memory")
			w.mkdir(filepath.Dir(m))
			make(w, m)
			w.run(func(e *engine.Engine) { _, _ = e.Trust(t.Context(), "") })
			b := w.chat("s").say("privateword")
			wantOut(t, "block", b.Prefix+b.Tail, "privateword")
			w.run(func(e *engine.Engine) {
				_, err := e.Remember(t.Context(), engine.Note{Text: "A note.", Scope: pimento.Project})
				if err == nil {
					t.Error("written through a link")
				}
			})
		})
	}
}

func TestCloseLeavesNothingRunning(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	w := newWorld(t)
	library(w)
	e := w.serve()
	c := w.chat("s")
	c.engine = e
	c.say(gadgetPrompt)
	w.page("topics/x.md", "- Something new.\n")
	c.say(gadgetPrompt)
	w.must(e.Close())
	if files, _ := filepath.Glob(filepath.Join(w.dirs.State, "watch/*")); len(files) > 0 {
		t.Errorf("left behind: %v", files)
	}
}

func TestOneCompactionReportedByManyProcessesIsOneHandoff(t *testing.T) {
	w := newWorld(t)
	w.page("SCRATCHPAD.md", "- [ ] Buy a lathe\n")
	w.chat("s").say("hello")
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			w.chat("s").event(pimento.BeforeCompact, func(t *pimento.Turn) { t.Compaction = "c" })
		})
	}
	wg.Wait()
	text := get(t, w.global(today))
	if n := strings.Count(text, "HANDOFF"); n != 1 {
		t.Errorf("%d handoffs:\n%s", n, text)
	}
}

// Without a home directory there is no place for private state, least of all
// the working directory.
func TestNoHomeIsNotTheWorkingDirectory(t *testing.T) {
	w := newWorld(t)
	t.Chdir(w.dir)
	for _, env := range []map[string]string{nil, {"PIMENTO_GLOBAL_DIR": w.home + "/g"}, {"PIMENTO_STATE_DIR": "state"}} {
		opt := w.options()
		opt.Dirs = vault.DirsFrom("", func(k string) string { return env[k] })
		if _, err := engine.Open(opt); pimento.KindOf(err) != pimento.KindUsage || err == nil {
			t.Errorf("%v: %v", env, err)
		}
	}
	put(t, "config.json", `{"enabled": false}`) // anybody's
	opt := w.options()
	opt.Dirs = vault.DirsFrom("", func(k string) string {
		return map[string]string{"PIMENTO_GLOBAL_DIR": w.home + "/g", "PIMENTO_STATE_DIR": w.home + "/s"}[k]
	})
	e, err := engine.Open(opt)
	w.must(err)
	_, err = e.Remember(t.Context(), engine.Note{Text: "Alpha likes apples.", Scope: pimento.Global})
	w.must(err)
	if s := e.Status(t.Context(), ""); !s.Enabled {
		t.Errorf("%+v", s)
	}
	w.must(e.Close())
	if left, _ := filepath.Glob("*"); len(left) != 1 {
		t.Errorf("left in the working directory: %v", left)
	}
}

func TestWhatKilledProcessesLeftIsTidied(t *testing.T) {
	w := newWorld(t)
	watch := filepath.Join(w.dirs.State, "watch")
	for name, age := range map[string]time.Duration{"watch-old": 100 * 24 * time.Hour, "watch-new": time.Hour} {
		put(t, filepath.Join(watch, name, "1"), ".")
		at := time.Now().Add(-age)
		w.must(os.Chtimes(filepath.Join(watch, name), at, at))
	}
	w.serve()
	if _, err := os.Stat(filepath.Join(watch, "watch-old")); err == nil {
		t.Error("an old folder stays for ever")
	}
	if _, err := os.Stat(filepath.Join(watch, "watch-new")); err != nil {
		t.Error("the folder of another process was taken away")
	}
}
