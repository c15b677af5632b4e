package fault_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/fault"
)

// A story is what happened, one step a minute.
type story struct {
	now    time.Time
	events []pimento.Event
	traces []pimento.Trace
}

func (s *story) event(typ pimento.EventType, change func(*pimento.Event)) {
	s.now = s.now.Add(time.Minute)
	ev := pimento.Event{V: 1, Time: s.now, Type: typ, Session: "s"}
	if change != nil {
		change(&ev)
	}
	s.events = append(s.events, ev)
}

func (s *story) acted(d pimento.Deed) {
	s.event(pimento.Acted, func(ev *pimento.Event) { ev.Data, _ = json.Marshal(d) })
}

func (s *story) used(name, args, path string) {
	s.acted(pimento.Deed{Tools: []pimento.ToolUse{{Name: name, Args: args, Path: path}}})
}

func (s *story) edited(path string) {
	s.acted(pimento.Deed{Tools: []pimento.ToolUse{{Name: "edit", Args: "e" + path, Path: path}}, Edited: []string{path}})
}

func (s *story) boundary(reason string) {
	s.event(pimento.Boundary, func(ev *pimento.Event) { ev.Reason = reason })
}

func (s *story) prompt(b pimento.Block) {
	s.now = s.now.Add(time.Minute)
	s.traces = append(s.traces, pimento.Trace{Time: s.now, Session: "s", Block: b})
}

func stands(ids ...string) pimento.Block {
	b := pimento.Block{PrefixIDs: ids}
	for _, id := range ids {
		b.Trace = append(b.Trace, pimento.Decision{Entry: id, Page: "MEMORY.md", Decision: "full", Reason: "memory, constraint"})
	}
	return b
}

func TestFind(t *testing.T) {
	const page = "/home/ada/shop/.pi/memory/build.md"
	for name, c := range map[string]struct {
		tell func(*story)
		want []fault.Kind
	}{
		"nothing": {func(s *story) { s.prompt(stands("a")); s.used("bash", "1", ""); s.boundary("quit") }, nil},
		"refetch: opened again after a compaction": {func(s *story) {
			s.used("read", "1", page)
			s.boundary("compaction")
			s.used("read", "1", page)
		}, []fault.Kind{fault.Refetch}},
		"opened twice in one context": {func(s *story) { s.used("read", "1", page); s.used("read", "1", page) }, nil},
		"opened again because it changed": {func(s *story) {
			s.used("read", "1", page)
			s.boundary("compaction")
			s.edited(page)
			s.used("read", "1", page)
		}, nil},
		"refetch: the block held less than there is": {func(s *story) {
			s.prompt(pimento.Block{Trace: []pimento.Decision{{Entry: "a", Page: "MEMORY.md", Decision: "structured", Reason: "memory, constraint"}}})
			s.used("read", "1", ".pi/memory/MEMORY.md")
		}, []fault.Kind{fault.Refetch}},
		"duplicate tool": {func(s *story) {
			s.used("bash", "1", "")
			s.boundary("compaction")
			s.used("bash", "1", "")
		}, []fault.Kind{fault.DuplicateTool}},
		"the same call after an edit": {func(s *story) {
			s.used("bash", "1", "")
			s.boundary("compaction")
			s.edited("a.go")
			s.used("bash", "1", "")
		}, nil},
		"the same call while its answer is in the context": {func(s *story) { s.used("bash", "1", ""); s.used("bash", "1", "") }, nil},
		"a call that failed says nothing": {func(s *story) {
			s.acted(pimento.Deed{Tools: []pimento.ToolUse{{Name: "bash", Args: "1", Error: true}}})
			s.boundary("compaction")
			s.used("bash", "1", "")
		}, nil},
		"pinned miss": {func(s *story) {
			s.prompt(pimento.Block{Faults: []pimento.Fault{{Kind: "pinned-invariant-miss", Detail: "of 6"}}})
		}, []fault.Kind{fault.PinnedMiss}},
		"bootstrap": {func(s *story) {
			s.prompt(stands("a", "b"))
			s.boundary("compaction")
			s.prompt(stands("a"))
		}, []fault.Kind{fault.Bootstrap}},
		"bootstrap: what has no room is a pinned miss alone": {func(s *story) {
			s.prompt(stands("a", "b"))
			s.boundary("compaction")
			b := stands("a")
			b.Faults = []pimento.Fault{{Kind: "pinned-invariant-miss", Detail: "of 2"}}
			s.prompt(b)
		}, []fault.Kind{fault.PinnedMiss}},
		"bootstrap: shorter is no fault": {func(s *story) {
			s.prompt(stands("a"))
			s.boundary("compaction")
			s.prompt(pimento.Block{Trace: []pimento.Decision{{Entry: "a", Page: "MEMORY.md", Decision: "structured", Reason: "memory, constraint"}}})
		}, nil},
		"bootstrap: what was forgotten need not stand": {func(s *story) {
			s.prompt(stands("a", "b"))
			s.event(pimento.Forgotten, func(ev *pimento.Event) { ev.Statement = "b" })
			s.boundary("compaction")
			s.prompt(stands("a"))
		}, nil},
		"bootstrap: without a compaction a new prefix is the user's doing": {func(s *story) { s.prompt(stands("a", "b")); s.prompt(stands("a")) }, nil},
		"silent recall": {func(s *story) {
			s.prompt(pimento.Block{Faults: []pimento.Fault{{Kind: "recall", Detail: "backend_error"}}})
		}, []fault.Kind{fault.SilentRecall}},
		"flush miss": {func(s *story) {
			s.event(pimento.Staged, func(ev *pimento.Event) { ev.Txn = "t" })
			s.boundary("new")
			s.boundary("quit")
		}, []fault.Kind{fault.FlushMiss}},
		"flush miss: replayed later": {func(s *story) {
			s.event(pimento.Staged, func(ev *pimento.Event) { ev.Txn = "t" })
			s.boundary("new")
			s.event(pimento.Committed, func(ev *pimento.Event) { ev.Txn, ev.Time = "t", ev.Time.Add(time.Hour) })
		}, []fault.Kind{fault.FlushMiss}},
		"no flush miss: somebody was writing": {func(s *story) {
			var at time.Time
			s.event(pimento.Staged, func(ev *pimento.Event) { ev.Txn, at = "t", ev.Time })
			s.event(pimento.Boundary, func(ev *pimento.Event) { ev.Reason, ev.Time = "new", at.Add(time.Millisecond) })
			s.event(pimento.Committed, func(ev *pimento.Event) { ev.Txn, ev.Time = "t", at.Add(time.Second) })
		}, nil},
		"flushed in time": {func(s *story) {
			s.event(pimento.Staged, func(ev *pimento.Event) { ev.Txn = "t" })
			s.event(pimento.Committed, func(ev *pimento.Event) { ev.Txn = "t" })
			s.event(pimento.Staged, func(ev *pimento.Event) { ev.Txn = "u" })
			s.event(pimento.Rejected, func(ev *pimento.Event) { ev.Txn = "u" })
			s.boundary("compaction")
		}, nil},
		"sessions are apart": {func(s *story) {
			s.used("bash", "1", "")
			s.event(pimento.Boundary, func(ev *pimento.Event) { ev.Reason, ev.Session = "compaction", "other" })
			s.used("bash", "1", "")
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := &story{now: time.Date(2026, 3, 14, 10, 0, 0, 0, time.UTC)}
			c.tell(s)
			var got []fault.Kind
			for _, f := range fault.Find(s.events, s.traces) {
				got = append(got, f.Kind)
				if f.Detail == "" || f.Time.IsZero() || f.Session != "s" {
					t.Errorf("%+v says too little", f)
				}
				if f.Controllable == (f.Kind == fault.PinnedMiss) {
					t.Errorf("%+v", f)
				}
			}
			if len(got) != len(c.want) || len(got) > 0 && got[0] != c.want[0] {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestMemoryPage(t *testing.T) {
	for path, want := range map[string]string{
		".pi/memory/MEMORY.md": "MEMORY.md", "/x/.pi/memory/topics/a.md": "topics/a.md", "~/.pi/agent/memory/MEMORY.md": "MEMORY.md",
		"src/a.go": "", "docs/my.pi/memory/a.md": "", ".pi/memory/config.json": "",
	} {
		if got := fault.MemoryPage(path); got != want {
			t.Errorf("%s: %q", path, got)
		}
	}
}
