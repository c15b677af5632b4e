package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/inject"
)

// DefaultDreamHours is how many hours of a live session lie between two dreams.
const DefaultDreamHours = 3

// DreamHours is how many hours of a live session lie between two dreams, 0 when
// the user does not want dreams by themselves.
func (e *Engine) DreamHours(ctx context.Context) float64 {
	if v := e.look(ctx); !v.autoDream || !v.enabled {
		return 0
	}
	return cmp.Or(e.opt.DreamHours, DefaultDreamHours)
}

// SetAutoDream turns dreams by themselves on or off, for all projects of the
// user, and returns what DreamHours does from now on.
func (e *Engine) SetAutoDream(ctx context.Context, on bool) (hours float64, err error) {
	if err := e.setOwn(ctx, "autoDream", on); err != nil {
		return 0, err
	}
	return e.DreamHours(ctx), nil
}

// LastDream is the report of the project's last dream; ok is false when there
// was none.
func (e *Engine) LastDream(ctx context.Context) (r DreamReport, ok bool, err error) {
	if ok, err = e.dreams().Last(projectKey(e.look(ctx)), &r); ok {
		err = e.settle(ctx, &r)
	}
	return r, ok, err
}

// settle counts what a dream has applied. Each step that takes a change back is on
// record before the change is made; where the dream could not say afterwards what
// came of it, because it was killed or failed, the journal does.
func (e *Engine) settle(ctx context.Context, r *DreamReport) error {
	open := func(u Undo) bool { return u.Txn != "" }
	if slices.ContainsFunc(r.Acts, func(a DreamAct) bool { return slices.ContainsFunc(a.Undo, open) }) {
		made, err := e.carriedOut(ctx)
		if err != nil {
			return err
		}
		for i := range r.Acts {
			a := &r.Acts[i]
			a.Undo = slices.DeleteFunc(a.Undo, func(u Undo) bool { return open(u) && !made[u.Txn] })
			for j := range a.Undo {
				a.Undo[j].Txn = ""
			}
			if len(a.Undo) > 0 {
				a.State = DreamApplied
			}
		}
	}
	r.Applied = 0
	for _, a := range r.Acts {
		if a.State == DreamApplied {
			r.Applied++
		}
	}
	return nil
}

// carriedOut are the plans that were carried out here, those that a crash left
// among them: they are finished first.
func (e *Engine) carriedOut(ctx context.Context) (map[string]bool, error) {
	v, made := e.look(ctx), map[string]bool{}
	if err := e.flush(ctx, v); err != nil {
		return nil, err
	}
	for _, st := range v.stores {
		err := st.journal.Each(ctx, []pimento.EventType{pimento.Committed}, func(ev pimento.Event) { made[ev.Txn] = true })
		if err != nil {
			return nil, err
		}
	}
	return made, nil
}

// brokenDream tells the person once that a dream ended with the session in which
// they had asked for it.
func (t *turn) brokenDream() []Notice {
	if t.Event != pimento.SessionStart && t.Event != pimento.PromptTurn || t.silent() {
		return nil
	}
	since, broken := t.e.dreams().Broken(projectKey(t.v))
	if !broken {
		return nil
	}
	t.e.dreams().Unmark(projectKey(t.v))
	return []Notice{{"the dream of " + since.Format("15:04") + " was cut off by the end of its session", "begin it anew: pimento dream"}}
}

// DreamUndo takes back what the project's last dream applied. What was changed
// since stays as it is.
func (e *Engine) DreamUndo(ctx context.Context, by Actor) (DreamReport, error) {
	v := e.look(ctx)
	end, err := e.dreams().Begin(ctx, e.Now()) // no dream applies its own meanwhile
	if err != nil {
		return DreamReport{}, err
	}
	defer end()
	r, ok, err := e.LastDream(ctx)
	if err != nil {
		return r, err
	}
	if !ok || r.Applied == 0 || r.Undone {
		return r, &pimento.Error{Op: "dream", Kind: pimento.KindRefused, Err: errors.New("the last dream changed nothing that could be taken back"),
			Hint: "look at it: pimento dream last"}
	}
	for i := range slices.Backward(r.Acts) {
		for _, u := range r.Acts[i].Undo {
			if err := e.undo(ctx, u, by); err != nil && pimento.KindOf(err) != pimento.KindNotFound {
				return r, err
			}
		}
	}
	r.Undone = true
	return r, e.dreams().Keep(projectKey(v), r)
}

func (e *Engine) undo(ctx context.Context, u Undo, by Actor) (err error) {
	var r Result
	switch u.Verb {
	case "restore":
		r, err = e.Restore(ctx, u.ID, by)
	case "edit":
		r, err = e.Edit(ctx, u.ID, u.Text, by)
	case "forget":
		r, err = e.Forget(ctx, u.ID, by)
	}
	if err == nil && r.Action == pimento.Refuse {
		err = &pimento.Error{Op: "dream", Path: u.ID, Kind: pimento.KindRefused, Err: errors.New(r.Reason)}
	}
	return err
}

// purgeDream takes out the records of dreams that hold a purged text.
func (e *Engine) purgeDream(gone []purged) (bool, error) {
	var quoted []string // as JSON holds them
	for _, g := range gone {
		if g.text == "" {
			continue
		}
		b, err := json.Marshal(g.text)
		if err != nil {
			return false, err
		}
		quoted = append(quoted, strings.Trim(string(b), `"`))
	}
	return e.dreams().Forget(func(b []byte) bool {
		return slices.ContainsFunc(quoted, func(s string) bool { return strings.Contains(string(b), s) })
	})
}

// running tells the model that a dream is at work, when a section of the
// profile shows that: what it reads may be merged at any moment.
func (t *turn) running(f *inject.Facts) {
	if t.v.profile.SectionOf(pimento.PickRunning) == nil {
		return
	}
	since, running := t.e.dreams().Running()
	if !running {
		return
	}
	f.Items[pimento.PickRunning] = []inject.Item{{Entry: pimento.Entry{Kind: pimento.KindNote,
		Occurrence: pimento.Occurrence{Page: "dream", Statement: pimento.StatementOf(fmt.Sprint("dream ", since.Unix()))},
		Text:       "A dream is going through this memory. What it finds waits in the user's inbox; leave cleaning up to it."}}}
}
