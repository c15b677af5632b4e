package remember

import (
	"encoding/json"
	"time"

	"github.com/pimento-memory/pimento"
)

// A WriteStep is one step of a write, a line of writeback-journal.jsonl.
type WriteStep struct {
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

// A refusedNote is the Data of a refused note's event.
type refusedNote struct {
	Op string `json:"op"`
}

// RefusedData says, for the event of a refused note, what it would have done to its
// page.
func RefusedData(overwrite bool) json.RawMessage {
	op := opAppend
	if overwrite {
		op = opReplace
	}
	b, _ := json.Marshal(refusedNote{op}) // strings always go
	return b
}

type writeTarget struct {
	File    string `json:"file"`
	Heading string `json:"heading,omitempty"`
}

type evidenceRef struct {
	Session string `json:"session"`
	Turn    string `json:"turn,omitempty"` // a trace's id
}

// A Writeback folds events into the steps of writes, oldest first. The journal says
// of a write's end only which write ended; the fold repeats what was staged.
type Writeback struct {
	Steps  []WriteStep
	staged map[string]WriteStep // by txn
}

// WritebackTypes are the events that it folds.
func WritebackTypes() []pimento.EventType {
	return []pimento.EventType{pimento.Staged, pimento.Committed, pimento.Rejected, pimento.Reinforced, pimento.Proposed, pimento.Answered}
}

// Take folds one event.
func (w *Writeback) Take(ev pimento.Event) {
	switch ev.Type {
	case pimento.Staged:
		l := stagedLine(ev)
		w.keep(ev.Txn, l)
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
func (w *Writeback) reject(ev pimento.Event) {
	l, code := w.of(ev), pimento.CodeDestructive
	if ev.Txn == "" {
		var r refusedNote
		_ = json.Unmarshal(ev.Data, &r) // older events have none
		l.Op, code = r.Op, pimento.Code(ev.Reason)
	}
	w.add(l, phaseRejected, code, ev.Time)
}

// propose takes what waits for a yes: staged until then, and a write of its own
// from then on.
func (w *Writeback) propose(ev pimento.Event) {
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
		w.keep(ev.Txn, l)
	} else if !known {
		return // purged, or it only takes away
	}
	switch {
	case ev.Type == pimento.Proposed || ev.Reason == Edited:
		w.add(l, phaseStaged, pimento.CodeOK, ev.Time)
	case ev.Reason == Accepted:
		w.add(l, phaseValidated, pimento.CodeOK, ev.Time)
	case ev.Reason == Rejected:
		w.add(l, phaseRejected, pimento.CodePolicy, ev.Time)
	}
}

func (w *Writeback) keep(txn string, l WriteStep) {
	if w.staged == nil {
		w.staged = map[string]WriteStep{}
	}
	w.staged[txn] = l
}

func (w *Writeback) add(l WriteStep, p phase, code pimento.Code, at time.Time) {
	l.V, l.Phase, l.Code, l.Time = 1, p, code, at
	w.Steps = append(w.Steps, l)
}

// of is what was staged of the write that an event ends.
func (w *Writeback) of(ev pimento.Event) WriteStep {
	if l, ok := w.staged[ev.Txn]; ok && ev.Txn != "" {
		return l
	}
	return lineOf(ev)
}

// lineOf is what an event says by itself. One that belongs to no plan is a
// transaction of its own.
func lineOf(ev pimento.Event) WriteStep {
	l := WriteStep{Txn: ev.Txn, Scope: ev.Scope, Value: ev.Text, Actor: ev.Actor}
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
func stagedLine(ev pimento.Event) WriteStep {
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
