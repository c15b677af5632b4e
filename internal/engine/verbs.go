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

// Planned, given to a verb, makes it say what would become of the entry, and change
// nothing.
type Planned struct{}

// onEntry runs one change of the entry that an id names, on the write path.
// The planner finds the entry again under the lock; when it is gone by then,
// nothing is written. find is resolve, or resolveStatement for what concerns a
// statement wherever it stands.
func (e *Engine) onEntry(ctx context.Context, op, id string, find finder, by Actor, how []Planned, plan entryPlan) (Result, error) {
	v := e.lookSynced(ctx)
	en, st, err := find(ctx, v, op, id)
	if err != nil {
		return Result{}, err
	}
	change := func(d draft) (pimento.Plan, error) {
		return plan(st.target(en.Page, d), en.Occurrence, e.by(by))
	}
	var p pimento.Plan
	var now *page.Page
	if len(how) > 0 {
		var d draft
		p, d, err = e.planned(ctx, st, en.Page, change)
		now = d.page
	} else {
		p, now, err = e.write(ctx, st, en.Page, change)
	}
	if err != nil {
		return Result{}, err
	}
	r := e.result(st, en.Page, p, now)
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
func (e *Engine) Edit(ctx context.Context, id, text string, by Actor, how ...Planned) (Result, error) {
	return e.onEntry(ctx, "edit", id, e.resolve, by, how, func(t remember.Target, o pimento.Occurrence, b remember.By) (pimento.Plan, error) {
		p, err := remember.Edit(t, o, text, b, Note{Text: text}.findings())
		if err != nil || len(how) > 0 {
			return p, err
		}
		was, _ := t.Page.Find(o.Statement, o.N)
		return p, e.foretell(by, &p, Undo{Verb: "edit", ID: changed(o.Scope, o.Page, p), Text: was.Text})
	})
}

// Pin sets or takes off an entry's pin.
func (e *Engine) Pin(ctx context.Context, id string, on bool, by Actor, how ...Planned) (Result, error) {
	op := "pin"
	if !on {
		op = "unpin"
	}
	r, err := e.onEntry(ctx, op, id, e.resolve, by, how, func(t remember.Target, o pimento.Occurrence, b remember.By) (pimento.Plan, error) {
		return remember.Pin(t, o, on, b)
	})
	if err != nil || !on || r.Reason != "" {
		return r, err
	}
	if p, _ := e.Profile(ctx); !showsPins(p, r.Page) {
		r.Reason = "the profile " + p.Name + " has no section for pins, so this is shown no more than before"
	}
	return r, nil
}

// showsPins says whether a pin on a page is a reason to be shown.
func showsPins(p pimento.Profile, rel string) bool {
	return rel == page.Memory || rel == page.LocalMemory || p.SectionOf(pimento.PickPinned) != nil || p.SectionOf(pimento.PickAlways) != nil
}

// Confirm records that the user says that an entry still holds.
func (e *Engine) Confirm(ctx context.Context, id string, by Actor, how ...Planned) (Result, error) {
	return e.onEntry(ctx, "confirm", id, e.resolveStatement, by, how, remember.Confirm)
}

// Reinforce records that an entry was said once more.
func (e *Engine) Reinforce(ctx context.Context, id string, by Actor, how ...Planned) (Result, error) {
	return e.onEntry(ctx, "reinforce", id, e.resolveStatement, by, how, remember.Reinforce)
}

// Forget takes an entry out of its page. The result's Recovery brings it back.
func (e *Engine) Forget(ctx context.Context, id string, by Actor, how ...Planned) (Result, error) {
	rid := e.newID()
	r, err := e.onEntry(ctx, "forget", id, e.resolve, by, how, func(t remember.Target, o pimento.Occurrence, b remember.By) (pimento.Plan, error) {
		p, payload, err := remember.Forget(t, o, b)
		if err != nil || p.Action == pimento.Refuse || len(how) > 0 {
			return p, err
		}
		if err = e.foretell(by, &p, Undo{Verb: "restore", ID: rid}); err != nil {
			return p, err
		}
		return p, e.setAside(ctx, rid, payload) // before the page changes: a crash in between leaves both
	})
	if err != nil || r.Action == pimento.Refuse || len(how) > 0 {
		return r, err
	}
	r.Recovery, r.Quoted = rid, e.quoting(ctx, r.Was)
	return r, nil
}

// Restore brings back what was forgotten, by its recovery id. It never overwrites
// later text.
func (e *Engine) Restore(ctx context.Context, id string, by Actor) (Result, error) {
	if strings.HasSuffix(id, ".md") {
		return e.restorePage(ctx, id, by)
	}
	v := e.look(ctx)
	var payload remember.Payload
	id = e.RecoveryID(ctx, id)
	if err := e.recovery.Get(ctx, id, &payload); err != nil {
		en, _, rerr := e.resolve(ctx, v, "restore", id)
		switch {
		case rerr == nil:
			err = &pimento.Error{Op: "restore", Path: id, Kind: pimento.KindNotFound,
				Err: errors.New("nothing is to be brought back, it stands on " + string(en.Scope) + ":" + en.Page), Hint: "look at it: pimento why " + id}
		case pimento.KindOf(rerr) == pimento.KindNotFound: // an entry's id, of which more may be known
			err = rerr
		}
		return Result{}, err
	}
	if payload.V == 0 || payload.Verb == lostVerb {
		return Result{}, &pimento.Error{Op: "restore", Path: id, Kind: pimento.KindRefused,
			Err: errors.New("it is text that a write had to save for you, not a forgotten entry"), Hint: "look at it in " + e.recoveryFile(id) + " and put back by hand what is missing"}
	}
	if err := v.ofAnother(id, payload); err != nil {
		return Result{}, err
	}
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
	undo := "" // of a page that gives way to the one that comes back
	p, after, err := e.write(ctx, st, payload.Page, func(d draft) (pimento.Plan, error) {
		t := st.target(payload.Page, d)
		p := remember.Restore(t, payload, e.by(by))
		if payload.Whole && p.Action == pimento.Put && d.digest != "" {
			if undo == "" {
				undo = e.newID()
			}
			return p, e.setAside(ctx, undo, remember.KeptWhole("overwrite", t, payload.Raw, e.by(by)))
		}
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
		r.ID, r.Text, r.Line, r.Recovery = "", "", 0, undo // it is about the page, not about its first entry
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
