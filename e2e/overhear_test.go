package e2e

import (
	"encoding/json"
	"testing"

	"github.com/pimento-memory/pimento/e2e/stub"
)

// What a user asks to remember in one session, in words, without a tool, is in
// the next one's request; what may be a preference waits, and is there once the
// user has said yes.
func TestOverheardInOneSessionKnownInTheNext(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, stub.Script(stub.Reply{Text: "好的"}, stub.Reply{Text: "fine"}, stub.Reply{Text: "fine"}, stub.Reply{Text: "fine"}))
	s.print("记一下 I prefer pm2 over forever for process management")
	s.print("ok, I always run the tests with the race detector on")
	s.print("how do I start the worker?")
	next := memorySection(s.request(2))
	has(t, "the next session's system prompt", next, "I prefer pm2 over forever for process management")
	hasNot(t, "the next session's system prompt", next, "race detector")
	var waits []struct{ ID, Text, Reason string }
	if err := json.Unmarshal([]byte(s.pimento("inbox", "--json")), &waits); err != nil || len(waits) != 1 {
		t.Fatalf("%v %+v", err, waits)
	}
	has(t, "the inbox", waits[0].Text+waits[0].Reason, "I always run the tests with the race detector on", "you said so in passing")
	s.pimento("inbox", "accept", waits[0].ID)
	s.print("and the tests?")
	has(t, "the system prompt after the yes", memorySection(s.request(3)), "race detector")
}

// A person who reads pi's terminal is told what was remembered.
func TestOverhearingIsTold(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, stub.Script(stub.Reply{Text: "ok"}))
	p := s.rpc(nil)
	p.prompt("From now on always use pnpm instead of npm.")
	p.waitNotify("remembered: From now on always use pnpm instead of npm.")
	p.close()
}

// After the agent has edited a file, the next prompt's request holds what memory
// says about that file.
func TestReminderAfterAnEdit(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, stub.Script(
		stub.Reply{Calls: []stub.Call{{Name: "write", Args: map[string]any{"path": "src/importer.go", "content": "package src"}}}},
		stub.Reply{Text: "written"}, stub.Reply{Text: "fine"}, stub.Reply{Text: "fine"}))
	s.services(200)
	s.pimento("remember", "--scope", "global", "--page", "topics/lessons.md", "--kind", "done", "importer.go must keep the rows in their order")
	p := s.rpc(nil)
	p.prompt("please begin")
	p.prompt("now paint the fence")
	has(t, "the request after the edit", s.request(2).User(), "## About files edited just now", "importer.go must keep the rows in their order")
	p.close()
}
