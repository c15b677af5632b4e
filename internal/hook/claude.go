package hook

import (
	"encoding/json"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/source"
	"github.com/pimento-memory/pimento/internal/tool"
)

// room is how many characters Claude Code and Codex take of one hook: of more than
// 10,000 the one shows a preview, the other both ends (versions 2.1.330 and 0.169.0).
// What is left is for the fences and for characters that count twice there.
const room = 9400

// claudeTurn reads an event of Claude Code.
func claudeTurn(raw []byte) (pimento.Turn, error, error) {
	return conversationTurn(raw, source.ClaudeSteps)
}

// codexTurn reads one of Codex, which has the same events and other transcripts.
func codexTurn(raw []byte) (pimento.Turn, error, error) {
	return conversationTurn(raw, source.CodexSteps)
}

func conversationTurn(raw []byte, steps func([]byte) []source.Step) (t pimento.Turn, wrong, err error) {
	var e event
	if wrong = json.Unmarshal(raw, &e); wrong != nil {
		var bounds struct {
			Event   string `json:"hook_event_name"`
			Session string `json:"session_id"`
			Agent   string `json:"agent_id"`
		}
		wrong, err = malformed(wrong), json.Unmarshal(raw, &bounds)
	}
	return e.turn(steps), wrong, err
}

// An event is what Claude Code tells a hook, as far as we ask.
type event struct {
	Event      string          `json:"hook_event_name"`
	Session    string          `json:"session_id"`
	Transcript string          `json:"transcript_path"`
	Dir        string          `json:"cwd"`
	Agent      string          `json:"agent_id"` // of a subagent
	Prompt     string          `json:"prompt"`
	Source     string          `json:"source"` // of a session's start
	Reason     string          `json:"reason"` // of its end
	Trigger    string          `json:"trigger"`
	Answer     string          `json:"last_assistant_message"`
	Summary    string          `json:"compact_summary"`
	Response   json.RawMessage `json:"tool_response"`
}

// turn is the event in our words. A subagent is told what a session begins with; what it
// does is none of the conversation's.
func (e *event) turn(steps func([]byte) []source.Step) pimento.Turn {
	t := pimento.Turn{Event: pass, Session: e.Session, Dir: e.Dir, Lasting: true, Room: room}
	switch {
	case e.Event == "SubagentStart":
		t.Event, t.Session, t.ByAgent = pimento.SessionStart, "", true
		return t
	case e.Agent != "":
		return t
	}
	switch e.Event {
	case "SessionStart":
		t.Event, t.Reason = pimento.SessionStart, e.Source
	case "UserPromptSubmit":
		t.Event, t.Prompt, t.ByAgent = pimento.PromptTurn, e.Prompt, source.ByAgent(e.Prompt)
	case "PostToolUse":
		if t.InContext = idsIn(e.Response); len(t.InContext) > 0 {
			t.Event = pimento.ToolUsed
		}
	case "PreCompact":
		t.Event, t.Reason, t.Dropped = pimento.BeforeCompact, e.Trigger, source.Messages(steps(e.transcript(longBytes)))
	case "PostCompact":
		t.Event, t.Reason, t.Summary = pimento.AfterCompact, e.Trigger, e.Summary
	case "Stop":
		run := source.LastRun(steps(e.transcript(runBytes)))
		t.Event, t.Prompt, t.Answer, t.Tools, t.Edited = pimento.TurnEnd, run.Prompt, run.Answer, run.Tools, run.Edited
		if !strings.Contains(t.Answer, e.Answer) { // not written down yet
			t.Answer = strings.TrimSpace(t.Answer + "\n\n" + e.Answer)
		}
	case "SessionEnd":
		t.Event, t.Reason, t.Dropped = pimento.SessionEnd, "quit", source.Messages(steps(e.transcript(longBytes)))
		if e.Reason == "clear" || e.Reason == "resume" { // another session follows in the same process
			t.Reason = e.Reason
		}
	}
	return t
}

// How much of a transcript's end is read, in bytes: of a run, which the user waits for,
// and of what a compaction drops.
const (
	runBytes  = 1 << 20
	longBytes = 4 << 20
)

// transcript is the end of the conversation as the harness keeps it, nothing where it
// cannot be read.
func (e *event) transcript(limit int64) []byte {
	info, err := os.Stat(e.Transcript)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(e.Transcript)
	if err != nil {
		return nil
	}
	defer f.Close()
	b, err := io.ReadAll(io.NewSectionReader(f, max(0, info.Size()-limit), limit))
	if err != nil {
		return nil
	}
	return b
}

// idsIn are the ids of memories that a tool's answer holds. Claude Code tells the parts
// of the answer, Codex the whole of it.
func idsIn(response json.RawMessage) (ids []string) {
	type part struct {
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	var parts []part
	if json.Unmarshal(response, &parts) != nil {
		var whole struct{ Content []part }
		_ = json.Unmarshal(response, &whole)
		parts = whole.Content
	}
	for _, p := range parts {
		var some []string
		_ = json.Unmarshal(p.Meta[tool.IDs], &some)
		ids = append(ids, some...)
	}
	return ids
}

// answer is what Claude Code reads of a hook.
type answer struct {
	Output *output `json:"hookSpecificOutput,omitempty"`
	Notice string  `json:"systemMessage,omitempty"` // for the person
}

type output struct {
	Event   string `json:"hookEventName"`
	Context string `json:"additionalContext"`
}

// added answers with what is added to the conversation; nothing to say is no answer.
func added(out io.Writer, to pimento.Turn, rep tool.TurnReply) {
	var a answer
	parts := slices.DeleteFunc([]string{tool.Fenced(rep.Block.Prefix), rep.Block.Tail}, func(p string) bool { return p == "" })
	names := map[pimento.TurnEvent]string{pimento.SessionStart: "SessionStart", pimento.PromptTurn: "UserPromptSubmit"}
	if to.ByAgent {
		names[pimento.SessionStart] = "SubagentStart"
	}
	if name := names[to.Event]; name != "" && len(parts) > 0 {
		a.Output = &output{name, strings.Join(parts, "\n\n")}
	}
	if rep.Notice != "" {
		a.Notice = "pimento: " + rep.Notice
	}
	if c := rep.Consent; c != nil && c.Needed && !to.ByAgent {
		a.Notice = "pimento: " + c.Project + " comes with memory that you have not agreed to. " + c.Detail + " To agree: pimento trust"
	}
	if a != (answer{}) {
		say(out, a)
	}
}
