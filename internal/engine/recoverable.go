package engine

import (
	"context"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/pimento-memory/pimento"
)

// A Kept is one text in recovery: an entry or page that was taken out, or what
// a write had to save of somebody else's.
type Kept struct {
	ID    string        `json:"id"`
	Time  time.Time     `json:"time,omitzero"`
	Verb  string        `json:"verb"` // what took it out: forget, archive, scratch, overwrite, saved
	Scope pimento.Scope `json:"scope"`
	Page  string        `json:"page"`
	Text  string        `json:"text"`
	Dir   string        `json:"dir,omitempty"` // of the project that it was taken out of
	Other bool          `json:"-"`             // that is not this one
}

// Recoverable lists what is in recovery, newest first, of every scope and
// project: it is all this user's. What cannot be read is left out and a fault.
func (e *Engine) Recoverable(ctx context.Context) ([]Kept, []pimento.Fault, error) {
	ids, err := e.recovery.List(ctx)
	if err != nil {
		return nil, nil, err
	}
	list, faults, here := []Kept{}, []pimento.Fault(nil), ""
	if at, ok, err := e.opt.Dirs.Project(ctx, e.opt.Dir); err == nil && ok {
		here = at.Dir
	}
	for _, id := range slices.Backward(ids) {
		k, err := e.Kept(ctx, id)
		if err != nil {
			faults = append(faults, pimento.Fault{Kind: "recovery", Detail: err.Error()})
			continue
		}
		k.Other = k.Dir != "" && k.Dir != here
		list = append(list, k)
	}
	slices.SortStableFunc(list, func(x, y Kept) int { return y.Time.Compare(x.Time) })
	return list, faults, nil
}

// Kept reads one payload of recovery, in either of its two forms.
func (e *Engine) Kept(ctx context.Context, id string) (Kept, error) {
	var p kept
	if err := e.recovery.Get(ctx, id, &p); err != nil {
		return Kept{}, err
	}
	k := Kept{ID: id, Time: p.Time, Verb: p.Verb, Scope: p.Scope, Page: p.Page, Text: p.Text, Dir: p.Dir}
	if k.Verb == "" || k.Verb == lostVerb {
		k.Verb = "saved"
	}
	for _, raw := range [][]byte{p.Raw, p.Bytes} {
		if k.Text == "" && utf8.Valid(raw) {
			k.Text = string(raw)
		}
	}
	return k, nil
}
