package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento/e2e/stub"
)

// What the user types while the agent works is a prompt, too: memory answers it in the
// request that holds it, hears it, and shows nothing twice. The system prompt stays.
func TestTypedWhileTheAgentWorks(t *testing.T) {
	for _, how := range []string{"steer", "follow_up"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			var s *sandbox
			gate := func() string { return filepath.Join(s.dir, "go-on") }
			s = newSandbox(t, func(n int, r stub.Request) stub.Reply {
				if n > 0 {
					return stub.Reply{Text: "fine"}
				}
				return stub.Reply{Calls: []stub.Call{{Name: "bash", Args: map[string]any{"command": "while ! [ -e '" + gate() + "' ]; do sleep 0.05; done"}}}}
			})
			s.services(100)
			s.write(s.global("topics/notes.md"), "- Exporters listen on 9187.\n- Backups are kept for 35 days and then deleted.\n")
			once := func(r stub.Request) {
				t.Helper()
				if n := strings.Count(r.Text(), "Exporters listen on 9187."); n != 1 {
					t.Errorf("the model is told %d times", n)
				}
			}
			p := s.rpc(nil)
			p.do(map[string]any{"type": "prompt", "message": "How long do we keep the backups?"})
			p.wait("the tool", func(e event) bool { return e.Type == "tool_execution_start" })
			p.do(map[string]any{"type": how, "message": "which port do the exporters listen on?"})
			p.do(map[string]any{"type": how, "message": "From now on always use pnpm instead of npm."})
			if err := os.WriteFile(gate(), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			p.wait("the end of the run", func(e event) bool { return e.Type == "agent_settled" })
			p.waitNotify("remembered: From now on always use pnpm instead of npm.")
			last := s.request(-1)
			if n, want := len(s.model.Requests()), map[string]int{"steer": 3, "follow_up": 4}[how]; n != want {
				t.Errorf("%d requests, want %d", n, want)
			}
			at := slices.IndexFunc(last.Messages, func(m stub.Message) bool { return m.Text == "which port do the exporters listen on?" })
			// Both came at once, and so did what memory has to say: of the ports, and that the rule is noted.
			has(t, "what stands before the question", last.Messages[at-2].Text, "Exporters listen on 9187.")
			has(t, "what stands before the question", last.Messages[at-1].Text, "added: From now on always use pnpm")
			has(t, "what the model was told", last.Text(), "Backups are kept for 35 days", "which port do the exporters", "Exporters listen on 9187.", "always use pnpm")
			once(last)
			if last.System != s.request(0).System {
				t.Error("the system prompt changed")
			}
			p.prompt("which port do the exporters listen on?")
			once(s.request(-1))
			p.close()
		})
	}
}
