// Package news says what other hands have done to memory, and what of it a
// conversation must be told. It is pure: a [Differ] makes events of two versions of
// a page, a [Fold] makes the changes of events since a context was taken. In between
// lies the journal.
package news

import "github.com/pimento-memory/pimento"

// An Op says what happened to an entry.
type Op string

const (
	Added     Op = "added"
	Edited    Op = "edited"
	Done      Op = "done"
	Reopened  Op = "reopened"
	Withdrawn Op = "withdrawn"
	Pinned    Op = "pinned"      // and not in front of the model yet
	Returned  Op = "valid again" // after the context was told that it was withdrawn
)

// A Change is one thing that happened since a context was taken.
type Change struct {
	ID        string   // the notice, "~…"
	Also      []string // what a line for many tells, too
	Op        Op
	Statement pimento.Statement // as it is now; for Withdrawn, as it was; "" for a line for many
	Was       pimento.Statement // Edited: as it was before
	Text      string
	Old       string // Edited: the text before
	Scope     pimento.Scope
	Page      string
}
