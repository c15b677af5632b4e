package pimento

import "time"

// A Proposal is a change of memory that nobody asked for outright: it waits in
// the inbox for a person's yes. It writes Text, takes away what it Replaces, or
// does both, which merges or supersedes.
type Proposal struct {
	ID       string    `json:"id"` // 16 hex digits of what it would do, so that the same is proposed once
	Time     time.Time `json:"time,omitzero"`
	Text     string    `json:"text,omitempty"` // what to write; empty only takes away
	Kind     Kind      `json:"kind,omitempty"`
	Scope    Scope     `json:"scope"`              // "" at first means the profile's default
	Page     string    `json:"page,omitempty"`     // "" lets the profile decide
	Cue      string    `json:"cue,omitempty"`      // explicit, structural, behavioral, recurrence
	Source   string    `json:"source,omitempty"`   // who found it, in one word: overheard, structural, dream
	Reason   string    `json:"reason,omitempty"`   // why, for a person
	Replaces []string  `json:"replaces,omitempty"` // ids of entries
	Archive  bool      `json:"archive,omitempty"`  // what it replaces goes to the archive, where people read on; else it is forgotten
	Session  string    `json:"session,omitempty"`  // where it was found
	Opposes  []string  `json:"opposes,omitempty"`  // in a list: entries beside which the text cannot hold
	Against  []Entry   `json:"-"`                  // those entries
}
