package source

import (
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/pimento-memory/pimento"
)

// claudeTranscript has the lines that Claude Code 2.1.330 writes, shortened.
const claudeTranscript = `tail of a line that was cut"}
{"type":"queue-operation","operation":"enqueue","content":"hello there"}
{"parentUuid":null,"isSidechain":false,"attachment":{"type":"hook_additional_context","content":["a memory"]},"type":"attachment"}
{"isSidechain":false,"type":"user","message":{"role":"user","content":"an old question"}}
{"isSidechain":false,"type":"system","subtype":"compact_boundary","content":"Conversation compacted"}
{"isSidechain":false,"type":"user","isCompactSummary":true,"message":{"role":"user","content":"This session is being continued. Summary: the port was found."}}
{"isSidechain":false,"type":"user","isMeta":true,"message":{"role":"user","content":"Caveat"}}
{"isSidechain":false,"type":"user","message":{"role":"user","content":"<command-name>/compact</command-name>"}}
{"isSidechain":false,"type":"user","message":{"role":"user","content":[{"type":"text","text":" change the port "},{"type":"image"}]}}
{"isSidechain":false,"type":"assistant","message":{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"I will."},{"type":"tool_use","id":"t1","name":"Edit","input":{"file_path":"/p/a.go","old_string":"1"}}]}}
{"isSidechain":false,"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"t2","name":"Write","input":{"file_path":"/p/b.go"}},{"type":"tool_use","id":"t3","name":"Bash","input":{"command":"go test ./..."}}]}}
{"isSidechain":false,"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"},{"type":"tool_result","tool_use_id":"t2","is_error":true,"content":"no"}]}}
{"isSidechain":true,"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"a subagent speaks"}]}}
{"isSidechain":false,"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"Done."}]}}
{"type":"assistant","message":7}
`

func TestClaudeSteps(t *testing.T) {
	steps := ClaudeSteps([]byte(claudeTranscript))
	want := []pimento.Message{{Role: "summary", Text: "This session is being continued. Summary: the port was found."}, {Role: "user", Text: "change the port"},
		{Role: "assistant", Text: "I will."}, {Role: "tool", Tool: "Edit"}, {Role: "tool", Tool: "Write"}, {Role: "tool", Tool: "Bash"}, {Role: "assistant", Text: "Done."}}
	if d := cmp.Diff(want, Messages(steps)); d != "" {
		t.Error(d)
	}
	run := LastRun(steps)
	if run.Prompt != "change the port" || run.Answer != "I will.\n\nDone." || !slices.Equal(run.Edited, []string{"/p/a.go"}) {
		t.Errorf("%+v", run)
	}
	if len(run.Tools) != 3 || !run.Tools[1].Error || run.Tools[0].Error || run.Tools[2].Command != "go test ./..." || len(run.Tools[2].Args) != 16 {
		t.Errorf("%+v", run.Tools)
	}
}

// codexRollout has the lines that Codex 0.169.0 writes, shortened.
const codexRollout = `{"type":"session_meta","payload":{"id":"s"}}
{"type":"response_item","payload":{"type":"message","role":"developer","content":[{"type":"input_text","text":"a memory"}]}}
{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"an old question"}]}}
{"type":"compacted","payload":{"message":"The port was found."}}
{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>\n</environment_context>"}]}}
{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"change the port"}]}}
{"type":"event_msg","payload":{"type":"item_completed","message":"twice told"}}
{"type":"response_item","payload":{"type":"custom_tool_call","name":"apply_patch","call_id":"c1","input":"*** Begin Patch\n*** Update File: a.go\n@@\n*** Add File: dir/b.go\n*** Delete File: c.go\n*** End Patch\n"}}
{"type":"response_item","payload":{"type":"function_call","name":"shell","call_id":"c2","arguments":"{\"command\":[\"bash\",\"-lc\",\"go test ./...\"]}"}}
{"type":"response_item","payload":{"type":"function_call_output","call_id":"c2","output":"ok"}}
{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Done."}]}}
`

func TestCodexSteps(t *testing.T) {
	steps := CodexSteps([]byte(codexRollout))
	want := []pimento.Message{{Role: "summary", Text: "The port was found."}, {Role: "user", Text: "change the port"},
		{Role: "tool", Tool: "apply_patch"}, {Role: "tool", Tool: "shell"}, {Role: "assistant", Text: "Done."}}
	if d := cmp.Diff(want, Messages(steps)); d != "" {
		t.Error(d)
	}
	run := LastRun(steps)
	if run.Prompt != "change the port" || run.Answer != "Done." || !slices.Equal(run.Edited, []string{"a.go", "dir/b.go"}) ||
		len(run.Tools) != 2 || run.Tools[1].Command != "go test ./..." {
		t.Errorf("%+v", run)
	}
}

// What failed wrote nothing, nor what the user declined: a command that Codex ran says so
// in its item, one that it never ran in its output.
func TestCodexFailures(t *testing.T) {
	call := func(id, cmd string) string {
		return `{"type":"response_item","payload":{"type":"function_call","name":"exec_command","call_id":"` + id + `","arguments":"{\"cmd\":\"` + cmd + `\"}"}}` + "\n"
	}
	patch := func(file string) string {
		return `apply_patch <<'EOF'\\n*** Begin Patch\\n*** Update File: ` + file + `\\n`
	}
	run := LastRun(CodexSteps([]byte(`{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]}}` + "\n" +
		call("c1", patch("none.txt")) +
		`{"type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"apply_patch verification failed: no such file"}}` + "\n" +
		call("c2", patch("some.txt")) +
		`{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"FileChange","id":"c2","status":"completed"}}}` + "\n" +
		`{"type":"response_item","payload":{"type":"function_call_output","call_id":"c2","output":"Success."}}` + "\n" +
		call("c4", patch("refused.txt")) +
		`{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"FileChange","id":"c4","status":"declined"}}}` + "\n" +
		call("c3", "exit 3") +
		`{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"CommandExecution","id":"c3","status":"failed","exit_code":3}}}` + "\n")))
	if !slices.Equal(run.Edited, []string{"some.txt"}) {
		t.Errorf("edited: %v", run.Edited)
	}
	var failed []bool
	for _, c := range run.Tools {
		failed = append(failed, c.Error)
	}
	if !slices.Equal(failed, []bool{true, false, true, true}) {
		t.Errorf("failed: %v of %+v", failed, run.Tools)
	}
}

func FuzzSteps(f *testing.F) {
	f.Add([]byte(claudeTranscript))
	f.Add([]byte(codexRollout))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, steps := range [][]Step{ClaudeSteps(b), CodexSteps(b)} {
			if run := LastRun(steps); utf8.Valid(b) && !utf8.ValidString(run.Answer) {
				t.Errorf("%q", run.Answer)
			}
		}
	})
}
