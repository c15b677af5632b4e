// Package news says what other hands did to memory, and what of it a conversation must be
// told. A [Differ] compares two versions of a page and makes events of the difference; the
// journal keeps the events; a [Fold] makes [Change]s of the events since the context of a
// conversation was taken. Only the net change of each statement is told, compared with
// what the context was told already. The package is pure.
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
