package engine

import (
	"context"
	"slices"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/recall"
	"github.com/pimento-memory/pimento/internal/upkeep"
)

// merges says what could become of an entry that was just written beside others.
// Where they nearly say the same, or it replaces them, it proposes that: both stand until
// a person says yes, so that nothing is dropped on a likeness. A no is kept. What
// is pinned, in a log or the archive is left alone. Beside what it cannot hold is only told,
// and what it may be the later state of.
func (e *Engine) merges(ctx context.Context, v *view, st *store, wrote pimento.Entry, near []pimento.Entry, res *Result, by Actor) {
	if wrote.Statement == "" || page.DialectOf(wrote.Page) == page.Log {
		return
	}
	es := []pimento.Entry{wrote}
	for _, en := range near {
		if en.Scope == wrote.Scope && en.Statement != wrote.Statement && page.DialectOf(en.Page) != page.Log && !page.Archived(en.Page) {
			es = append(es, en)
		}
	}
	if len(es) == 1 {
		return
	}
	var known []upkeep.Known
	for _, s := range e.explained(ctx, v, st, es) {
		known = append(known, upkeep.Known{Entry: s.Entry, Standing: s.Standing})
	}
	goes, stays := false, false // what is proposed of the new entry
	for _, p := range upkeep.Beside(known) {
		other, drops := p.Keep.Entry, p.Drop.Occurrence == wrote.Occurrence
		if !drops {
			other = p.Drop.Entry
		}
		if p.Relation == upkeep.Contradiction || p.Relation == upkeep.Superseded {
			res.Opposes, res.Against = append(res.Opposes, other.String()), append(res.Against, other)
		}
		if p.Relation == upkeep.Contradiction && len(res.Against) == 1 {
			res.Reason = p.Reason + "; forget or edit the one that does not hold"
		}
		if p.Drop.Pinned || p.Relation == upkeep.Contradiction || goes || drops && stays {
			continue
		}
		said, err := e.propose(ctx, v, pimento.Proposal{Text: p.Keep.Text, Kind: p.Keep.Kind, Scope: st.scope, Page: p.Keep.Page,
			Source: "likeness", Reason: string(p.Relation) + ": " + p.Reason, Replaces: []string{p.Drop.Occurrence.String()}}, by)
		if err != nil || said.Action != pimento.Propose {
			continue // the note is written; that it may be merged is only advice
		}
		goes, stays = drops, stays || !drops
		if res.Proposals = append(res.Proposals, string(said.ID)); len(res.Proposals) == 1 {
			res.Reason = p.Reason + "; it was written, and a merge waits for a yes: pimento inbox"
		}
	}
	if res.Reason == "" {
		res.earlier(es[0], es[1:])
	}
}

// earlierAmong is how many entries of its page, those that its words find best, a note may
// give another value than. Farther down it is of another thing, more often than not.
const earlierAmong = 2

// earlier names what a note may be the later state of, although it says so in other words.
// Nobody else could tell which one its writer meant.
func (res *Result) earlier(wrote pimento.Entry, near []pimento.Entry) {
	near = slices.DeleteFunc(near, func(en pimento.Entry) bool { return en.Page != wrote.Page })
	for _, en := range near[:min(len(near), earlierAmong)] {
		if recall.Later(wrote.Text, en.Text) {
			res.Near, res.Earlier = []string{en.String()}, []pimento.Entry{en}
			res.Reason = "it may be the later state of what is there already; forget or edit that if it no longer holds"
			return
		}
	}
}
