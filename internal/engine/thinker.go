package engine

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/think"
)

// Thinker opens the language model that the user turned on; nil, without an
// error, when there is none. The caller closes it.
func (e *Engine) Thinker(ctx context.Context) (think.Thinker, error) {
	return e.openThinker(e.look(ctx))
}

func (e *Engine) openThinker(v *view) (think.Thinker, error) {
	if !v.thinker.On() {
		return nil, nil
	}
	if e.opt.Think == nil {
		return nil, &pimento.Error{Op: "think", Path: v.thinker.Name(), Kind: pimento.KindUnavailable, Err: errors.New("not to be had here"), Hint: hintDoctor}
	}
	return e.opt.Think(v.thinker)
}

// A ThinkerStatus is which language model is turned on, and what it has cost.
type ThinkerStatus struct {
	On      bool        `json:"on"`
	Name    string      `json:"name"`
	PerCall int         `json:"per_call"` // caps in tokens
	PerDay  int         `json:"per_day"`
	Today   think.Day   `json:"today"`
	Days    []think.Day `json:"days,omitempty"` // newest first
}

// shownDays is how many days of spending a status lists.
const shownDays = 7

// Spending says which language model is turned on, and what was spent.
func (e *Engine) Spending(ctx context.Context) (ThinkerStatus, error) {
	return e.spending(ctx, e.look(ctx))
}

func (e *Engine) spending(ctx context.Context, v *view) (ThinkerStatus, error) {
	s := ThinkerStatus{On: v.thinker.On(), Name: v.thinker.Name(), PerCall: v.thinker.PerCall(), PerDay: v.thinker.PerDay()}
	days, err := think.OpenBook(e.spendDir()).Days(ctx)
	s.Days, s.Today = days[:min(len(days), shownDays)], think.Day{Day: e.Today()}
	for _, d := range days {
		if d.Day == s.Today.Day {
			s.Today = d
		}
	}
	return s, err
}

// thinkerStatus is nil where there is nothing to say: no model, and none of
// late.
func (e *Engine) thinkerStatus(ctx context.Context, v *view) *ThinkerStatus {
	s, err := e.spending(ctx, v)
	v.faultErr("spend", err)
	if !s.On && len(s.Days) == 0 {
		return nil
	}
	return &s
}

func (e *Engine) spendDir() string { return filepath.Join(e.opt.Dirs.State, "think") }
