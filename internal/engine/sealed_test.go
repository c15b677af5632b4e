package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/crypt"
	"github.com/pimento-memory/pimento/internal/engine"
)

const secret = "The zanzibar vault opens with elderberries."

// lock gives the user a key, and says whether prompts may see encrypted pages.
func (w *world) lock(inject bool) {
	w.Helper()
	file, public, err := crypt.NewIdentity()
	w.must(err)
	put(w, w.dirs.Config+"/identity.txt", string(file))
	w.must(os.Chmod(w.dirs.Config+"/identity.txt", 0o600))
	put(w, w.dirs.Config+"/config.json", fmt.Sprintf(`{"worth": "all", "encryption": {"recipients": [%q], "identity": "identity.txt", "inject": %t}}`, public, inject))
}

// holding lists the files below the user's home that hold a text.
func (w *world) holding(text string) (files []string) {
	w.Helper()
	w.must(filepath.WalkDir(w.home, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && strings.Contains(get(w, path), text) {
			files = append(files, path)
		}
		return err
	}))
	return files
}

// An encryption that did not end, the page being sealed already, is asked for again.
func TestAnEncryptionThatDidNotEnd(t *testing.T) {
	w := newWorld(t)
	w.lock(false)
	w.remember(engine.Note{Text: secret, Scope: pimento.Global, Page: "topics/accounts"})
	w.chat("before").say("what opens the zanzibar vault?")
	journals, _ := filepath.Glob(filepath.Join(w.dirs.State, "journals/*"))
	inTheWay := filepath.Join(journals[0], "events.tmp")
	w.must(os.Mkdir(inTheWay, 0o700))
	encrypt := func() (err error) {
		w.run(func(e *engine.Engine) { _, err = e.Encrypt(t.Context(), "topics/accounts.md", true, engine.Actor{}) })
		return err
	}
	if encrypt() == nil || w.holding("elderberries") == nil {
		t.Fatal("all is well")
	}
	w.must(os.Remove(inTheWay))
	w.must(encrypt())
	if files := w.holding("elderberries"); files != nil {
		t.Errorf("the text still stands in %v", files)
	}
}

// An encrypted page's text is nowhere on disk, is recalled when somebody asks,
// and reaches the tail of a prompt, and no trace of it, only with inject.
func TestSealedPages(t *testing.T) {
	w := newWorld(t)
	w.lock(false)
	w.page("topics/accounts.md", "# Accounts\r\n\r\n- "+secret+"\r\n- The mail host is hermes.\r\n")
	was := get(t, w.global("topics/accounts.md"))
	c := &chat{w: w, turn: pimento.Turn{Harness: "pi", Session: "before"}}
	wantIn(t, "a plain page's block", c.say("what opens the zanzibar vault?").Tail+c.blocks[0].Prefix, "elderberries")
	if len(w.holding("elderberries")) < 2 {
		t.Fatal("the test looks in the wrong place")
	}

	w.run(func(e *engine.Engine) {
		rep, err := e.Encrypt(t.Context(), "topics/accounts.md", false, engine.Actor{})
		w.must(err)
		if rep.Applied || get(t, w.global("topics/accounts.md")) != was {
			t.Error("a plan changed something")
		}
		rep, err = e.Encrypt(t.Context(), "topics/accounts.md", true, engine.Actor{})
		w.must(err)
		if !rep.Applied || rep.Entries != 2 || rep.To != "topics/accounts.md.age" {
			t.Errorf("%+v", rep)
		}
	})
	if files := w.holding("elderberries"); files != nil {
		t.Errorf("the text still stands in %v", files)
	}
	recall := func(q string) (a pimento.Answer) {
		w.run(func(e *engine.Engine) { a = e.Recall(t.Context(), pimento.Query{Text: q}) })
		return a
	}
	if a := recall("zanzibar vault"); len(a.Hits) != 1 || a.Hits[0].Entry.Text != secret || a.Hits[0].Entry.Page != "topics/accounts.md.age" ||
		a.Hits[0].Entry.Statement == pimento.StatementOf(secret) {
		t.Errorf("asked: %+v", a)
	}
	c = &chat{w: w, turn: pimento.Turn{Harness: "pi", Session: "quiet"}}
	if b := c.say("what opens the zanzibar vault?"); strings.Contains(b.Prefix+b.Tail, "elderberries") {
		t.Errorf("injected unasked:\n%s", b.Tail)
	}

	put(t, w.dirs.Config+"/config.json", strings.Replace(get(t, w.dirs.Config+"/config.json"), "false", "true", 1))
	c = &chat{w: w, turn: pimento.Turn{Harness: "pi", Session: "loud"}}
	b := c.say("what opens the zanzibar vault?")
	wantIn(t, "the tail", b.Tail, secret)
	if strings.Contains(b.Prefix, "elderberries") {
		t.Error("in the prefix")
	}
	if b := c.say("and again: the zanzibar vault?"); strings.Contains(b.Tail, "elderberries") {
		t.Errorf("injected twice:\n%s", b.Tail)
	}
	if files := w.holding("elderberries"); files != nil {
		t.Errorf("a prompt left the text in %v", files)
	}
	for _, w.profile = range []string{"default", "situation", "mind", "daybook"} {
		w.repeats(w.profile)
	}
	w.run(func(e *engine.Engine) {
		got, err := e.Read(t.Context(), "topics/accounts.md.age")
		w.must(err)
		if len(got) != 1 || got[0].Text != was {
			t.Errorf("read: %+v", got)
		}
		_, err = e.Remember(t.Context(), engine.Note{Text: "x", Page: "topics/accounts.md.age"})
		if pimento.KindOf(err) != pimento.KindUsage {
			t.Errorf("written to: %v", err)
		}
		_, err = e.Decrypt(t.Context(), "topics/accounts.md.age", true, engine.Actor{})
		w.must(err)
	})
	if got := get(t, w.global("topics/accounts.md")); got != was {
		t.Errorf("back: %q", got)
	}
}

// repeats has a model say what it was shown of an encrypted page, in every place
// from which words are kept, and then looks for it.
func (w *world) repeats(session string) {
	w.Helper()
	c := &chat{w: w, turn: pimento.Turn{Harness: "pi", Session: session}}
	wantIn(w, session, c.say("what opens the zanzibar vault?").Tail, secret)
	said := "From now on: " + secret + " We decided to use that always. Remember it, it is a lesson learned."
	told := []pimento.Message{{Role: "user", Text: "what opens it?"}, {Role: "assistant", Text: said}}
	c.event(pimento.TurnEnd, func(in *pimento.Turn) { in.Prompt, in.Answer = "what opens it?", said })
	c.event(pimento.BeforeCompact, func(in *pimento.Turn) { in.Compaction, in.Dropped = "k", told })
	c.event(pimento.AfterCompact, func(in *pimento.Turn) { in.Compaction, in.Summary = "k", said })
	c.event(pimento.SessionEnd, func(in *pimento.Turn) { in.Reason, in.Dropped = "quit", told })
	if files := w.holding("elderberries"); files != nil {
		w.Errorf("%s: what the model made of it stands in %v", session, files)
	}
}

// Without the key, or with another one, other pages are answered from, and the
// answer says what was left out.
func TestSealedWithoutKey(t *testing.T) {
	w := newWorld(t)
	w.lock(true)
	w.page("topics/accounts.md", "- "+secret+"\n")
	w.page("MEMORY.md", "- The zanzibar vault is in the cellar.\n")
	w.run(func(e *engine.Engine) {
		_, err := e.Encrypt(t.Context(), "topics/accounts.md", true, engine.Actor{})
		w.must(err)
	})
	for what, spoil := range map[string]func(){
		"not searched": func() { w.must(os.Remove(w.dirs.Config + "/identity.txt")) },
		"other keys":   func() { w.lock(true) },
	} {
		spoil()
		w.run(func(e *engine.Engine) {
			a := e.Recall(t.Context(), pimento.Query{Text: "zanzibar vault", Mode: pimento.Keyword})
			if len(a.Hits) != 1 || len(a.Faults) != 1 || a.Faults[0].Kind != "encryption" || !strings.Contains(a.Faults[0].Detail, what) {
				t.Errorf("%s: %+v", what, a)
			}
			checks := e.Doctor(t.Context())
			if bad := checks[len(checks)-1]; bad.OK || bad.Name != "encryption" || bad.Hint == "" {
				t.Errorf("doctor: %+v", bad)
			}
			w.page("topics/more.md", "- A new secret.\n")
			if _, err := e.Encrypt(t.Context(), "topics/more.md", true, engine.Actor{}); what == "not searched" && err == nil {
				t.Error("sealed what could not be opened again")
			}
		})
	}
}

// A prompt opens five pages, those changed last, and says so.
func TestSealedPerTurn(t *testing.T) {
	w := newWorld(t)
	w.lock(true)
	for i := range 7 {
		w.page(fmt.Sprintf("topics/p%d.md", i), fmt.Sprintf("- The zanzibar word number %d is w%d.\n", i, i))
	}
	w.run(func(e *engine.Engine) {
		for i := range 7 {
			_, err := e.Encrypt(t.Context(), fmt.Sprintf("topics/p%d.md", i), true, engine.Actor{})
			w.must(err)
		}
		a := e.Recall(t.Context(), pimento.Query{Text: "zanzibar word number"})
		if len(a.Hits) != 7 {
			t.Errorf("asked: %d hits, %v", len(a.Hits), a.Faults)
		}
	})
	c := &chat{w: w, turn: pimento.Turn{Harness: "pi", Session: "s"}}
	b := c.say("what is the zanzibar word number?")
	if strings.Contains(b.Tail, "w0") || strings.Contains(b.Tail, "w1.") || !strings.Contains(b.Tail, "zanzibar") {
		t.Errorf("tail:\n%s", b.Tail)
	}
	if len(b.Faults) != 1 || !strings.Contains(b.Faults[0].Detail, "5 of 7") {
		t.Errorf("faults: %v", b.Faults)
	}
}

// That there is no encrypted page is known from the last listing of the
// directories, and one that comes is seen by the very next question all the same:
// in a process of its own and in one that watches, and whatever happened before.
func TestAnEncryptedPageThatComesIsSeen(t *testing.T) {
	for _, serve := range []bool{false, true} {
		w := newWorld(t)
		w.page("topics/deploys.md", "- Deploys go through staging first.\n")
		w.page("daily/2026-03-01.md", "- The mail host is hermes.\n")
		ask := func() (a pimento.Answer) {
			w.run(func(e *engine.Engine) { a = e.Recall(t.Context(), pimento.Query{Text: "deploys staging"}) })
			return a
		}
		if serve {
			e := w.serve()
			ask = func() pimento.Answer { return e.Recall(t.Context(), pimento.Query{Text: "deploys staging"}) }
		}
		want := func(when, faults string) {
			t.Helper()
			for range 3 { // the directories are young, then known
				a := ask()
				if got := fmt.Sprint(a.Faults); len(a.Hits) != 1 || faults == "" && len(a.Faults) > 0 || !strings.Contains(got, faults) {
					t.Errorf("served %v, %s: %d hits, faults %s", serve, when, len(a.Hits), got)
				}
				time.Sleep(25 * time.Millisecond) // a stamp so young would prove nothing
			}
		}
		want("at first", "")
		put(t, w.global("topics/a.md.age"), "sealed")
		want("one came", "1 encrypted page not searched")
		put(t, w.global("new/b.md.age"), "sealed")
		want("one came in a directory of its own", "2 encrypted pages not searched")
		w.must(os.Remove(w.global("topics/a.md.age")))
		want("one went", "1 encrypted page not searched")
		w.must(os.RemoveAll(w.global("new")))
		want("all went", "")
	}
}
