package engine_test

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
)

// library is a memory with something for several prompts.
func library(w *world) {
	w.page("MEMORY.md", "# Memory\n- Deploys go through the staging cluster first.\n- The user writes British English.\n")
	w.page("topics/database.md", "- [lesson] Postgres migrations must run inside one transaction.\n- [fact] The replica lags by two minutes.\n")
	w.page("topics/frontend.md", "- [decision] The sidebar uses CSS grid instead of flexbox.\n- [mistake] The carousel leaked event listeners.\n")
	for i := range 30 {
		w.page(fmt.Sprintf("topics/filler%02d.md", i), fmt.Sprintf("- [fact] Gadget%02d weighs exactly %d grams of walnut.\n", i, i+100))
	}
}

func TestFivePromptsShareOnePrefixAndSayNothingTwice(t *testing.T) {
	for _, branch := range []bool{false, true} {
		t.Run(fmt.Sprintf("branch=%v", branch), func(t *testing.T) {
			w := newWorld(t)
			library(w)
			c := w.chat("s")
			c.branch = branch
			prompts := []string{"run the postgres migrations", "postgres migrations and the replica", "carousel event listeners",
				"how heavy is gadget07, gadget08 or gadget29 in walnut grams?", "gadget07 gadget11 gadget12 walnut"}
			seen, hits := map[string]int{}, 0
			for i, p := range prompts {
				b := c.say(p)
				wantNoFaults(t, b)
				if b.Prefix == "" || b.Prefix != c.blocks[0].Prefix {
					t.Fatalf("prefix of prompt %d:\n%s\nfirst:\n%s", i, b.Prefix, c.blocks[0].Prefix)
				}
				if i == 0 {
					for _, id := range b.PrefixIDs {
						seen[id]++
					}
				}
				for _, id := range b.TailIDs {
					seen[id]++
					hits++
				}
				for line := range strings.Lines(b.Tail) {
					if strings.Contains(line, "walnut") {
						seen[line]++
					}
				}
			}
			if hits == 0 {
				t.Error("no tail held anything")
			}
			for id, n := range seen {
				if n > 1 {
					t.Errorf("%q stands %d times", id, n)
				}
			}
		})
	}
}

func TestNothingRelevantMeansAnEmptyTail(t *testing.T) {
	w := newWorld(t)
	library(w)
	c := w.chat("s")
	for _, p := range []string{offTopic, "ok", "OK.", "thanks", "Thank you!", "👍", "", "   ", "\n", "…", "!!", "yes"} {
		wantEmpty(t, fmt.Sprintf("tail of %q", p), c.say(p).Tail)
	}
	if b := c.event(pimento.SessionStart, nil); b.Tail != "" || b.Prefix == "" {
		t.Errorf("session start: %+v", b)
	}
}

func TestFirstProcessesOfASessionAgreeOnThePrefix(t *testing.T) {
	w := newWorld(t)
	library(w)
	var wg sync.WaitGroup
	got := make([]string, 8)
	for i := range got {
		wg.Go(func() {
			other := *w
			other.now = w.now.Add(time.Duration(i) * time.Hour) // each process sees another clock
			c := other.chat("s")
			got[i] = c.say("postgres").Prefix
		})
	}
	wg.Wait()
	for _, p := range got {
		if p == "" || p != got[0] {
			t.Fatalf("differs:\n%s\n%s", p, got[0])
		}
	}
}

func TestThePrefixStaysWhenTheWorldMovesOn(t *testing.T) {
	w := newWorld(t)
	library(w)
	w.page("daily/2026-03-14.md", "<!-- 2026-03-14 09:00:00 [abcdefgh] -->\nLooked at the boiler.\n")
	w.now = time.Date(2026, 3, 14, 23, 59, 0, 0, time.UTC)
	c := w.chat("s")
	first := c.say("hello").Prefix
	wantIn(t, "prefix", first, "boiler")
	step := func(what string) {
		t.Helper()
		if got := c.say("gadget09 walnut postgres").Prefix; got != first {
			t.Fatalf("after %s:\n%s\nbefore:\n%s", what, got, first)
		}
	}
	w.now = w.now.Add(2 * time.Minute)
	step("midnight")
	w.run(func(e *engine.Engine) {
		a := e.Recall(t.Context(), pimento.Query{Text: "replica lags"})
		for range 5 {
			_, err := e.Reinforce(t.Context(), string(a.Hits[0].Entry.Statement), engine.Actor{})
			w.must(err)
			_, err = e.Confirm(t.Context(), string(a.Hits[0].Entry.Statement), engine.Actor{})
			w.must(err)
		}
	})
	step("evidence")
	step("hits")
	w.remember(engine.Note{Text: "The moon is made of basalt.", Scope: pimento.Global})
	step("a write")
	w.page("MEMORY.md", "# Memory\n- Everything is different now.\n")
	step("a hand edit")
	w.now = w.now.AddDate(0, 2, 0)
	step("two months")
}

func TestThePrefixIsTakenAnewAtCheckpoints(t *testing.T) {
	w := newWorld(t)
	library(w)
	w.now = w.now.Add(time.Minute)
	c := w.chat("s")
	last, n := c.say("hello").Prefix, 0
	// mark changes what a new prefix would show.
	mark := func() string {
		n++
		s := fmt.Sprintf("Checkpoint number %d is reached.", n)
		w.page("MEMORY.md", "# Memory\n- Deploys go through the staging cluster first.\n- "+s+"\n")
		if got := c.say("hello").Prefix; got != last {
			t.Fatalf("the prefix changed before checkpoint %d", n)
		}
		return s
	}
	taken := func(what, s string) {
		t.Helper()
		b := c.say("hello")
		if last = b.Prefix; what == "untrust" {
			wantIn(t, "all that was shown after "+what, last+strings.Join(c.texts, ""), s) // the bytes from before trust may serve again
		} else {
			wantIn(t, "prefix after "+what, last, s)
		}
		if again := c.say("hello again").Prefix; again != last {
			t.Errorf("after %s the prefix is not stable", what)
		}
	}
	s := mark()
	c.compact("c1")
	taken("compaction", s)
	s = mark()
	w.run(func(e *engine.Engine) { w.must(e.Refresh(t.Context(), "pi", "s")) })
	taken("refresh", s)
	s = mark()
	var rid string
	w.run(func(e *engine.Engine) {
		a := e.Recall(t.Context(), pimento.Query{Text: "replica lags"})
		r, err := e.Forget(t.Context(), string(a.Hits[0].Entry.Statement), engine.Actor{})
		w.must(err)
		rid = r.Recovery
	})
	taken("forget", s)
	s = mark()
	w.run(func(e *engine.Engine) { _, err := e.Restore(t.Context(), rid, engine.Actor{}); w.must(err) })
	taken("restore", s)
	s = mark()
	w.run(func(e *engine.Engine) { _, err := e.ProfileUse(t.Context(), "daybook", true); w.must(err) })
	taken("profile use", s)
	s = mark()
	w.run(func(e *engine.Engine) { w.must(e.Silence(t.Context(), "pi", "s", true)) })
	if b := c.say("postgres migrations"); b.Prefix != "" || b.Tail != "" || len(b.TailIDs) > 0 {
		t.Errorf("silenced, and yet: %+v", b)
	}
	if b := c.event(pimento.SessionStart, nil); b.Prefix != "" {
		t.Errorf("silenced, and yet at start: %+v", b)
	}
	w.run(func(e *engine.Engine) { w.must(e.Silence(t.Context(), "pi", "s", false)) })
	taken("on again", s)
	put(t, filepath.Join(w.dir, ".pi/memory/MEMORY.md"), "- The project loves haskell.\n")
	s = mark()
	w.run(func(e *engine.Engine) { _, err := e.Trust(t.Context(), ""); w.must(err) })
	taken("trust", s)
	wantIn(t, "prefix after trust", last, "haskell")
	s = mark()
	w.run(func(e *engine.Engine) { _, err := e.Untrust(t.Context()); w.must(err) })
	taken("untrust", s)
	wantOut(t, "prefix after untrust", last, "haskell")
}

func TestOffIsSilent(t *testing.T) {
	w := newWorld(t)
	library(w)
	c := w.chat("s")
	c.turn.Off = true
	if b := c.say("postgres migrations"); b.Prefix != "" || b.Tail != "" {
		t.Errorf("%+v", b)
	}
	put(t, filepath.Join(w.dirs.Config, "config.json"), `{"enabled": false}`)
	c = w.chat("t")
	if b := c.say("postgres migrations"); b.Prefix != "" || b.Tail != "" {
		t.Errorf("%+v", b)
	}
}

func TestATurnWithoutSessionIsStateless(t *testing.T) {
	w := newWorld(t)
	library(w)
	c := w.chat("")
	a, b := c.say("postgres migrations"), c.say("postgres migrations")
	if a.Prefix != b.Prefix || a.Tail != b.Tail || a.Tail == "" {
		t.Errorf("%q\n%q", a.Tail, b.Tail)
	}
	w.page("MEMORY.md", "- Something new to see.\n")
	wantIn(t, "prefix", c.say("").Prefix, "Something new")
	wantEmpty(t, "tail", c.texts[2])
}

// What was shown beside an earlier message is still in the context when the
// prefix is taken anew without a compaction.
func TestARefreshDoesNotHideWhatWasWithdrawn(t *testing.T) {
	for name, checkpoint := range map[string]func(*world, string){
		"forget": func(w *world, id string) {
			w.run(func(e *engine.Engine) { _, err := e.Forget(context.Background(), id, engine.Actor{}); w.must(err) })
		},
		"edit and refresh": func(w *world, _ string) {
			w.page("topics/filler07.md", "- [fact] Nothing to see.\n")
			w.run(func(e *engine.Engine) { w.must(e.Refresh(context.Background(), "pi", "s")) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			library(w)
			c := w.branchChat("s")
			b := c.say("gadget07 walnut grams")
			wantIn(t, "tail", b.Tail, "Gadget07")
			checkpoint(w, string(pimento.StatementOf("Gadget07 weighs exactly 107 grams of walnut.")))
			wantIn(t, "tail", c.news(), "Gadget07")
			wantEmpty(t, "tail after it was told", c.news())
			c.compact("c")
			wantEmpty(t, "tail after a compaction", c.news())
		})
	}
}

// TestTheNewestStandWhereverTheyAre: of more entries of a kind than are ranked
// the newest are taken, also from below an old one on a page.
func TestTheNewestStandWhereverTheyAre(t *testing.T) {
	w := newWorld(t)
	w.page("topics/a.md", "<!-- 2026-03-13 10:00:00 -->\n- [lesson] Alpha needs a spoon\n")
	w.page("topics/b.md", "<!-- 2019-03-13 10:00:00 -->\n- [lesson] Bravo needed a ladle\n\n<!-- 2026-03-13 10:00:00 -->\n- [lesson] Bravo needs a fork\n")
	var b strings.Builder
	for i := range 250 {
		fmt.Fprintf(&b, "<!-- 2021-01-01 10:00:00 -->\n- [lesson] Zulu item %d needs a knife\n\n", i)
	}
	w.page("topics/z.md", b.String())
	wantIn(t, "prefix", w.chat("s").say("hello").Prefix, "Alpha needs a spoon", "Bravo needs a fork")
}

// A topic page that lost its last entry is not pointed at any more; its heading
// stays, because nobody asked to take that away.
func TestAnEmptyTopicIsNotPointedAt(t *testing.T) {
	w := newWorld(t)
	w.page("topics/deploys.md", "# Deploys\n\n- Deploys need a signed tag\n")
	w.page("topics/tests.md", "# Tests\n\n- Tests run in parallel\n")
	prefix := func(session string) string {
		c := w.chat(session)
		c.say("hello, what is there?")
		return c.blocks[0].Prefix
	}
	wantIn(t, "before", prefix("a"), "topics/deploys.md", "topics/tests.md")
	w.run(func(e *engine.Engine) {
		_, err := e.Forget(w.Context(), string(pimento.StatementOf("Deploys need a signed tag")), engine.Actor{Name: "user"})
		w.must(err)
	})
	got := prefix("b")
	wantIn(t, "afterwards", got, "topics/tests.md")
	wantOut(t, "afterwards", got, "topics/deploys.md")
	wantIn(t, "the page", get(t, w.global("topics/deploys.md")), "# Deploys")
}

// A purge leaves the prefix of sessions alone that were never shown what is purged:
// those of another project, unless it was said there, too.
func TestAPurgeLeavesOtherProjectsPrefixes(t *testing.T) {
	w := newWorld(t)
	other := w.at(filepath.Join(w.home, "other"))
	w.remember(engine.Note{Text: "The firstword is ours.", Scope: pimento.Global})
	mine := w.remember(engine.Note{Text: "The secretword is here.", Scope: pimento.Project})
	other.remember(engine.Note{Text: "The otherword is there.", Scope: pimento.Project})
	c, d := w.chat("s"), other.chat("t")
	was, had := c.say(offTopic).Prefix, d.say(offTopic).Prefix
	wantIn(t, "prefix", was, "secretword")
	other.run(func(e *engine.Engine) { // what a new prefix would hold
		_, err := e.Remember(t.Context(), engine.Note{Text: "The laterword is there.", Scope: pimento.Project})
		w.must(err)
	})
	w.run(func(e *engine.Engine) { _, err := e.Purge(t.Context(), string(mine.ID), engine.Actor{}); w.must(err) })
	b := d.say(offTopic)
	if b.Prefix != had {
		t.Errorf("another project's prefix changed:\n%s\nto\n%s", had, b.Prefix)
	}
	wantIn(t, "tail", b.Tail, "laterword")
	wantOut(t, "prefix", c.say(offTopic).Prefix, "secretword")
	wantNowhere(t, w, "secretword")

	shared := w.remember(engine.Note{Text: "The sharedword is ours.", Scope: pimento.Global})
	c, d = w.chat("s2"), other.chat("t2")
	wantIn(t, "prefix", c.say(offTopic).Prefix, "sharedword")
	wantIn(t, "prefix", d.say(offTopic).Prefix, "sharedword")
	w.run(func(e *engine.Engine) { _, err := e.Purge(t.Context(), string(shared.ID), engine.Actor{}); w.must(err) })
	wantNowhere(t, w, "sharedword")
}

// wantNowhere wants no file of a user's to hold a word.
func wantNowhere(t *testing.T, w *world, word string) {
	t.Helper()
	w.must(filepath.WalkDir(w.home, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && strings.Contains(get(t, path), word) {
			t.Errorf("%s stands in %s", word, strings.TrimPrefix(path, w.home))
		}
		return err
	}))
}

// The first write into a project makes its memory. The session that did it keeps its
// prefix: what it wrote is told as a change where it does not know it already. A
// memory that came from elsewhere is in a new prefix.
func TestTheFirstWriteKeepsThePrefix(t *testing.T) {
	w := newWorld(t).at(repo(t, filepath.Join(t.TempDir(), "r")))
	w.remember(engine.Note{Text: "The user writes British English.", Scope: pimento.Global})
	c := w.chat("s")
	first := c.say("hello").Prefix
	w.remember(engine.Note{Text: "Deploys go through the staging cluster.", Session: "s"})
	b := c.say("what is next?")
	if b.Prefix != first {
		t.Errorf("the prefix changed:\n%s", b.Prefix)
	}
	wantIn(t, "tail", b.Tail, "added: Deploys go through the staging cluster. (project)")
	w.remember(engine.Note{Text: "The canary needs ten minutes.", Session: "s"})
	b = c.say("and then?")
	if b.Prefix != first {
		t.Errorf("the prefix changed:\n%s", b.Prefix)
	}
	wantIn(t, "tail", b.Tail, "added: The canary needs ten minutes.")
	wantOut(t, "tail", b.Tail, "staging")
	wantIn(t, "the next session's prefix", w.chat("t").say("hello").Prefix, "staging", "canary")

	w = newWorld(t).at(repo(t, filepath.Join(t.TempDir(), "r")))
	c = w.chat("s")
	c.say("hello")
	put(t, filepath.Join(w.dir, ".pi", "memory", "MEMORY.md"), "- Deploys go through the staging cluster.\n")
	c.say("hello")
	w.run(func(e *engine.Engine) {
		_, err := e.Trust(t.Context(), "")
		w.must(err)
	})
	wantIn(t, "the prefix after a yes", c.say("hello").Prefix, "staging")

	// A tool in a process of its own writes for a session that it cannot name.
	w = newWorld(t).at(repo(t, filepath.Join(t.TempDir(), "r")))
	c = w.chat("s")
	first = c.say("hello").Prefix
	w.now = w.now.Add(time.Minute)
	w.remember(engine.Note{Text: "Deploys go through the staging cluster.", Session: "of a server"})
	if b = c.say("what is next?"); b.Prefix != first {
		t.Errorf("the prefix changed:\n%s", b.Prefix)
	}
	wantIn(t, "tail", b.Tail, "added: Deploys go through the staging cluster. (project)")
}

// A session that goes back to the profile that it had before does not get back what
// memory said then: a change that it was told in between would not be told again.
func TestAPrefixOfBeforeIsNotRepeated(t *testing.T) {
	for name, talk := range map[string]func(*world) *chat{
		"one that the harness keeps": func(w *world) *chat { return w.branchChat("s") },
		"one of the session's file":  func(w *world) *chat { return w.chat("s") },
		"one that lasts":             func(w *world) *chat { return w.lasting("s") },
		"one of a long-lived process": func(w *world) *chat {
			opt := w.options()
			opt.Serve, opt.Now = true, func() time.Time { return w.now }
			e, err := engine.Open(opt)
			w.must(err)
			w.Cleanup(func() { _ = e.Close() })
			c := w.branchChat("s")
			c.engine = e
			return c
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			use := func(profile string) {
				put(t, filepath.Join(w.dirs.Config, "config.json"), `{"profile": "`+profile+`"}`)
			}
			use("default")
			old := w.remember(engine.Note{Text: "Deploys go out on Mondays.", Scope: pimento.Global})
			w.remember(engine.Note{Text: "The canary needs ten minutes.", Scope: pimento.Global})
			c := talk(w)
			first := c.say("hello").Prefix
			wantIn(t, "the prefix", first, "Mondays")
			w.now = w.now.Add(time.Minute)
			use("mind")
			c.say("hello again")
			w.run(func(e *engine.Engine) {
				_, err := e.Edit(t.Context(), string(old.ID), "Deploys go out on Fridays.", engine.Actor{Name: "user"})
				w.must(err)
			})
			wantIn(t, "the tail", c.say("what else?").Tail, "Fridays")
			w.now = w.now.Add(time.Minute)
			use("default")
			b := c.say("and now?")
			wantIn(t, "the prefix", b.Prefix, "Fridays", "ten minutes")
			wantOut(t, "the prefix", b.Prefix, "Mondays")
			again := c.say("and then?").Prefix
			if again != b.Prefix && again != "" {
				t.Error("the prefix is another one at the next prompt")
			}
		})
	}
}
