package engine_test

import (
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
)

// asks asks as an agent does, and gives the record that this left.
func (w *world) asks(q pimento.Query, by engine.Actor) (a pimento.Answer, tr pimento.Trace) {
	w.Helper()
	w.run(func(e *engine.Engine) {
		a = e.Ask(w.Context(), q, by)
		list, err := e.Traces(w.Context(), 1) // waits for what is being written
		w.must(err)
		if len(list) == 1 {
			tr = list[0]
		}
	})
	return a, tr
}

// What was asked and found is on record, and replay says whether the same is
// found now.
func TestRecallLeavesARecord(t *testing.T) {
	w := newWorld(t)
	w.page("MEMORY.md", "- Deploys go through the staging cluster.\n- The harbor crane is blue.\n")
	q := pimento.Query{Text: "how do we deploy to staging?", Mode: pimento.Keyword, Limit: 3, Scopes: []pimento.Scope{pimento.Global}}
	a, tr := w.asks(q, engine.Actor{Name: "agent", Session: "s"})
	if tr.Recall == nil || len(a.Hits) != 1 {
		t.Fatalf("%+v\n%+v", a, tr)
	}
	r := tr.Recall
	if r.Question != q.Text || r.By != "agent" || r.Mode != q.Mode || r.Limit != 3 || r.Found != 1 || tr.Session != "s" || tr.Block.Status != pimento.OK {
		t.Errorf("%+v %+v", tr, r)
	}
	if h := r.Hits[0]; string(h.ID) != id("Deploys go through the staging cluster.") || h.Page != "MEMORY.md" || h.Score != a.Hits[0].Score {
		t.Errorf("%+v", h)
	}
	replay := func() (same bool) {
		w.run(func(e *engine.Engine) {
			rep, err := e.Replay(t.Context(), tr.ID)
			w.must(err)
			same = rep.Same
		})
		return same
	}
	if !replay() {
		t.Error("nothing changed, and the answer is said to be another one")
	}
	w.page("MEMORY.md", "- The harbor crane is blue.\n")
	if replay() {
		t.Error("its entry is gone, and the answer is said to be the same")
	}
	if _, tr := w.asks(pimento.Query{Text: "zzyzx"}, engine.Actor{}); tr.Recall == nil || tr.Block.Status != pimento.NoMatch || tr.Recall.By != "user" {
		t.Errorf("nothing found: %+v", tr)
	}
	long := strings.Repeat("crane ", 1000)
	_, tr = w.asks(pimento.Query{Text: long}, engine.Actor{})
	if !tr.Recall.Cut || len(tr.Recall.Question) > pimento.MaxQuestion || len(tr.Prompt) > 210 {
		t.Errorf("%d bytes are kept of a long question", len(tr.Recall.Question))
	}
	w.run(func(e *engine.Engine) {
		_, err := e.Replay(t.Context(), tr.ID)
		wantKind(t, err, pimento.KindNotFound)
	})
}

// What asks for the last prompt's record does not take a question's for it.
func TestRecallRecordsAreNoPrompts(t *testing.T) {
	w := newWorld(t)
	w.page("MEMORY.md", "- Deploys go through the staging cluster.\n")
	w.chat("s").say("how do we deploy?")
	w.asks(pimento.Query{Text: "staging"}, engine.Actor{Session: "s"})
	w.run(func(e *engine.Engine) {
		for _, session := range []string{"", "s"} {
			tr, ok, err := e.Why(t.Context(), session)
			w.must(err)
			if !ok || tr.Recall != nil || tr.Prompt != "how do we deploy?" {
				t.Errorf("why %q: %+v", session, tr)
			}
		}
		s := e.Status(t.Context(), "")
		if s.Last == nil || s.Last.Recall != nil {
			t.Errorf("status: %+v", s.Last)
		}
	})
}

// With records off, in a silenced session, and by Recall alone, nothing is kept.
func TestRecallWithoutARecord(t *testing.T) {
	w := newWorld(t)
	w.page("MEMORY.md", "- Deploys go through the staging cluster.\n")
	none := func(when string) {
		t.Helper()
		w.run(func(e *engine.Engine) {
			if list, err := e.Traces(t.Context(), 0); err != nil || len(list) > 0 {
				t.Errorf("%s: %d records, %v", when, len(list), err)
			}
		})
	}
	w.finds("staging")
	none("asked by Recall")
	w.run(func(e *engine.Engine) { w.must(e.Silence(t.Context(), "pi", "quiet", true)) })
	w.asks(pimento.Query{Text: "staging"}, engine.Actor{Session: "quiet"})
	none("silenced")
	put(t, w.global("config.json"), `{"traceEnabled": false}`)
	if a, _ := w.asks(pimento.Query{Text: "staging"}, engine.Actor{}); len(a.Hits) != 1 {
		t.Errorf("%+v", a)
	}
	none("traceEnabled false")
}

// A record names an entry and never quotes it, encrypted or not; a purge takes
// the record with the question.
func TestRecallRecordsHoldNoText(t *testing.T) {
	w := newWorld(t)
	w.lock(false)
	w.page("topics/accounts.md", "# Accounts\n\n- "+secret+"\n")
	w.run(func(e *engine.Engine) {
		_, err := e.Encrypt(t.Context(), "topics/accounts.md", true, engine.Actor{})
		w.must(err)
	})
	a, tr := w.asks(pimento.Query{Text: "zanzibar vault"}, engine.Actor{})
	if len(a.Hits) != 1 || tr.Recall.Found != 1 || tr.Recall.Hits[0].Page != "topics/accounts.md.age" || string(tr.Recall.Hits[0].ID) == id(secret) {
		t.Errorf("%+v", tr.Recall)
	}
	if files := w.holding("elderberries"); files != nil {
		t.Errorf("the text stands in %v", files)
	}
	w.chat("s").say("hello")
	agent := engine.Actor{Name: "agent", Session: "s"}
	w.asks(pimento.Query{Text: "zanzibar vault"}, agent)
	w.asks(pimento.Query{Text: secret}, agent) // it repeats what it was shown
	w.chat("s").event(pimento.AfterCompact, func(in *pimento.Turn) { in.Compaction, in.Summary = "k", "We decided: "+secret })
	if files := w.holding("elderberries"); files != nil {
		t.Errorf("what an agent asked with it stands in %v", files)
	}
	w.remember(engine.Note{Text: "Xylophones are quarkish.", Scope: pimento.Global})
	w.asks(pimento.Query{Text: "quarkish xylophones"}, engine.Actor{})
	if len(holding(t, "quarkish", w.dirs.State+"/traces")) == 0 {
		t.Fatal("the test looks in the wrong place")
	}
	w.run(func(e *engine.Engine) {
		e.Ask(t.Context(), pimento.Query{Text: "xylophones quarkish?"}, engine.Actor{}) // its record may come after the purge's beginning, not after its end
		_, err := e.Purge(t.Context(), id("Xylophones are quarkish."), user)
		w.must(err)
	})
	if files := holding(t, "quarkish", w.dirs.State); files != nil {
		t.Errorf("after the purge it stands in %v", files)
	}
}
