package pimento

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

// A Statement identifies what an entry says: the first 16 hex digits of the
// sha256 of its normalised text. Kind, checkbox, stamp and pin marker are no
// part of it, so a fact keeps its history when it is pinned, ticked or moved.
type Statement string

// StatementOf computes the statement of an entry's text. Normalising folds
// every run of white space to one space and trims the ends; letter case and
// punctuation are kept, because code differs by them.
func StatementOf(text string) Statement {
	sum := sha256.Sum256([]byte(strings.Join(strings.Fields(text), " ")))
	return Statement(hex.EncodeToString(sum[:8]))
}

// An Occurrence is one place where a statement stands: the N-th (from 0) entry
// with that statement on a page of a scope. Edits, forgets and citations name
// occurrences; evidence belongs to statements.
type Occurrence struct {
	Scope     Scope     `json:"scope"`
	Page      string    `json:"page"` // relative to the scope's root, with slashes
	Statement Statement `json:"statement"`
	N         int       `json:"n,omitempty"`
}

// String is the full id, "project:MEMORY.md#0123456789abcdef" with "~2" for
// the second repetition on one page.
func (o Occurrence) String() string {
	s := string(o.Scope) + ":" + o.Page + "#" + string(o.Statement)
	if o.N > 0 {
		s += "~" + strconv.Itoa(o.N+1)
	}
	return s
}

// A Kind classes what an entry is about.
type Kind string

const (
	KindFact       Kind = "fact"
	KindPreference Kind = "preference"
	KindLesson     Kind = "lesson"
	KindPattern    Kind = "pattern"
	KindDecision   Kind = "decision"
	KindDone       Kind = "done"
	KindMistake    Kind = "mistake"
	KindTask       Kind = "task"      // a checklist item
	KindNote       Kind = "note"      // an entry of a daily log
	KindHandoff    Kind = "handoff"   // a session handoff or summary
	KindReference  Kind = "reference" // an article
)

// EntryKinds lists every kind, in the order in which help texts name them.
func EntryKinds() []Kind {
	return []Kind{KindFact, KindPreference, KindLesson, KindPattern, KindDecision, KindDone,
		KindMistake, KindTask, KindNote, KindHandoff, KindReference}
}

// Span is a half-open byte range of a page.
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Len is the span's length in bytes.
func (s Span) Len() int { return s.End - s.Start }

// An Entry is the smallest statement that can be recalled, scored, cited or
// forgotten. Text is what it says: bullet, checkbox, category, stamp, pin and
// anchor are taken off, inner line breaks are kept.
type Entry struct {
	Occurrence
	Kind     Kind
	Text     string
	Heading  string    // headings above it, outermost first, joined by " > "
	Span     Span      // all bytes that belong to the entry, its stamp line included
	Line     int       // 1-based line where the entry's own text starts
	Pinned   bool      // " *(pinned)*" at the end
	Number   string    `json:",omitempty"` // of an item of a numbered list, "1." or "1)"
	Task     bool      // it is a checkbox
	Done     bool      // the box is ticked
	Stamp    time.Time // its stamp or front-matter date, zero when it has none
	Session  string    // first 8 characters of the session that wrote it, from the stamp
	Anchor   string    // "pm-xxxxxxxx" without the caret, when the user asked for one
	Tags     []string  // without '#', as written
	Links    []string  // targets of [[links]] and of relative markdown links
	Replaces []string  // links to what this entry makes obsolete
	Names    []string  // what links to it say
	Author   string    // who said it, where that is known
	Always   bool      // of the tier that is shown whatever the prompt is about
	Triples  []Triple  // how the things it is about are related, from front matter
	Until    time.Time // what it says held up to that day, zero: it still does
}

// Standing is where an entry stands now: derived from its events and the
// clock, never a source. Its JSON form is the contract of docs/FORMATS.md.
type Standing struct {
	Evidence  int       `json:"evidence"`           // how often it was said or reinforced, at least 1
	Score     float64   `json:"score"`              // stability, see package score
	Lifecycle string    `json:"lifecycle"`          // active, provisional, candidate or dropped
	First     time.Time `json:"first"`              // first seen
	Last      time.Time `json:"last"`               // last said, reinforced or confirmed
	Confirmed time.Time `json:"confirmed,omitzero"` // last confirmed by the user, zero if never
	Edited    time.Time `json:"edited,omitzero"`    // when its text became this one, zero if it was said so
	Used      int       `json:"used"`               // how often an answer used it
	Injected  int       `json:"injected"`           // how often it was put in front of a model
}
