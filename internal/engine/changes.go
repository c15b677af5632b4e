package engine

import (
	"cmp"
	"context"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/news"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/recall"
	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/upkeep"
)

// maxChanges bounds the changes that one prompt offers, well above what a
// profile has room for. The rest waits for the next prompts.
const maxChanges = 500

// changes lists what was added, edited, done or withdrawn since the prefix was
// taken and is not in the session's context yet.
func (t *turn) changes(ctx context.Context) []news.Change {
	v := t.v
	n := news.Fold{Known: t.known, Skip: func(ev pimento.Event) bool {
		foreign := v.foreign(ev) && !t.known(string(ev.Statement)) && !t.known(string(ev.From))
		return foreign || strings.HasPrefix(ev.Page, page.CompactionDir) // of another project; or of a session that has it already
	}}
	for _, st := range v.stores {
		l, ok := t.lookOf(st.root.Key())
		if !ok {
			continue
		}
		next, err := st.journal.Select(ctx, l.seen, news.Types(), n.Take)
		if v.faultErr("journal", err); err == nil {
			t.advance(st.root.Key(), l, next)
		}
		for _, ev := range t.fresh[st] { // the journal may not hold them yet
			n.Take(ev)
		}
	}
	var out []news.Change
	looked := 0
	for c := range n.Changes() {
		if len(out) >= maxChanges {
			break
		}
		if c.Statement != "" && !t.e.agrees(ctx, v, c.Statement, c.Op) {
			continue
		}
		switch c.Op {
		case news.Withdrawn:
			if c.Text = cmp.Or(t.shownAs(ctx, v.store(c.Scope), c.Statement), c.Text); c.Text == "" {
				continue // never shown, and nobody can say any more what it was
			}
			if looked++; looked <= maxLooked {
				t.e.asStanding(ctx, v, &c)
			}
		case news.Edited:
			if t.e.agrees(ctx, v, c.Was, news.Withdrawn) {
				c.Old = t.shownAs(ctx, v.store(c.Scope), c.Was)
			} else {
				c.Was = "" // it stands on another page, and this is new
			}
			c.Text = t.whole(ctx, &c)
		case news.Added, news.Pinned:
			c.Text = t.whole(ctx, &c)
		}
		out = append(out, c)
	}
	return news.Summed(out)
}

// maxLooked is for how many of what was withdrawn it is looked up whether it still stands
// in other words. Who takes out more does not tidy up.
const maxLooked = 5

// asStanding makes an edit of what was withdrawn and still stands in nearly the same
// words, with no less in them: of two that said the same one is left.
func (e *Engine) asStanding(ctx context.Context, v *view, c *news.Change) {
	st := v.store(c.Scope)
	if st == nil {
		return
	}
	gone := pimento.Entry{Text: c.Text, Occurrence: pimento.Occurrence{Scope: c.Scope, Page: c.Page, Statement: c.Statement}}
	known := []upkeep.Known{{Entry: gone}}
	for _, en := range e.alike(ctx, st, pimento.Query{Text: c.Text}) {
		if page.DialectOf(en.Page) != page.Log && !page.Archived(en.Page) {
			known = append(known, upkeep.Known{Entry: en})
		}
	}
	for _, p := range upkeep.Beside(known) {
		left := p.Keep
		if left.Occurrence == gone.Occurrence && p.Relation == upkeep.Duplicate {
			left = p.Drop
		}
		same := p.Relation == upkeep.Near || p.Relation == upkeep.Duplicate
		if same && left.Occurrence != gone.Occurrence {
			c.Op, c.Was, c.Old, c.Statement, c.Text = news.Edited, c.Statement, c.Text, left.Statement, left.Text
			return
		}
	}
}

// maxWhole is the longest text of an entry, in bytes, that is told whole.
const maxWhole = 2000

// whole is the text of what is new, of which an event holds the beginning, or nothing.
func (t *turn) whole(ctx context.Context, c *news.Change) string {
	st := t.v.store(c.Scope)
	if c.Statement == "" || st == nil || pimento.StatementOf(c.Text) == c.Statement {
		return c.Text
	}
	for _, en := range t.e.saying(ctx, t.v, st, c.Statement) {
		if len(en.Text) <= maxWhole {
			return en.Text
		}
		c.Text = cmp.Or(c.Text, text.ClipBytes(en.Text, maxWhole/5))
	}
	return c.Text + " …"
}

// shownAs is what the context was shown of a statement, "" for nothing.
func (t *turn) shownAs(ctx context.Context, st *store, id pimento.Statement) string {
	if s := t.frozen.Statements[string(id)]; s != "" || !t.known(string(id)) {
		return s
	}
	return t.lastInjected(ctx, st, id)
}

// agrees says whether the pages say what a change says. They do not when the
// statement was withdrawn from one page and stands on another one, and when the
// event is of another worktree, which shares the journal and not the pages.
func (e *Engine) agrees(ctx context.Context, v *view, id pimento.Statement, op news.Op) bool {
	var open, done bool
	for _, st := range v.stores {
		idx, _ := st.Index(ctx)
		v.faultErr("index", idx.With(ctx, recall.IDKey(string(id)), func(_ string, d index.Doc) bool {
			if d.Statement == id {
				ticked := d.Flags&index.Done != 0
				open, done = open || !ticked, done || ticked
			}
			return true
		}))
	}
	switch op {
	case news.Withdrawn:
		return !open && !done
	case news.Done:
		return done && !open // another project may have done what it says in the same words
	case news.Reopened:
		return open && !done
	}
	return open || done
}

// foreign says whether an event of the global root happened in another project
// and concerns what stays with its project: logs and open tasks.
func (v *view) foreign(ev pimento.Event) bool {
	return ev.Scope == pimento.Global && ev.Project != "" && ev.Project != v.project.ID && belongsToProject(ev.Page)
}
