package remember

import (
	"fmt"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/guard"
	"github.com/pimento-memory/pimento/internal/page"
)

// ScratchAdd plans a new open item of a checklist, under a stamp. An equal item
// that is open already is met again instead of written twice; an equal one that
// is done does not count, because the work may come up anew.
func ScratchAdd(t Target, text string, by By, findings []guard.Finding) pimento.Plan {
	p := Admit(Input{
		Note: Note{Text: text, Kind: pimento.KindTask, Task: true, Stamped: true},
		By:   by, Target: t, Findings: findings,
	})
	p.Verb = "scratch"
	return p
}

// ScratchTick plans to tick (done) or untick the first item in the opposite
// state whose text contains the needle, whatever its letter case. Only the box
// changes: further lines of the item, and lines that are no items, stay.
func ScratchTick(t Target, needle string, done bool, by By) pimento.Plan {
	p := pimento.Plan{Verb: "scratch", Action: pimento.Refuse}
	verb, state, typ := "undo", "done", pimento.Reopened
	if done {
		verb, state, typ = "done", "open", pimento.Completed
	}
	want := strings.ToLower(strings.TrimSpace(needle))
	if want == "" {
		p.Reason = fmt.Sprintf("'text' is required for %s.", verb)
		return p
	}
	for _, e := range t.Page.Entries() {
		if !e.Task || e.Done == done || t.hides(e) || !strings.Contains(strings.ToLower(e.Text), want) {
			continue
		}
		_, change, err := t.change(t.Page.SetDone(e, done))
		if err != nil {
			p.Reason = reasonOf(err)
			return p
		}
		e.Scope, e.Page = t.Scope, t.Rel
		ev := by.event(typ, e)
		ev.Text = clip(e.Text, maxEventText)
		p.Action, p.Near = pimento.Put, []string{e.String()}
		p.Changes, p.Events = []pimento.Change{change}, []pimento.Event{ev}
		return p
	}
	p.Reason = fmt.Sprintf("No matching %s item found for: %s", state, quoted(needle))
	return p
}

// ScratchClear plans to take every ticked item off a checklist; open items and
// foreign lines stay. It returns the payloads to store before, one for each
// item, in page order. Reason says how many. With nothing to clear the plan has
// no changes.
func ScratchClear(t Target, by By) (pimento.Plan, []Payload) {
	p := pimento.Plan{Verb: "scratch", Action: pimento.Put}
	var kept []Payload
	now := t.Page
	// From the last to the first, so that the repetition numbers of the items
	// that are still to go stay what they are.
	for es, i := t.Page.Entries(), len(t.Page.Entries())-1; i >= 0; i-- {
		if !es[i].Task || !es[i].Done || t.hides(es[i]) {
			continue
		}
		step := Target{Scope: t.Scope, Rel: t.Rel, Page: now, Digest: t.Digest}
		plan, pl, err := Forget(step, es[i].Occurrence, by)
		if err != nil || plan.Action != pimento.Put {
			continue
		}
		after, _ := pimento.ApplySplices(now.Bytes(), plan.Changes[0].Splices)
		now = page.Parse(t.Rel, after)
		pl.Verb = "scratch"
		kept = append([]Payload{pl}, kept...)
		ev := plan.Events[0]
		ev.Type, ev.Reason = pimento.Vanished, "cleared"
		p.Events = append([]pimento.Event{ev}, p.Events...)
	}
	p.Reason = fmt.Sprintf("Cleared %d done item(s).", len(kept))
	if splices := difference(t.Page.Bytes(), now.Bytes()); splices != nil {
		_, change, err := t.change(splices)
		if err != nil {
			return pimento.Plan{Verb: "scratch", Action: pimento.Refuse, Reason: reasonOf(err)}, nil
		}
		p.Changes = []pimento.Change{change}
	}
	return p, kept
}
