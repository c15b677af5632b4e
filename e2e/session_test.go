package e2e

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento/e2e/stub"
)

// What is in a session's context follows the session's branch.

// branchSandbox is a machine with many services, and one of them that no prefix
// shows.
func branchSandbox(t *testing.T) (s *sandbox, target int) {
	t.Helper()
	s = newSandbox(t, stub.Script())
	s.services(400)
	s.print("hello there")
	return s, unseen(t, s.request(0), 400)[1]
}

func (p *piRPC) forkAt(n int) {
	p.t.Helper()
	var d struct{ Messages []struct{ EntryID string } }
	if err := json.Unmarshal(p.do(map[string]any{"type": "get_fork_messages"}), &d); err != nil || len(d.Messages) <= n {
		p.t.Fatalf("cannot fork at message %d of %d: %v", n, len(d.Messages), err)
	}
	p.do(map[string]any{"type": "fork", "entryId": d.Messages[n].EntryID})
}

func TestNewSessionIsEmpty(t *testing.T) {
	t.Parallel()
	s, target := branchSandbox(t)
	p := s.rpc(nil)
	p.prompt(question(target))
	has(t, "the tail", tail(s.request(-1)), statement(target))
	p.do(map[string]any{"type": "new_session"})
	p.prompt(question(target))
	has(t, "the new session's tail", tail(s.request(-1)), statement(target))
	p.close()
}

func TestContinuedSessionKeeps(t *testing.T) {
	t.Parallel()
	s, target := branchSandbox(t)
	s.print(question(target))
	first := s.request(-1)
	s.print("-c", question(target))
	second := s.request(-1)
	if n := strings.Count(second.Text(), statement(target)); n != 1 {
		t.Errorf("after -c the statement stands %d times", n)
	}
	if second.System != first.System {
		t.Errorf("after -c the system prompt differs:\n%s\n---\n%s", clip(first.System), clip(second.System))
	}
	if len(second.Messages) <= len(first.Messages) {
		t.Error("-c did not continue the session")
	}
}

func TestResumedSessionKeeps(t *testing.T) {
	t.Parallel()
	s, target := branchSandbox(t)
	p := s.rpc(nil)
	p.prompt(question(target))
	file, system := p.sessionFile(), s.request(-1).System
	p.do(map[string]any{"type": "new_session"})
	p.prompt("hello again")
	p.do(map[string]any{"type": "switch_session", "sessionPath": file})
	p.prompt("again: " + question(target))
	if n := strings.Count(s.request(-1).Text(), statement(target)); n != 1 {
		t.Errorf("after the resume the statement stands %d times", n)
	}
	if s.request(-1).System != system {
		t.Error("after the resume the system prompt differs")
	}
	p.close()
}

func TestForkInherits(t *testing.T) {
	t.Parallel()
	s, target := branchSandbox(t)
	p := s.rpc(nil)
	p.prompt("first things first")
	system := s.request(-1).System
	p.prompt(question(target))
	p.prompt("and a third")
	file := p.sessionFile()

	p.forkAt(2) // before the third: the statement is in the branch
	p.prompt("again: " + question(target))
	if n := strings.Count(s.request(-1).Text(), statement(target)); n != 1 {
		t.Errorf("in the fork the statement stands %d times", n)
	}
	if s.request(-1).System != system {
		t.Errorf("in the fork the system prompt differs:\n%s\n---\n%s", clip(system), clip(s.request(-1).System))
	}

	p.do(map[string]any{"type": "switch_session", "sessionPath": file})
	p.forkAt(1) // before the question: it is not
	p.prompt("now: " + question(target))
	has(t, "the earlier fork's tail", tail(s.request(-1)), statement(target))
	p.close()
}

func TestCompactionClears(t *testing.T) {
	t.Parallel()
	s, target := branchSandbox(t)
	s.window(16000, 50)
	p := s.rpc(nil)
	p.prompt(question(target))
	p.prompt("one " + lorem)
	p.prompt("two " + lorem)
	p.do(map[string]any{"type": "compact"})
	p.prompt(question(target))
	if n := strings.Count(s.request(-1).Text(), statement(target)); n != 1 {
		t.Errorf("after the compaction the statement stands %d times", n)
	}
	p.close()
}
