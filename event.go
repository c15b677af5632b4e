package pimento

import (
	"encoding/json"
	"time"
)

// EventVersion is the schema version that this program writes. A reader keeps
// events of a higher version as they are and does not fold them.
const EventVersion = 1

// An EventType is one of the closed set below.
type EventType string

const (
	Remembered EventType = "remembered" // a statement was written by us
	Reinforced EventType = "reinforced" // the same was said again
	Imported   EventType = "imported"   // another system had heard it once; it is in that system's time
	Pinned     EventType = "pinned"
	Unpinned   EventType = "unpinned"
	Confirmed  EventType = "confirmed"    // the user said it still holds
	Injected   EventType = "injected"     // put in front of a model
	Used       EventType = "used"         // an answer made use of it
	Retrieved  EventType = "retrieved"    // found for a prompt and not shown; Reason says why
	Opposed    EventType = "contradicted" // an answer said that it does not hold
	Staged     EventType = "staged"       // a plan is about to be applied; Data holds it
	Committed  EventType = "committed"    // the plan Txn was applied
	Rejected   EventType = "rejected"     // the plan Txn was given up, Reason says why
	HandedOff  EventType = "handed-off"
	Archived   EventType = "archived"
	Forgotten  EventType = "forgotten" // removed from its page, payload in recovery
	Restored   EventType = "restored"
	Purged     EventType = "purged"
	Indexed    EventType = "indexed"  // a page got the markers of its generated index
	Boundary   EventType = "boundary" // a session lost its context or its end came; Reason says how: compaction, new, reload, ...
	Acted      EventType = "acted"    // an agent's turn ended; Data is a Deed, never what a tool answered
	Heard      EventType = "heard"    // the user corrected or prescribed something; Text is the sentence

	// The inbox. Txn is the proposal's id.
	Proposed EventType = "proposed" // Data is the Proposal
	Answered EventType = "answered" // Reason is accepted, rejected or edited (Data then holds its new text)
	Audited  EventType = "audited"  // somebody has gone through memory
	Dreamed  EventType = "dreamed"  // upkeep looked through memory; Data is a Dream, without what anybody said

	// The following are what a sync saw in files that somebody else changed.
	Appeared  EventType = "appeared"
	Vanished  EventType = "vanished"
	Aliased   EventType = "aliased"   // From became Statement by a hand edit
	Completed EventType = "completed" // its box was ticked
	Reopened  EventType = "reopened"
)

// ReasonBulk is the reason of an appeared event that came with more others than a
// person at work would write: a clone, a pull or an import.
const ReasonBulk = "bulk"

// An Event is one append-only fact in a journal: one JSON object on one line.
// Events that count as evidence belong to a statement; the fields of the occurrence
// say where it stood.
type Event struct {
	V         int             `json:"v"`
	ID        string          `json:"id"` // a ULID; for what a sync saw, a digest that any process would compute
	Time      time.Time       `json:"t"`
	Type      EventType       `json:"type"`
	Scope     Scope           `json:"scope,omitempty"`
	Page      string          `json:"page,omitempty"`
	Statement Statement       `json:"statement,omitempty"`
	N         int             `json:"n,omitempty"`
	From      Statement       `json:"from,omitempty"`    // Aliased: what it was before
	Text      string          `json:"text,omitempty"`    // at most 400 bytes of what was said, where "changed" must show it later
	Cue       string          `json:"cue,omitempty"`     // explicit, structural, behavioral, recurrence
	Actor     string          `json:"actor,omitempty"`   // user, agent, harness, sync
	Session   string          `json:"session,omitempty"` // the session that caused it
	Turn      string          `json:"turn,omitempty"`    // the trace of that session's latest prompt, where it is known
	Project   string          `json:"project,omitempty"` // the project it happened in, for what is kept outside a project's own root
	Txn       string          `json:"txn,omitempty"`     // the plan it belongs to
	Reason    string          `json:"reason,omitempty"`
	Data      json.RawMessage `json:"data,omitempty"`
}

// A Dream is how far a dream came: the Data of a Dreamed event.
type Dream struct {
	Through  time.Time `json:"through,omitzero"`   // up to here the sessions of the project have been read
	Sessions []string  `json:"sessions,omitempty"` // those whose last word was at Through
	Acts     int       `json:"acts,omitempty"`     // what it proposed
	Applied  int       `json:"applied,omitempty"`
	Tokens   int       `json:"tokens,omitempty"`
}

// A Deed is what an agent did in one turn: the Data of an Acted event.
type Deed struct {
	Tools  []ToolUse `json:"tools,omitempty"`  // without commands
	Edited []string  `json:"edited,omitempty"` // relative to the project where they are in it
	Ran    []string  `json:"ran,omitempty"`    // digests of the commands that test, build or check, 16 hex digits each
}
