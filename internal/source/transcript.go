package source

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"iter"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
)

// A Step is one thing that was said or done in a conversation, in our words.
type Step struct {
	Role string // user, assistant, summary, tool
	Text string // of all but a tool

	Call  pimento.ToolUse // of a tool
	Wrote []string        // of a tool: the files that it was to write
	id    string          // of a tool: the call's
}

// ClaudeSteps reads the end of a transcript of Claude Code: a JSON object a line, of
// which unknown ones are passed over. Nothing from before its last compaction is told,
// nor what subagents did, and not what a tool answered.
func ClaudeSteps(transcript []byte) (steps []Step) {
	type part struct {
		Type, Text, ID, Name string
		Input                json.RawMessage
		Of                   string `json:"tool_use_id"`
		Failed               bool   `json:"is_error"`
	}
	for line := range objects(transcript) {
		var l struct {
			Type, Subtype string
			Sidechain     bool `json:"isSidechain"`
			Meta          bool `json:"isMeta"`
			Summary       bool `json:"isCompactSummary"`
			Message       struct{ Content json.RawMessage }
		}
		if json.Unmarshal(line, &l) != nil || l.Sidechain || l.Meta {
			continue
		}
		if l.Subtype == "compact_boundary" {
			steps = steps[:0]
		}
		if l.Type != "user" && l.Type != "assistant" {
			continue
		}
		var parts []part
		var text string
		if json.Unmarshal(l.Message.Content, &text) == nil {
			parts = []part{{Type: "text", Text: text}}
		} else if json.Unmarshal(l.Message.Content, &parts) != nil {
			continue
		}
		role := l.Type
		if l.Summary {
			role = "summary"
		}
		for _, p := range parts {
			switch p.Type {
			case "text":
				steps = said(steps, role, p.Text)
			case "tool_use":
				steps = append(steps, called(p.Name, p.ID, p.Input))
			case "tool_result":
				if p.Failed {
					failed(steps, p.Of)
				}
			}
		}
	}
	return steps
}

// CodexSteps reads the end of a rollout of Codex, as ClaudeSteps does.
func CodexSteps(rollout []byte) (steps []Step) {
	for line := range objects(rollout) {
		var l struct {
			Type    string
			Payload struct {
				Type, Role, Name string
				Content          []struct{ Text string }
				Arguments, Input string
				Call             string `json:"call_id"`
				Message          json.RawMessage
				Output           json.RawMessage
				Item             struct{ ID, Status string } // of what a call did, by the call's id
			}
		}
		if json.Unmarshal(line, &l) != nil {
			continue
		}
		p := l.Payload
		switch {
		case l.Type == "compacted":
			var summary string
			_ = json.Unmarshal(p.Message, &summary)
			steps = said(steps[:0], "summary", summary)
		case l.Type == "event_msg" && p.Type == "item_completed" && (p.Item.Status == "failed" || p.Item.Status == "declined"):
			failed(steps, p.Item.ID)
		case l.Type != "response_item":
		case p.Type == "message" && (p.Role == "user" || p.Role == "assistant"):
			for _, c := range p.Content {
				steps = said(steps, p.Role, c.Text)
			}
		case p.Type == "function_call":
			steps = append(steps, called(p.Name, p.Call, json.RawMessage(p.Arguments)))
		case p.Type == "custom_tool_call":
			raw, _ := json.Marshal(map[string]string{"input": p.Input})
			steps = append(steps, called(p.Name, p.Call, raw))
		case p.Type == "function_call_output" || p.Type == "custom_tool_call_output":
			if refused(p.Output) {
				failed(steps, p.Call)
			}
		}
	}
	return steps
}

// refused says whether Codex (0.169.0) never carried a call out: that has no item.
func refused(output json.RawMessage) bool {
	var text string
	_ = json.Unmarshal(output, &text)
	return strings.HasPrefix(text, "apply_patch verification failed") || strings.HasPrefix(text, "unsupported call")
}

// objects yields the lines that may be JSON objects.
func objects(b []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for line := range bytes.Lines(b) {
			if line = bytes.TrimSpace(line); len(line) > 0 && line[0] == '{' && !yield(line) {
				return
			}
		}
	}
}

// ByAgent says whether a prompt is what Claude Code (2.1.330) hands on of another agent:
// a subagent's report, or a message of another session.
func ByAgent(prompt string) bool {
	for _, tag := range [...]string{"<task-notification>", "<cross-session-message", "<teammate-message"} {
		if strings.Contains(prompt, tag) {
			return true
		}
	}
	return false
}

// said adds a text, unless the harness put it there in the user's name.
func said(steps []Step, role, text string) []Step {
	text = strings.TrimSpace(text)
	if text == "" || role == "user" && (text[0] == '<' || strings.HasPrefix(text, "# AGENTS.md instructions") || ByAgent(text)) {
		return steps
	}
	return append(steps, Step{Role: role, Text: text})
}

// failed marks a call.
func failed(steps []Step, id string) {
	for i := len(steps) - 1; i >= 0; i-- {
		if steps[i].Role == "tool" && steps[i].id == id {
			steps[i].Call.Error = true
			return
		}
	}
}

// called is a tool's call. Which files it writes is known of the tools of Claude Code
// and of Codex's patches.
func called(name, id string, args json.RawMessage) Step {
	var a struct {
		File     string          `json:"file_path"`
		Notebook string          `json:"notebook_path"`
		Path     string          `json:"path"`
		Command  json.RawMessage `json:"command"`
		Cmd      string          `json:"cmd"`
		Input    string          `json:"input"`
	}
	_ = json.Unmarshal(args, &a) // what it cannot tell is left out
	sum := sha256.Sum256(args)
	s := Step{Role: "tool", id: id, Call: pimento.ToolUse{Name: name, Args: hex.EncodeToString(sum[:8]), Command: a.Cmd,
		Path: cmp.Or(a.File, a.Notebook, a.Path)}}
	var words []string
	if json.Unmarshal(a.Command, &s.Call.Command) != nil && json.Unmarshal(a.Command, &words) == nil && len(words) > 0 {
		s.Call.Command = words[len(words)-1] // behind bash -lc
	}
	switch {
	case slices.Contains([]string{"Edit", "Write", "MultiEdit", "NotebookEdit"}, name):
		s.Wrote = []string{s.Call.Path}
	case name == "apply_patch":
		s.Wrote = patched(a.Input)
	case strings.Contains(s.Call.Command, "apply_patch"):
		s.Wrote = patched(s.Call.Command)
	}
	return s
}

// patched are the files that a patch in Codex's form adds or changes.
func patched(patch string) (paths []string) {
	for line := range strings.Lines(patch) {
		for _, what := range []string{"*** Add File: ", "*** Update File: "} {
			if path, ok := strings.CutPrefix(line, what); ok {
				paths = append(paths, strings.TrimSpace(path))
			}
		}
	}
	return paths
}

// Messages are the steps as messages of a conversation.
func Messages(steps []Step) (all []pimento.Message) {
	for _, s := range steps {
		all = append(all, pimento.Message{Role: s.Role, Text: s.Text, Tool: s.Call.Name})
	}
	return all
}

// LastRun is what the agent said and did since the user's last prompt, as a turn's end
// tells it.
func LastRun(steps []Step) (t pimento.Turn) {
	from := len(steps)
	for from > 0 && steps[from-1].Role != "user" {
		from--
	}
	if from > 0 {
		t.Prompt = steps[from-1].Text
	}
	var answer []string
	for _, s := range steps[from:] {
		switch s.Role {
		case "assistant":
			answer = append(answer, s.Text)
		case "tool":
			t.Tools = append(t.Tools, s.Call)
			for _, path := range s.Wrote {
				if path != "" && !s.Call.Error && !slices.Contains(t.Edited, path) {
					t.Edited = append(t.Edited, path)
				}
			}
		}
	}
	t.Answer = strings.Join(answer, "\n\n")
	return t
}
