package engine

import (
	"context"
	"slices"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/session"
	"github.com/pimento-memory/pimento/internal/upkeep"
)

// Handoff writes into today's log what the next context must know, when a
// compaction is about to drop it. One compaction has one handoff, however often it
// is reported. If there is nothing to hand over, it writes nothing and makes no
// folder.
func (e *Engine) Handoff(ctx context.Context, t pimento.Turn) (Result, error) {
	if t.Untrusted {
		e = e.WithoutProject()
	}
	v := e.look(ctx)
	none := Result{Action: pimento.Refuse, Reason: "handoffs are off"}
	if !v.profile.Handoff.Enabled || t.Off || !v.enabled {
		return none, nil
	}
	state, err := e.sessions.Load(ctx, t.Harness, t.Session)
	if err == nil && state.Off {
		return none, nil
	}
	rel := page.DailyPage(e.Today())
	st := e.handoffStore(v, rel)
	if st == nil {
		none.Reason = "there is nothing to hand over"
		return none, nil
	}
	open := e.openTexts(ctx, v, st)
	var claimErr error
	mine := false
	plan, after, err := e.write(ctx, st, rel, func(d draft) (pimento.Plan, error) {
		if !mine { // the plan may be made several times
			mine, claimErr = e.claim(ctx, t)
		}
		return upkeep.PlanHandoff(upkeep.HandoffFacts{Now: e.Now(), Session: t.Session, Written: !mine,
			Open: open, Log: e.ownLog(ctx, v, st, rel, d), LogLines: v.profile.Handoff.LogLines},
			upkeep.Place{Scope: st.scope, Rel: rel, Page: d.page, Digest: d.digest}), nil
	})
	if err != nil {
		if mine {
			e.disclaim(ctx, t)
		}
		return Result{}, err
	}
	return e.result(st, rel, plan, after), claimErr
}

// handoffTime is the least time that a handoff is given: what it would save is
// gone afterwards.
const handoffTime = 2 * time.Second

// handoffLate is Handoff for a turn, whose own time is too short for a write.
func (e *Engine) handoffLate(ctx context.Context, t pimento.Turn) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), max(handoffTime, e.opt.Deadline))
	defer cancel()
	_, err := e.Handoff(ctx, t)
	return err
}

// claim notes that a compaction's handoff is being written. It is called under
// the root's lock, so that of several processes one is told that it is theirs.
func (e *Engine) claim(ctx context.Context, t pimento.Turn) (mine bool, err error) {
	if t.Session == "" || t.Compaction == "" {
		return true, nil
	}
	err = e.sessions.Update(ctx, t.Harness, t.Session, func(s *session.State) {
		if mine = !s.Compacted(t.Compaction); mine {
			s.Compactions = append(s.Compactions, t.Compaction)
		}
	})
	return mine, err
}

// disclaim takes a claim back whose handoff could not be written.
func (e *Engine) disclaim(ctx context.Context, t pimento.Turn) {
	_ = e.sessions.Update(context.WithoutCancel(ctx), t.Harness, t.Session, func(s *session.State) {
		s.Compactions = slices.DeleteFunc(s.Compactions, func(id string) bool { return id == t.Compaction })
	})
}

// handoffStore is where handoffs go: the profile's default scope if it has
// memory, else the user's own.
func (e *Engine) handoffStore(v *view, rel string) *store {
	for _, scope := range []pimento.Scope{v.scopeOf(rel), pimento.Global} {
		if st := v.store(scope); st != nil && st.root.Exists() {
			return st
		}
	}
	return nil
}

// mayStandIn says whether what a root holds may be written into a log: others
// read a project's, so that what is the user's own stays out of it.
func (st *store) mayStandIn(log *store) bool {
	return st == log || log.scope != pimento.Project
}

// openTexts are the open tasks that may stand in a log.
func (e *Engine) openTexts(ctx context.Context, v *view, log *store) []string {
	var out []string
	for _, it := range e.openTasks(ctx, v) {
		if v.store(it.Entry.Scope).mayStandIn(log) {
			out = append(out, it.Entry.Text)
		}
	}
	return out
}

// ownLog is a log page without what other projects wrote there.
func (e *Engine) ownLog(ctx context.Context, v *view, st *store, rel string, d draft) *page.Page {
	p := d.page.Agreed()
	es := st.Entries(p)
	hidden := e.hiddenEntries(ctx, v, st, es)
	if len(hidden) == 0 {
		return p
	}
	src := p.Bytes()
	var out []byte
	at := 0
	for i, en := range es {
		if hidden[i] {
			out = append(out, src[at:en.Span.Start]...)
			at = en.Span.End
		}
	}
	return page.Parse(rel, append(out, src[at:]...))
}
