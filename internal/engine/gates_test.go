package engine

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/fault"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/remember"
)

// The six lifecycle gates of ClawVM (arXiv 2604.10352, table 3): each provokes
// its fault or rejection and must name it, and shows beside it that without the
// provocation there is none.

// gate is an engine that is given time, so that a loaded machine provokes
// nothing.
func gate(t *testing.T) (*Engine, *view, *store) {
	t.Helper()
	e, v, st := served(t)
	e.opt.Deadline = 20 * time.Second
	return e, v, st
}

// crashed leaves a write between its two phases: staged in the journal, not yet
// on the page.
func crashed(t *testing.T, e *Engine, st *store, text string) {
	t.Helper()
	d, err := st.draft(t.Context(), page.Memory)
	if err != nil {
		t.Fatal(err)
	}
	p := remember.Admit(remember.Input{Note: remember.Note{Text: text}, Target: st.target(page.Memory, d)})
	p.ID, p.Root = e.newID(), st.root.Key()
	e.complete(t.Context(), st, &p)
	staged := e.event(pimento.Staged, p)
	if staged.Data, err = json.Marshal(p); err != nil {
		t.Fatal(err)
	}
	if err := st.journal.Append(t.Context(), []pimento.Event{staged}); err != nil {
		t.Fatal(err)
	}
}

func happens(t *testing.T, e *Engine, ev pimento.TurnEvent, change func(*pimento.Turn)) pimento.Block {
	t.Helper()
	in := pimento.Turn{Event: ev, Harness: "pi", Session: "s"}
	if change != nil {
		change(&in)
	}
	r := e.Turn(t.Context(), in)
	r.After(t.Context())
	return r.Block
}

func compacts(t *testing.T, e *Engine, id string) {
	t.Helper()
	for _, ev := range []pimento.TurnEvent{pimento.BeforeCompact, pimento.AfterCompact} {
		happens(t, e, ev, func(in *pimento.Turn) { in.Compaction = id })
	}
}

func asks(t *testing.T, e *Engine, prompt string) pimento.Block {
	t.Helper()
	return happens(t, e, pimento.PromptTurn, func(in *pimento.Turn) { in.Prompt = prompt })
}

func wantFaults(t *testing.T, e *Engine, want ...fault.Kind) {
	t.Helper()
	found, err := e.Faults(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []fault.Kind
	for _, f := range found {
		got = append(got, f.Kind)
	}
	if !slices.Equal(got, want) {
		t.Errorf("faults %+v, want %v", found, want)
	}
}

func writePage(t *testing.T, st *store, text string) {
	t.Helper()
	if err := os.WriteFile(st.path(page.Memory), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestGate1PostCompactionBootstrap(t *testing.T) {
	for _, c := range []struct{ profile, kind string }{{"default", ""}, {"resident", ""}, {"resident", "[preference] "}} {
		t.Run(c.profile+c.kind, func(t *testing.T) {
			e, _, st := gate(t)
			if err := e.setOwn(t.Context(), "profile", c.profile); err != nil {
				t.Fatal(err)
			}
			writePage(t, st, "- "+c.kind+"Never push to main. *(pinned)*\n- Deploys go through staging.\n")
			happens(t, e, pimento.SessionStart, func(in *pimento.Turn) { in.Reason = "startup" })
			asks(t, e, "hello")
			if tr, ok, err := e.Why(t.Context(), "s"); err != nil || !ok || !slices.ContainsFunc(tr.Block.Trace, func(d pimento.Decision) bool {
				return d.Entry == string(pimento.StatementOf("Never push to main."))
			}) {
				t.Errorf("the first prompt's record says nothing of the prefix: %+v %v", tr.Block.Trace, err)
			}
			compacts(t, e, "c1")
			if b := asks(t, e, "go on"); !strings.Contains(b.Prefix, "Never push to main") {
				t.Errorf("after a compaction the prefix is %q", b.Prefix)
			}
			wantFaults(t, e)
			compacts(t, e, "c2") // and now a turn that is given nothing of it
			in := pimento.Turn{Event: pimento.PromptTurn, Harness: "pi", Session: "s", Prompt: "go on"}
			r := e.Turn(t.Context(), in)
			tr := pimento.Trace{V: 1, ID: "01LOST", Time: e.Now(), Session: "s", Block: pimento.Block{Status: pimento.OK}}
			if err := e.traces(e.look(t.Context())).Add(t.Context(), tr); err != nil {
				t.Fatal(err)
			}
			r.After(t.Context())
			wantFaults(t, e, fault.Bootstrap)
		})
	}
}

func TestGate2ResetDirtyPageFlushMiss(t *testing.T) {
	for name, blocked := range map[string]bool{"flushed": false, "missed": true} {
		t.Run(name, func(t *testing.T) {
			e, _, st := gate(t)
			crashed(t, e, st, "The dirty page is written before the reset.")
			if blocked { // somebody holds the root for longer than the session lives
				e.opt.Deadline = 50 * time.Millisecond
				unlock, err := st.root.Lock(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				defer unlock()
			}
			happens(t, e, pimento.SessionEnd, func(in *pimento.Turn) { in.Reason = "new" })
			b, err := os.ReadFile(st.path(page.Memory))
			if err != nil || strings.Contains(string(b), "dirty page") == blocked {
				t.Errorf("the page: %q %v", b, err)
			}
			if blocked {
				wantFaults(t, e, fault.FlushMiss)
			} else {
				wantFaults(t, e)
			}
		})
	}
}

// Every boundary of a session finishes what is staged: the engine is told of a
// switch and a fork as pi tells it, by the end of one session and the start of
// another.
func TestEveryBoundaryFlushes(t *testing.T) {
	for name, cross := range map[string]func(*pimento.Turn){
		"compaction":   func(in *pimento.Turn) { in.Event, in.Compaction = pimento.BeforeCompact, "c" },
		"shutdown":     func(in *pimento.Turn) { in.Event = pimento.SessionEnd },
		"quit":         func(in *pimento.Turn) { in.Event, in.Reason = pimento.SessionEnd, "quit" },
		"new":          func(in *pimento.Turn) { in.Event, in.Reason = pimento.SessionEnd, "new" },
		"reload":       func(in *pimento.Turn) { in.Event, in.Reason = pimento.SessionEnd, "reload" },
		"switch":       func(in *pimento.Turn) { in.Event, in.Reason = pimento.SessionEnd, "resume" },
		"fork":         func(in *pimento.Turn) { in.Event, in.Reason = pimento.SessionEnd, "fork" },
		"start":        func(in *pimento.Turn) { in.Event, in.Reason = pimento.SessionStart, "startup" },
		"after switch": func(in *pimento.Turn) { in.Event, in.Reason = pimento.SessionStart, "resume" },
		"after fork":   func(in *pimento.Turn) { in.Event, in.Reason, in.Parent = pimento.SessionStart, "fork", "p" },
	} {
		t.Run(name, func(t *testing.T) {
			e, _, st := gate(t)
			crashed(t, e, st, "The dirty page is written at the boundary.")
			var in pimento.Turn
			cross(&in)
			happens(t, e, in.Event, cross)
			if b, err := os.ReadFile(st.path(page.Memory)); err != nil || !strings.Contains(string(b), "dirty page") {
				t.Errorf("the page: %q %v", b, err)
			}
			wantFaults(t, e)
		})
	}
}

// pi's compaction asks through a door of its own, which flushes before it answers,
// where no handoff does it either.
func TestCompactFlushes(t *testing.T) {
	e, _, st := gate(t)
	if err := e.setOwn(t.Context(), "profile", "resident"); err != nil {
		t.Fatal(err)
	}
	crashed(t, e, st, "The dirty page is written at the compaction.")
	_, _, err := e.Compact(t.Context(), pimento.Turn{Harness: "pi", Session: "s", Compaction: "c"})
	if b, rerr := os.ReadFile(st.path(page.Memory)); err != nil || rerr != nil || !strings.Contains(string(b), "dirty page") {
		t.Errorf("the page: %q %v %v", b, err, rerr)
	}
}

// A threshold that is jumped over compacts while a write is under way.
func TestGate3ThresholdJumpRace(t *testing.T) {
	e, _, st := gate(t)
	asks(t, e, "hello")
	crashed(t, e, st, "Never push to main, says the plan under way.")
	compacts(t, e, "c1")
	compacts(t, e, "c1") // reported twice
	b := asks(t, e, "go on")
	if n := strings.Count(b.Prefix, "says the plan under way"); n != 1 {
		t.Errorf("it stands %d times:\n%s", n, b.Prefix)
	}
	wantFaults(t, e)
}

func TestGate4SilentRecallVisibility(t *testing.T) {
	e, _, _ := gate(t)
	asks(t, e, "what about staging?")
	wantFaults(t, e)
	b := asks(t, e, "a prompt")
	tr, ok, err := e.Why(t.Context(), "s")
	if err != nil || !ok || tr.ID != b.TraceID {
		t.Fatal(err)
	}
	tr.ID, tr.Block.Faults = "01FAILED", []pimento.Fault{{Kind: "recall", Detail: string(pimento.BackendError)}}
	if err := e.traces(e.look(t.Context())).Add(t.Context(), tr); err != nil {
		t.Fatal(err)
	}
	found, err := e.Faults(t.Context())
	if err != nil || len(found) != 1 || found[0].Kind != fault.SilentRecall || !strings.Contains(found[0].Detail, "backend_error") {
		t.Errorf("%+v %v", found, err)
	}
}

func TestGate5UnsafePersistenceRejection(t *testing.T) {
	e, _, st := gate(t)
	before, _ := os.ReadFile(st.path(page.Memory))
	for text, want := range map[string]pimento.Code{
		"the key is AKIAQ3EGRZ7TNLW2M5XB and secret": pimento.CodeSecret,
		"  ":                          pimento.CodeSchema,
		"Deploys go through staging.": pimento.CodeDuplicate,
	} {
		r, err := e.Remember(t.Context(), Note{Text: text, Scope: pimento.Global})
		if err != nil || r.Code != want {
			t.Errorf("%q: %s (%s) %v, want %s", text, r.Code, r.Reason, err, want)
		}
	}
	if after, _ := os.ReadFile(st.path(page.Memory)); string(after) != string(before) {
		t.Errorf("the page is now %q", after)
	}
}

func TestGate6EvidenceChurnDuplicateTool(t *testing.T) {
	e, _, _ := gate(t)
	ends := func() {
		happens(t, e, pimento.TurnEnd, func(in *pimento.Turn) {
			in.Tools = []pimento.ToolUse{{Name: "bash", Args: "0123456789abcdef"}, {Name: "read", Args: "fedcba9876543210", Path: st(e) + "/MEMORY.md"}}
		})
	}
	ends()
	ends()
	wantFaults(t, e)
	compacts(t, e, "c")
	ends()
	wantFaults(t, e, fault.DuplicateTool, fault.Refetch)
}

// st is where the global root lies.
func st(e *Engine) string { return e.opt.Dirs.Global }
