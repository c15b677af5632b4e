package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/inject"
	"github.com/pimento-memory/pimento/internal/recall"
)

// newsTypes are the events that a reader of the prefix may have to be told of.
func newsTypes() []pimento.EventType {
	return []pimento.EventType{pimento.Remembered, pimento.Appeared, pimento.Restored, pimento.Vanished, pimento.Forgotten,
		pimento.Archived, pimento.Purged, pimento.Aliased, pimento.Completed, pimento.Reopened}
}

// noticeID marks a change notice among the ids of what is in a context.
func noticeID(ev pimento.Event) string { return "~" + ev.ID }

// A news list folds events into what a reader of the prefix must be told: the
// net change of each statement, with the id of the last event behind it.
type news struct {
	order []pimento.Statement
	by    map[pimento.Statement]*newsItem
	known func(id string) bool // in the session's context or prefix
}

type newsItem struct {
	existed bool // before the first event
	exists  bool
	op      inject.Op
	last    pimento.Event
	old     pimento.Statement // edited: what it was when the session last saw it
	box     inject.Op         // the first change of its checkbox
	notices []string
}

func (n *news) item(st pimento.Statement, existed bool) *newsItem {
	it := n.by[st]
	if it == nil {
		it = &newsItem{existed: existed, exists: existed}
		n.by[st] = it
		n.order = append(n.order, st)
	}
	return it
}

// take folds one event.
func (n *news) take(ev pimento.Event) {
	var it *newsItem
	switch ev.Type {
	case pimento.Remembered, pimento.Appeared, pimento.Restored:
		it = n.item(ev.Statement, false)
		if it.exists {
			it.notices = append(it.notices, noticeID(ev))
			return // written by us and then seen by a sync: told once
		}
		op := inject.Added
		if it.op == inject.Withdrawn && n.known(noticeID(it.last)) {
			op = inject.Returned
		}
		it.exists, it.op = true, op
	case pimento.Vanished, pimento.Forgotten, pimento.Archived, pimento.Purged:
		it = n.item(ev.Statement, true)
		n.takeBack(it)
		it.exists, it.op = false, inject.Withdrawn
	case pimento.Aliased:
		it = n.edit(ev)
	case pimento.Completed:
		it = n.tick(ev, inject.Done, inject.Reopened)
	case pimento.Reopened:
		it = n.tick(ev, inject.Reopened, inject.Done)
	default:
		return
	}
	it.last = ev
	it.notices = append(it.notices, noticeID(ev))
}

// edit folds a hand edit: what the session was told last became this.
func (n *news) edit(ev pimento.Event) *newsItem {
	from := n.item(ev.From, true)
	told := n.told(from)
	from.exists, from.op = false, ""
	it := n.item(ev.Statement, false)
	it.exists, it.op, it.old = true, inject.Edited, ev.From
	if !told && from.old != "" {
		it.old = from.old
	}
	switch {
	case it.old == ev.Statement:
		it.op, it.old = "", "" // and back again
	case !told && !from.existed && from.old == "":
		it.op, it.old = inject.Added, "" // added and then edited: told as it is now
	}
	return it
}

// takeBack withdraws what an item was before an edit that the session was not
// told of, because something else of the item will be told now, or nothing.
func (n *news) takeBack(it *newsItem) {
	if it.op != inject.Edited || n.told(it) {
		return
	}
	from := n.item(it.old, true)
	from.op, from.last = inject.Withdrawn, it.last
	from.last.Text = "" // it says what it became
	from.notices = append(from.notices, noticeID(it.last))
	it.old = ""
}

// tick folds a change of a checkbox. Ticked and opened again is nothing to
// tell, unless the session was told the half of it.
func (n *news) tick(ev pimento.Event, op, undone inject.Op) *newsItem {
	it := n.item(ev.Statement, true)
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
		it.op = inject.Added
	}
	return it
}

// A flood is what one sync saw appear at once: a pull, a checkout, an import.
// It is told as one line, by the notice of its first event.
type flood struct {
	first pimento.Event
	n     int
	text  string // already a line
}

func (f *flood) String() string {
	if f.text != "" {
		return f.text
	}
	return fmt.Sprintf("%d entries appeared at once (a pull, a checkout or an import); search for what you need", f.n)
}

// count adds an event to its sync's flood.
func count(floods []*flood, ev pimento.Event) []*flood {
	for _, f := range floods {
		if f.text == "" && f.first.Time.Equal(ev.Time) && f.first.Scope == ev.Scope {
			f.n++
			return floods
		}
	}
	return append(floods, &flood{first: ev, n: 1})
}

// washedIn folds an entry that came with a flood: it stands now, and is told
// by itself only if the session was told before that it was withdrawn.
func (n *news) washedIn(ev pimento.Event) {
	it := n.item(ev.Statement, true)
	it.exists = true
	if it.op != inject.Withdrawn {
		return
	}
	if it.op = ""; n.told(it) {
		it.op, it.last = inject.Added, ev
		it.notices = append(it.notices, noticeID(ev))
	}
}

// told says whether any notice of the item is already in the context.
func (n *news) told(it *newsItem) bool {
	return slices.ContainsFunc(it.notices, n.known)
}

// net is the item's change against what the session has been told, "" if
// there is nothing to say.
func (n *news) net(st pimento.Statement, it *newsItem) inject.Op {
	if it.last.ID == "" || n.known(noticeID(it.last)) {
		return ""
	}
	told, shown := n.told(it), n.known(string(st))
	switch it.op {
	case inject.Withdrawn:
		if !it.existed && !told && !shown {
			return "" // came and went between two prompts
		}
	case inject.Added:
		if it.existed && !told || shown && !told {
			return "" // moved, or already in front of the model
		}
	case inject.Reopened, inject.Done:
		if !it.exists {
			return ""
		}
	}
	return it.op
}

// maxChanges bounds the changes that one prompt offers, well above what a
// profile has room for. The rest waits for the next prompts.
const maxChanges = 100

// changes lists what was added, edited, done or withdrawn since the prefix was
// taken and is not in the session's context yet. fresh are events of this
// turn's syncs that the journal does not hold yet.
func (t *turn) changes(ctx context.Context, known func(string) bool, textOf func(*store, pimento.Statement) string) []inject.Change {
	v := t.v
	n := &news{by: map[pimento.Statement]*newsItem{}, known: known}
	var floods []*flood
	seen := map[string]bool{} // what this turn's sync saw may be in the journal by now
	take := func(ev pimento.Event) {
		if seen[ev.ID] {
			return
		}
		seen[ev.ID] = true
		if ev.Statement == "" && ev.Type == pimento.Appeared {
			floods = append(floods, &flood{first: ev, text: ev.Text})
			return
		}
		if v.foreign(ev) || strings.HasPrefix(ev.Page, compactionDir) {
			return // of another project; or of a session that has it already
		}
		if ev.Type == pimento.Appeared && ev.Reason == pimento.ReasonBulk {
			floods = count(floods, ev)
			n.washedIn(ev)
			return
		}
		n.take(ev)
	}
	for _, st := range v.stores {
		l, ok := t.lookOf(st.root.Key())
		if !ok {
			continue
		}
		next, err := st.journal.Select(ctx, l.seen, newsTypes(), take)
		if v.faultErr("journal", err); err == nil {
			t.advance(st.root.Key(), l, next)
		}
		for _, ev := range t.fresh[st] {
			take(ev)
		}
	}
	var out []inject.Change
	for _, f := range floods {
		if id := noticeID(f.first); !known(id) {
			out = append(out, inject.Change{ID: id, Op: inject.Added, Text: f.String(), Scope: f.first.Scope, Page: f.first.Page})
		}
	}
	for _, st := range n.order {
		if len(out) >= maxChanges {
			break
		}
		it := n.by[st]
		op := n.net(st, it)
		if op == "" {
			continue
		}
		c := inject.Change{ID: noticeID(it.last), Op: op, Text: it.last.Text, Scope: it.last.Scope, Page: it.last.Page, Statement: st}
		if !t.e.agrees(ctx, v, st, op) {
			continue
		}
		switch op {
		case inject.Withdrawn:
			if c.Text = cmp.Or(textOf(v.store(c.Scope), st), c.Text); c.Text == "" {
				continue // never shown, and nobody can say any more what it was
			}
		case inject.Edited:
			if t.e.agrees(ctx, v, it.old, inject.Withdrawn) { // else it stands on another page, and this is new
				c.Was, c.Old = it.old, textOf(v.store(c.Scope), it.old)
			}
		}
		out = append(out, c)
	}
	return out
}

// agrees says whether the pages say what a change says. They do not when the
// statement was withdrawn from one page and stands on another one, and when the
// event is of another worktree, which shares the journal and not the pages.
func (e *Engine) agrees(ctx context.Context, v *view, id pimento.Statement, op inject.Op) bool {
	var open, done bool
	for _, st := range v.stores {
		idx, _ := e.index(ctx, st)
		v.faultErr("index", idx.With(ctx, recall.IDKey(string(id)), func(_ string, d index.Doc) bool {
			if d.Statement == id {
				ticked := d.Flags&index.Done != 0
				open, done = open || !ticked, done || ticked
			}
			return true
		}))
	}
	switch op {
	case inject.Withdrawn:
		return !open && !done
	case inject.Done:
		return done
	case inject.Reopened:
		return open
	}
	return open || done
}

// foreign says whether an event of the global root happened in another project
// and concerns what stays with its project: logs and open tasks.
func (v *view) foreign(ev pimento.Event) bool {
	return ev.Scope == pimento.Global && ev.Project != "" && ev.Project != v.project.ID && belongsToProject(ev.Page)
}
