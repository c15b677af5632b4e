package engine

import (
	"context"
	"errors"
	"slices"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/fault"
)

// boundary names the boundary that an event of a session is: where its context
// or its end is lost, so that what is not written by then is lost, too. "" for
// none; the first start of a session is none.
func (t *turn) boundary() string {
	switch t.Event {
	case pimento.BeforeCompact:
		return "compaction"
	case pimento.SessionEnd:
		if t.Reason == "" {
			return "shutdown"
		}
		return t.Reason // quit, reload, new, resume, fork
	case pimento.SessionStart:
		if t.Reason != "startup" {
			return t.Reason
		}
	}
	return ""
}

// crossed is the event of a boundary; none where no record is kept.
func (t *turn) crossed() []pimento.Event {
	reason := t.boundary()
	if reason == "" || !t.keeps() {
		return nil
	}
	return []pimento.Event{{ID: t.e.newID(), Time: t.e.Now(), Type: pimento.Boundary, Reason: reason,
		Actor: "harness", Session: t.Session, Project: t.v.project.ID}}
}

// Compact does what a compaction asks of memory while the context is still there:
// it writes the handoff and finishes what is staged. keep is the bookkeeping, to be
// called once the answer is out; it is never nil.
func (e *Engine) Compact(ctx context.Context, in pimento.Turn) (res Result, keep func(context.Context), err error) {
	in.Event = pimento.BeforeCompact
	res, err = e.Handoff(ctx, in)
	t := e.begin(ctx, in)
	return res, t.after, errors.Join(err, t.e.flush(ctx, t.v))
}

// flush finishes, in every readable root, what is staged and has no end: a
// write that a crash cut short. Where nothing is, no lock is taken.
func (e *Engine) flush(ctx context.Context, v *view) error {
	_, err := e.flushed(ctx, v)
	return err
}

func (e *Engine) flushed(ctx context.Context, v *view) (n int, err error) {
	for _, st := range v.stores {
		plans, perr := st.journal.Pending(ctx)
		plans = slices.DeleteFunc(plans, func(p pimento.Plan) bool { return p.Root != st.root.Key() })
		if perr == nil && len(plans) > 0 {
			perr = e.underLock(ctx, st, func() error { return e.replay(ctx, st) })
		}
		if perr != nil {
			err = errors.Join(err, perr)
			continue
		}
		n += len(plans)
	}
	return n, err
}

func (e *Engine) underLock(ctx context.Context, st *store, f func() error) error {
	unlock, err := st.root.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return f()
}

// Faults are the moments at which memory let an agent down here, oldest first,
// as far back as traces and journals reach.
func (e *Engine) Faults(ctx context.Context) ([]fault.Fault, error) {
	v := e.look(ctx)
	traces, err := e.traces(v).List(ctx, 0)
	if err != nil {
		return nil, err
	}
	var events []pimento.Event
	types := []pimento.EventType{pimento.Staged, pimento.Committed, pimento.Rejected, pimento.Boundary, pimento.Acted, pimento.Forgotten,
		pimento.Purged, pimento.Vanished, pimento.Unpinned, pimento.Archived, pimento.Completed, pimento.Aliased}
	for _, st := range v.stores {
		err := st.journal.Each(ctx, types, func(ev pimento.Event) {
			if ev.Project == "" || ev.Project == v.project.ID {
				events = append(events, ev)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return fault.Find(events, traces), nil
}
