// Package remember decides whether and where a statement is written, and plans
// every other change of a memory page. It is pure: it gets the page, what is
// known about the text, and who asks, and returns a [pimento.Plan]. Reading,
// locking, staging, writing and telling the index are the engine's.
//
// The idea. What is said again is not written again: it becomes an event, and
// the statement's evidence grows. "Again" is decided on the whole text, with
// only letter case, white space and the punctuation at the end folded; a text
// that merely contains another one, or resembles it, says something else and is
// put beside it, with the ids of what it resembles. A secret is never written,
// in any scope. What a person took back is not brought back behind their back
// by a capture or an import, but may be said again by themselves.
//
// Every plan holds against exactly the page that it was made for. It touches
// only the bytes of the entry that it is about; package page proposes the
// splices and makes sure of that.
package remember

import (
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/guard"
	"github.com/pimento-memory/pimento/internal/page"
)

// A Target is the page that a plan changes, as it is now.
type Target struct {
	Scope  pimento.Scope
	Rel    string         // the page's path in its root
	Page   *page.Page     // parsed from the bytes with Digest; never nil, an absent page is parsed from nothing
	Digest pimento.Digest // "" when there is no such page
	// Hidden, when set, picks entries that the asker does not see, because they
	// belong to another project. They are neither met again nor ticked nor
	// cleared.
	Hidden func(pimento.Entry) bool
}

// hides says whether an entry is none of the asker's.
func (t Target) hides(e pimento.Entry) bool { return t.Hidden != nil && t.Hidden(e) }

// here is an entry of the page, with the place that a parsed page does not know.
func (t Target) here(e pimento.Entry) pimento.Entry {
	e.Scope, e.Page = t.Scope, t.Rel
	return e
}

// entries are the page's entries, with their place.
func (t Target) entries() []pimento.Entry {
	out := make([]pimento.Entry, len(t.Page.Entries()))
	for i, e := range t.Page.Entries() {
		out[i] = t.here(e)
	}
	return out
}

// By says who asks for a change, and when.
type By struct {
	Actor   string    // user (the default), agent, harness
	Session string    // id of the session, "" for none
	Now     time.Time // in the zone whose wall clock stamps show
}

// A Note is something to remember.
type Note struct {
	Text    string
	Kind    pimento.Kind // "" lets the page decide
	Heading string       // put it under this heading, "" for the page's end
	Pinned  bool
	Task    bool   // as an open checkbox
	Stamped bool   // with a stamp line above
	Cue     string // "" means explicit
	// Front is the front matter of a page of its own that the note begins.
	Front *page.Meta
	// Implicit says that nobody asked for it to be written: it was captured or
	// imported.
	Implicit bool
}

// Input is everything that the decision about a note depends on.
type Input struct {
	Note     Note
	By       By
	Target   Target
	Near     []pimento.Entry // entries of the target's scope that may say the same, on any page
	Findings []guard.Finding // of the note's text
	// Forgotten says that this statement was forgotten in this scope earlier
	// and not said again since.
	Forgotten bool
	// Propose makes an implicit note wait for a yes.
	Propose bool
	// Strict refuses what was captured and does not say where, unless it waits
	// for a yes.
	Strict bool
	// MaxChars refuses to let the page grow beyond so many runes; 0 for no limit. A
	// log grows for a day, and nobody consolidates one.
	MaxChars int
}

// Admit decides about a note. The plan's action is
//
//   - put: Changes writes it, Events says so; Near lists what it resembles;
//   - reinforced: the same stands there already (its id is Near[0]), and only
//     its evidence grows. A pin that the note asks for is set when the entry
//     stands on the target page;
//   - proposed: nothing is written until the user says yes;
//   - refused: Reason says why, and what to do instead.
//
// Only put and a pinning reinforced have Changes.
//
// A log is a record of what happened, so a log entry is never "the same" as
// what another page says; only its exact repetition as the last entry is.
func Admit(in Input) pimento.Plan {
	p := pimento.Plan{Verb: "remember"}
	if code, reason := refusal(in); reason != "" {
		p.Action, p.Code, p.Reason = pimento.Refuse, code, reason
		return p
	}
	if same, ok := findSame(in); ok {
		return reinforceSame(in, p, same)
	}
	if in.Note.Implicit && in.Propose {
		p.Action, p.Reason = pimento.Propose, "nobody asked for it to be written; it waits for a yes"
		return p
	}
	return put(in, p)
}

// refusal says why a note must not be written, "" when it may.
func refusal(in Input) (pimento.Code, string) {
	if f, stop := guard.Refuses(in.Findings); stop {
		return codeFor(f), refusalFor(f)
	}
	switch {
	case in.Forgotten && in.Note.Implicit:
		return pimento.CodePolicy, "it was forgotten earlier; only saying it outright brings it back"
	case in.Strict && in.Note.Implicit && !in.Propose && in.By.Actor != "" && in.By.Actor != "user" && in.By.Session == "":
		return pimento.CodeProvenance, "nothing says in which session it was found, so nobody could check it"
	case in.Target.Page.Dialect() != page.Log && in.Target.Page.Conflicted():
		return pimento.CodePolicy, in.Target.Rel + " has an unresolved git conflict; resolve it first"
	}
	return pimento.CodeOK, ""
}

// codeFor is the code of a guard's finding.
func codeFor(f guard.Finding) pimento.Code {
	switch f.Kind {
	case guard.Secret:
		return pimento.CodeSecret
	case guard.Empty, guard.Binary:
		return pimento.CodeSchema
	case guard.TooLarge:
		return pimento.CodeTooLarge
	}
	return pimento.CodePolicy
}

// refusalFor words a guard's finding. It names the rule and never the text.
func refusalFor(f guard.Finding) string {
	switch f.Kind {
	case guard.Secret:
		return "it holds what looks like a secret (" + f.Rule + "); " +
			"keep the secret in a secret store and remember where it is instead"
	case guard.Empty:
		return "there is no text to remember"
	case guard.TooLarge:
		return "it is too large for a memory; put it in a file of the project and remember where it is"
	case guard.Binary:
		return "it is not text (" + f.Rule + ")"
	}
	return string(f.Kind) + ": " + f.Rule
}

func put(in Input, p pimento.Plan) pimento.Plan {
	after, change, err := insert(in)
	if err != nil {
		p.Action, p.Reason = pimento.Refuse, reasonOf(err)
		return p
	}
	if n := utf8.RuneCount(after); in.MaxChars > 0 && n > in.MaxChars && in.Target.Page.Dialect() != page.Log {
		p.Action, p.Code = pimento.Refuse, pimento.CodeTooLarge
		p.Reason = fmt.Sprintf("%s would exceed its limit (%d of %d characters); consolidate or forget entries first", in.Target.Rel, n, in.MaxChars)
		return p
	}
	p.Action, p.Changes = pimento.Put, []pimento.Change{change}
	now := page.Parse(in.Target.Rel, after)
	e, from := written(in.Target, now, in.Note.Text)
	said := in.event(pimento.Remembered, e)
	if from != "" { // an article took the note up into its text
		said = in.event(pimento.Aliased, e)
		said.From = from
	}
	p.Events = append(p.Events, said)
	for _, e := range further(in.Target, now) {
		p.Events = append(p.Events, in.event(pimento.Remembered, e))
	}
	if in.Note.Pinned {
		p.Events = append(p.Events, in.event(pimento.Pinned, e))
	}
	p.Near, p.Reason = resembling(in)
	for _, f := range in.Findings {
		if f.Kind == guard.Injection {
			p.Reason = "it reads like an order to a model (" + f.Rule + "); it was written and will be shown as quoted text"
		}
	}
	return p
}

// reinforceSame plans the evidence event for what stands already.
func reinforceSame(in Input, p pimento.Plan, same pimento.Entry) pimento.Plan {
	p.Action, p.Code, p.Near = pimento.Reinforce, pimento.CodeDuplicate, []string{same.String()}
	p.Reason = "the same stands there already; it counts as said once more"
	p.Events = []pimento.Event{in.event(pimento.Reinforced, same)}
	if !in.Note.Pinned || same.Pinned {
		return p
	}
	if same.Page != in.Target.Rel {
		p.Reason += "; it stands on " + same.Page + ", pin it there"
		return p
	}
	change, err := setPinned(in.Target, same, true)
	if err != nil {
		p.Reason += "; it could not be pinned: " + reasonOf(err)
		return p
	}
	p.Changes = []pimento.Change{change}
	p.Events = append(p.Events, in.event(pimento.Pinned, same))
	return p
}
