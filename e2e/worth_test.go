package e2e

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/pimento-memory/pimento/e2e/stub"
)

// With the real pi: what the user corrects is proposed once the answer is out,
// by words where there is no model, and only if the user wants that.
func TestWorthInPi(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, stub.Script(stub.Reply{Text: "fine"}, stub.Reply{Text: "Replaced the mock with the test container."}))
	s.pimento("profile", "use", "mind", "--global")
	const wish = "no, we never mock the database in this project, tests run against a real postgres"
	p := s.rpc(nil)
	p.prompt(wish)
	if id := s.waiting(); id != "" {
		t.Errorf("%s waits, and nobody wanted that", id)
	}
	s.pimento("think", "worth", "answers")
	p.prompt(wish)
	for limit := time.Now().Add(patience); s.waiting() == ""; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatal("nothing waits")
		}
	}
	p.close()
	has(t, "the inbox", s.pimento("inbox"), "    we never mock the database in this project", "worth")
}

// What is typed while the agent works changes nothing of whose word began the run: a
// template's text stays nobody's, and a path that is typed is no template.
func TestWorthOfARunThatWasSteered(t *testing.T) {
	t.Parallel()
	var s *sandbox
	works := func(n int, r stub.Request) stub.Reply {
		if n%2 == 0 {
			gate := filepath.Join(s.dir, fmt.Sprint("go-on-", n))
			return stub.Reply{Calls: []stub.Call{{Name: "bash", Args: map[string]any{"command": "while ! [ -e '" + gate + "' ]; do sleep 0.05; done"}}}}
		}
		return stub.Reply{Text: "Replaced the mock with the test container."}
	}
	s = newSandbox(t, works)
	s.pimento("profile", "use", "mind", "--global")
	s.pimento("think", "worth", "answers")
	s.write(filepath.Join(s.home, ".pi/agent/prompts/house.md"), "no, we never mock the clock in this project, tests run against a real clock. Now look at $@.\n")
	p := s.rpc(nil)
	for n, run := range [][2]string{{"/house the tests", "and the exporters?"},
		{"no, we never mock the database in this project, tests run against a real postgres", "/srv/app is full, by the way"}} {
		p.do(map[string]any{"type": "prompt", "message": run[0]})
		p.wait("the tool", func(e event) bool { return e.Type == "tool_execution_start" })
		p.do(map[string]any{"type": "steer", "message": run[1]})
		s.write(filepath.Join(s.dir, fmt.Sprint("go-on-", 2*n)), "")
		p.wait("the end of the run", func(e event) bool { return e.Type == "agent_settled" })
	}
	for limit := time.Now().Add(patience); s.waiting() == ""; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatal("nothing waits")
		}
	}
	p.close()
	inbox := s.pimento("inbox")
	has(t, "the inbox", inbox, "we never mock the database")
	hasNot(t, "the inbox", inbox, "clock")
}
