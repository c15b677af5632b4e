package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
)

const today = "daily/2026-03-14.md"

func TestAHandoffHasItsDocumentedForm(t *testing.T) {
	w := newWorld(t)
	w.profile = "daybook"
	w.page("SCRATCHPAD.md", "# Scratchpad\n\n- [ ] Buy a lathe\n- [x] Paint the shed\n- [ ] Call Ann\n")
	w.page(today, "<!-- 2026-03-14 09:00:00 [abcdefgh] -->\nLooked at the boiler.")
	c := w.chat("0123456789-session")
	c.say("hello")
	c.compact("c1")
	want := "<!-- 2026-03-14 09:00:00 [abcdefgh] -->\nLooked at the boiler.\n\n" +
		"<!-- HANDOFF 2026-03-14 10:00:00 [01234567] -->\n## Session Handoff\n**Open scratchpad items:**\n- [ ] Buy a lathe\n- [ ] Call Ann\n" +
		"**Recent daily log context:**\n"
	got := get(t, w.global(today))
	if !strings.HasPrefix(got, want) || !strings.HasSuffix(strings.TrimSpace(got), "Looked at the boiler.") {
		t.Errorf("%s\nwant it to begin with\n%s", got, want)
	}
	for range 3 { // reported again, by this and another process
		c.compact("c1")
		c.event(pimento.BeforeCompact, func(t *pimento.Turn) { t.Compaction = "c1" })
	}
	if again := get(t, w.global(today)); again != got {
		t.Errorf("one compaction, several handoffs:\n%s", again)
	}
	w.now = w.now.Add(time.Hour)
	c.compact("c2")
	if n := strings.Count(get(t, w.global(today)), "HANDOFF"); n != 2 {
		t.Errorf("%d handoffs after two compactions", n)
	}
}

func TestHandoffsDoNotNest(t *testing.T) {
	for _, profile := range []string{"default", "daybook"} {
		t.Run(profile, func(t *testing.T) {
			w := newWorld(t)
			w.profile = profile
			w.page("SCRATCHPAD.md", "- [ ] Buy a lathe\n")
			var size []int
			c := w.chat("s")
			w.remember(engine.Note{Text: "Looked at the boiler.", Scope: pimento.Global, Daily: true})
			for i := range 10 {
				w.now = w.now.Add(time.Minute)
				before := len(get(t, w.global(today)))
				c.say("hello")
				c.compact(fmt.Sprint("c", i))
				size = append(size, len(get(t, w.global(today)))-before)
			}
			text := get(t, w.global(today))
			if size[0] == 0 || size[9] != size[0] {
				t.Errorf("handoffs grow: %v\n%s", size, text)
			}
			if n := strings.Count(text, "## Session Handoff"); n != 10 {
				t.Errorf("%d headings for 10 handoffs", n)
			}
			prefix := c.say("hello").Prefix
			if n := strings.Count(prefix, "Looked at the boiler."); n > 2 && profile == "default" {
				t.Errorf("the prefix says it %d times:\n%s", n, prefix)
			}
		})
	}
}

func TestNothingToHandOverWritesNothing(t *testing.T) {
	w := newWorld(t)
	repo(t, w.dir)
	c := w.chat("s")
	c.say("hello")
	c.compact("c1")
	w.page("SCRATCHPAD.md", "- [x] Paint the shed\n")
	c.compact("c2")
	for _, p := range []string{w.global("daily"), filepath.Join(w.dir, ".pi")} {
		if _, err := os.Stat(p); err == nil {
			t.Errorf("%s was made", p)
		}
	}
	w.page("SCRATCHPAD.md", "- [ ] Buy a lathe\n")
	w.run(func(e *engine.Engine) { w.must(e.Silence(t.Context(), "pi", "s", true)) })
	c.compact("c3")
	c.turn.Off = true
	c.compact("c4")
	if got := get(t, w.global(today)); got != "" {
		t.Errorf("a silent session hands over:\n%s", got)
	}
}

func TestAHandoffReachesTheNextSessionOfItsProjectOnly(t *testing.T) {
	for _, profile := range []string{"default", "daybook"} {
		t.Run(profile, func(t *testing.T) {
			w := newWorld(t)
			w.profile = profile
			repo(t, w.dir)
			other := w.at(filepath.Join(w.home, "other"))
			repo(t, other.dir)
			w.run(func(e *engine.Engine) {
				_, err := e.Scratch(t.Context(), "add", "Buy a lathe", engine.Actor{Name: "agent", Session: "one"})
				w.must(err)
			})
			w.remember(engine.Note{Text: "Looked at the boiler.", Daily: true, Session: "one"})
			c := w.chat("one")
			c.say("hello")
			c.compact("c1")
			where := map[string]string{"default": filepath.Join(w.dir, ".pi/memory", today), "daybook": w.global(today)}[profile]
			wantIn(t, "log", get(t, where), "HANDOFF")
			w.now, other.now = w.now.Add(time.Hour), w.now.Add(time.Hour)
			b := w.chat("two").say("hello")
			wantIn(t, "prefix of the next session", b.Prefix, "lathe", "Looked at the boiler.",
				map[string]string{"default": "## Last handoff", "daybook": "Session Handoff"}[profile])
			b = other.chat("three").say("lathe boiler handoff")
			wantOut(t, "block of another project's session", b.Prefix+b.Tail, "lathe", "boiler", "Handoff")
			wantOut(t, "hits of another project", other.finds("lathe boiler"), "lathe", "boiler")
			other.run(func(e *engine.Engine) {
				s, err := e.Scratch(t.Context(), "list", "", engine.Actor{})
				w.must(err)
				wantOut(t, "scratchpad of another project", s.Text, "lathe")
			})
			oc := other.chat("three")
			oc.compact("c2")
			wantOut(t, "handoff of another project", get(t, filepath.Join(other.dir, ".pi/memory", today)), "lathe", "boiler")
			if profile == "daybook" {
				if n := strings.Count(get(t, where), "HANDOFF"); n != 1 {
					t.Errorf("another project without tasks hands over ours:\n%s", get(t, where))
				}
			}
		})
	}
}

func TestTheLastHandoffIsInTheNextPrefix(t *testing.T) {
	w := newWorld(t)
	c := w.chat("one")
	for i, what := range []string{"boiler", "cistern"} {
		w.now = w.now.AddDate(0, 0, i)
		w.page("SCRATCHPAD.md", "- [ ] Buy a lathe\n  of cast iron\n")
		w.remember(engine.Note{Text: "Looked at the " + what + ".", Scope: pimento.Global, Daily: true})
		c.say("hello")
		c.compact(what)
	}
	w.page("SCRATCHPAD.md", "- [x] Buy a lathe\n")
	w.now = w.now.AddDate(0, 0, 3)
	prefix := w.chat("two").say("hello").Prefix
	wantIn(t, "prefix", prefix, "Looked at the cistern.")
	wantOut(t, "prefix", prefix, "boiler", "lathe", "cast iron") // finished since: not asserted as open
}

// The local scope holds one page, so logs and checklists of a profile that
// writes there stay with the user.
func TestALocalDefaultKeepsItsLogsWithTheUser(t *testing.T) {
	w := newWorld(t).at(repo(t, filepath.Join(t.TempDir(), "r")))
	w.profile = "daybook"
	put(t, filepath.Join(w.dirs.Config, "config.json"), `{"overrides":{"default_scope":"local"}}`)
	w.remember(engine.Note{Text: "Mine alone."})
	w.run(func(e *engine.Engine) {
		s, err := e.Scratch(t.Context(), "add", "Buy a lathe", engine.Actor{})
		w.must(err)
		if s.Scope != pimento.Global {
			t.Errorf("%+v", s.Result)
		}
	})
	c := w.chat("0123456789-session")
	wantNoFaults(t, c.say("hello"))
	c.compact("c1")
	wantIn(t, "log", get(t, w.global(today)), "HANDOFF", "Buy a lathe")
	if shared, _ := filepath.Glob(filepath.Join(w.dir, ".pi", "memory", "*")); len(shared) != 1 {
		t.Errorf("in the repository: %v", shared)
	}
}

// A handoff quotes what was open when it was written. Once there is a later one,
// nothing of it is told again: not in the log of the day, not as a hit.
func TestAnEarlierHandoffIsNotToldAgain(t *testing.T) {
	for _, profile := range []string{"default", "daybook"} {
		t.Run(profile, func(t *testing.T) {
			w := newWorld(t)
			w.profile = profile
			c := w.chat("one")
			w.page("SCRATCHPAD.md", "- [ ] Buy a lathe\n  of cast iron\n")
			w.remember(engine.Note{Text: "Looked at the boiler.", Scope: pimento.Global, Daily: true})
			c.say("hello")
			c.compact("c1")
			w.page("SCRATCHPAD.md", "- [x] Buy a lathe\n  of cast iron\n- [ ] Oil the press\n")
			w.now = w.now.Add(time.Minute)
			c.compact("c2")
			prefix := c.say("hello").Prefix
			wantOut(t, "prefix", prefix, "lathe", "cast iron", "\n\n\n") // finished since
			wantIn(t, "prefix", prefix, "Oil the press")
			w.page("SCRATCHPAD.md", "- [x] Buy a lathe\n- [x] Oil the press\n")
			w.now = w.now.AddDate(0, 0, 7)
			wantOut(t, "tail", w.chat("two").say("which press do we oil, and where is the boiler?").Tail, "[ ] Oil", "Recent daily log context")
		})
	}
}

// Where the handoff and today's log have sections of their own, what one of them
// says the other does not say again, and tasks stand in theirs.
func TestAHandoffAndTodaysLogSayThingsOnce(t *testing.T) {
	w := newWorld(t)
	c := w.chat("one")
	w.page("SCRATCHPAD.md", "- [ ] Buy a lathe\n")
	c.say("hello")
	c.compact("c1")
	prefix := c.say("hello").Prefix
	wantOut(t, "prefix", prefix, "HANDOFF", "Session Handoff") // nothing in it but the task
	if n := strings.Count(prefix, "lathe"); n != 1 {
		t.Errorf("the task stands %d times:\n%s", n, prefix)
	}
	w.remember(engine.Note{Text: "Looked at the boiler.", Scope: pimento.Global, Daily: true})
	w.now = w.now.Add(time.Minute)
	c.compact("c2")
	w.remember(engine.Note{Text: "Looked at the cistern.", Scope: pimento.Global, Daily: true})
	prefix = w.chat("two").say("hello").Prefix
	wantIn(t, "prefix", prefix, "## Last handoff", "## Daily log")
	for _, what := range []string{"boiler", "cistern"} {
		if n := strings.Count(prefix, what); n != 1 {
			t.Errorf("%s stands %d times:\n%s", what, n, prefix)
		}
	}
	long := strings.Repeat("A line about the lathe and its bed, which is long.\n", 40)
	w.remember(engine.Note{Text: long + "The very last.", Scope: pimento.Global, Daily: true})
	w.now = w.now.Add(time.Minute)
	c.compact("c3")
	wantOut(t, "prefix", w.chat("three").say("hello").Prefix, "HANDOFF") // cut, and yet not shown twice
}

// What was logged on days after the last handoff stands below it: what it quotes may
// not hold any more.
func TestAHandoffIsFollowedByLaterLogs(t *testing.T) {
	w := newWorld(t)
	c := w.chat("one")
	w.remember(engine.Note{Text: "Moved to sqlc.", Scope: pimento.Global, Daily: true})
	c.say("hello")
	c.compact("c1")
	w.now = w.now.AddDate(0, 0, 1)
	w.remember(engine.Note{Text: "Dropped sqlc again.", Scope: pimento.Global, Daily: true})
	w.now = w.now.AddDate(0, 0, 1)
	w.page("daily/2026-03-15.md", get(t, w.global("daily/2026-03-15.md"))+"\nBought a lathe.\n")
	w.remember(engine.Note{Text: "Looked at the boiler.", Scope: pimento.Global, Daily: true})
	prefix := w.chat("two").say("hello").Prefix
	wantIn(t, "prefix", prefix, "## Last handoff (2026-03-14)", "Moved to sqlc.", "2026-03-15", "Dropped sqlc again.", "Bought a lathe.", "## Daily log 2026-03-16")
	if at := strings.Index(prefix, "Moved to sqlc."); at > strings.Index(prefix, "Dropped sqlc again.") {
		t.Errorf("not in the order of days:\n%s", prefix)
	}
	for _, what := range []string{"Dropped sqlc", "boiler"} {
		if n := strings.Count(prefix, what); n != 1 {
			t.Errorf("%s stands %d times:\n%s", what, n, prefix)
		}
	}
	w.page("daily/2026-03-15.md", strings.Repeat("A long line about the lathe and its bed.\n\n", 100)+"The very last.\n")
	wantIn(t, "prefix", w.chat("three").say("hello").Prefix, "The very last.")
}
