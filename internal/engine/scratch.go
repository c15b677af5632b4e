package engine

import (
	"context"
	"errors"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/remember"
	"github.com/pimento-memory/pimento/internal/vault"
)

// A Scratchpad is what a scratch action leaves.
type Scratchpad struct {
	Result
	Recoveries []string        // ids for restore of what was cleared, in page order
	Message    string          // "Added: - [ ] ...", "Updated.", "Cleared 2 done item(s).", or why not
	Items      []pimento.Entry // all items, as they are now
	Text       string          // the page

	stay int // done items that were not cleared, because of what is open below them
}

// Scratch runs one action on the scratchpad: add, done, undo, clear, list.
func (e *Engine) Scratch(ctx context.Context, action, text string, by Actor) (Scratchpad, error) {
	v := e.look(ctx)
	if action == "list" {
		return e.scratchList(ctx, v)
	}
	do, err := scratchPlan(action, text)
	if err != nil {
		return Scratchpad{}, err
	}
	mine, pads := v.scopeOf(page.Scratchpad), []*store(nil)
	if action != "add" {
		pads = scratchpads(ctx, v, mine)
	}
	if len(pads) == 0 {
		p, r := e.withoutPad(mine, do, by)
		if len(p.Changes) == 0 && mine != pimento.Global && v.hasProject && v.consent.Status == vault.Absent && !e.untrusted { // before a folder is made for nothing
			s := Scratchpad{Result: r}
			s.Message = s.message(action)
			return s, nil
		}
		st, err := e.writable(ctx, v, "scratch", mine)
		if err != nil {
			return Scratchpad{}, err
		}
		pads = []*store{st}
	}
	e.syncAll(ctx, v)
	var out Scratchpad
	for i, st := range pads {
		s, err := e.scratchOn(ctx, v, st, action, do, by)
		if err != nil {
			return out, err
		}
		switch {
		case action == "clear":
			out = out.and(s)
		case s.Action != pimento.Refuse:
			return s, nil // the first item with these words
		case i == 0:
			out = s
		}
	}
	return out, nil
}

// ScratchPreview says which item Scratch would tick, or why none; it writes
// nothing.
func (e *Engine) ScratchPreview(ctx context.Context, action, text string, by Actor) (Result, error) {
	do, err := scratchPlan(action, text)
	if err != nil {
		return Result{}, err
	}
	v := e.look(ctx)
	mine := v.scopeOf(page.Scratchpad)
	for _, st := range scratchpads(ctx, v, mine) {
		d, err := st.draft(ctx, page.Scratchpad)
		if err != nil {
			return Result{}, err
		}
		if p, _ := do(e.padOf(ctx, v, st, d), e.by(by)); p.Action != pimento.Refuse {
			return e.result(st, page.Scratchpad, p, d.page), nil
		}
	}
	_, none := e.withoutPad(mine, do, by)
	return none, nil
}

// withoutPad is what an action plans, and what becomes of it, where there is no
// scratchpad.
func (e *Engine) withoutPad(scope pimento.Scope, do scratchPlanner, by Actor) (pimento.Plan, Result) {
	p, _ := do(remember.Target{Scope: scope, Rel: page.Scratchpad, Page: page.Parse(page.Scratchpad, nil)}, e.by(by))
	return p, Result{Scope: scope, Page: page.Scratchpad, Action: p.Action, Code: p.Outcome(), Reason: p.Reason}
}

// padOf is a root's scratchpad for a planner, which does not see other projects' items.
func (e *Engine) padOf(ctx context.Context, v *view, st *store, d draft) remember.Target {
	t := st.target(page.Scratchpad, d)
	t.Hidden = e.hides(ctx, v, st, d.page)
	return t
}

// and is what was cleared from one scratchpad, then from another.
func (s Scratchpad) and(t Scratchpad) Scratchpad {
	if len(s.Recoveries) == 0 && (s.Path == "" || len(t.Recoveries) > 0) {
		s.Result = t.Result
	}
	s.Recoveries, s.Items = append(s.Recoveries, t.Recoveries...), append(s.Items, t.Items...)
	s.Text, s.stay = s.Text+t.Text, s.stay+t.stay
	s.Message = s.message("clear")
	return s
}

// scratchpads are the roots that have one, that of the scope first.
func scratchpads(ctx context.Context, v *view, first pimento.Scope) (pads []*store) {
	for _, st := range v.stores {
		_, _, err := st.Parsed(ctx, page.Scratchpad)
		switch {
		case err != nil && pimento.KindOf(err) == pimento.KindNotFound:
		case st.scope == first:
			pads = append([]*store{st}, pads...)
		default:
			pads = append(pads, st)
		}
	}
	return pads
}

// scratchOn runs an action on the scratchpad of one root.
func (e *Engine) scratchOn(ctx context.Context, v *view, st *store, action string, do scratchPlanner, by Actor) (Scratchpad, error) {
	before, _ := e.pageText(ctx, v, st, page.Scratchpad, "")
	var s Scratchpad
	p, after, err := e.write(ctx, st, page.Scratchpad, func(d draft) (pimento.Plan, error) {
		s.Recoveries = nil
		p, cleared := do(e.padOf(ctx, v, st, d), e.by(by))
		for _, taken := range cleared.Taken {
			id := e.newID()
			if err := e.setAside(ctx, id, taken); err != nil {
				return p, err
			}
			s.Recoveries = append(s.Recoveries, id)
		}
		s.stay = cleared.Stay
		return p, nil
	})
	if err != nil {
		return Scratchpad{}, err
	}
	s.Result = e.result(st, page.Scratchpad, p, after)
	s.Was, s.Message = before.Body, s.message(action)
	now, _ := e.pageText(ctx, v, st, page.Scratchpad, "")
	s.fill(st, now.Body)
	return s, nil
}

// hides picks the entries of a page that belong to another project.
func (e *Engine) hides(ctx context.Context, v *view, st *store, p *page.Page) func(pimento.Entry) bool {
	es := st.Entries(p)
	hidden := e.hiddenEntries(ctx, v, st, es)
	if len(hidden) == 0 {
		return nil
	}
	foreign := map[place]bool{}
	for i := range hidden {
		foreign[place{es[i].Page, es[i].Statement, es[i].N}] = true
	}
	return func(en pimento.Entry) bool { return foreign[place{en.Page, en.Statement, en.N}] }
}

// message says what became of an action.
func (s Scratchpad) message(action string) string {
	switch {
	case s.Action == pimento.Refuse:
		return s.Reason
	case action == "clear":
		return remember.ClearedText(len(s.Recoveries), s.stay)
	case action != "add":
		return "Updated."
	case s.Action == pimento.Reinforce:
		return "Already open: - [ ] " + s.Result.Text
	}
	return "Added: - [ ] " + s.Result.Text
}

// fill adds the items of a scratchpad's text.
func (s *Scratchpad) fill(st *store, text string) {
	s.Text = text
	for _, en := range st.Entries(page.Parse(page.Scratchpad, []byte(text))) {
		if en.Task {
			s.Items = append(s.Items, en)
		}
	}
}

// scratchList is the scratchpad of every scope, without what belongs to other
// projects.
func (e *Engine) scratchList(ctx context.Context, v *view) (Scratchpad, error) {
	var s Scratchpad
	for _, st := range v.stores {
		t, ok := e.pageText(ctx, v, st, page.Scratchpad, "")
		if !ok {
			continue
		}
		part := Scratchpad{}
		part.fill(st, t.Body)
		s.Items = append(s.Items, part.Items...)
		s.Text += part.Text
		s.Scope, s.Page, s.Path = st.scope, page.Scratchpad, st.path(page.Scratchpad)
	}
	return s, nil
}

// A scratchPlanner plans one action; only clear takes something off.
type scratchPlanner func(remember.Target, remember.By) (pimento.Plan, remember.Cleared)

// scratchPlan chooses the planner of an action.
func scratchPlan(action, text string) (scratchPlanner, error) {
	switch action {
	case "add":
		return func(t remember.Target, b remember.By) (pimento.Plan, remember.Cleared) {
			return remember.ScratchAdd(t, text, b, Note{Text: text}.findings()), remember.Cleared{}
		}, nil
	case "done", "undo":
		return func(t remember.Target, b remember.By) (pimento.Plan, remember.Cleared) {
			return remember.ScratchTick(t, text, action == "done", b), remember.Cleared{}
		}, nil
	case "clear":
		return remember.ScratchClear, nil
	}
	return nil, &pimento.Error{Op: "scratch", Path: action, Kind: pimento.KindUsage,
		Err: errors.New("unknown action"), Hint: "use one of: add, done, undo, clear, list"}
}
