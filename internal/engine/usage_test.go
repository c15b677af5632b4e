package engine_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
)

// answers is the end of a turn in which the model said so much.
func (c *chat) answers(text string, commands ...string) {
	c.w.Helper()
	c.event(pimento.TurnEnd, func(in *pimento.Turn) {
		in.Answer = text
		for _, cmd := range commands {
			in.Tools = append(in.Tools, pimento.ToolUse{Name: "bash", Command: cmd})
		}
	})
}

// crowd fills the prefix, so that what follows is recalled by prompts alone.
func (w *world) crowd() {
	var b strings.Builder
	for i := range 400 {
		fmt.Fprintf(&b, "- [fact] The %s service number %d listens behind the gateway of its own.\n", strings.Repeat(string(rune('a'+i%26)), 3+i%5), i)
	}
	w.page("topics/services.md", b.String())
}

func (w *world) story(id pimento.Statement) (s engine.EntryStory) {
	w.run(func(e *engine.Engine) {
		var err error
		s, err = e.WhyEntry(w.Context(), string(id))
		w.must(err)
	})
	return s
}

// What a prompt got, what the answer used of it, what it contradicts and what was
// found without being shown are kept apart.
func TestAnswersAreJudged(t *testing.T) {
	w := newWorld(t)
	w.crowd()
	w.page("topics/infra.md", "- [fact] The staging database listens on 6432, not 5432.\n- [fact] The staging database is restored from wal-g every night.\n"+
		"- [fact] The staging database is owned by the tortoise squad.\n")
	c := w.branchChat("s")
	b := c.say("what do we know about the staging database?")
	wantIn(t, "the tail", b.Tail, "6432", "wal-g", "tortoise")
	c.answers("It listens on 6432. The note about the tortoise squad is outdated.", "psql -h staging")
	ids := map[string]pimento.Statement{"used": pimento.StatementOf("The staging database listens on 6432, not 5432."),
		"unused":  pimento.StatementOf("The staging database is restored from wal-g every night."),
		"opposed": pimento.StatementOf("The staging database is owned by the tortoise squad.")}
	for name, want := range map[string][2]int{"used": {1, 1}, "unused": {1, 0}, "opposed": {1, 0}} {
		s := w.story(ids[name])
		if got := [2]int{s.Standing.Injected, s.Standing.Used}; got != want {
			t.Errorf("%s: injected and used %v, want %v", name, got, want)
		}
	}
	events := w.events()
	if strings.Count(events, `"type":"contradicted"`) != 1 || strings.Count(events, `"type":"used"`) != 1 {
		t.Errorf("events:\n%s", events)
	}
	// The end of the same turn once more counts nothing twice.
	c.answers("It listens on 6432. The note about the tortoise squad is outdated.")
	if s := w.story(ids["used"]); s.Standing.Used != 1 {
		t.Errorf("used %d times", s.Standing.Used)
	}
	// What is found again and stands in the context is retrieved, not injected.
	c.say("and which port has the staging database?")
	if s := w.story(ids["used"]); s.Standing.Injected != 1 || !strings.Contains(w.events(), `"type":"retrieved"`) {
		t.Errorf("injected %d times", s.Standing.Injected)
	}
}

// A command is part of the answer, and so is what stands in the prefix part of
// what was given.
func TestCommandsAndThePrefixCount(t *testing.T) {
	w := newWorld(t)
	r := w.remember(engine.Note{Text: "Tests run with make check-race, never directly.", Scope: pimento.Global})
	c := w.branchChat("s")
	wantIn(t, "the prefix", c.say("please test it").Prefix, "make check-race")
	c.answers("All green.", "make check-race")
	if s := w.story(r.ID); s.Standing.Used != 1 {
		t.Errorf("%+v", s.Standing)
	}
	w.run(func(e *engine.Engine) {
		sum, _, err := e.Usage(t.Context())
		w.must(err)
		if sum.Answers != 1 || sum.PrefixUsed != 1 || sum.Injected != 0 {
			t.Errorf("%+v", sum)
		}
	})
}

func TestUsageReport(t *testing.T) {
	w := newWorld(t)
	w.crowd()
	w.page("topics/infra.md", "- [fact] The staging database listens on 6432, not 5432.\n- [fact] The staging database is restored from wal-g every night.\n")
	for i := range 5 {
		c := w.branchChat(fmt.Sprint("s", i))
		c.say("what do we know about the staging database?")
		c.answers("It listens on 6432.")
	}
	w.run(func(e *engine.Engine) {
		sum, dead, err := e.Usage(t.Context())
		w.must(err)
		if sum.Answers != 5 || sum.Injected != 10 || sum.Used != 5 || sum.Wasted == 0 || sum.Wasted >= sum.Tokens {
			t.Errorf("%+v", sum)
		}
		if len(dead) != 1 || dead[0].Injected != 5 || !strings.Contains(dead[0].Entry.Text, "wal-g") {
			t.Errorf("dead weight %+v", dead)
		}
		rows := 0
		w.must(e.UsageRows(t.Context(), func(row json.RawMessage) {
			rows++
			wantOut(t, "a row", string(row), "null")
		}))
		if rows != 10 {
			t.Errorf("%d rows", rows)
		}
		r := w.story(pimento.StatementOf("The staging database listens on 6432, not 5432."))
		_, err = e.Purge(t.Context(), r.ID, engine.Actor{})
		w.must(err)
	})
	if _, err := os.Stat(w.dirs.State + "/telemetry"); err == nil {
		t.Error("a purge leaves the telemetry")
	}
}

func TestNoUsageIsMeasuredWhereNoRecordIsKept(t *testing.T) {
	w := newWorld(t)
	w.page("MEMORY.md", "- The staging database listens on 6432.\n")
	w.configure(`{"traceEnabled": false}`)
	c := w.branchChat("s")
	c.say("where is the staging database?")
	c.answers("On 6432.")
	if _, err := os.Stat(w.dirs.State + "/telemetry"); err == nil || strings.Contains(w.events(), `"used"`) {
		t.Error("it was measured")
	}
}

// Of two entries that answer alike, the one that answers have used comes first.
func TestUseBreaksATie(t *testing.T) {
	w := newWorld(t)
	w.crowd()
	w.page("topics/a.md", "- [fact] The falcon deploy needs step-alpha first.\n- [fact] The falcon deploy needs step-bravo first.\n")
	for i := range 6 {
		c := w.branchChat(fmt.Sprint("s", i))
		c.say("what does the falcon deploy need?")
		c.answers("Run step-bravo.")
	}
	w.run(func(e *engine.Engine) {
		hits := e.Recall(t.Context(), pimento.Query{Text: "what does the falcon deploy need?", Limit: 2}).Hits
		if len(hits) != 2 || !strings.Contains(hits[0].Entry.Text, "bravo") {
			t.Errorf("%+v", hits)
		}
	})
}
