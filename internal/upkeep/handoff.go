// Package upkeep plans what a memory needs from time to time. It is pure, but for
// the language model that a dream may be handed: it gets facts and returns plans or
// findings with reasons, which the engine shows or applies: the rules of lint
// ([Rules]), what entries are to each other ([Pairs]), what has faded ([Stale]), what
// has outlived its type's time ([Expired]), the proposals of a dream ([Dream]), the
// signs of other systems ([Recognize]), the summary of a session ([Summary]) and the
// handoff.
//
// The handoff is the note that a session leaves in the daily log when its
// conversation is compacted, so that what comes after knows what was
// open and what was being done. The idea is to quote, not to summarise: the open
// items of the scratchpad and the end of the day's log, word for word, cost no
// model call and cannot be wrong.
//
// A handoff quotes the log that it is written to, so a careless one would quote
// the handoff before it, and that one the one before, until the quote holds
// nothing else. Therefore earlier handoffs and session summaries, and what they
// quoted, are taken out before the end of the log is cut; and stamp lines that
// are quoted are written so that they do not open entries of their own.
package upkeep

import (
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
)

// defaultLogLines is how many last lines of the log a handoff quotes.
const defaultLogLines = 15

const (
	openHeading = "**Open scratchpad items:**"
	logHeading  = "**Recent daily log context:**"
)

// HandoffFacts is all that a handoff is made from.
type HandoffFacts struct {
	Now     time.Time // in the zone whose wall clock stamps show
	Session string
	// Written says that the handoff of this compaction stands in the log
	// already; one compaction has one handoff, however often it is reported.
	Written  bool
	Open     []string   // texts of the open scratchpad items, in page order
	Log      *page.Page // today's log, nil when there is none
	LogLines int        // 0 means 15, less than 0 none
}

// handoffBody is the part below the heading, "" when there is nothing to hand
// over, or it was done before.
func handoffBody(in HandoffFacts) string {
	if in.Written {
		return ""
	}
	var b strings.Builder
	if open := openItems(in.Open); open != "" {
		b.WriteString(openHeading + "\n" + open)
	}
	if tail := logTail(in.Log, in.LogLines); tail != "" {
		b.WriteString(logHeading + "\n" + tail)
	}
	return strings.TrimRight(b.String(), "\n")
}

// openItems are the items as a checklist; further lines of an item are indented
// so that they stay in it.
func openItems(items []string) string {
	var b strings.Builder
	for _, s := range items {
		if s = page.Clean(s); s != "" {
			b.WriteString("- [ ] " + strings.ReplaceAll(s, "\n", "\n  ") + "\n")
		}
	}
	return b.String()
}

// logTail is the last n lines of the log without earlier handoffs.
func logTail(log *page.Page, n int) string {
	if n == 0 {
		n = defaultLogLines
	}
	if log == nil || n < 0 {
		return ""
	}
	lines := strings.Split(page.Clean(withoutHandoffs(log)), "\n")
	if len(lines) > n {
		lines = lines[len(lines)-n:]
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// withoutHandoffs is the text of a log without its handoffs and summaries. A
// handoff of another program quotes stamp lines as they are, which opens entries
// again that stand above it: what repeats an earlier entry, stamp and all, is a
// quote and goes, too.
func withoutHandoffs(log *page.Page) string {
	type said struct {
		statement pimento.Statement
		stamp     time.Time
		session   string
	}
	seen := map[said]bool{}
	src := log.Bytes()
	var b strings.Builder
	at := 0
	for _, e := range log.Entries() {
		key := said{e.Statement, e.Stamp, e.Session}
		quote := seen[key] && !e.Stamp.IsZero()
		seen[key] = true
		if e.Kind != pimento.KindHandoff && !quote {
			continue
		}
		b.Write(src[at:e.Span.Start])
		at = e.Span.End
		for at < len(src) && (src[at] == '\n' || src[at] == '\r') { // the blank line below it
			at++
		}
	}
	b.Write(src[at:])
	return strings.ToValidUTF8(strings.TrimPrefix(b.String(), "\ufeff"), "\uFFFD")
}

// A Place is the log page that a handoff goes to, as it is now.
type Place struct {
	Scope  pimento.Scope
	Rel    string
	Page   *page.Page     // never nil; an absent page is parsed from nothing
	Digest pimento.Digest // "" when there is no such page
}

// PlanHandoff plans the handoff as one append to the log. Without anything to
// hand over the plan is a refusal without changes; that is no failure.
func PlanHandoff(in HandoffFacts, to Place) pimento.Plan {
	p := pimento.Plan{Verb: "handoff", Action: pimento.Refuse, Reason: "there is nothing to hand over"}
	if in.Written {
		p.Reason = "the handoff of this compaction is written already"
	}
	body := handoffBody(in)
	if body == "" {
		return p
	}
	return planEntry(p.Verb, page.New{Kind: pimento.KindHandoff, Text: body, Stamp: in.Now, Session: in.Session}, to)
}

// planEntry plans one stamped entry at the end of a log.
func planEntry(verb string, n page.New, to Place) pimento.Plan {
	p := pimento.Plan{Verb: verb, Action: pimento.Refuse, Reason: to.Rel + " is no log, and a " + verb + " goes to one"}
	if to.Page.Dialect() != page.Log {
		return p
	}
	splices := to.Page.Insert(n)
	after, ok := pimento.ApplySplices(to.Page.Bytes(), splices)
	if !ok || len(splices) != 1 {
		p.Reason = "the log takes no entry"
		return p
	}
	p.Action, p.Reason = pimento.Put, ""
	p.Changes = []pimento.Change{{Scope: to.Scope, Page: to.Rel, Before: to.Digest, After: pimento.DigestOf(after),
		Append: true, Splices: splices}}
	event := pimento.Event{Type: pimento.HandedOff, Time: n.Stamp, Scope: to.Scope, Page: to.Rel,
		Actor: "harness", Session: n.Session}
	if es := page.Parse(to.Rel, after).Entries(); len(es) > 0 {
		event.Statement, event.N = es[len(es)-1].Statement, es[len(es)-1].N
	}
	p.Events = []pimento.Event{event}
	return p
}
