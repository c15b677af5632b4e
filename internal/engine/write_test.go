package engine_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/page"
)

var user = engine.Actor{Name: "user"}

func id(text string) string { return string(pimento.StatementOf(text)) }

func TestRememberPutsReinforcesRefuses(t *testing.T) {
	w := newWorld(t)
	w.run(func(e *engine.Engine) {
		ctx := t.Context()
		r, err := e.Remember(ctx, engine.Note{Text: "Tests run with make check.", Scope: pimento.Global})
		w.must(err)
		if r.Action != pimento.Put || string(r.ID) != id("Tests run with make check.") || r.Line == 0 || r.Page != "MEMORY.md" {
			t.Errorf("%+v", r)
		}
		before := get(t, w.global("MEMORY.md"))
		r, err = e.Remember(ctx, engine.Note{Text: "  tests run   with make check", Scope: pimento.Global})
		w.must(err)
		if r.Action != pimento.Reinforce || string(r.ID) != id("Tests run with make check.") {
			t.Errorf("said again: %+v", r)
		}
		if get(t, w.global("MEMORY.md")) != before {
			t.Error("said again, and the page changed")
		}
		for name, text := range map[string]string{"secret": "The key is AKIAIOSFODNN7EXAMPLQ and aws_secret_access_key = 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",
			"empty": "", "blank": " \n\t ", "NUL": "a\x00b", "50 MB": strings.Repeat("word ", 10<<20)} {
			r, err = e.Remember(ctx, engine.Note{Text: text, Scope: pimento.Global})
			w.must(err)
			if r.Action != pimento.Refuse || r.Reason == "" || len(r.IDs()) > 0 {
				t.Errorf("%s: %+v", name, r)
			}
		}
		if get(t, w.global("MEMORY.md")) != before {
			t.Error("refused, and the page changed")
		}
		for _, page := range []string{"../x.md", "/etc/x.md", "a/../../x.md", ".hidden/x.md", "a\x00.md", strings.Repeat("x", 5000) + ".md"} {
			if _, err = e.Remember(ctx, engine.Note{Text: "Out of the root.", Scope: pimento.Global, Page: page}); err == nil {
				t.Errorf("page %.20q is allowed", page)
			}
		}
	})
	if names, _ := filepath.Glob(w.dirs.Global + "/*"); len(names) != 1 {
		t.Errorf("files: %v", names)
	}
}

func TestARefusalFoundsNoProject(t *testing.T) {
	w := newWorld(t)
	repo(t, w.dir)
	w.remember(engine.Note{Text: ""})
	w.remember(engine.Note{Text: "password = hunter2hunter2hunter2 AKIAIOSFODNN7EXAMPLQ"})
	if _, err := os.Stat(filepath.Join(w.dir, ".pi")); err == nil {
		t.Error("the folder was made")
	}
}

func TestWritesGoToTheProfilesScope(t *testing.T) {
	w := newWorld(t)
	if r := w.remember(engine.Note{Text: "Into the project."}); r.Scope != pimento.Project {
		t.Errorf("%+v", r)
	}
	w.profile = "daybook"
	if r := w.remember(engine.Note{Text: "Into the daybook."}); r.Scope != pimento.Global {
		t.Errorf("%+v", r)
	}
	if r := w.remember(engine.Note{Text: "Into today.", Daily: true}); r.Page != "daily/2026-03-14.md" {
		t.Errorf("%+v", r)
	}
}

func TestOverwriteKeepsTheOldPage(t *testing.T) {
	w := newWorld(t)
	old := "# Mine\r\n\r\n- Precious. \xff\n"
	w.page("MEMORY.md", old)
	r := w.remember(engine.Note{Text: "- Other.\n", Scope: pimento.Global, Overwrite: true})
	if r.Action != pimento.Put || r.Recovery == "" {
		t.Fatalf("%+v", r)
	}
	wantOut(t, "page", get(t, w.global("MEMORY.md")), "Precious")
	w.run(func(e *engine.Engine) { _, err := e.Restore(t.Context(), r.Recovery, user); w.must(err) })
	if got := get(t, w.global("MEMORY.md")); got != old {
		t.Errorf("%q", got)
	}
}

func TestVerbsChangeOnlyTheirEntry(t *testing.T) {
	w := newWorld(t)
	page := "\ufeff# Memory\r\n\r\nProse stays.\r\n\r\n- Alpha likes apples.\r\n* Bravo  likes bananas.\r\n- Charlie likes cherries. *(pinned)*\r\n\r\ntrailing"
	w.page("MEMORY.md", page)
	w.run(func(e *engine.Engine) {
		ctx := t.Context()
		same := func(what, want string) {
			t.Helper()
			if got := get(t, w.global("MEMORY.md")); got != want {
				t.Errorf("after %s:\n%q\nwant\n%q", what, got, want)
			}
		}
		_, err := e.Pin(ctx, id("Alpha likes apples."), true, user)
		w.must(err)
		same("pin", strings.Replace(page, "apples.", "apples. *(pinned)*", 1))
		_, err = e.Pin(ctx, id("Alpha likes apples."), false, user)
		w.must(err)
		same("unpin", page)
		_, err = e.Confirm(ctx, id("Alpha likes apples."), user)
		w.must(err)
		_, err = e.Reinforce(ctx, id("Alpha likes apples."), user)
		w.must(err)
		same("confirm and reinforce", page)
		r, err := e.Edit(ctx, id("Bravo likes bananas."), "Bravo likes beans.", user)
		w.must(err)
		if r.Was != "Bravo  likes bananas." && r.Was != "Bravo likes bananas." || string(r.ID) != id("Bravo likes beans.") {
			t.Errorf("%+v", r)
		}
		same("edit", strings.Replace(page, "Bravo  likes bananas.", "Bravo likes beans.", 1))
		_, err = e.Edit(ctx, id("Bravo likes beans."), "Bravo  likes bananas.", user)
		w.must(err)
		same("edit back", page)
		s, err := e.WhyEntry(ctx, id("Alpha likes apples."))
		w.must(err)
		if s.Standing.Evidence < 1 || s.Standing.Confirmed.IsZero() {
			t.Errorf("%+v", s.Standing)
		}
	})
}

func TestForgetAndRestoreAreByteExact(t *testing.T) {
	for name, page := range map[string]string{
		"MEMORY.md":           "# M\n\n## A\n- Alpha likes apples.\n  with a second line\n\n## B\n- Bravo likes bananas.\n",
		"SCRATCHPAD.md":       "# Scratchpad\n\n<!-- 2026-03-01 10:00:00 [abcdefgh] -->\n- [x] Bravo likes bananas.\n- [ ] Charlie\n",
		"daily/2026-03-01.md": "<!-- 2026-03-01 10:00:00 [abcdefgh] -->\nBravo likes bananas.\n\n<!-- 2026-03-01 11:00:00 [abcdefgh] -->\nSomething else.",
		"daily/2026-03-02.md": "\ufeff<!-- 2026-03-02 10:00:00 [abcdefgh] -->\r\nBravo likes bananas.\r\n\r\n<!-- 2026-03-02 11:00:00 [abcdefgh] -->\r\nSomething else.\r\n",
		"topics/x.md":         "- [fact] Bravo likes bananas. *(pinned)*",
		"crlf.md":             "---\r\ntitle: x\r\n---\r\n# Crlf\r\n\r\nBravo likes bananas.\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.page(name, page)
			w.run(func(e *engine.Engine) {
				what := id("Bravo likes bananas.")
				if name == "crlf.md" { // an article is one entry
					what = string(e.Recall(t.Context(), pimento.Query{Text: "Bravo bananas"}).Hits[0].Entry.Statement)
				}
				r, err := e.Forget(t.Context(), what, user)
				w.must(err)
				if r.Action == pimento.Refuse {
					t.Fatal(r.Reason)
				}
				wantOut(t, "page", get(t, w.global(name)), "bananas")
				if a := e.Recall(t.Context(), pimento.Query{Text: "bananas"}); len(a.Hits) > 0 {
					t.Errorf("still found: %+v", a.Hits)
				}
				_, err = e.Restore(t.Context(), r.Recovery, user)
				w.must(err)
				if got := get(t, w.global(name)); got != page {
					t.Errorf("restored:\n%q\nwant\n%q", got, page)
				}
				_, err = e.Restore(t.Context(), r.Recovery, user)
				wantKind(t, err, pimento.KindNotFound)
			})
		})
	}
}

func TestIDsThatNameNoOneEntry(t *testing.T) {
	w := newWorld(t)
	w.page("MEMORY.md", "- Alpha likes apples.\n- Alpha likes apples.\n")
	w.page("topics/x.md", "- Alpha likes apples.\n")
	w.run(func(e *engine.Engine) {
		ctx := t.Context()
		verbs := map[string]func(string) error{
			"forget": func(id string) error { _, err := e.Forget(ctx, id, user); return err },
			"edit":   func(id string) error { _, err := e.Edit(ctx, id, "Other.", user); return err },
			"pin":    func(id string) error { _, err := e.Pin(ctx, id, true, user); return err },
			"purge":  func(id string) error { _, err := e.Purge(ctx, id, user); return err },
		}
		for verb, do := range verbs {
			err := do(id("Alpha likes apples."))
			wantKind(t, err, pimento.KindConflict)
			st := id("Alpha likes apples.")
			wantIn(t, verb+" hint", pimento.HintOf(err), "global:MEMORY.md#"+st+"\n", "global:MEMORY.md#"+st+"~2", "global:topics/x.md#"+st)
			wantKind(t, do("0123456789abcdef"), pimento.KindNotFound)
			wantKind(t, do("project:MEMORY.md#"+st), pimento.KindNotFound)
			for _, bad := range []string{"", "a", st[:7], "zzzzzzzzzz", "nowhere:MEMORY.md#" + st, "global:MEMORY.md#" + st + "~0", "../../etc/passwd", "#", st + "0"} {
				wantKind(t, do(bad), pimento.KindUsage)
			}
		}
		_, err := e.Reinforce(ctx, id("Alpha likes apples."), user)
		w.must(err)
		_, err = e.Forget(ctx, "global:MEMORY.md#"+id("Alpha likes apples.")+"~2", user)
		w.must(err)
		if got := get(t, w.global("MEMORY.md")); got != "- Alpha likes apples.\n" {
			t.Errorf("%q", got)
		}
		_, err = e.Forget(ctx, "global:topics/x.md#"+id("Alpha likes apples."), user)
		w.must(err)
		_, err = e.Pin(ctx, id("Alpha likes apples.")[:8], true, user)
		w.must(err)
		_, err = e.Restore(ctx, "../../etc/passwd", user)
		if err == nil {
			t.Error("restored from anywhere")
		}
	})
}

// holding lists the files below dirs that hold a word, plain or in base64.
func holding(t *testing.T, word string, dirs ...string) (files []string) {
	t.Helper()
	needles := [][]byte{[]byte(word)}
	for shift := range 3 {
		enc := base64.StdEncoding.EncodeToString(append(make([]byte, shift), word...))
		needles = append(needles, []byte(enc[4:len(enc)-4]))
	}
	for _, dir := range dirs {
		_ = filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return nil
			}
			b := []byte(strings.ToLower(get(t, p)))
			raw := []byte(get(t, p))
			if slices.ContainsFunc(needles, func(n []byte) bool { return bytes.Contains(raw, n) }) || bytes.Contains(b, []byte(word)) {
				files = append(files, p)
			}
			return nil
		})
	}
	return files
}

func TestPurgeLeavesNoTrace(t *testing.T) {
	const text = "Confidential xylophonequark matters."
	for name, prepare := range map[string]func(w *world) string{
		"on a page":        func(*world) string { return id(text) },
		"forgotten":        func(w *world) string { forget(w, id(text)); return id(text) },
		"by recovery id":   func(w *world) string { return forget(w, id(text)) },
		"page overwritten": func(w *world) string { return overwritten(w, text) },
		"restored":         func(w *world) string { restore(w, forget(w, id(text))); return id(text) },
		"edited by hand": func(w *world) string {
			w.page("y.md", "- Other.\n- "+text+"\n")
			w.chat("z").say("hello")
			w.must(os.Remove(w.global("y.md")))
			return id(text)
		},
		"left by a crash": func(w *world) string {
			for _, name := range []string{w.global(".pimento-0000000000000000-1111111111111111-aa.tmp"),
				w.global("topics/.pimento-2222222222222222-1111111111111111-bb.tmp"), filepath.Join(w.dirs.State, "sessions", "123.tmp")} {
				w.must(os.MkdirAll(filepath.Dir(name), 0o700))
				w.must(os.WriteFile(name, []byte("# A\n\n- "+text+"\n"), 0o600))
				old := time.Now().Add(-time.Hour)
				w.must(os.Chtimes(name, old, old))
			}
			return id(text)
		},
		"in a handoff page": func(w *world) string {
			w.page("SCRATCHPAD.md", "- [ ] Buy a lathe\n")
			w.chat("z").compact("1")
			return id(text)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.page("topics/a.md", "- Something else about matters.\n")
			w.remember(engine.Note{Text: text, Scope: pimento.Global})
			c := w.chat("s")
			c.say("hello")
			w.remember(engine.Note{Text: text, Scope: pimento.Global})
			w.chat("t").say("xylophonequark")
			what := prepare(w)
			w.run(func(e *engine.Engine) {
				rep, err := e.Purge(t.Context(), what, user)
				w.must(err)
				if len(rep.Removed) == 0 || len(rep.Untouched) == 0 {
					t.Errorf("%+v", rep)
				}
			})
			for _, f := range holding(t, "xylophonequark", w.dirs.State, w.dirs.Cache, w.dirs.Global) {
				t.Errorf("%s still holds it", strings.TrimPrefix(f, w.home))
			}
			b := c.say("xylophonequark matters")
			wantOut(t, "block", b.Prefix+b.Tail, "xylophonequark")
			wantIn(t, "hits", w.finds("something else matters"), "Something else")
		})
	}
}

// TestAPurgeThatDidNotEndIsAskedForAgain: the entry is off its page by then, and the
// text still elsewhere.
func TestAPurgeThatDidNotEndIsAskedForAgain(t *testing.T) {
	w := newWorld(t)
	text := "The xylophonequark matters."
	w.remember(engine.Note{Text: text, Scope: pimento.Global})
	w.chat("s").say("hello")
	journals, _ := filepath.Glob(filepath.Join(w.dirs.State, "journals/*"))
	inTheWay := filepath.Join(journals[0], "events.tmp")
	w.must(os.Mkdir(inTheWay, 0o700))
	w.run(func(e *engine.Engine) {
		_, err := e.Purge(t.Context(), id(text), user)
		if want := "ask again: pimento purge " + id(text); err == nil || !strings.HasSuffix(pimento.HintOf(err), want) {
			t.Errorf("%v, hint %q, not %q", err, pimento.HintOf(err), want)
		}
	})
	wantOut(t, "page", get(t, w.global("MEMORY.md")), "xylophonequark")
	w.must(os.Remove(inTheWay))
	w.run(func(e *engine.Engine) { _, err := e.Purge(t.Context(), id(text), user); w.must(err) })
	for _, f := range holding(t, "xylophonequark", w.dirs.State, w.dirs.Cache, w.dirs.Global) {
		t.Errorf("%s still holds it", strings.TrimPrefix(f, w.home))
	}
}

// TestPurgeOfADamagedPayload takes nothing else along.
func TestPurgeOfADamagedPayload(t *testing.T) {
	w := newWorld(t)
	rid := forget(w, string(w.remember(engine.Note{Text: "The walnut is brown.", Scope: pimento.Global}).ID))
	put(t, filepath.Join(w.dirs.State, "recovery", rid+".json"), "{\x00")
	w.run(func(e *engine.Engine) {
		_, err := e.Propose(t.Context(), pimento.Proposal{Text: "The user wants tabs.", Scope: pimento.Global}, user)
		w.must(err)
		_, err = e.Purge(t.Context(), rid, user)
		w.must(err)
		if list, err := e.Inbox(t.Context()); err != nil || len(list) != 1 {
			t.Errorf("the inbox holds %v, %v", list, err)
		}
	})
}

func forget(w *world, id string) (rid string) {
	w.Helper()
	w.run(func(e *engine.Engine) {
		r, err := e.Forget(context.Background(), id, user)
		w.must(err)
		rid = r.Recovery
	})
	return rid
}

func restore(w *world, rid string) {
	w.Helper()
	w.run(func(e *engine.Engine) { _, err := e.Restore(context.Background(), rid, user); w.must(err) })
}

// overwritten leaves the text on a new page and in the recovery of the old one.
func overwritten(w *world, text string) string {
	w.Helper()
	w.remember(engine.Note{Text: "- Whole new page.\n- " + text + "\n", Scope: pimento.Global, Overwrite: true})
	return id(text)
}

func TestPurgeKeepsSilentSessionsSilent(t *testing.T) {
	w := newWorld(t)
	library(w)
	c := w.chat("s")
	c.say("hello")
	w.run(func(e *engine.Engine) {
		w.must(e.Silence(t.Context(), "pi", "s", true))
		_, err := e.Purge(t.Context(), id("The user writes British English."), user)
		w.must(err)
	})
	if b := c.say("hello"); b.Prefix != "" {
		t.Error("a silenced session speaks after a purge")
	}
}

func TestAForeignEditorLosesNothing(t *testing.T) {
	w := newWorld(t)
	w.page("MEMORY.md", "# Memory\n")
	var wg sync.WaitGroup
	stop := make(chan struct{})
	var mine []string
	wg.Go(func() { // an editor that appends lines, without our locks
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			line := fmt.Sprintf("- Editor line %d.", i)
			b := get(t, w.global("MEMORY.md"))
			put(t, w.global(".swap"), b+line+"\n")
			if err := os.Rename(w.global(".swap"), w.global("MEMORY.md")); err != nil {
				t.Error(err)
			}
			mine = append(mine, line)
			waitForLockWait()
		}
	})
	e := w.open()
	defer e.Close()
	var ours []string
	for i := range 25 {
		text := fmt.Sprintf("Our statement %d stays.", i)
		r, err := e.Remember(t.Context(), engine.Note{Text: text, Scope: pimento.Global})
		switch {
		case err == nil && r.Action == pimento.Put:
			ours = append(ours, text)
		case pimento.KindOf(err) != pimento.KindConflict:
			t.Errorf("%+v %v", r, err)
		}
	}
	close(stop)
	wg.Wait()
	// An editor that reads, and writes what it read, may drop ours; it is in the
	// journal and on no page. What the editor wrote is never dropped by us.
	all := get(t, w.global("MEMORY.md")) + recovered(w)
	for _, line := range mine {
		if !strings.Contains(all, line) {
			t.Errorf("lost %q", line)
		}
	}
	if len(ours) == 0 {
		t.Error("nothing of ours was written")
	}
	for line := range strings.Lines(get(t, w.global("MEMORY.md"))) {
		if line = strings.TrimSpace(line); line != "" && line != "# Memory" && !slices.Contains(mine, line) && !slices.Contains(ours, strings.TrimPrefix(line, "- ")) {
			t.Errorf("torn line %q", line)
		}
	}
}

// recovered is every text that recovery holds.
func recovered(w *world) string {
	var b strings.Builder
	files, _ := filepath.Glob(filepath.Join(w.dirs.State, "recovery/*"))
	for _, f := range files {
		for _, part := range strings.Split(get(w, f), `"`) {
			if raw, err := base64.StdEncoding.DecodeString(part); err == nil {
				b.Write(raw)
			}
		}
	}
	return b.String()
}

func TestALongLivedProcessGoesOnAfterAPurge(t *testing.T) {
	w := newWorld(t)
	library(w)
	c := w.branchChat("s")
	c.engine = w.serve()
	wantIn(t, "tail", c.say(gadgetPrompt).Tail, "Gadget03")
	_, err := c.engine.Purge(t.Context(), id("Gadget03 weighs exactly 103 grams of walnut."), user)
	w.must(err)
	b := c.say("gadget03 gadget29 walnut grams")
	wantNoFaults(t, b)
	wantIn(t, "tail", b.Tail, "Gadget29")
	wantOut(t, "block", b.Prefix+b.Tail, "Gadget03")
	w.page("topics/filler29.md", "- [fact] Gadget29 was sold.\n")
	wantIn(t, "tail", c.news(), "Gadget29 was sold.")
}

// TestAPageOfItsOwnIsBegunOnce: what several processes file at once is one page.
func TestAPageOfItsOwnIsBegunOnce(t *testing.T) {
	w := newWorld(t)
	w.profile = "mind"
	const n = 8
	var all sync.WaitGroup
	actions := make([]pimento.Action, n)
	for i := range n {
		w.now = w.now.Add(time.Millisecond)
		e := w.open()
		all.Go(func() {
			defer e.Close()
			front := page.Meta{Type: "project", Tier: page.TierRelevant}
			res, err := e.Remember(t.Context(), engine.Note{Text: "The gateway listens on 7000", Page: "knowledge", Scope: pimento.Global, Front: &front})
			if err != nil {
				t.Error(err)
			}
			actions[i] = res.Action
		})
	}
	all.Wait()
	pages, _ := filepath.Glob(w.global("knowledge/*.md"))
	if len(pages) != 1 || !slices.Contains(actions, pimento.Reinforce) {
		t.Errorf("%d pages: %v", len(pages), actions)
	}
}

// TestAJournalThatFailsAfterThePageIsChanged: what was asked for is done, and said
// to be done, with the id that takes it back. The next writer ends it.
func TestAJournalThatFailsAfterThePageIsChanged(t *testing.T) {
	w := newWorld(t)
	id := w.remember(engine.Note{Text: "The walnut is brown.", Scope: pimento.Global}).ID
	lists, _ := filepath.Glob(filepath.Join(w.dirs.State, "journals/*/events.jsonl"))
	if len(lists) != 1 {
		t.Fatal(lists)
	}
	away := lists[0] + ".away"
	opt := w.options()
	opt.Disk = &nosyDisk{name: "MEMORY.md", do: func() error {
		return errors.Join(os.Rename(lists[0], away), os.Mkdir(lists[0], 0o700))
	}}
	e, err := engine.Open(opt)
	w.must(err)
	r, err := e.Forget(t.Context(), string(id), engine.Actor{})
	w.must(err)
	w.must(e.Close())
	w.must(errors.Join(os.Remove(lists[0]), os.Rename(away, lists[0])))
	if got := get(t, w.global("MEMORY.md")); strings.Contains(got, "walnut") {
		t.Errorf("%q", got)
	}
	w.run(func(e *engine.Engine) {
		_, err := e.Restore(t.Context(), r.Recovery, engine.Actor{})
		w.must(err)
	})
	if got := get(t, w.global("MEMORY.md")); strings.Count(got, "walnut") != 1 {
		t.Errorf("%q", got)
	}
	events := get(t, lists[0])
	if n := strings.Count(events, `"type":"committed"`); n != 3 || strings.Contains(events, "vanished") {
		t.Errorf("%d plans committed\n%s", n, events)
	}
}
