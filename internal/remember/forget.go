package remember

import (
	"bytes"
	"slices"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
)

// A Payload is what recovery keeps of something that was taken off a page, so
// that it can be put back at the best place. Its JSON form is stored privately,
// never in a repository.
type Payload struct {
	V         int               `json:"v"` // 1
	Verb      string            `json:"verb"`
	Time      time.Time         `json:"t"`
	Scope     pimento.Scope     `json:"scope"`
	Page      string            `json:"page"`
	Project   string            `json:"project,omitempty"` // the project's id, and below where it is; empty for global memory
	Dir       string            `json:"dir,omitempty"`
	Statement pimento.Statement `json:"statement,omitempty"`
	Kind      pimento.Kind      `json:"kind,omitempty"`
	Text      string            `json:"text,omitempty"`
	Heading   string            `json:"heading,omitempty"`
	Line      int               `json:"line,omitempty"`
	Pinned    bool              `json:"pinned,omitempty"`
	Task      bool              `json:"task,omitempty"`
	Done      bool              `json:"done,omitempty"`
	Stamp     time.Time         `json:"stamp,omitzero"`
	Session   string            `json:"session,omitempty"`
	Count     int               `json:"count,omitempty"` // how often the statement stood on the page

	// Prev and Next are the statements that stood around it, "" at an end.
	Prev pimento.Statement `json:"prev,omitempty"`
	Next pimento.Statement `json:"next,omitempty"`

	// Undo turns the page with digest After into what it was, byte for byte.
	Undo  []pimento.Splice `json:"undo"`
	After pimento.Digest   `json:"after"`
	// Raw is the bytes that were taken out.
	Raw []byte `json:"raw"`
	// Whole says that the page was replaced as a whole: Raw is all it was.
	Whole bool `json:"whole,omitempty"`
	// Archive is the page of the archive that holds it meanwhile, "" when none does.
	Archive string `json:"archive,omitempty"`
}

// Forget plans to take exactly one occurrence off its page; equal lines stay.
// The event carries no text, so that the journal keeps the digest only. The
// payload must be stored before the plan is applied. The error is of
// KindNotFound when the page has no such entry.
func Forget(t Target, o pimento.Occurrence, by By) (pimento.Plan, Payload, error) {
	p := pimento.Plan{Verb: "forget", Action: pimento.Refuse}
	e, err := t.locate(o)
	if err != nil {
		return p, Payload{}, err
	}
	splices := t.Page.Remove(e)
	after, change, err := t.change(splices)
	switch {
	case err != nil && t.Page.Conflicted():
		p.Reason = reasonOf(err)
		return p, Payload{}, nil
	case err != nil:
		p.Reason = t.Rel + ": the entry cannot be taken out without changing its neighbours; edit the page by hand"
		return p, Payload{}, nil
	}
	if len(after) == 0 && t.Page.Dialect() == page.Article { // a page of its own goes with what it said
		change = pimento.Change{Scope: t.Scope, Page: t.Rel, Before: t.Digest}
	}
	p.Action, p.Changes = pimento.Put, []pimento.Change{change}
	p.Events = []pimento.Event{by.event(pimento.Forgotten, e)}
	pl := payload(t, e, by)
	pl.Verb, pl.After, pl.Undo = "forget", change.After, reverse(t.Page.Bytes(), splices)
	if change.After == "" {
		pl.Undo = []pimento.Splice{{Ins: bytes.Clone(t.Page.Bytes())}}
	}
	for _, s := range splices {
		pl.Raw = append(pl.Raw, t.Page.Bytes()[s.Off:s.Off+s.Del]...)
	}
	return p, pl, nil
}

func payload(t Target, e pimento.Entry, by By) Payload {
	pl := Payload{V: 1, Time: by.Now, Scope: t.Scope, Page: t.Rel, Statement: e.Statement, Kind: e.Kind, Text: e.Text,
		Heading: e.Heading, Line: e.Line, Pinned: e.Pinned, Task: e.Task, Done: e.Done, Stamp: e.Stamp, Session: e.Session,
		Count: count(t.Page, e.Statement)}
	es := t.Page.Entries()
	for i := range es {
		if es[i].Statement != e.Statement || es[i].N != e.N {
			continue
		}
		if i > 0 {
			pl.Prev = es[i-1].Statement
		}
		if i+1 < len(es) {
			pl.Next = es[i+1].Statement
		}
	}
	return pl
}

// reverse is the splices that undo splices made on before.
func reverse(before []byte, splices []pimento.Splice) []pimento.Splice {
	out := make([]pimento.Splice, len(splices))
	shift := 0
	for i, s := range splices {
		out[i] = pimento.Splice{Off: s.Off + shift, Del: len(s.Ins), Ins: bytes.Clone(before[s.Off : s.Off+s.Del])}
		shift += len(s.Ins) - s.Del
	}
	return out
}

// Restore plans to put back what a payload holds. It never changes or replaces
// what was written since: on the page as the forgetting left it, it restores
// every byte; on any other it puts the entry behind its old neighbour, else
// before the next one, else under its heading or at the end. When the page
// says the same again already, only an event is left to do. t is the payload's
// page as it is now.
func Restore(t Target, pl Payload, by By) pimento.Plan {
	p := pimento.Plan{Verb: "restore", Action: pimento.Put}
	entry := pimento.Entry{Occurrence: pimento.Occurrence{Scope: t.Scope, Page: t.Rel, Statement: pl.Statement}}
	if pl.Whole {
		return restoreWhole(t, pl, p, by)
	}
	if n := count(t.Page, pl.Statement); n > 0 && n >= pl.Count {
		p.Action, p.Reason = pimento.Reinforce, "the page says it again already"
		p.Events = []pimento.Event{by.event(pimento.Restored, entry)}
		return p
	}
	splices := replant(t, pl)
	after, change, err := t.change(splices)
	if err != nil {
		p.Action, p.Reason = pimento.Refuse, reasonOf(err)
		return p
	}
	p.Changes = []pimento.Change{change}
	back, _ := written(t, page.Parse(t.Rel, after), pl.Text)
	ev := by.event(pimento.Restored, back)
	ev.Text = clip(pl.Text, maxEventText)
	p.Events = []pimento.Event{ev}
	return p
}

func restoreWhole(t Target, pl Payload, p pimento.Plan, by By) pimento.Plan {
	if t.Digest != pl.After {
		p.Action, p.Reason = pimento.Refuse, t.Rel+" was changed since; restoring it as a whole would undo that"
		if pl.After == "" {
			p.Reason = "there is a page " + t.Rel + " again; archive that one first, or take over by hand what is missing"
		}
		return p
	}
	after, change, err := t.change(pl.Undo)
	if err != nil {
		p.Action, p.Reason = pimento.Refuse, reasonOf(err)
		return p
	}
	p.Changes = []pimento.Change{change}
	p.Events = exchanged(t, page.Parse(t.Rel, after), pimento.Restored, by)
	return p
}

// replant finds the best place for a forgotten entry on the page as it is now.
func replant(t Target, pl Payload) []pimento.Splice {
	if t.Digest == pl.After && (t.Digest != "" || len(pl.Undo) == 1 && pl.Undo[0].Off == 0 && pl.Undo[0].Del == 0) {
		return pl.Undo
	}
	eol := []byte(t.Page.LineEnding())
	own := bytes.Trim(pl.Raw, "\r\n")
	raw := slices.Concat(own, eol)
	ways := [][]byte{raw, slices.Concat(eol, raw), slices.Concat(raw, eol)}
	if above := bytes.Index(pl.Raw, own); above > 0 { // a blank line above it went as well
		ways[0], ways[1] = ways[1], ways[0]
	} else if bytes.Count(pl.Raw[len(own):], []byte("\n")) > 1 { // or one below
		ways[0], ways[2] = ways[2], ways[0]
	}
	n := page.New{Text: pl.Text, Kind: pl.Kind, Heading: pl.Heading, Pinned: pl.Pinned, Task: pl.Task, Done: pl.Done,
		Stamp: pl.Stamp, Session: pl.Session}
	headed := t.Page.Dialect() == page.List || t.Page.Dialect() == page.Checklist
	for _, home := range [...]bool{headed, false} { // first below the heading where it stood
		for _, off := range beside(t.Page, pl) {
			for _, ins := range ways {
				splices := []pimento.Splice{{Off: off, Ins: ins}}
				if t.grows(splices, pl, home) {
					return splices
				}
			}
		}
		if off, before, after, ok := t.Page.Below(pl.Heading); ok && home {
			splices := []pimento.Splice{{Off: off, Ins: slices.Concat([]byte(before), raw, []byte(after))}}
			if t.grows(splices, pl, home) {
				return splices
			}
		}
		if splices := t.Page.Insert(n); splices != nil && (!home || t.grows(splices, pl, home)) {
			return splices
		}
	}
	n.Stamp = time.Time{} // a page that takes no stamped entries takes a bullet
	return t.Page.Insert(n)
}

// beside lists the offsets next to the old neighbours, the upper one first.
func beside(now *page.Page, pl Payload) (offs []int) {
	if e, ok := now.Find(pl.Prev, 0); ok && pl.Prev != "" {
		offs = append(offs, e.Span.End)
	}
	if e, ok := now.Find(pl.Next, 0); ok && pl.Next != "" {
		offs = append(offs, e.Span.Start)
	}
	return offs
}

// grows reports whether the splices give the page exactly the forgotten entry, if at
// home below its heading and of its date, and leave every other one what it was.
func (t Target) grows(splices []pimento.Splice, pl Payload, home bool) bool {
	after, ok := pimento.ApplySplices(t.Page.Bytes(), splices)
	if !ok {
		return false
	}
	was, now := t.Page.Entries(), page.Parse(t.Rel, after).Entries()
	if len(now) != len(was)+1 {
		return false
	}
	found := 0
	for i := range now {
		j := i - found
		if found == 0 && (j >= len(was) || !alikeIn(now[i], was[j])) {
			found++
			if now[i].Text != pl.Text || now[i].Pinned != pl.Pinned || now[i].Task != pl.Task || now[i].Done != pl.Done ||
				home && (now[i].Heading != pl.Heading || !now[i].Stamp.Equal(pl.Stamp)) {
				return false
			}
			continue
		}
		if !alikeIn(now[i], was[j]) {
			return false
		}
	}
	return found == 1
}

// alikeIn compares two readings of one entry.
func alikeIn(a, b pimento.Entry) bool {
	return a.Text == b.Text && a.Kind == b.Kind && a.Pinned == b.Pinned && a.Task == b.Task && a.Done == b.Done &&
		a.Stamp.Equal(b.Stamp) && a.Heading == b.Heading
}
