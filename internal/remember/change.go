package remember

import (
	"errors"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
)

// maxEventText is how much of a statement's text an event carries.
const maxEventText = 400

// change makes a page's change of its splices, and the bytes afterwards.
func (t Target) change(splices []pimento.Splice) (after []byte, c pimento.Change, err error) {
	before := t.Page.Bytes()
	after, ok := pimento.ApplySplices(before, splices)
	if !ok || len(splices) == 0 {
		return nil, c, t.noPlace()
	}
	c = pimento.Change{Scope: t.Scope, Page: t.Rel, Before: t.Digest, After: pimento.DigestOf(after), Splices: splices}
	c.Append = t.Page.Dialect() == page.Log && len(splices) == 1 && splices[0].Off == len(before) && splices[0].Del == 0
	return after, c, nil
}

func (t Target) noPlace() error {
	if t.Page.Conflicted() {
		return &pimento.Error{Op: "plan", Path: t.Rel, Kind: pimento.KindRefused, Err: errors.New("it has an unresolved git conflict"), Hint: "resolve it in an editor first"}
	}
	return &pimento.Error{Op: "plan", Path: t.Rel, Kind: pimento.KindRefused, Err: errors.New("the page has no place for it"), Hint: "name another page"}
}

// reasonOf is the sentence of an error of noPlace.
func reasonOf(err error) string {
	if e, ok := errors.AsType[*pimento.Error](err); ok && e.Err != nil {
		return e.Path + ": " + e.Err.Error()
	}
	return err.Error()
}

// insert plans the note as a new entry of the target page.
func insert(in Input) ([]byte, pimento.Change, error) {
	n := page.New{Text: in.Note.Text, Kind: in.Note.Kind, Heading: in.Note.Heading,
		Pinned: in.Note.Pinned, Task: in.Note.Task, Session: in.By.Session, Front: in.Note.Front}
	if in.Note.Front != nil {
		n.Stamp = in.By.Now
	}
	if in.Note.Stamped || in.Target.Page.Dialect() == page.Log {
		n.Stamp, n.AsIs = in.By.Now, true
	}
	return in.Target.change(in.Target.Page.Insert(n))
}

// written is the entry that holds text on the page as it became: the last one
// that was not there before, or, where an article grew, the one that grew.
// from is that entry's statement before, "" when the entry is new.
func written(t Target, now *page.Page, text string) (e pimento.Entry, from pimento.Statement) {
	st := pimento.StatementOf(text)
	e, ok := now.Find(st, count(t.Page, st))
	if !ok {
		before := t.Page.Entries()
		for i, x := range now.Entries() {
			if i >= len(before) || x.Statement != before[i].Statement {
				e = x
				if len(before) == len(now.Entries()) {
					from = before[i].Statement
				}
				break
			}
		}
	}
	return t.here(e), from
}

// further are the entries of a note that became several, but the first: they
// stand at the end of the page as it became.
func further(t Target, now *page.Page) []pimento.Entry {
	before, es := len(t.Page.Entries()), now.Entries()
	if len(es) < before+2 {
		return nil
	}
	more := slices.Clone(es[before+1:])
	for i := range more {
		more[i] = t.here(more[i])
	}
	return more
}

// count is how often a statement stands on a page.
func count(p *page.Page, st pimento.Statement) int {
	n := 0
	for _, e := range p.Entries() {
		if e.Statement == st {
			n++
		}
	}
	return n
}

func setPinned(t Target, e pimento.Entry, on bool) (pimento.Change, error) {
	_, c, err := t.change(t.Page.SetPinned(e, on))
	return c, err
}

// locate finds the entry on the target page as it is now.
func (t Target) locate(o pimento.Occurrence) (pimento.Entry, error) {
	e, ok := t.Page.Find(o.Statement, o.N)
	if !ok {
		return e, &pimento.Error{Op: "plan", Path: o.String(), Kind: pimento.KindNotFound,
			Err: errors.New("no such entry"), Hint: "it may have been edited; look for it with: pimento recall"}
	}
	return t.here(e), nil
}

// event is one event about an entry.
func (by By) event(typ pimento.EventType, e pimento.Entry) pimento.Event {
	ev := pimento.Event{Type: typ, Time: by.Now, Scope: e.Scope, Page: e.Page, Statement: e.Statement, N: e.N,
		Actor: by.Actor, Session: by.Session}
	if ev.Actor == "" {
		ev.Actor = "user"
	}
	return ev
}

// saying is an event that tells what the entry says.
func (by By) saying(typ pimento.EventType, e pimento.Entry) pimento.Event {
	ev := by.event(typ, e)
	ev.Text = clip(e.Text, maxEventText)
	return ev
}

// became is the event of an entry that said something else before.
func (by By) became(from pimento.Statement, e pimento.Entry) pimento.Event {
	ev := by.saying(pimento.Aliased, e)
	ev.From = from
	return ev
}

// event is one event about an entry that the note wrote or met again. Only what
// is said carries text.
func (in Input) event(typ pimento.EventType, e pimento.Entry) pimento.Event {
	ev := in.By.event(typ, e)
	if typ == pimento.Remembered || typ == pimento.Aliased {
		ev = in.By.saying(typ, e)
	}
	ev.Cue = in.Note.cue()
	return ev
}

// cue is how the note came to be known; what nobody said outright was read off
// behaviour.
func (n Note) cue() string {
	switch {
	case n.Cue != "":
		return n.Cue
	case n.Implicit:
		return "behavioral"
	}
	return "explicit"
}

// difference is the one splice that turns before into after.
func difference(before, after []byte) []pimento.Splice {
	head := 0
	for head < len(before) && head < len(after) && before[head] == after[head] {
		head++
	}
	tail := 0
	for tail < len(before)-head && tail < len(after)-head && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	if head == len(before) && head == len(after) {
		return nil
	}
	return []pimento.Splice{{Off: head, Del: len(before) - head - tail, Ins: after[head : len(after)-tail]}}
}

// quoted puts a needle into a message on one line.
func quoted(s string) string {
	return `"` + strings.Join(strings.Fields(clip(s, 120)), " ") + `"`
}
