package engine

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/session"
	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/vault"
)

// Ask is Recall for a door: the question and what it found leave a record, as a
// prompt does. The record is written after Ask has returned, and only its readers
// wait for it.
func (e *Engine) Ask(ctx context.Context, q pimento.Query, by Actor) pimento.Answer {
	started := e.opt.Clock()
	v := e.look(ctx)
	if q.Now.IsZero() {
		q.Now = e.Now()
	}
	a := e.recall(ctx, v, q)
	if slices.ContainsFunc(a.Hits, func(h pimento.Hit) bool { return vault.Sealed(h.Entry.Page) }) {
		e.shownSealed(ctx, by.Session)
	}
	if v.enabled && v.traces {
		tr := e.recalled(v, q, a, by)
		tr.Micros = e.opt.Clock().Sub(started).Microseconds()
		e.asked.later(&e.background, func() { e.recordRecall(context.WithoutCancel(ctx), v, tr) })
	}
	return a
}

// recordRecall keeps a record; its failure costs the record alone.
func (e *Engine) recordRecall(ctx context.Context, v *view, tr pimento.Trace) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	for _, harness := range harnesses() {
		st, err := e.sessions.Load(ctx, harness, tr.Session)
		if tr.Session != "" && err == nil && (st.Off || st.Sealed && tr.Recall.By != "user") {
			return // silenced, or its model may repeat what is encrypted, see quotesSealed
		}
	}
	_ = e.traces(v).Add(ctx, tr)
}

// harnesses are those whose session a door may mean that names none. An MCP server
// names its own, of which no turn tells.
func harnesses() []string { return []string{"pi", "opencode", MCPHarness, ""} }

// MCPHarness is the harness of an MCP server's session.
const MCPHarness = "mcp"

// shownSealed notes that a session was shown what is encrypted on disk, before
// its model can say anything of it.
func (e *Engine) shownSealed(ctx context.Context, id string) {
	for _, harness := range harnesses() {
		if st, err := e.sessions.Load(ctx, harness, id); id == "" || err != nil || st.Started.IsZero() && harness != MCPHarness || st.Sealed {
			continue
		}
		_ = e.sessions.Update(ctx, harness, id, func(s *session.State) { s.Sealed = true })
	}
}

// recalled is the record of a question. An entry of an encrypted page is named
// in it by what no digest of its text tells (sealedPage.readInto).
func (e *Engine) recalled(v *view, q pimento.Query, a pimento.Answer, by Actor) pimento.Trace {
	r := &pimento.Recalled{By: cmp.Or(by.Name, "user"), Question: q.Text, Mode: q.Mode, Limit: q.Limit, Scopes: q.Scopes, Kinds: q.Kinds,
		All: q.All, Archived: q.Archived, Asked: q.Now, Found: len(a.Hits), Hits: recalledHits(a)}
	if len(r.Question) > pimento.MaxQuestion {
		r.Question, r.Cut = strings.ToValidUTF8(r.Question[:pimento.MaxQuestion], ""), true
	}
	id := e.newID()
	return pimento.Trace{V: 1, ID: id, Time: e.Now(), Session: by.Session, Prompt: text.OneLine(q.Text, 200), Recall: r,
		Block: pimento.Block{Status: a.Status, Profile: v.profile.Name, Session: by.Session, TraceID: id,
			Sections: []pimento.SectionUse{}, Trace: []pimento.Decision{}, Faults: append([]pimento.Fault{}, a.Faults...)}}
}

func recalledHits(a pimento.Answer) []pimento.RecalledHit {
	hits := []pimento.RecalledHit{}
	for _, h := range a.Hits[:min(len(a.Hits), pimento.MaxRecalledHits)] {
		hits = append(hits, pimento.RecalledHit{ID: h.Entry.Statement, Scope: h.Entry.Scope, Page: h.Entry.Page, Score: h.Score})
	}
	return hits
}

// askAgain asks the question of a record. Its scores are not compared: they
// change with time alone.
func (e *Engine) askAgain(ctx context.Context, tr pimento.Trace) (Replayed, error) {
	if tr.Recall.Cut {
		return Replayed{Trace: tr}, &pimento.Error{Op: "replay", Path: tr.ID, Kind: pimento.KindNotFound,
			Err: errors.New("its question is too long to be kept whole"), Hint: "ask it with: pimento recall"}
	}
	a := e.Recall(ctx, tr.Recall.Query())
	same := func(x, y pimento.RecalledHit) bool { return x.ID == y.ID && x.Scope == y.Scope && x.Page == y.Page }
	return Replayed{Trace: tr, Answer: a, Same: a.Status == tr.Block.Status && len(a.Hits) == tr.Recall.Found &&
		slices.EqualFunc(recalledHits(a), tr.Recall.Hits, same)}, nil
}

// asked are the records of questions that are being written, one after the
// other.
type asked struct {
	mu   sync.Mutex
	last chan struct{} // closed when the latest is written; nil for none
}

func (a *asked) later(in *sync.WaitGroup, write func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	before, done := a.last, make(chan struct{})
	a.last = done
	in.Go(func() {
		defer close(done)
		if before != nil {
			<-before
		}
		write()
	})
}

// recorded waits until what was asked is on record.
func (e *Engine) recorded() {
	e.asked.mu.Lock()
	last := e.asked.last
	e.asked.mu.Unlock()
	if last != nil {
		<-last
	}
}
