package engine_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento/internal/engine"
)

// TestALaterStateIsAskedAbout: a note that gives another value than one on its page, in other
// words, is written, and the answer names that one. What is of another page or thing is not named.
func TestALaterStateIsAskedAbout(t *testing.T) {
	for _, tt := range []struct {
		name, first, second, page string
		want                      bool
	}{
		{"other words", "Each pod opens at most 20 connections to the database.", "Raised the pool per pod to 50 connections.", "topics/db.md", true},
		{"another page", "Each pod opens at most 20 connections to the database.", "Raised the pool per pod to 50 connections.", "topics/ops.md", false},
		{"nothing in common", "Each pod opens at most 20 connections to the database.", "Invoices are due after 14 days.", "topics/db.md", false},
		{"the same value", "Each pod opens at most 20 connections to the database.", "A pool of 20 connections per pod is enough.", "topics/db.md", false},
		{"in German", "Jeder Pod öffnet höchstens 20 Verbindungen zur Datenbank.", "Der Pool pro Pod hat jetzt 50 Verbindungen.", "topics/db.md", true},
	} {
		w := newWorld(t)
		first := w.remember(engine.Note{Text: tt.first, Page: "topics/db.md"})
		r := w.remember(engine.Note{Text: tt.second, Page: tt.page})
		got := slices.ContainsFunc(r.Near, func(id string) bool { return strings.Contains(id, string(first.ID)) })
		if got != tt.want || got != (len(r.Earlier) == 1) || got != (r.Reason != "") {
			t.Errorf("%s: near %q, %q", tt.name, r.Near, r.Reason)
		}
	}
}
