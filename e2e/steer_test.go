package e2e

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento/e2e/stub"
)

// busyUntil is a tool call that lasts until goOn.
func (s *sandbox) busyUntil(gate string) stub.Reply {
	command := "while ! [ -e '" + filepath.Join(s.dir, gate) + "' ]; do sleep 0.05; done"
	return stub.Reply{Calls: []stub.Call{{Name: "bash", Args: map[string]any{"command": command}}}}
}

func (s *sandbox) goOn(gate string) { s.write(filepath.Join(s.dir, gate), "") }

// busy waits until a tool runs.
func (p *piRPC) busy() {
	p.t.Helper()
	p.wait("a tool call", func(e event) bool { return e.Type == "tool_execution_start" })
}

// settled waits for the end of the run.
func (p *piRPC) settled() {
	p.t.Helper()
	p.wait("the end of the run", func(e event) bool { return e.Type == "agent_settled" })
}

// What the user types while the agent works is a prompt, too: memory answers it in the
// request that holds it, hears it, and shows nothing twice. The system prompt stays.
func TestTypedWhileTheAgentWorks(t *testing.T) {
	for _, how := range []string{"steer", "follow_up"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			var s *sandbox
			s = newSandbox(t, func(n int, r stub.Request) stub.Reply {
				if n > 0 {
					return stub.Reply{Text: "fine"}
				}
				return s.busyUntil("go-on")
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
			p.busy()
			p.do(map[string]any{"type": how, "message": "which port do the exporters listen on?"})
			p.do(map[string]any{"type": how, "message": "From now on always use pnpm instead of npm."})
			s.goOn("go-on")
			p.settled()
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

// What a compaction took out of the context comes back in the same run, if it is wanted again.
func TestTypedAfterACompactionInTheRun(t *testing.T) {
	t.Parallel()
	var s *sandbox
	answers := 0
	s = newSandbox(t, func(_ int, r stub.Request) stub.Reply {
		if strings.Contains(r.System, "summar") {
			return stub.Reply{Text: "We talked."}
		}
		answers++
		switch answers {
		case 1:
			return s.busyUntil("asked")
		case 2:
			full := s.busyUntil("answered")
			full.Text, full.Tokens = lorem, 127_500
			return full
		case 3:
			return s.busyUntil("asked again")
		}
		return stub.Reply{Text: "fine"}
	})
	s.window(128_000, 10)
	s.services(100)
	s.write(s.global("topics/notes.md"), "- Exporters listen on 9187.\n")
	told := func(r stub.Request) int { return strings.Count(r.Text(), "Exporters listen on 9187.") }
	p := s.rpc(nil)
	p.do(map[string]any{"type": "prompt", "message": "hello there"})
	p.busy()
	p.do(map[string]any{"type": "steer", "message": "which port do the exporters listen on?"})
	s.goOn("asked")
	p.busy()
	if n := told(s.request(-1)); n != 1 {
		t.Errorf("before the compaction it stands there %d times", n)
	}
	s.goOn("answered")
	p.busy()
	if n := told(s.request(-1)); n != 0 {
		t.Errorf("after the compaction it stands there %d times", n)
	}
	p.do(map[string]any{"type": "follow_up", "message": "so which port do the exporters listen on?"})
	s.goOn("asked again")
	p.settled()
	if n := told(s.request(-1)); n != 1 {
		t.Errorf("asked again, it stands there %d times", n)
	}
	p.close()
}

// Who asks while a compaction is made is told what that takes out of the context. pi has no
// place for it before the request that holds the question, only before the next one.
func TestTypedDuringACompaction(t *testing.T) {
	t.Parallel()
	var s *sandbox
	answers := 0
	s = newSandbox(t, func(_ int, r stub.Request) stub.Reply {
		if strings.Contains(r.System, "summar") {
			return stub.Reply{Text: "We talked.", Delay: 3 * time.Second}
		}
		if answers++; answers > 1 {
			return stub.Reply{Text: "fine"}
		}
		full := s.busyUntil("go-on")
		full.Text, full.Tokens = lorem, 127_500
		return full
	})
	s.window(128_000, 10)
	s.services(100)
	s.write(s.global("topics/notes.md"), "- Exporters listen on 9187.\n")
	p := s.rpc(nil)
	p.do(map[string]any{"type": "prompt", "message": "which port do the exporters listen on?"})
	p.busy()
	has(t, "the tail", tail(s.request(0)), "Exporters listen on 9187.")
	s.goOn("go-on")
	p.wait("the compaction", func(e event) bool { return e.Type == "compaction_start" })
	p.do(map[string]any{"type": "steer", "message": "so which port do the exporters listen on?"})
	p.settled()
	p.prompt("hello there")
	p.close()
	last := s.request(-1)
	has(t, "what the model was told", last.Text(), "so which port")
	if n := strings.Count(last.Text(), "Exporters listen on 9187."); n != 1 {
		t.Errorf("it stands there %d times", n)
	}
}

// A follow-up keeps its tail when the run that it was typed in breaks off, be it in the middle
// of a tool call's words or while memory was asked.
func TestFollowUpOfARunThatEnded(t *testing.T) {
	for _, how := range []string{"aborted", "meanwhile"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			var s *sandbox
			s = fakeSandbox(t, newest, "good", func(n int, _ stub.Request) stub.Reply {
				if n > 0 {
					return stub.Reply{Text: "fine"}
				}
				call := s.busyUntil("never")
				call.Hang = true
				return call
			})
			p := s.rpc(nil)
			p.do(map[string]any{"type": "prompt", "message": "first"})
			p.wait("the tool call's words", func(e event) bool { return e.Type == "message_update" })
			if how == "meanwhile" {
				s.stopChildren(p.cmd.Process.Pid)
				p.send(map[string]any{"type": "follow_up", "message": "second"})
				p.do(map[string]any{"type": "abort"})
				s.continueChildren(p.cmd.Process.Pid)
				p.wait("the queue", func(e event) bool { return e.Type == "queue_update" })
			} else {
				p.do(map[string]any{"type": "follow_up", "message": "second"})
				p.do(map[string]any{"type": "abort"})
			}
			p.prompt("third")
			last := s.request(-1)
			has(t, "what the model was told", last.Text(), "first", "second", "third", "FAKE-TAIL 1", "FAKE-TAIL 2", "FAKE-TAIL 3")
			p.prompt("fourth")
			if got := strings.Join(turns(s, "prompt")[3].InContext, " "); got != "tail-1 tail-2 tail-3" {
				t.Errorf("in context: %q", got)
			}
			p.close()
		})
	}
}

// Of two prompts in quick succession the second one knows what the first one was told.
func TestTypedWhileMemoryIsAsked(t *testing.T) {
	t.Parallel()
	var s *sandbox
	s = fakeSandbox(t, newest, "good", func(n int, _ stub.Request) stub.Reply {
		if n == 1 {
			return s.busyUntil("go-on")
		}
		return stub.Reply{Text: "fine"}
	})
	p := s.rpc(nil)
	p.prompt("first")
	s.stopChildren(p.cmd.Process.Pid)
	p.send(map[string]any{"type": "prompt", "message": "second"})
	for state := (struct{ IsStreaming bool }{}); !state.IsStreaming; { // from then on the next one is steering
		if err := json.Unmarshal(p.do(map[string]any{"type": "get_state"}), &state); err != nil {
			t.Fatal(err)
		}
	}
	p.send(map[string]any{"type": "steer", "message": "third"})
	p.send(map[string]any{"type": "steer", "message": "fourth"})
	p.do(map[string]any{"type": "get_state"})
	s.continueChildren(p.cmd.Process.Pid)
	for range 3 {
		p.wait("what pi says to each of them", func(e event) bool { return e.Type == "response" })
	}
	s.goOn("go-on")
	p.settled()
	p.close()
	if n := len(turns(s, "prompt")); n != 4 {
		t.Fatalf("%d prompts", n)
	}
	for i, want := range []string{"", "tail-1", "tail-1 tail-2", "tail-1 tail-2 tail-3"} {
		if got := strings.Join(turns(s, "prompt")[i].InContext, " "); got != want {
			t.Errorf("prompt %d: in context %q, want %q", i, got, want)
		}
	}
}

// What looks like a command is one if pi knows it. A path is none; of a template nothing was
// typed; what stands behind a skill's name was.
func TestCommandsTypedWhileTheAgentWorks(t *testing.T) {
	t.Parallel()
	var s *sandbox
	s = newSandbox(t, func(n int, _ stub.Request) stub.Reply {
		if n > 0 {
			return stub.Reply{Text: "fine"}
		}
		return s.busyUntil("go-on")
	})
	s.services(100)
	s.write(s.global("topics/notes.md"), "- Exporters listen on 9187.\n- Backups are kept for 35 days and then deleted.\n")
	s.write(filepath.Join(s.agent, "skills/style/SKILL.md"), "---\nname: style\ndescription: how we write\n---\n"+says("skill")+"\n")
	s.write(filepath.Join(s.agent, "prompts/house.md"), says("template")+" Now look at $@.\n")
	p := s.rpc(nil)
	p.do(map[string]any{"type": "prompt", "message": "hello there"})
	p.busy()
	for _, typed := range []string{"/metrics: which port do the exporters listen on?", "/skill:style how long do we keep the backups?",
		"/skill:style " + says("person"), "/house the exporters"} {
		p.do(map[string]any{"type": "steer", "message": typed})
	}
	s.goOn("go-on")
	p.settled()
	p.waitNotify("remembered: " + says("person"))
	p.close()
	has(t, "what the model was told", s.request(-1).Text(), "/metrics:", says("skill"), says("template"), "Exporters listen on 9187.", "Backups are kept for 35 days")
	memory := s.pimento("recall", "always use the package manager", "--json") + s.pimento("inbox", "--json")
	has(t, "memory", memory, says("person"))
	hasNot(t, "memory", memory, says("skill"), says("template"))
}

// Breaking off ends a tool call of ours at once, whatever the child is at.
func TestAbortedToolCall(t *testing.T) {
	t.Parallel()
	var s *sandbox
	var p *piRPC
	s = fakeSandbox(t, newest, "good", func(n int, _ stub.Request) stub.Reply {
		if n != 1 {
			return stub.Reply{Text: "fine"}
		}
		s.stopChildren(p.cmd.Process.Pid)
		return stub.Reply{Calls: []stub.Call{{Name: "memory_search", Args: map[string]any{"query": "tea"}}}}
	})
	p = s.rpc(nil)
	p.prompt("first")
	p.do(map[string]any{"type": "prompt", "message": "second"})
	p.busy()
	p.do(map[string]any{"type": "abort"})
	s.continueChildren(p.cmd.Process.Pid)
	p.prompt("third")
	has(t, "the call's result", s.request(-1).Last("tool").Text, "aborted")
	p.close()
}

// An old pi has no place for what memory says of a message typed meanwhile, except before the
// next prompt. What was typed is heard.
func TestTypedWhileAnOldAgentWorks(t *testing.T) {
	t.Parallel()
	var s *sandbox
	s = realSandbox(t, oldest, func(n int, _ stub.Request) stub.Reply {
		if n > 0 {
			return stub.Reply{Text: "fine"}
		}
		return s.busyUntil("go-on")
	})
	s.services(100)
	s.write(s.global("topics/notes.md"), "- Exporters listen on 9187.\n")
	p := s.rpc(nil)
	p.do(map[string]any{"type": "prompt", "message": "hello there"})
	p.busy()
	p.do(map[string]any{"type": "prompt", "streamingBehavior": "steer", "message": "which port do the exporters listen on? " + says("person")})
	p.waitNotify("remembered: " + says("person"))
	s.goOn("go-on")
	p.wait("the end of the run", func(e event) bool { return e.Type == "agent_end" })
	if n := len(s.model.Requests()); n != 2 {
		t.Errorf("%d requests, want 2", n)
	}
	p.do(map[string]any{"type": "prompt", "message": "thanks"})
	p.wait("the end of the run", func(e event) bool { return e.Type == "agent_end" })
	if n := strings.Count(s.request(-1).Text(), "Exporters listen on 9187."); n != 1 {
		t.Errorf("it stands there %d times", n)
	}
	p.close()
}
