package remember

import (
	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/guard"
	"github.com/pimento-memory/pimento/internal/page"
)

// Edit plans another text for an entry. Bullet, box, category, stamp, pin and
// anchor stay, and so does its history: the event says what it was before. What
// another entry of the page says already is refused. The error is of
// KindNotFound when the page has no such entry.
func Edit(t Target, o pimento.Occurrence, text string, by By, findings []guard.Finding) (pimento.Plan, error) {
	p := pimento.Plan{Verb: "edit", Action: pimento.Refuse}
	e, err := t.locate(o)
	if err != nil {
		return p, err
	}
	if f, stop := guard.Refuses(findings); stop {
		p.Reason = refusalFor(f)
		return p, nil
	}
	if page.Clean(text) == e.Text {
		p.Reason = "it says that already"
		return p, nil
	}
	same, ok := findSame(Input{Note: Note{Text: page.Clean(text), Task: e.Task}, Target: t})
	if ok && same.Occurrence != e.Occurrence {
		p.Reason = "that is what " + same.String() + " says; forget one of the two instead"
		return p, nil
	}
	after, change, err := t.change(t.Page.Replace(e, text))
	if err != nil {
		p.Reason = reasonOf(err)
		return p, nil
	}
	p.Action, p.Changes = pimento.Put, []pimento.Change{change}
	now, _ := written(t, page.Parse(t.Rel, after), text)
	if now.Statement != e.Statement {
		ev := by.became(e.Statement, now)
		ev.Cue = "explicit"
		p.Events = []pimento.Event{ev}
	}
	return p, nil
}

// Pin plans a pin, or its removal. A pin that is so already is a plan without
// changes and events.
func Pin(t Target, o pimento.Occurrence, on bool, by By) (pimento.Plan, error) {
	p := pimento.Plan{Verb: "pin", Action: pimento.Put}
	typ := pimento.Pinned
	if !on {
		p.Verb, typ = "unpin", pimento.Unpinned
	}
	e, err := t.locate(o)
	if err != nil {
		return p, err
	}
	if e.Pinned == on {
		p.Reason = "it is so already"
		return p, nil
	}
	change, err := setPinned(t, e, on)
	if err != nil {
		p.Action, p.Reason = pimento.Refuse, reasonOf(err)
		return p, nil
	}
	p.Changes, p.Events = []pimento.Change{change}, []pimento.Event{by.event(typ, e)}
	return p, nil
}

// Confirm plans the event that the user says an entry still holds. No file
// changes.
func Confirm(t Target, o pimento.Occurrence, by By) (pimento.Plan, error) {
	return eventOnly("confirm", pimento.Confirmed, t, o, by)
}

// Reinforce plans the event that an entry was said again. No file changes.
func Reinforce(t Target, o pimento.Occurrence, by By) (pimento.Plan, error) {
	return eventOnly("reinforce", pimento.Reinforced, t, o, by)
}

func eventOnly(verb string, typ pimento.EventType, t Target, o pimento.Occurrence, by By) (pimento.Plan, error) {
	p := pimento.Plan{Verb: verb, Action: pimento.Reinforce}
	e, err := t.locate(o)
	if err != nil {
		return p, err
	}
	ev := by.event(typ, e)
	if by.Actor == "" || by.Actor == "user" { // what a model found helpful does not become the user's word
		ev.Cue = "explicit"
	}
	p.Events = []pimento.Event{ev}
	return p, nil
}
