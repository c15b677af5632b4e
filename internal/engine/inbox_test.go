package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
)

func (w *world) propose(p pimento.Proposal) (r engine.Result) {
	w.Helper()
	w.run(func(e *engine.Engine) {
		var err error
		r, err = e.Propose(w.Context(), p, engine.Actor{Name: "harness", Session: "s"})
		w.must(err)
	})
	return r
}

func (w *world) inbox() (list []pimento.Proposal) {
	w.Helper()
	w.run(func(e *engine.Engine) {
		var err error
		list, err = e.Inbox(w.Context())
		w.must(err)
	})
	return list
}

// accept says yes and returns what was done.
func (w *world) accept(id pimento.Statement) (r engine.Result) {
	w.Helper()
	w.run(func(e *engine.Engine) {
		var err error
		r, err = e.InboxAccept(w.Context(), string(id), engine.Actor{Name: "user"})
		w.must(err)
	})
	return r
}

// TestAProposalThatMemoryCameToContradict names what it cannot hold beside while it waits, and
// when it is accepted; what it replaces is no such entry.
func TestAProposalThatMemoryCameToContradict(t *testing.T) {
	w := newWorld(t)
	r := w.propose(pimento.Proposal{Text: "the release is on Friday", Scope: pimento.Project})
	if list := w.inbox(); len(list) != 1 || len(list[0].Opposes) != 0 {
		t.Fatalf("%+v", list)
	}
	w.now = w.now.AddDate(0, 0, 2)
	said := w.remember(engine.Note{Text: "the release moved to Monday"})
	list := w.inbox()
	if len(list) != 1 || len(list[0].Opposes) != 1 || !strings.HasSuffix(list[0].Opposes[0], string(said.ID)) || list[0].Against[0].Text != "the release moved to Monday" {
		t.Errorf("%+v", list)
	}
	if done := w.accept(r.ID); len(done.Opposes) != 1 {
		t.Errorf("accepted: %+v", done)
	}
	w.propose(pimento.Proposal{Text: "the release is on Tuesday", Scope: pimento.Project, Replaces: []string{list[0].Opposes[0], "project:MEMORY.md#" + id("the release is on Friday")}})
	for _, it := range w.inbox() {
		if it.Text == "the release is on Tuesday" && len(it.Opposes) != 0 {
			t.Errorf("what it replaces opposes it: %+v", it)
		}
	}
}

// A proposal writes nothing until the yes, and then what it says where it says.
func TestProposalWaitsForAYes(t *testing.T) {
	w := newWorld(t)
	r := w.propose(pimento.Proposal{Text: "Prefer tabs.", Kind: pimento.KindPreference, Scope: pimento.Global, Cue: "recurrence", Source: "test", Reason: "said thrice"})
	if r.Action != pimento.Propose {
		t.Fatalf("%+v", r)
	}
	wantEmpty(t, "the page before the yes", get(t, w.global("MEMORY.md")))
	waiting := w.inbox()
	if len(waiting) != 1 || waiting[0].Text != "Prefer tabs." || waiting[0].Reason != "said thrice" || waiting[0].Session != "s" {
		t.Fatalf("%+v", waiting)
	}
	if again := w.propose(pimento.Proposal{Text: "prefer tabs", Scope: pimento.Global}); again.Action != pimento.Refuse {
		t.Errorf("proposed twice: %+v", again)
	}
	w.accept(r.ID)
	wantIn(t, "the page", get(t, w.global("MEMORY.md")), "[preference] Prefer tabs.")
	wantIn(t, "the journal", w.events(), `"cue":"recurrence"`)
	if left := w.inbox(); len(left) != 0 {
		t.Errorf("%+v", left)
	}
	if again := w.propose(pimento.Proposal{Text: "Prefer tabs.", Scope: pimento.Global}); again.Action != pimento.Refuse {
		t.Errorf("what stands there is proposed: %+v", again)
	}
}

func TestRejectedProposalsDoNotComeBack(t *testing.T) {
	w := newWorld(t)
	p := pimento.Proposal{Text: "Prefer tabs.", Scope: pimento.Global}
	r := w.propose(p)
	w.run(func(e *engine.Engine) {
		_, err := e.InboxReject(t.Context(), string(r.ID)[:8], engine.Actor{Name: "user"})
		w.must(err)
		_, err = e.InboxAccept(t.Context(), string(r.ID), engine.Actor{})
		wantKind(t, err, pimento.KindNotFound)
	})
	if again := w.propose(p); again.Action != pimento.Refuse || len(w.inbox()) != 0 {
		t.Errorf("%+v", again)
	}
	wantEmpty(t, "the page", get(t, w.global("MEMORY.md")))
}

func TestProposalsNeverHoldSecrets(t *testing.T) {
	w := newWorld(t)
	r := w.propose(pimento.Proposal{Text: "The deploy key is AKIAIOSFODNN7EXAMPLQ.", Scope: pimento.Global})
	if r.Action != pimento.Refuse || len(w.inbox()) != 0 {
		t.Errorf("%+v", r)
	}
	wantOut(t, "the journal", w.events(), "AKIA")
}

// A merge keeps the history of the first, and takes the others out so that they
// can be brought back.
func TestAcceptMerges(t *testing.T) {
	w := newWorld(t)
	a := w.remember(engine.Note{Text: "Deploy with make.", Scope: pimento.Global})
	b := w.remember(engine.Note{Text: "Deploys use the makefile.", Scope: pimento.Global})
	r := w.propose(pimento.Proposal{Text: "Deploy with make deploy.", Scope: pimento.Global, Replaces: []string{string(a.ID), string(b.ID)}})
	got := w.accept(r.ID)
	text := get(t, w.global("MEMORY.md"))
	wantIn(t, "the page", text, "Deploy with make deploy.")
	wantOut(t, "the page", text, "Deploy with make.", "makefile")
	wantIn(t, "the journal", w.events(), `"type":"aliased"`)
	if len(got.Recoveries) != 1 {
		t.Fatalf("recoveries %v", got.Recoveries)
	}
	w.run(func(e *engine.Engine) {
		_, err := e.Restore(t.Context(), got.Recoveries[0], engine.Actor{})
		w.must(err)
	})
	wantIn(t, "the page", get(t, w.global("MEMORY.md")), "Deploys use the makefile.")
}

// A merge may keep one of the texts as it is, and a proposal may only take out.
func TestAcceptKeepsOneOrTakesOut(t *testing.T) {
	w := newWorld(t)
	a := w.remember(engine.Note{Text: "Deploy with make.", Scope: pimento.Global})
	b := w.remember(engine.Note{Text: "Deploys use the makefile.", Scope: pimento.Global})
	w.accept(w.propose(pimento.Proposal{Text: "Deploy with make.", Scope: pimento.Global, Replaces: []string{string(a.ID), string(b.ID)}}).ID)
	text := get(t, w.global("MEMORY.md"))
	wantIn(t, "the page", text, "Deploy with make.")
	wantOut(t, "the page", text, "makefile")
	w.accept(w.propose(pimento.Proposal{Scope: pimento.Global, Replaces: []string{string(a.ID)}}).ID)
	wantOut(t, "the page", get(t, w.global("MEMORY.md")), "make")
}

// What is proposed for a project without memory waits with the user's, makes no
// folder, and is no other project's business.
func TestProposalsBelongToTheirProject(t *testing.T) {
	w := newWorld(t)
	shop, other := w.at(repo(t, filepath.Join(w.home, "shop"))), w.at(repo(t, filepath.Join(w.home, "other")))
	r := shop.propose(pimento.Proposal{Text: "Tests run with make check.", Scope: pimento.Project})
	if _, err := os.Stat(filepath.Join(shop.dir, ".pi")); err == nil {
		t.Error("a folder was made for a proposal")
	}
	if len(other.inbox()) != 0 || len(shop.inbox()) != 1 {
		t.Errorf("here %v, there %v", shop.inbox(), other.inbox())
	}
	shop.accept(r.ID)
	wantIn(t, "the page", get(t, filepath.Join(shop.dir, ".pi/memory/MEMORY.md")), "make check")
	if len(shop.inbox()) != 0 {
		t.Errorf("still waiting: %v", shop.inbox())
	}
}

func TestAnImplicitNoteWaits(t *testing.T) {
	w := newWorld(t)
	n := engine.Note{Text: "The cache lives in redis.", Scope: pimento.Global, Implicit: true, Actor: "agent"}
	if r := w.remember(n); r.Action != pimento.Propose {
		t.Errorf("%+v", r)
	}
	put(t, filepath.Join(w.dirs.Config, "config.json"), `{"capture": "auto"}`)
	n.Text, n.Session = "The queue lives in redis.", "s"
	if r := w.remember(n); r.Action != pimento.Put {
		t.Errorf("%+v", r)
	}
	put(t, filepath.Join(w.dirs.Config, "config.json"), `{"capture": "always"}`)
	wantIn(t, "faults", fmt.Sprint(w.chat("s").say("hello").Faults), "off, propose or auto")
}

func TestPurgeReachesTheInbox(t *testing.T) {
	w := newWorld(t)
	r := w.remember(engine.Note{Text: "The vault code is tulip.", Scope: pimento.Global})
	w.propose(pimento.Proposal{Text: "Once more: The vault code is tulip.", Scope: pimento.Global})
	w.propose(pimento.Proposal{Text: "The roses bloom in June.", Scope: pimento.Global, Reason: "it contradicts: The vault code is tulip."})
	w.run(func(e *engine.Engine) {
		_, err := e.Purge(t.Context(), string(r.ID), engine.Actor{})
		w.must(err)
	})
	wantOut(t, "the journal", w.events(), "tulip")
	if len(w.inbox()) != 0 {
		t.Errorf("%v", w.inbox())
	}
}

// What was said and proposed in another project is kept in that project's
// journal, and goes as well; the rest of it stays, byte for byte.
func TestPurgeReachesOtherProjects(t *testing.T) {
	w := newWorld(t)
	r := w.remember(engine.Note{Text: "The vault code is tulip.", Scope: pimento.Global})
	var files []string
	for _, name := range []string{"shop", "mill"} {
		p := w.at(repo(t, filepath.Join(w.home, name)))
		p.remember(engine.Note{Text: "The doors open at nine.", Scope: pimento.Project})
		if name == "shop" {
			p.propose(pimento.Proposal{Text: "As always: The vault code is tulip.", Scope: pimento.Project})
			p.propose(pimento.Proposal{Text: "The windows close at six.", Scope: pimento.Project})
		}
		all, err := filepath.Glob(filepath.Join(w.dirs.State, "journals", "*", "events.jsonl"))
		w.must(err)
		for _, f := range all {
			if !slices.Contains(files, f) {
				files = append(files, f)
			}
		}
	}
	mill := get(t, files[len(files)-1])
	if len(files) != 3 || len(w.holding("tulip")) < 3 {
		t.Fatalf("journals %v, holding %v", files, w.holding("tulip"))
	}
	w.run(func(e *engine.Engine) {
		rep, err := e.Purge(t.Context(), string(r.ID), engine.Actor{})
		w.must(err)
		wantIn(t, "the report", strings.Join(rep.Removed, "\n"), "text in the journals of other projects")
	})
	if left := w.holding("tulip"); left != nil {
		t.Errorf("it stands in %v", left)
	}
	if get(t, files[len(files)-1]) != mill {
		t.Error("a journal that did not quote it was rewritten")
	}
	if got := w.at(filepath.Join(w.home, "shop")).inbox(); len(got) != 1 || got[0].Text != "The windows close at six." {
		t.Errorf("%+v", got)
	}
}

// A journal of another project that cannot be rewritten is told of, and keeps
// nothing else from being purged.
func TestPurgeGoesOnAfterABrokenJournal(t *testing.T) {
	w := newWorld(t)
	r := w.remember(engine.Note{Text: "The vault code is tulip.", Scope: pimento.Global})
	w.chat("s").say("hello")
	shop := w.at(repo(t, filepath.Join(w.home, "shop")))
	shop.propose(pimento.Proposal{Text: "As always: The vault code is tulip.", Scope: pimento.Project})
	broken := filepath.Join(w.dirs.State, "journals", "0", "events.jsonl")
	w.must(os.MkdirAll(broken, 0o700))
	w.run(func(e *engine.Engine) {
		_, err := e.Purge(t.Context(), string(r.ID), engine.Actor{})
		if err == nil {
			t.Error("a broken journal is not told of")
		}
	})
	if left := w.holding("tulip"); left != nil {
		t.Errorf("it stands in %v", left)
	}
}

// What waited for a yes is written as it would have been at once: where the profile
// keeps each note on a page of its own, with front matter.
func TestAnAcceptedNoteIsPlacedByTheProfile(t *testing.T) {
	w := newWorld(t)
	w.profile = "mind"
	w.run(func(e *engine.Engine) {
		r, err := e.Remember(t.Context(), engine.Note{Text: "The build cache lives on the fast disk.", Kind: pimento.KindFact, Scope: pimento.Global, Implicit: true, Actor: "agent"})
		w.must(err)
		if r.Action != pimento.Propose {
			t.Fatalf("%+v", r)
		}
		r, err = e.InboxAccept(t.Context(), string(r.ID), engine.Actor{})
		w.must(err)
		if text := get(t, r.Path); !strings.HasPrefix(text, "---\n") || !strings.Contains(text, "type:") || !strings.Contains(text, "fast disk") {
			t.Errorf("%s:\n%s", r.Page, text)
		}
	})
}
