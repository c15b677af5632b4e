package remember

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/codeblock"
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
// state whose text contains the needle, whatever its letter case. A box on a further
// line of an item is an item of its own, unless the needle is the item's text from
// its beginning. The needle may also be the id of an item, or its first 8 digits. Only the
// box changes: further lines of the item, and lines that are
// no items, stay.
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
	for i, e := range t.Page.Entries() {
		if !e.Task || t.hides(e) {
			continue
		}
		inner, own := innerBoxes(t.source(e), e.Text)
		whole := len(inner) > 0 && strings.HasPrefix(oneLine(e.Text), oneLine(want))
		whole = whole || len(want) >= 8 && strings.HasPrefix(string(e.Statement), want)
		if e.Done == done || !whole && !strings.Contains(strings.ToLower(own), want) {
			at := slices.IndexFunc(inner, func(b innerBox) bool { return b.done != done && strings.Contains(strings.ToLower(b.text), want) })
			if at >= 0 {
				return tickInner(t, p, i, inner[at], by)
			}
			continue
		}
		_, change, err := t.change(t.Page.SetDone(e, done))
		if err != nil {
			p.Reason = reasonOf(err)
			return p
		}
		e = t.here(e)
		p.Action, p.Near = pimento.Put, []string{e.String()}
		p.Changes, p.Events = []pimento.Change{change}, []pimento.Event{by.saying(typ, e)}
		return p
	}
	p.Reason = fmt.Sprintf("No matching %s item found for: %s", state, quoted(needle))
	return p
}

// source is what stands on the page of an entry.
func (t Target) source(e pimento.Entry) string {
	return string(t.Page.Bytes()[e.Span.Start:e.Span.End])
}

// oneLine is a text without regard to how it is laid out and to letter case.
func oneLine(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// An innerBox is a box on a further line of an item, with what stands deeper below it.
type innerBox struct {
	at   int // of what stands between its brackets, in the item
	text string
	done bool
}

// innerBoxes finds the boxes on further lines of an item, and of its text what is not
// theirs.
func innerBoxes(raw, text string) (boxes []innerBox, own string) {
	all, _ := boxesOf(raw)
	head, below, _ := strings.Cut(text, "\n")
	boxes, rest := boxesOf(below)
	if len(boxes) == 0 || len(all) != len(boxes)+1 { // the first of all is the item's
		return nil, text
	}
	for i := range boxes {
		boxes[i].at = all[i+1].at
	}
	return boxes, head + "\n" + rest
}

// boxesOf finds the boxes that lines outside of code begin with, and what is not theirs.
func boxesOf(s string) (boxes []innerBox, rest string) {
	at, deep := 0, -1
	var fence codeblock.Fence
	for line := range strings.Lines(s) {
		bare := strings.TrimSpace(line)
		in := strings.Index(line, bare)
		box, text, done, ok := page.BoxOf(line)
		code := fence != ""
		fence = fence.After(line)
		switch {
		case ok && !code:
			boxes, deep = append(boxes, innerBox{at + box, text, done}), in
		case deep >= 0 && (in > deep || bare == ""):
			boxes[len(boxes)-1].text += "\n" + bare
		default:
			rest, deep = rest+line, -1
		}
		at += len(line)
	}
	return boxes, rest
}

// tickInner turns over a box within the i-th entry, which then says something else.
func tickInner(t Target, p pimento.Plan, i int, b innerBox, by By) pimento.Plan {
	was, mark := t.Page.Entries()[i], "x"
	if b.done {
		mark = " "
	}
	after, change, err := t.change([]pimento.Splice{{Off: was.Span.Start + b.at, Del: 1, Ins: []byte(mark)}})
	if err != nil {
		p.Reason = reasonOf(err)
		return p
	}
	now := t.here(page.Parse(t.Rel, after).Entries()[i])
	p.Action, p.Near = pimento.Put, []string{now.String()}
	p.Changes, p.Events = []pimento.Change{change}, []pimento.Event{by.became(was.Statement, now)}
	return p
}

// Cleared is what ScratchClear finds done on one checklist.
type Cleared struct {
	Taken []Payload // taken off, to be stored before; one for each item, in page order
	Stay  int       // items that stay, because of what is open below them
}

// ClearedText says what was cleared, from one checklist or several.
func ClearedText(taken, stay int) string {
	s := fmt.Sprintf("Cleared %d done item(s).", taken)
	if stay > 0 {
		s += fmt.Sprintf(" What has something open below it stays: %d.", stay)
	}
	return s
}

// ScratchClear plans to take every ticked item off a checklist. Open items stay, as
// do foreign lines and ticked items that have open boxes on further lines. With
// nothing to clear the plan has no changes.
func ScratchClear(t Target, by By) (pimento.Plan, Cleared) {
	p := pimento.Plan{Verb: "scratch", Action: pimento.Put}
	var c Cleared
	now := t.Page
	// From the last to the first, so that the repetition numbers of the items
	// that are still to go stay what they are.
	for _, e := range slices.Backward(t.Page.Entries()) {
		if !e.Task || !e.Done || t.hides(e) {
			continue
		}
		inner, _ := innerBoxes(t.source(e), e.Text)
		if slices.ContainsFunc(inner, func(b innerBox) bool { return !b.done }) {
			c.Stay++
			continue
		}
		step := Target{Scope: t.Scope, Rel: t.Rel, Page: now, Digest: t.Digest}
		plan, pl, err := Forget(step, e.Occurrence, by)
		if err != nil || plan.Action != pimento.Put {
			continue
		}
		after, _ := pimento.ApplySplices(now.Bytes(), plan.Changes[0].Splices)
		now = page.Parse(t.Rel, after)
		pl.Verb = "scratch"
		c.Taken = append(c.Taken, pl)
		ev := plan.Events[0]
		ev.Type, ev.Reason = pimento.Vanished, "cleared"
		p.Events = append(p.Events, ev)
	}
	slices.Reverse(c.Taken)
	slices.Reverse(p.Events)
	p.Reason = ClearedText(len(c.Taken), c.Stay)
	if splices := difference(t.Page.Bytes(), now.Bytes()); splices != nil {
		_, change, err := t.change(splices)
		if err != nil {
			return pimento.Plan{Verb: "scratch", Action: pimento.Refuse, Reason: reasonOf(err)}, Cleared{}
		}
		p.Changes = []pimento.Change{change}
	}
	return p, c
}
