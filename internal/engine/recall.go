package engine

import (
	"context"
	"slices"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/embed"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/mirror"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/recall"
	"github.com/pimento-memory/pimento/internal/score"
	"github.com/pimento-memory/pimento/internal/upkeep"
)

// Recall answers a question. What is missing on the way is a fault in the
// answer.
func (e *Engine) Recall(ctx context.Context, q pimento.Query) pimento.Answer {
	return e.recall(ctx, e.look(ctx), q)
}

func (e *Engine) recall(ctx context.Context, v *view, q pimento.Query) pimento.Answer {
	e.syncAll(ctx, v)
	if q.Now.IsZero() {
		q.Now = e.Now()
	}
	a := e.search(ctx, v, q, recall.Options{}, false)
	if v.profile.Recall.Rank == "published" {
		e.publishedOrder(ctx, v, a.Hits)
	}
	a.Relations = e.relations(ctx, v, q.Text, relationsShown)
	a.Faults = append(a.Faults, v.faults...)
	return a
}

// publishedOrder sorts hits as the scored-topics system does.
func (e *Engine) publishedOrder(ctx context.Context, v *view, hits []pimento.Hit) {
	stability := make([]float64, len(hits))
	for i, h := range hits {
		if st := v.store(h.Entry.Scope); st != nil {
			stability[i] = e.standings(ctx, v, st, []pimento.Entry{h.Entry})[0].Score
		}
	}
	recall.Published(hits, stability)
}

// syncAll brings every readable root's index up to its files, and journals
// what was seen. It is for commands; a turn does the same under its deadline.
func (e *Engine) syncAll(ctx context.Context, v *view) {
	settled := e.watch.Settle().Done(ctx)
	for _, st := range v.stores {
		_, s, fault := st.Sync(ctx, mirror.Occasion{Settled: settled})
		v.synced(st, s, fault)
		if len(s.Events) > 0 {
			_ = st.journal.Note(ctx, s.Events) // a journal that cannot be written is doctor's news
		}
	}
}

// lookSynced is look with every index up to its files.
func (e *Engine) lookSynced(ctx context.Context) *view {
	v := e.look(ctx)
	e.syncAll(ctx, v)
	return v
}

// answer asks the indexes of a view, and more readers.
func (e *Engine) answer(ctx context.Context, v *view, q pimento.Query, opts recall.Options, roots ...recall.Source) pimento.Answer {
	unhurried, cancel := e.makeUpFor(ctx, v)
	defer cancel()
	for _, st := range v.stores {
		idx, fault := st.Index(ctx)
		if fault != nil {
			v.faults = append(v.faults, *fault)
		}
		g := st.Glancer()
		defer g.Close()
		roots = append(roots, recall.Source{Scope: st.scope, Reader: idx, Text: g.Text, Near: e.nearest(unhurried, v, st, idx)})
	}
	if q.Archived {
		roots = append(roots, e.archives(ctx, v)...)
	}
	if v.waits() {
		opts.DeniedScopes = []pimento.Scope{pimento.Project, pimento.Local}
	}
	if v.embedder.Name != embed.None {
		opts.Lexicon = e.lexicon
		opts.Embedder = func(ctx context.Context) (embed.Embedder, error) { return e.hurry(ctx, v) }
	}
	r := v.profile.Recall
	opts.Weights, opts.Fresh, opts.Tags, opts.Strict = r.Weights, r.Fresh, r.Tags, r.Strict
	opts.Against = upkeep.Against()
	opts.Skip = func(scope pimento.Scope, ms []index.Match) []index.Match { return e.here(ctx, v, scope, ms) }
	opts.Said = func(scope pimento.Scope, sts []pimento.Statement) map[pimento.Statement]recall.Times {
		return e.said(ctx, v, scope, sts)
	}
	opts.SaidWithin = func(ctx context.Context, scope pimento.Scope, from, to time.Time) []pimento.Statement {
		return e.saidWithin(ctx, v, scope, from, to)
	}
	opts.Prior = func(es []pimento.Entry) []float64 { return e.priors(ctx, v, es) }
	if e.askMu.TryLock() { // a second question at the same time does without
		defer e.askMu.Unlock()
		opts.Analyzer = e.analyzer
	}
	a := recall.Answer(ctx, q, roots, opts)
	if a.Status == pimento.BackendError {
		for _, st := range v.stores {
			st.Drop()
		}
	}
	return a
}

// here leaves out of a root's matches the logs and tasks that were written in
// another project.
func (e *Engine) here(ctx context.Context, v *view, scope pimento.Scope, ms []index.Match) []index.Match {
	st := v.store(scope)
	if st == nil || scope != pimento.Global {
		return ms
	}
	var sts []pimento.Statement
	for _, m := range ms {
		if belongsToProject(m.Page) {
			sts = append(sts, m.Doc.Statement)
		}
	}
	if len(sts) == 0 {
		return ms
	}
	recs, err := v.records(ctx, st, sts)
	v.faultErr("journal", err)
	return slices.DeleteFunc(ms, func(m index.Match) bool {
		return belongsToProject(m.Page) && (err != nil || v.isForeign(recs[m.Doc.Statement]))
	})
}

// priors are what entries are worth apart from the question: their standing on
// a scale from 0 to 1.
func (e *Engine) priors(ctx context.Context, v *view, es []pimento.Entry) []float64 {
	out := make([]float64, len(es))
	for _, st := range v.stores {
		mine, at := make([]pimento.Entry, 0, len(es)), make([]int, 0, len(es))
		for i, en := range es {
			if en.Scope == st.scope {
				mine, at = append(mine, en), append(at, i)
			}
		}
		if len(mine) == 0 {
			continue
		}
		for i, s := range e.standings(ctx, v, st, mine) {
			// What has faded is not helped by a factor of its score.
			out[at[i]] = s.Score/2 + score.Policy(v.profile.Scoring).Use(s.Used)
		}
	}
	return out
}

// standings computes where entries of one root stand now, in the same order.
func (e *Engine) standings(ctx context.Context, v *view, st *store, es []pimento.Entry) []pimento.Standing {
	return score.Rank(e.scoreFacts(ctx, v, st, es), score.Policy(v.profile.Scoring), e.Now())
}

// said is when statements of a root were said, as far as the journal tells; see since.
func (e *Engine) said(ctx context.Context, v *view, scope pimento.Scope, sts []pimento.Statement) map[pimento.Statement]recall.Times {
	st := v.store(scope)
	if st == nil {
		return nil
	}
	recs, err := v.records(ctx, st, sts)
	v.faultErr("journal", err)
	out := make(map[pimento.Statement]recall.Times, len(sts))
	for _, s := range sts {
		r := recs[s]
		t := recall.Times{First: r.First, Last: r.Last, Edited: r.Edited}
		if r.Last.Before(r.First) {
			t.Last = r.First
		}
		if r.Bulk { // no later than that
			t.First = time.Time{}
		}
		out[s] = t
	}
	return out
}

// saidMost is how many statements a question about a time alone is answered from.
const saidMost = 60

// saidWithin are the statements that a root's journal first tells of, or that were edited,
// from one time to another, as they are since.
func (e *Engine) saidWithin(ctx context.Context, v *view, scope pimento.Scope, from, to time.Time) (out []pimento.Statement) {
	st := v.store(scope)
	if st == nil {
		return nil
	}
	said := map[pimento.Statement]bool{}
	v.faultErr("journal", st.journal.Within(ctx, from, to, []pimento.EventType{pimento.Remembered, pimento.Appeared, pimento.Aliased}, func(ev pimento.Event) {
		if ev.Reason != pimento.ReasonBulk && ev.Statement != "" {
			out, said[ev.Statement] = append(out, ev.Statement), true
		}
	}))
	if len(out) == 0 {
		return nil
	}
	v.faultErr("journal", st.journal.Within(ctx, from, time.Time{}, []pimento.EventType{pimento.Aliased}, func(ev pimento.Event) {
		if said[ev.From] {
			out, said[ev.Statement] = append(out, ev.Statement), true
		}
	}))
	slices.Reverse(out)
	clear(said)
	out = slices.DeleteFunc(out, func(st pimento.Statement) bool {
		again := said[st]
		said[st] = true
		return again
	})
	return out[:min(len(out), saidMost)]
}

// since is what is known of when an entry was first said, last edited and last confirmed. When
// one of many was first seen, which came together, does not tell when it was said.
func (e *Engine) since(ctx context.Context, v *view, en pimento.Entry) (s pimento.Standing) {
	st := v.store(en.Scope)
	if st == nil {
		return s
	}
	recs, err := v.records(ctx, st, []pimento.Statement{en.Statement})
	v.faultErr("journal", err)
	r := recs[en.Statement]
	s.Confirmed, s.Edited = r.Confirmed, r.Edited
	if day, ok := page.Day(en.Page); ok {
		s.First = day
	} else if !r.Bulk {
		s.First = r.First
	}
	return s
}

// Dates gives a date to those hits of an answer whose pages do not tell when they
// were said, or that were edited since.
func (e *Engine) Dates(ctx context.Context, hits []pimento.Hit) {
	v := e.look(ctx)
	for i := range hits {
		en := &hits[i].Entry
		s := e.since(ctx, v, *en)
		if en.Stamp.IsZero() {
			en.Stamp = s.First
		}
		if s.Edited.After(en.Stamp) {
			en.Stamp = s.Edited
		}
	}
}

// scoreFacts are what is known of entries of one root before they are scored.
func (e *Engine) scoreFacts(ctx context.Context, v *view, st *store, es []pimento.Entry) []score.Fact {
	sts := make([]pimento.Statement, len(es))
	for i, en := range es {
		sts[i] = en.Statement
	}
	recs, err := v.records(ctx, st, sts)
	v.faultErr("journal", err)
	facts := make([]score.Fact, len(es))
	for i, en := range es {
		r := recs[en.Statement]
		facts[i] = score.Fact{Kind: en.Kind, Text: en.Text, Cue: r.Cue, Evidence: r.Evidence, First: r.First, Last: r.Last,
			Confirmed: r.Confirmed, Edited: r.Edited, Pinned: en.Pinned, Forgotten: r.Forgotten, Remembered: r.Evidence > 0 && !r.Bulk,
			Used: r.Used, Injected: r.Injected}
		if facts[i].Last.IsZero() || r.Bulk && r.Evidence == 1 { // when it was first seen does not tell when it was said
			facts[i].First, facts[i].Last = en.Stamp, en.Stamp
		}
	}
	return facts
}
