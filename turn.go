package pimento

// A TurnEvent is a harness event in our words.
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

// A Turn is what a harness tells us; its JSON form is what `pimento hook pi`
// reads and what the rpc op "turn" carries.
type Turn struct {
	Event   TurnEvent `json:"event"`
	Harness string    `json:"harness,omitempty"`
	Session string    `json:"session,omitempty"` // empty: stateless
	Parent  string    `json:"parent,omitempty"`  // the session this one was forked from
	Dir     string    `json:"cwd,omitempty"`
	Prompt  string    `json:"prompt,omitempty"`
	Reason  string    `json:"reason,omitempty"` // why the event happened, the harness's word

	// InContext lists the ids (see Block) that the harness finds in its
	// session's branch. Nil means it cannot tell, and the session file is used;
	// empty means there are none.
	InContext []string `json:"in_context"`

	// SystemTokens is the size of the rest of the prompt, 0 if unknown.
	SystemTokens int `json:"system_tokens,omitempty"`

	// Off silences memory for this turn (--no-memory).
	Off bool `json:"off,omitempty"`

	// Untrusted is the harness's own "no" to the project; it binds the turn.
	Untrusted bool `json:"untrusted,omitempty"`

	// Compaction identifies the compaction that a before_compact or
	// after_compact event belongs to.
	Compaction string `json:"compaction,omitempty"`
}
