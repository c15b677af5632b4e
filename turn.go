package pimento

import "unicode/utf8"

// A TurnEvent is the kind of a harness's event.
type TurnEvent string

const (
	SessionStart  TurnEvent = "session_start"
	PromptTurn    TurnEvent = "prompt"
	ToolUsed      TurnEvent = "tool_used"
	TurnEnd       TurnEvent = "turn_end"
	BeforeCompact TurnEvent = "before_compact"
	AfterCompact  TurnEvent = "after_compact"
	SessionEnd    TurnEvent = "session_end"
)

// A Turn is one event of a harness. Its JSON form is what `pimento hook pi` reads
// and what the rpc op "turn" carries.
type Turn struct {
	Event   TurnEvent `json:"event"`
	Harness string    `json:"harness,omitempty"`
	Session string    `json:"session,omitempty"` // empty: stateless
	Parent  string    `json:"parent,omitempty"`  // the session this one was forked from
	Dir     string    `json:"cwd,omitempty"`
	Prompt  string    `json:"prompt,omitempty"`
	Reason  string    `json:"reason,omitempty"` // why the event happened, the harness's word; "compact" and "clear" of a session_start: its context is gone

	// InContext lists the ids (see Block) that the harness finds in its
	// session's branch. Nil means it cannot tell, and the session file is used;
	// empty means there are none. Of tool_used: the ids in the tool's answer.
	InContext []string `json:"in_context"`

	// SystemTokens is the size of the rest of the prompt, 0 if unknown.
	SystemTokens int `json:"system_tokens,omitempty"`

	// Lasting says that whatever the harness is given stays in the conversation,
	// the prefix as well. So the prefix is given once, and again when it has
	// changed.
	Lasting bool `json:"lasting,omitempty"`

	// Room is how many characters the harness accepts at once, 0 for any number.
	Room int `json:"room,omitempty"`

	// Off silences memory for this turn (--no-memory).
	Off bool `json:"off,omitempty"`

	// Look asks for the block only: what the prompt says is neither kept nor
	// proposed.
	Look bool `json:"-"`

	// Untrusted says that the harness itself does not trust the project; the turn
	// then leaves the project out.
	Untrusted bool `json:"untrusted,omitempty"`

	// Main says that a person leads the session, not an agent that started a
	// subagent or a program that runs the harness. False is taken for the latter.
	Main bool `json:"main,omitempty"`

	// ByAgent says that, as far as the harness can tell, another agent or a program
	// wrote the prompt and no person. It is answered, but nothing in it is
	// remembered.
	ByAgent bool `json:"by_agent,omitempty"`

	// Compaction identifies the compaction that a before_compact or
	// after_compact event belongs to.
	Compaction string `json:"compaction,omitempty"`

	// Of turn_end: what the agent said and did since the prompt. Answer is all
	// text of the run, tool calls between its parts left out.
	Answer string    `json:"answer,omitempty"`
	Tools  []ToolUse `json:"tools,omitempty"`  // in the order of the calls
	Edited []string  `json:"edited,omitempty"` // paths written without an error, each once

	// Of before_compact and session_end: what is about to go out of the
	// context. Where one user turn is split, its first part is in SplitTurn
	// and in Dropped there may be nothing.
	Dropped   []Message `json:"dropped,omitempty"`
	SplitTurn []Message `json:"split_turn,omitempty"`

	// Summary is, of after_compact, what the harness put in their place.
	Summary string `json:"summary,omitempty"`
}

// A ToolUse is one call that an agent made. What the tool answered is not part
// of it.
type ToolUse struct {
	Name    string `json:"name"`
	Args    string `json:"args,omitempty"`    // the first 16 hex digits of the sha256 of the arguments' JSON
	Path    string `json:"path,omitempty"`    // the file that it read or wrote, as the agent named it
	Command string `json:"command,omitempty"` // of a shell, the first 300 bytes; never kept
	Error   bool   `json:"error,omitempty"`
}

// A Message is one message of a conversation.
type Message struct {
	Role string `json:"role"` // user, assistant, tool, summary
	Text string `json:"text,omitempty"`
	Tool string `json:"tool,omitempty"` // role tool: whose answer it was; the answer itself is left out
}

// Limits of a turn, in bytes except for the counts. A door may send more, and a
// harness may be hostile; Bounded cuts what exceeds them.
const (
	MaxAnswer   = 64 << 10
	MaxTools    = 100
	MaxEdited   = 10
	MaxMessages = 400
	MaxDropped  = 120 << 10 // the text of all messages together
	MaxSummary  = 16 << 10
)

// Bounded returns the turn cut to these limits. Of an answer both ends are kept, of
// messages and tools the latest.
func (t Turn) Bounded() Turn {
	t.Answer, t.Summary = ends(t.Answer, MaxAnswer), ends(t.Summary, MaxSummary)
	t.Tools = boundedTools(last(t.Tools, MaxTools))
	t.Edited = last(t.Edited, MaxEdited)
	t.Dropped = boundedMessages(t.Dropped, MaxDropped)
	t.SplitTurn = boundedMessages(t.SplitTurn, MaxDropped)
	return t
}

func last[T any](list []T, n int) []T { return list[max(0, len(list)-n):] }

func boundedTools(tools []ToolUse) []ToolUse {
	var out []ToolUse
	for _, u := range tools {
		u.Name, u.Args, u.Path, u.Command = head(u.Name, 64), head(u.Args, 16), head(u.Path, 1024), head(u.Command, 300)
		out = append(out, u)
	}
	return out
}

// boundedMessages keeps the latest messages whose text fits into limit bytes.
func boundedMessages(all []Message, limit int) []Message {
	all = last(all, MaxMessages)
	for i := len(all) - 1; i >= 0; i-- {
		if limit -= len(all[i].Text); limit < 0 {
			return all[i+1:]
		}
	}
	return all
}

// head is at most n bytes of s from its start, ends the same of both its ends;
// both cut between characters.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

func ends(s string, n int) string {
	if len(s) <= n {
		return s
	}
	from := len(s) - n/2
	for from < len(s) && !utf8.RuneStart(s[from]) {
		from++
	}
	return head(s, n/2) + "\n" + s[from:]
}
