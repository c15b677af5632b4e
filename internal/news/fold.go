package news

import (
	"cmp"
	"iter"
	"slices"

	"github.com/pimento-memory/pimento"
)

// Types are the events that a reader of memory may have to be told of.
func Types() []pimento.EventType {
	return []pimento.EventType{pimento.Remembered, pimento.Appeared, pimento.Restored, pimento.Vanished, pimento.Forgotten,
		pimento.Archived, pimento.Purged, pimento.Aliased, pimento.Completed, pimento.Reopened, pimento.Pinned, pimento.Unpinned}
}

// NoticeID marks a change notice among the ids of what is in a context.
func NoticeID(ev pimento.Event) string { return "~" + ev.ID }

// A Fold folds events into what a conversation must be told of them: the net change
// of each statement since its context was taken, as against what that context was
// told already.
type Fold struct {
	Known func(id string) bool        // whether an entry's or a notice's id is in the context
	Skip  func(ev pimento.Event) bool // whether an event is none of the conversation's business

	seen   map[string]bool // events, by id: what a sync saw may be in the journal by now
	floods []*flood
	order  []pimento.Statement
	by     map[pimento.Statement]*item
}

// An item is what happened to one statement.
type item struct {
	existed bool // before the first event
	exists  bool
	op      Op
	last    pimento.Event
	old     pimento.Statement // edited: what it was when the session last saw it
	left    string            // the notice of the edit that says what it became
	box     Op                // the first change of its checkbox
	notices []string
}

// Take folds one event; of those with the same id the first one counts.
func (n *Fold) Take(ev pimento.Event) {
	if n.seen == nil {
		n.seen, n.by = map[string]bool{}, map[pimento.Statement]*item{}
	}
	if n.seen[ev.ID] {
		return
	}
	n.seen[ev.ID] = true
	switch {
	case ev.Statement == "" && ev.Type == pimento.Appeared:
		n.floods = append(n.floods, &flood{first: ev, text: ev.Text})
	case n.Skip(ev):
	case ev.Type == pimento.Appeared && ev.Reason == pimento.ReasonBulk:
		if n.washedIn(ev) {
			n.floods = count(n.floods, ev)
		}
	default:
		n.take(ev)
	}
}

// Changes are the net changes, floods first, in the order of their first events. An
// edit's Old is left open, which no event holds.
func (n *Fold) Changes() iter.Seq[Change] {
	return func(yield func(Change) bool) {
		for _, f := range n.floods {
			c := Change{ID: NoticeID(f.first), Op: Added, Text: f.String(), Scope: f.first.Scope, Page: f.first.Page}
			if !n.Known(c.ID) && !yield(c) {
				return
			}
		}
		for _, st := range n.order {
			it := n.by[st]
			op := n.net(st, it)
			if op == "" {
				continue
			}
			c := Change{ID: NoticeID(it.last), Op: op, Statement: st, Text: it.last.Text, Scope: it.last.Scope, Page: it.last.Page}
			if op == Edited {
				c.Was = it.old
			}
			if !yield(c) {
				return
			}
		}
	}
}

// of is what is known of a statement; one that is new existed before or not.
func (n *Fold) of(st pimento.Statement, existed bool) *item {
	it := n.by[st]
	if it == nil {
		it = &item{existed: existed, exists: existed}
		n.by[st] = it
		n.order = append(n.order, st)
	}
	return it
}

// again says whether an event only repeats what the item is already: it was written by
// us and then seen by a sync, or by the syncs of several processes, each behind the
// files by another stretch.
func (n *Fold) again(ev pimento.Event, it *item) bool {
	switch ev.Type {
	case pimento.Remembered, pimento.Appeared, pimento.Restored:
		return it.exists
	case pimento.Vanished, pimento.Forgotten, pimento.Archived, pimento.Purged:
		return !it.exists
	case pimento.Aliased:
		from := n.by[ev.From]
		return it.exists && from != nil && !from.exists
	case pimento.Completed:
		return it.op == Done
	case pimento.Reopened:
		return it.op == Reopened
	}
	return false
}

// take folds one event.
func (n *Fold) take(ev pimento.Event) {
	it := n.by[ev.Statement]
	if it != nil && n.again(ev, it) {
		it.notices = append(it.notices, NoticeID(ev))
		it.last.Text = cmp.Or(it.last.Text, ev.Text)
		return
	}
	switch ev.Type {
	case pimento.Remembered, pimento.Appeared, pimento.Restored:
		it = n.of(ev.Statement, false)
		op := Added
		if it.op == Withdrawn && n.Known(NoticeID(it.last)) || n.toldEdit(it) {
			op = Returned
		}
		it.exists, it.op, it.left = true, op, ""
	case pimento.Vanished, pimento.Forgotten, pimento.Archived, pimento.Purged:
		it = n.of(ev.Statement, true)
		n.takeBack(it)
		it.exists, it.op = false, Withdrawn
	case pimento.Aliased:
		it = n.edit(ev)
	case pimento.Completed:
		it = n.tick(ev, Done, Reopened)
	case pimento.Reopened:
		it = n.tick(ev, Reopened, Done)
	case pimento.Pinned, pimento.Unpinned:
		if it = n.of(ev.Statement, true); it.op != "" && it.op != Pinned {
			return // it is told for another reason
		}
		if it.op = ""; ev.Type == pimento.Pinned {
			it.op = Pinned
		}
	default:
		return
	}
	it.last = ev
	it.notices = append(it.notices, NoticeID(ev))
}

// edit folds a hand edit: what the session was told last became this.
func (n *Fold) edit(ev pimento.Event) *item {
	from := n.of(ev.From, true)
	told := n.told(from)
	from.exists, from.op = false, ""
	it := n.of(ev.Statement, false)
	it.exists, it.op, it.old = true, Edited, ev.From
	if !told && from.old != "" {
		it.old = from.old
	}
	switch {
	case it.old == ev.Statement:
		it.op, it.old = "", "" // and back again
	case !told && !from.existed && from.old == "":
		it.op, it.old = Added, "" // added and then edited: told as it is now
	}
	if it.op == Edited {
		n.of(it.old, true).left = NoticeID(ev)
	}
	return it
}

// takeBack withdraws what an item was before an edit that the session was not
// told of, because something else of the item will be told now, or nothing.
func (n *Fold) takeBack(it *item) {
	if it.op != Edited || n.told(it) {
		return
	}
	from := n.of(it.old, true)
	from.op, from.last = Withdrawn, it.last
	from.last.Text = "" // it says what it became
	from.notices = append(from.notices, NoticeID(it.last))
	it.old = ""
}

// tick folds a change of a checkbox. Ticked and opened again is nothing to
// tell, unless the session was told the half of it.
func (n *Fold) tick(ev pimento.Event, op, undone Op) *item {
	it := n.of(ev.Statement, true)
	n.takeBack(it)
	if it.box == "" {
		it.box = op
	}
	switch {
	case it.box != undone || n.told(it):
		it.op = op
	case it.existed:
		it.op = ""
	default:
		it.op = Added
	}
	return it
}

// washedIn folds an entry that came with a flood, and says whether it is one of
// those that the flood's line tells of. What was there before only stands again,
// and is told if the session was told that it was withdrawn.
func (n *Fold) washedIn(ev pimento.Event) bool {
	it := n.of(ev.Statement, true)
	it.exists = true
	edited := n.toldEdit(it)
	if it.op != Withdrawn && !edited {
		return true
	}
	if it.op = ""; edited || n.told(it) {
		it.op, it.last = Returned, ev
		it.notices = append(it.notices, NoticeID(ev))
	}
	return false
}

// told says whether any notice of the item is already in the context.
func (n *Fold) told(it *item) bool {
	return slices.ContainsFunc(it.notices, n.Known)
}

// toldEdit says whether the session was told that the item became something else.
func (n *Fold) toldEdit(it *item) bool { return it.left != "" && n.Known(it.left) }

// net is the item's change against what the session has been told, "" if
// there is nothing to say.
func (n *Fold) net(st pimento.Statement, it *item) Op {
	if it.last.ID == "" || n.Known(NoticeID(it.last)) {
		return ""
	}
	told, shown := n.told(it), n.Known(string(st))
	switch it.op {
	case Withdrawn:
		if !it.existed && !told && !shown {
			return "" // came and went between two prompts
		}
	case Added:
		if it.existed && !told || shown && !told {
			return "" // moved, or already in front of the model
		}
	case Pinned:
		if shown {
			return ""
		}
	case Reopened, Done:
		if !it.exists || it.op == Done && it.existed && !told && !shown {
			return "" // gone, or nobody said that it was open
		}
	}
	return it.op
}
