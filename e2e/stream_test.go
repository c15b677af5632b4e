package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	words "github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/e2e/stub"
)

// What pi's turn left behind reaches the program, in every version of pi: what
// the model said, the tools it used, the files it wrote, and of what the tools
// answered nothing.
func TestTurnEndCarriesWhatHappened(t *testing.T) {
	t.Parallel()
	for _, version := range []string{newest, older, oldest} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			s := fakeSandbox(t, version, "good", stub.Script(
				stub.Reply{Text: "Let me look.", Calls: []stub.Call{{Name: "bash", Args: map[string]any{"command": "echo output-of-a-tool"}}}},
				stub.Reply{Calls: []stub.Call{{Name: "write", Args: map[string]any{"path": "new.txt", "content": "secret content"}}}},
				stub.Reply{Calls: []stub.Call{{Name: "edit", Args: map[string]any{"path": "gone.txt", "edits": []any{map[string]any{"oldText": "a", "newText": "b"}}}}}},
				stub.Reply{Text: "All done."}))
			s.print("please write it")
			ends := turns(s, "turn_end")
			if len(ends) != 1 {
				t.Fatalf("%d turn_end turns", len(ends))
			}
			end := ends[0]
			if end.Answer != "Let me look.\n\nAll done." {
				t.Errorf("answer %q", end.Answer)
			}
			if strings.Join(end.Edited, " ") != "new.txt" {
				t.Errorf("edited %q", end.Edited)
			}
			if len(end.Tools) != 3 {
				t.Fatalf("tools %+v", end.Tools)
			}
			bash, write, edit := end.Tools[0], end.Tools[1], end.Tools[2]
			if bash.Name != "bash" || bash.Command != "echo output-of-a-tool" || bash.Error || len(bash.Args) != 16 {
				t.Errorf("bash %+v", bash)
			}
			if write.Name != "write" || write.Path != "new.txt" || write.Error || write.Args == bash.Args {
				t.Errorf("write %+v", write)
			}
			if edit.Path != "gone.txt" || !edit.Error {
				t.Errorf("edit %+v", edit)
			}
			hasNot(t, "the turn's end", mustJSON(end), "secret content")
		})
	}
}

// A compaction sends what is about to leave the context, and then the summary
// that took its place. Kept so small, it splits the last turn, whose first part
// pi hands out apart.
func TestCompactionCarriesBothArrays(t *testing.T) {
	t.Parallel()
	s := fakeSandbox(t, newest, "good", func(_ int, r stub.Request) stub.Reply {
		if strings.Contains(r.Text(), "summar") {
			return stub.Reply{Text: "SUMMARY-OF-IT"}
		}
		if strings.Contains(r.User(), "split-me") {
			return stub.Reply{Text: "working " + lorem, Calls: []stub.Call{{Name: "bash", Args: map[string]any{"command": "echo tool-output"}}}}
		}
		return stub.Reply{Text: "fine " + lorem}
	})
	s.window(128000, 10)
	p := s.rpc(nil)
	p.prompt("first-words " + lorem)
	p.prompt("split-me " + lorem)
	p.do(map[string]any{"type": "compact"})
	p.close()
	before, after := turns(s, "before_compact"), turns(s, "after_compact")
	if len(before) != 1 || len(after) != 1 {
		t.Fatalf("%d before, %d after", len(before), len(after))
	}
	var all []string
	for _, m := range append(before[0].Dropped, before[0].SplitTurn...) {
		all = append(all, m.Role)
		if m.Role == "tool" && (m.Text != "" || m.Tool != "bash") {
			t.Errorf("a tool's answer was sent: %+v", m)
		}
	}
	has(t, "what is dropped", mustJSON(before[0].Dropped), "first-words")
	has(t, "the first part of the split turn", mustJSON(before[0].SplitTurn), "working")
	has(t, "what is sent", mustJSON(before[0]), "split-me")
	hasNot(t, "what is sent", mustJSON(before[0]), "FAKE-TAIL")
	has(t, "the roles", strings.Join(all, " "), "user", "assistant", "tool")
	has(t, "the summary", after[0].Summary, "SUMMARY-OF-IT")
}

// The real program keeps a note of it, by the child and by a one-shot hook.
func TestToolUseIsKept(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, stub.Script(
		stub.Reply{Calls: []stub.Call{{Name: "write", Args: map[string]any{"path": "new.txt", "content": "x"}}}}))
	s.print("please write it")
	turn := words.Turn{Event: words.TurnEnd, Session: "hooked", Tools: []words.ToolUse{{Name: "bash", Command: "never-kept"}},
		Edited: []string{filepath.Join(s.project, "other.txt")}}
	cmd, _, errs := s.command(pimento(t), "hook", "pi")
	cmd.Stdin = strings.NewReader(mustJSON(turn))
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, errs)
	}
	state := mustJSON(files(filepath.Join(s.home, ".local", "state", "pimento", "journals")))
	has(t, "the journals", state, `\"type\":\"acted\"`, `new.txt`, `\"session\":\"hooked\"`, `\"edited\":[\"other.txt\"]`)
	hasNot(t, "the journals", state, "never-kept")
}
