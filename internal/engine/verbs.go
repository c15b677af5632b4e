package engine

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/remember"
)

// An entryPlan plans one change of one entry.
type entryPlan func(t remember.Target, o pimento.Occurrence, by remember.By) (pimento.Plan, error)

// onEntry runs one change of the entry that an id names, on the write path.
// The planner finds the entry again under the lock; when it is gone by then,
// nothing is written. find is resolve, or resolveStatement for what concerns a
// statement wherever it stands.
func (e *Engine) onEntry(ctx context.Context, op, id string, find finder, by Actor, plan entryPlan) (Result, error) {
	v := e.look(ctx)
	e.syncAll(ctx, v)
	en, st, err := find(ctx, v, op, id)
	if err != nil {
		return Result{}, err
	}
	p, after, err := e.write(ctx, st, en.Page, func(d draft) (pimento.Plan, error) {
		return plan(st.target(en.Page, d), en.Occurrence, e.by(by))
	})
	if err != nil {
		return Result{}, err
	}
	r := e.result(st, en.Page, p, after)
	r.Was = en.Text
	if r.Text == "" {
		r.Text, r.Line = en.Text, en.Line
	}
	if r.ID == "" {
		r.ID = en.Statement
	}
	return r, nil
}

// A finder turns an id into one entry and its root.
type finder func(ctx context.Context, v *view, op, id string) (pimento.Entry, *store, error)

// target is a page as remember's planners see it.
func (st *store) target(rel string, d draft) remember.Target {
	return remember.Target{Scope: st.scope, Rel: rel, Page: d.page, Digest: d.digest}
}

// Edit replaces an entry's text. Its history goes with it.
func (e *Engine) Edit(ctx context.Context, id, text string, by Actor) (Result, error) {
	return e.onEntry(ctx, "edit", id, e.resolve, by, func(t remember.Target, o pimento.Occurrence, b remember.By) (pimento.Plan, error) {
		return remember.Edit(t, o, text, b, Note{Text: text}.findings())
	})
}

// Pin sets or takes off an entry's pin.
func (e *Engine) Pin(ctx context.Context, id string, on bool, by Actor) (Result, error) {
	op := "pin"
	if !on {
		op = "unpin"
	}
	return e.onEntry(ctx, op, id, e.resolve, by, func(t remember.Target, o pimento.Occurrence, b remember.By) (pimento.Plan, error) {
		return remember.Pin(t, o, on, b)
	})
}

// Confirm records that the user says it still holds.
func (e *Engine) Confirm(ctx context.Context, id string, by Actor) (Result, error) {
	return e.onEntry(ctx, "confirm", id, e.resolveStatement, by, remember.Confirm)
}

// Reinforce records that it was said once more.
func (e *Engine) Reinforce(ctx context.Context, id string, by Actor) (Result, error) {
	return e.onEntry(ctx, "reinforce", id, e.resolveStatement, by, remember.Reinforce)
}

// Forget takes an entry out of its page. The result's Recovery brings it back.
func (e *Engine) Forget(ctx context.Context, id string, by Actor) (Result, error) {
	rid := e.newID()
	r, err := e.onEntry(ctx, "forget", id, e.resolve, by, func(t remember.Target, o pimento.Occurrence, b remember.By) (pimento.Plan, error) {
		p, payload, err := remember.Forget(t, o, b)
		if err != nil || p.Action == pimento.Refuse {
			return p, err
		}
		return p, e.recovery.Put(ctx, rid, payload) // before the page changes: a crash in between leaves both
	})
	if err != nil || r.Action == pimento.Refuse {
		return r, err
	}
	r.Recovery = rid
	return r, nil
}

// Restore brings back what was forgotten, by its recovery id. It never
// overwrites what was written since.
func (e *Engine) Restore(ctx context.Context, id string, by Actor) (Result, error) {
	if strings.HasSuffix(id, ".md") {
		return e.restorePage(ctx, id, by)
	}
	var payload remember.Payload
	if err := e.recovery.Get(ctx, id, &payload); err != nil {
		return Result{}, err
	}
	if payload.V == 0 || payload.Verb == lostVerb {
		return Result{}, &pimento.Error{Op: "restore", Path: id, Kind: pimento.KindRefused,
			Err: errors.New("it is text that a write had to save for you, not a forgotten entry"), Hint: "look at it in " + e.recoveryFile(id) + " and put back by hand what is missing"}
	}
	v := e.look(ctx)
	st, err := e.writable(ctx, v, "restore", payload.Scope)
	if err != nil {
		return Result{}, err
	}
	e.syncAll(ctx, v)
	r, err := e.restore(ctx, st, payload, by)
	if err != nil || r.Action == pimento.Refuse {
		return r, err
	}
	return r, e.recovery.Delete(ctx, id)
}

// restore puts back what a payload holds, and takes its copy out of the archive.
func (e *Engine) restore(ctx context.Context, st *store, payload remember.Payload, by Actor) (Result, error) {
	p, after, err := e.write(ctx, st, payload.Page, func(d draft) (pimento.Plan, error) {
		p := remember.Restore(st.target(payload.Page, d), payload, e.by(by))
		if payload.Archive == "" {
			return p, nil
		}
		from, err := st.draft(ctx, payload.Archive)
		if err != nil {
			return p, err
		}
		return remember.Unarchive(p, payload, st.target(payload.Archive, from)), nil
	})
	if err != nil {
		return Result{}, err
	}
	r := e.result(st, payload.Page, p, after)
	if payload.Whole {
		r.ID, r.Text, r.Line = "", "", 0 // it is about the page, not about its first entry
	} else if r.Text == "" {
		r.Text = payload.Text
	}
	return r, nil
}

// lostVerb marks a payload that holds what a crash left of a write.
const lostVerb = "lost"

func (e *Engine) recoveryFile(id string) string {
	return filepath.Join(e.opt.Dirs.State, "recovery", id+".json")
}

// A Scratchpad is what a scratch action leaves.
type Scratchpad struct {
	Result
	Recoveries []string        // ids for restore of what was cleared, in page order
	Message    string          // "Added: - [ ] ...", "Updated.", "Cleared 2 done item(s).", or why not
	Items      []pimento.Entry // all items, as they are now
	Text       string          // the page
}

// Scratch runs one action on the scratchpad: add, done, undo, clear, list.
func (e *Engine) Scratch(ctx context.Context, action, text string, by Actor) (Scratchpad, error) {
	v := e.look(ctx)
	if action == "list" {
		return e.scratchList(ctx, v)
	}
	if err := e.strictProfile(ctx); err != nil {
		return Scratchpad{}, err
	}
	do, err := scratchPlan(action, text)
	if err != nil {
		return Scratchpad{}, err
	}
	st, err := e.writable(ctx, v, "scratch", v.scopeOf(scratchPage))
	if err != nil {
		return Scratchpad{}, err
	}
	e.syncAll(ctx, v)
	before, _ := e.pageText(ctx, v, st, scratchPage, "")
	var recoveries []string
	p, after, err := e.write(ctx, st, scratchPage, func(d draft) (pimento.Plan, error) {
		recoveries = nil
		t := st.target(scratchPage, d)
		t.Hidden = e.hides(ctx, v, st, d.page)
		p, kept := do(t, e.by(by))
		for _, k := range kept {
			id := e.newID()
			if err := e.recovery.Put(ctx, id, k); err != nil {
				return p, err
			}
			recoveries = append(recoveries, id)
		}
		return p, nil
	})
	if err != nil {
		return Scratchpad{}, err
	}
	s := Scratchpad{Result: e.result(st, scratchPage, p, after), Recoveries: recoveries}
	s.Was, s.Message = before.Body, scratchMessage(action, s.Result)
	now, _ := e.pageText(ctx, v, st, scratchPage, "")
	s.fill(st, now.Body)
	return s, nil
}

// hides picks the entries of a page that belong to another project.
func (e *Engine) hides(ctx context.Context, v *view, st *store, p *page.Page) func(pimento.Entry) bool {
	es := st.entries(p, scratchPage)
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

func scratchMessage(action string, r Result) string {
	switch {
	case r.Action == pimento.Refuse, action == "clear", action == "clear_done":
		return r.Reason
	case action != "add":
		return "Updated."
	case r.Action == pimento.Reinforce:
		return "Already open: - [ ] " + r.Text
	}
	return "Added: - [ ] " + r.Text
}

// fill adds the items of a scratchpad's text.
func (s *Scratchpad) fill(st *store, text string) {
	s.Text = text
	for _, en := range st.entries(page.Parse(scratchPage, []byte(text)), scratchPage) {
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
		t, ok := e.pageText(ctx, v, st, scratchPage, "")
		if !ok {
			continue
		}
		part := Scratchpad{}
		part.fill(st, t.Body)
		s.Items = append(s.Items, part.Items...)
		s.Text += part.Text
		s.Scope, s.Page, s.Path = st.scope, scratchPage, st.path(scratchPage)
	}
	return s, nil
}

// A scratchPlanner plans one action, with the payloads of what it takes off.
type scratchPlanner func(remember.Target, remember.By) (pimento.Plan, []remember.Payload)

// scratchPlan chooses the planner of an action.
func scratchPlan(action, text string) (scratchPlanner, error) {
	switch action {
	case "add":
		return func(t remember.Target, b remember.By) (pimento.Plan, []remember.Payload) {
			return remember.ScratchAdd(t, text, b, Note{Text: text}.findings()), nil
		}, nil
	case "done", "undo":
		return func(t remember.Target, b remember.By) (pimento.Plan, []remember.Payload) {
			return remember.ScratchTick(t, text, action == "done", b), nil
		}, nil
	case "clear", "clear_done":
		return remember.ScratchClear, nil
	}
	return nil, &pimento.Error{Op: "scratch", Path: action, Kind: pimento.KindUsage,
		Err: errors.New("unknown action"), Hint: "use one of: add, done, undo, clear, list"}
}
