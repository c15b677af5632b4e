package engine

import (
	"context"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/recall"
	"github.com/pimento-memory/pimento/internal/score"
)

// Recall answers a question. What is missing on the way is a fault in the
// answer.
func (e *Engine) Recall(ctx context.Context, q pimento.Query) pimento.Answer {
	v := e.look(ctx)
	e.syncAll(ctx, v)
	if q.Now.IsZero() {
		q.Now = e.opt.Now()
	}
	a := e.answer(ctx, v, q, recall.Options{})
	a.Faults = append(a.Faults, v.faults...)
	return a
}

// syncAll brings every readable root's index up to its files, and journals
// what was seen. It is for commands; a turn does the same under its deadline.
func (e *Engine) syncAll(ctx context.Context, v *view) {
	settled := e.settle(ctx)
	for _, st := range v.stores {
		_, s, fault := e.syncStore(ctx, st, settled)
		if fault != nil {
			v.faults = append(v.faults, *fault)
		}
		if s.err != nil && pimento.KindOf(s.err) != pimento.KindUnavailable {
			v.faultErr("sync", s.err)
		}
		if len(s.events) > 0 {
			_ = st.journal.Note(ctx, s.events) // a journal that cannot be written is doctor's news
		}
	}
}

// answer asks the indexes of a view.
func (e *Engine) answer(ctx context.Context, v *view, q pimento.Query, opts recall.Options) pimento.Answer {
	var roots []recall.Source
	for _, st := range v.stores {
		idx, fault := e.index(ctx, st)
		if fault != nil {
			v.faults = append(v.faults, *fault)
		}
		roots = append(roots, recall.Source{Scope: st.scope, Reader: idx, Text: st.glance})
	}
	if v.waits() {
		opts.DeniedScopes = []pimento.Scope{pimento.Project, pimento.Local}
	}
	opts.Skip = func(scope pimento.Scope, rel string, d index.Doc) bool {
		return e.elsewhere(ctx, v, scope, rel, d.Statement)
	}
	opts.Prior = e.prior(ctx, v)
	a := recall.Answer(ctx, q, roots, opts)
	if a.Status == pimento.BackendError {
		for _, st := range v.stores {
			st.dropIndex()
		}
	}
	return a
}

// elsewhere says whether a statement of the global root is a log or a task
// that was written in another project.
func (e *Engine) elsewhere(ctx context.Context, v *view, scope pimento.Scope, rel string, st pimento.Statement) bool {
	if scope != pimento.Global || !belongsToProject(rel) {
		return false
	}
	s := v.store(scope)
	if s == nil {
		return false
	}
	recs, err := s.journal.Records(ctx, []pimento.Statement{st})
	if err != nil {
		return false
	}
	r, ok := recs[st]
	return ok && r.Project != "" && r.Project != v.project.ID
}

// prior is what an entry is worth apart from the question: its standing on a
// scale from 0 to 1.
func (e *Engine) prior(ctx context.Context, v *view) func(pimento.Entry) float64 {
	return func(en pimento.Entry) float64 {
		if en.Pinned {
			return 1
		}
		st := v.store(en.Scope)
		if st == nil {
			return 0
		}
		s := e.standings(ctx, v, st, []pimento.Entry{en})[0]
		return min(1, s.Score/2)
	}
}

// standings computes where entries of one root stand now, in the same order.
func (e *Engine) standings(ctx context.Context, v *view, st *store, es []pimento.Entry) []pimento.Standing {
	sts := make([]pimento.Statement, len(es))
	for i, en := range es {
		sts[i] = en.Statement
	}
	recs, err := st.journal.Records(ctx, sts)
	v.faultErr("journal", err)
	facts := make([]score.Fact, len(es))
	for i, en := range es {
		r := recs[en.Statement]
		facts[i] = score.Fact{Kind: en.Kind, Text: en.Text, Cue: r.Cue, Evidence: r.Evidence, First: r.First, Last: r.Last,
			Confirmed: r.Confirmed, Pinned: en.Pinned, Forgotten: r.Forgotten, Remembered: r.Evidence > 0 && !r.Bulk,
			Used: r.Used, Injected: r.Injected}
		if facts[i].Last.IsZero() {
			facts[i].First, facts[i].Last = en.Stamp, en.Stamp
		}
	}
	return score.Rank(facts, score.Default(), e.opt.Now())
}
