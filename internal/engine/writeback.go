package engine

import (
	"context"
	"encoding/json"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/journal"
	"github.com/pimento-memory/pimento/internal/remember"
)

// A writebackLine is one step of a write.
type writebackLine struct {
	V      int            `json:"v"`
	Txn    string         `json:"txn,omitempty"`
	Time   time.Time      `json:"ts"`
	Phase  phase          `json:"phase"`
	Op     string         `json:"op,omitempty"`
	Scope  pimento.Scope  `json:"scope,omitempty"`
	Target *writeTarget   `json:"target,omitempty"`
	Value  string         `json:"value,omitempty"`
	Base   pimento.Digest `json:"base_version,omitempty"`
	Ref    *evidenceRef   `json:"evidence_ref,omitempty"`
	Actor  string         `json:"actor,omitempty"`
	Code   pimento.Code   `json:"reason_code"`
}

// A phase is how far a write has come.
type phase string

const (
	phaseStaged    phase = "staged"
	phaseValidated phase = "validated"
	phaseCommitted phase = "committed"
	phaseRejected  phase = "rejected"
)

// The operations of the writeback protocol.
const (
	opAppend  = "append"
	opMerge   = "merge"
	opReplace = "set-with-version"
)

// A refusal is the Data of a refused note's event.
type refusal struct {
	Op string `json:"op"`
}

type writeTarget struct {
	File    string `json:"file"`
	Heading string `json:"heading,omitempty"`
}

type evidenceRef struct {
	Session string `json:"session"`
	Turn    string `json:"turn,omitempty"` // a trace's id
}

// writeback is what the journal says of writes, oldest first.
func (e *Engine) writeback(ctx context.Context, st *store) ([]byte, error) {
	w := writebackView{staged: map[string]writebackLine{}}
	types := []pimento.EventType{pimento.Staged, pimento.Committed, pimento.Rejected, pimento.Reinforced, pimento.Proposed, pimento.Answered}
	if _, err := st.journal.Select(ctx, journal.Mark{}, types, w.take); err != nil {
		return nil, err
	}
	return lines(w.rows)
}

// A writebackView folds events into the steps of writes. The journal says of a
// write's end only which write ended; the view repeats what was staged.
type writebackView struct {
	rows   []writebackLine
	staged map[string]writebackLine // by txn
}

func (w *writebackView) take(ev pimento.Event) {
	switch ev.Type {
	case pimento.Staged:
		l := stagedLine(ev)
		w.staged[ev.Txn] = l
		w.add(l, phaseStaged, pimento.CodeOK, ev.Time)
		w.add(l, phaseValidated, pimento.CodeOK, ev.Time) // a plan is journaled when its checks are passed
	case pimento.Committed:
		w.add(w.of(ev), phaseCommitted, pimento.CodeOK, ev.Time)
	case pimento.Rejected:
		w.reject(ev)
	case pimento.Reinforced:
		if _, ok := w.staged[ev.Txn]; !ok { // said again: no byte of a page changes
			l := lineOf(ev)
			l.Op = opMerge
			w.add(l, phaseCommitted, pimento.CodeDuplicate, ev.Time)
		}
	case pimento.Proposed, pimento.Answered:
		w.propose(ev)
	}
}

// reject takes a plan that was given up, because somebody else had changed the
// page under it, or a note that never became one.
func (w *writebackView) reject(ev pimento.Event) {
	l, code := w.of(ev), pimento.CodeDestructive
	if ev.Txn == "" {
		var r refusal
		_ = json.Unmarshal(ev.Data, &r) // older events have none
		l.Op, code = r.Op, pimento.Code(ev.Reason)
	}
	w.add(l, phaseRejected, code, ev.Time)
}

// propose takes what waits for a yes: staged until then, and a write of its own
// from then on.
func (w *writebackView) propose(ev pimento.Event) {
	l, known := w.staged[ev.Txn]
	var p pimento.Proposal
	if json.Unmarshal(ev.Data, &p) == nil && p.Text != "" {
		if !known {
			l = lineOf(ev)
			l.Op, l.Target = opAppend, nil
			if p.Page != "" {
				l.Target = &writeTarget{File: p.Page}
			}
		}
		l.Value = p.Text
		w.staged[ev.Txn] = l
	} else if !known {
		return // purged, or it only takes away
	}
	switch {
	case ev.Type == pimento.Proposed || ev.Reason == remember.Edited:
		w.add(l, phaseStaged, pimento.CodeOK, ev.Time)
	case ev.Reason == remember.Accepted:
		w.add(l, phaseValidated, pimento.CodeOK, ev.Time)
	case ev.Reason == remember.Rejected:
		w.add(l, phaseRejected, pimento.CodePolicy, ev.Time)
	}
}

func (w *writebackView) add(l writebackLine, p phase, code pimento.Code, at time.Time) {
	l.V, l.Phase, l.Code, l.Time = 1, p, code, at
	w.rows = append(w.rows, l)
}

// of is what was staged of the write that an event ends.
func (w *writebackView) of(ev pimento.Event) writebackLine {
	if l, ok := w.staged[ev.Txn]; ok && ev.Txn != "" {
		return l
	}
	return lineOf(ev)
}

// lineOf is what an event says by itself. One that belongs to no plan is a
// transaction of its own.
func lineOf(ev pimento.Event) writebackLine {
	l := writebackLine{Txn: ev.Txn, Scope: ev.Scope, Value: ev.Text, Actor: ev.Actor}
	if l.Txn == "" {
		l.Txn = ev.ID
	}
	if ev.Page != "" {
		l.Target = &writeTarget{File: ev.Page}
	}
	if ev.Session != "" {
		l.Ref = &evidenceRef{ev.Session, ev.Turn}
	}
	return l
}

// stagedLine is what a staged plan says. A purge takes the plan out, and leaves
// that there was one.
func stagedLine(ev pimento.Event) writebackLine {
	l := lineOf(ev)
	var p pimento.Plan
	if json.Unmarshal(ev.Data, &p) != nil || len(p.Changes) == 0 {
		return l
	}
	c := p.Changes[0]
	if len(p.Events) > 0 {
		first := lineOf(p.Events[0])
		l.Value, l.Actor, l.Ref = first.Value, first.Actor, first.Ref
	}
	l.Op, l.Scope, l.Target, l.Base = opOf(p), c.Scope, &writeTarget{c.Page, p.Heading}, c.Before
	return l
}

// opOf is a write in the words of the writeback protocol: something is added,
// what stands there is said again with more, or a known version is replaced.
func opOf(p pimento.Plan) string {
	switch {
	case p.Action == pimento.Reinforce:
		return opMerge
	case p.Verb == "remember" || p.Verb == "handoff" || p.Verb == "scratch" || p.Changes[0].Append:
		return opAppend
	}
	return opReplace
}
