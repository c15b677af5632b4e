package engine

import (
	"context"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/upkeep"
)

// merges proposes what could become of an entry that was just written beside
// others which nearly say the same, or which it replaces: both stand until a
// person says yes, so that nothing is dropped on a likeness. A no is kept. What
// is pinned, in a log or the archive is left alone. It returns the ids of the
// proposals, and why the first one was made.
func (e *Engine) merges(ctx context.Context, v *view, st *store, wrote pimento.Entry, near []pimento.Entry, by Actor) (ids []string, why string) {
	if wrote.Statement == "" || page.DialectOf(wrote.Page) == page.Log {
		return nil, ""
	}
	es := []pimento.Entry{wrote}
	for _, en := range near {
		if en.Scope == wrote.Scope && en.Statement != wrote.Statement && page.DialectOf(en.Page) != page.Log && !page.Archived(en.Page) {
			es = append(es, en)
		}
	}
	if len(es) == 1 {
		return nil, ""
	}
	var known []upkeep.Known
	for _, s := range e.explained(ctx, v, st, es) {
		known = append(known, upkeep.Known{Entry: s.Entry, Standing: s.Standing})
	}
	for _, p := range upkeep.Pairs(known) {
		mine := p.Keep.Occurrence == wrote.Occurrence || p.Drop.Occurrence == wrote.Occurrence
		if !mine || p.Drop.Pinned || p.Relation == upkeep.Contradiction {
			continue
		}
		res, err := e.propose(ctx, v, pimento.Proposal{Text: p.Keep.Text, Kind: p.Keep.Kind, Scope: st.scope, Page: p.Keep.Page,
			Source: "likeness", Reason: string(p.Relation) + ": " + p.Reason, Replaces: []string{p.Drop.Occurrence.String()}}, by)
		if err != nil || res.Action != pimento.Propose {
			continue // the note is written; that it may be merged is only advice
		}
		if ids = append(ids, string(res.ID)); why == "" {
			why = p.Reason
		}
	}
	return ids, why
}
