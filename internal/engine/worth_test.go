package engine_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/think"
)

// run is one run of an agent, to its end.
func (c *chat) run(prompt, answer string, tools ...string) {
	c.w.Helper()
	c.say(prompt)
	c.event(pimento.TurnEnd, func(t *pimento.Turn) {
		t.Prompt, t.Answer = prompt, answer
		for _, name := range tools {
			t.Tools = append(t.Tools, pimento.ToolUse{Name: name})
		}
	})
}

const (
	wish   = "no, we never mock the database in this project, tests run against a real postgres"
	silent = `{"profile": "mind", "worth": "answers"}` // nothing else listens
)

// worthy are what of the inbox comes from looking at exchanges.
func (w *world) worthy() (out []string) {
	w.Helper()
	for _, p := range w.inbox() {
		if p.Source == "worth" {
			out = append(out, p.Text)
		}
	}
	return out
}

// Off until the user turns it on, and then what is worth remembering is proposed,
// never written. A repository cannot turn it on.
func TestWorthIsTheUsersOwnChoice(t *testing.T) {
	w := newWorld(t)
	shop := w.at(repo(t, filepath.Join(w.home, "shop")))
	shop.remember(engine.Note{Text: "Bills are sent on Mondays.", Scope: pimento.Project})
	page := filepath.Join(shop.dir, ".pi", "memory", "MEMORY.md")
	put(t, filepath.Join(shop.dir, ".pi", "memory", "config.json"), `{"worth": "all"}`)
	w.configure(`{"profile": "mind"}`)
	shop.chat("a").run(wish, "Replaced the mock with the test container.", "edit")
	if got := shop.worthy(); len(got) != 0 {
		t.Fatalf("%q", got)
	}
	w.configure(silent)
	before := get(t, page)
	shop.chat("b").run(wish, "Replaced the mock with the test container.", "edit")
	shop.chat("b").run("run the tests", "All 214 tests pass.", "bash")
	if got := shop.worthy(); len(got) != 1 || !strings.Contains(got[0], "we never mock the database") {
		t.Errorf("%q", got)
	}
	if get(t, page) != before {
		t.Error("it was written")
	}
	w.configure(`{"worth": "sometimes"}`)
	w.run(func(e *engine.Engine) {
		rep := e.Status(w.Context(), "")
		if len(rep.Faults) != 1 || !strings.Contains(rep.Faults[0].Detail, `"worth" is off, answers or all`) {
			t.Errorf("%+v", rep.Faults)
		}
	})
}

// What another agent asked for is nobody's wish.
func TestWorthIsNotOfAnAgentsPrompt(t *testing.T) {
	w := newWorld(t)
	shop := w.at(repo(t, filepath.Join(w.home, "shop")))
	w.configure(silent)
	c := shop.chat("a")
	for _, byAgent := range []bool{true, false} {
		c.event(pimento.TurnEnd, func(t *pimento.Turn) { t.Prompt, t.Answer, t.ByAgent = wish, "Replaced the mock.", byAgent })
		if got := shop.worthy(); (len(got) == 0) != byAgent {
			t.Errorf("by an agent %t: %q", byAgent, got)
		}
	}
}

// An agent that wrote to memory in the same run has decided already; in the next
// run it is looked at again. What memory itself said is no news.
func TestWorthIsSkippedWhenTheAgentRemembered(t *testing.T) {
	w := newWorld(t)
	w.configure(silent)
	c := w.chat("a")
	c.say(wish)
	w.run(func(e *engine.Engine) {
		if _, err := e.Remember(w.Context(), engine.Note{Text: "The port is 6432.", Actor: "agent", Session: "a"}); err != nil {
			t.Fatal(err)
		}
	})
	c.event(pimento.TurnEnd, func(t *pimento.Turn) { t.Prompt, t.Answer = wish, "Replaced the mock." })
	if got := w.worthy(); len(got) != 0 {
		t.Errorf("%q", got)
	}
	w.now = w.now.Add(time.Minute)
	c.run(wish, "Replaced the mock.")
	if got := w.worthy(); len(got) != 1 {
		t.Errorf("%q", got)
	}
	w.remember(engine.Note{Text: "no, the api listens on 8443 in every environment here", Scope: pimento.Global})
	d := w.chat("d")
	d.say("where does the api listen?")
	d.event(pimento.TurnEnd, func(t *pimento.Turn) {
		t.Prompt, t.Answer = "no, the api listens on 8443 in every environment here", "Right."
	})
	if got := w.worthy(); len(got) != 1 {
		t.Errorf("an echo: %q", got)
	}
}

// The language model is asked by a process that lives on, after the answer; what
// it makes up is not taken.
func TestWorthAsksTheModel(t *testing.T) {
	w := newWorld(t)
	w.configure(`{"worth": "all", "profile": "mind", "thinker": {"command": ["oracle"]}}`)
	o := &oracle{says: `{"remember":true,"class":"wanted","kind":"preference","text":"Tests run against a real postgres"}`}
	opt := w.options()
	opt.Serve, opt.Think = true, func(think.Choice) (think.Thinker, error) { return o, nil }
	e, err := engine.Open(opt)
	w.must(err)
	defer e.Close()
	c := w.branchChat("a")
	c.engine = e
	c.run(wish, "Replaced the mock with the test container.")
	for limit := time.Now().Add(20 * time.Second); len(w.worthy()) == 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatal("nothing was proposed")
		}
	}
	if got := w.worthy(); len(got) != 1 || got[0] != "Tests run against a real postgres" {
		t.Errorf("%q", got)
	}
	// A one-shot process goes by words, and costs nothing.
	asked := o.asked
	w.chat("b").run("stop adding comments that repeat the code, ever", "Removed them.")
	if got := w.worthy(); len(got) != 2 || o.asked != asked {
		t.Errorf("%q, asked %d", got, o.asked-asked)
	}
}

// A compaction's summary is looked at only where the user wants all.
func TestWorthOfASummary(t *testing.T) {
	w := newWorld(t)
	const summary = "The importer was rewritten. We decided on postgres with SKIP LOCKED, because jobs must commit with the order. All tests pass."
	for _, tt := range []struct {
		worth string
		want  int
	}{{"answers", 0}, {"all", 1}} {
		w.configure(`{"worth": "` + tt.worth + `"}`)
		w.chat(tt.worth).event(pimento.AfterCompact, func(t *pimento.Turn) { t.Compaction, t.Summary = "c", summary })
		if got := w.worthy(); len(got) != tt.want {
			t.Errorf("%s: %q", tt.worth, got)
		}
	}
}

// With a language model, it is the model that says what of a compaction's summary
// is worth remembering, once the compaction is over; without the user's word it
// is not asked.
func TestWorthOfASummaryAsksTheModel(t *testing.T) {
	const summary = "The queue is a table of postgres now; rows are taken with SKIP LOCKED. All tests pass."
	for worth, want := range map[string]int{"off": 0, "answers": 0, "all": 1} {
		w := newWorld(t)
		w.configure(`{"worth": "` + worth + `", "profile": "resident", "thinker": {"command": ["oracle"]}}`)
		o := &oracle{says: `{"remember":true,"class":"decided","kind":"decision","text":"The queue is a postgres table, rows taken with SKIP LOCKED"}`}
		opt := w.options()
		opt.Serve, opt.Think = true, func(think.Choice) (think.Thinker, error) { return o, nil }
		e, err := engine.Open(opt)
		w.must(err)
		c := w.branchChat("a")
		c.engine = e
		c.event(pimento.BeforeCompact, func(t *pimento.Turn) { t.Compaction = "c" })
		if o.asked != 0 {
			t.Errorf("%s: asked while the compaction waits", worth)
		}
		c.event(pimento.AfterCompact, func(t *pimento.Turn) { t.Compaction, t.Summary = "c", summary })
		for limit := time.Now().Add(20 * time.Second); len(w.worthy()) < want; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(limit) {
				t.Fatal("nothing was proposed")
			}
		}
		w.must(e.Close())
		if got := w.worthy(); len(got) != want || o.asked != want {
			t.Errorf("%s: %q, asked %d", worth, got, o.asked)
		}
	}
}
