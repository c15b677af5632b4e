package pimento

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"
)

// A Zone is one of the two parts of a block.
type Zone string

const (
	// Prefix is frozen for a session and refreshed only at checkpoints, so that
	// the provider's prompt cache holds.
	Prefix Zone = "prefix"
	// Tail goes beside the user's message and is fresh on every prompt.
	Tail Zone = "tail"
)

// A Fault is a missing or failing part that did not stop the turn.
type Fault struct {
	Kind   string `json:"kind"` // e.g. "index", "vault", "config", "deadline", "pinned-invariant-miss"
	Detail string `json:"detail"`
	Hint   string `json:"-"` // what to do about it, where Detail does not say so
}

// FaultOf is an error as a fault, with what can be done about it.
func FaultOf(kind string, err error) Fault {
	f := Fault{Kind: kind, Detail: MessageOf(err)}
	if hint := HintOf(err); hint != "" {
		f.Detail += "; " + hint
	}
	return f
}

// A Decision says what became of one candidate entry.
type Decision struct {
	Entry    string `json:"entry"` // statement, or a section's name for counts
	Page     string `json:"page,omitempty"`
	Decision string `json:"decision"` // full, excerpt, brief, structured, pointer, dropped
	Reason   string `json:"reason"`
}

// A SectionUse is what one section of the block took.
type SectionUse struct {
	Name   string `json:"name"`
	Zone   Zone   `json:"zone"`
	Tokens int    `json:"tokens"`
}

// A Block is the text that reaches the model, in two zones, with the trace of
// every decision behind it. IDs lists the statements whose text stands in the
// block and, marked with '~', the change notices and excerpts in it.
type Block struct {
	Prefix    string       `json:"prefix"`
	Tail      string       `json:"tail"`
	Tokens    int          `json:"tokens"`
	Status    Status       `json:"status"`
	Profile   string       `json:"profile"`
	Session   string       `json:"session"`
	TraceID   string       `json:"trace_id"`
	Sections  []SectionUse `json:"sections"`
	Trace     []Decision   `json:"trace"`
	Faults    []Fault      `json:"faults"`
	PrefixIDs []string     `json:"prefix_ids,omitempty"`
	TailIDs   []string     `json:"tail_ids,omitempty"`
}

// Sum identifies a block's bytes: the first 16 hex digits of the sha256 of prefix,
// a zero byte and tail.
func (b Block) Sum() string {
	sum := sha256.Sum256([]byte(b.Prefix + "\x00" + b.Tail))
	return hex.EncodeToString(sum[:8])
}

// A Trace is the stored record of one block, or of one question that somebody asked
// (Recall). From the trace of a block, and the record of what its prefix was built
// from, the block can be built again. The texts of a block whose records are kept
// are not stored a second time.
type Trace struct {
	V       int       `json:"v"`
	ID      string    `json:"id"`
	Time    time.Time `json:"time"`
	Session string    `json:"session"`
	Harness string    `json:"harness,omitempty"`
	Prompt  string    `json:"prompt,omitempty"` // at most 200 characters
	Block   Block     `json:"block"`

	Sum    string          `json:"sum,omitempty"`    // of the bytes that were handed out, see Block.Sum
	Facts  string          `json:"facts,omitempty"`  // names the record of what the prefix was built from
	Beside json.RawMessage `json:"beside,omitempty"` // the record of what the tail was built from

	Recall *Recalled `json:"recall,omitempty"` // what was asked and found; its block holds status, profile and faults alone

	Micros int64 `json:"us"` // time from request to answer
}

// Bounds of what a record keeps of a question.
const (
	MaxQuestion     = 2000 // bytes
	MaxRecalledHits = 50
)

// A Recalled is a question of a command or a tool, and what it found: no text
// of an entry, only which.
type Recalled struct {
	By       string        `json:"by"` // user or agent
	Question string        `json:"question"`
	Cut      bool          `json:"cut,omitempty"` // it was longer than MaxQuestion
	Mode     Mode          `json:"mode,omitempty"`
	Limit    int           `json:"limit,omitempty"` // 0: the profile's
	Scopes   []Scope       `json:"scopes,omitempty"`
	Kinds    []Kind        `json:"kinds,omitempty"`
	All      bool          `json:"all,omitempty"`
	Archived bool          `json:"archived,omitempty"`
	Asked    time.Time     `json:"asked"` // what words like "yesterday" are counted from
	Found    int           `json:"found"`
	Hits     []RecalledHit `json:"hits"` // best first, at most MaxRecalledHits
}

// A RecalledHit says which entry was found, and how well it answers.
type RecalledHit struct {
	ID    Statement `json:"id"`
	Scope Scope     `json:"scope"`
	Page  string    `json:"page"`
	Score float64   `json:"score"`
}

// Query is the question again.
func (r Recalled) Query() Query {
	return Query{Text: r.Question, Mode: r.Mode, Limit: r.Limit, Scopes: r.Scopes, Kinds: r.Kinds, Now: r.Asked, All: r.All, Archived: r.Archived}
}
