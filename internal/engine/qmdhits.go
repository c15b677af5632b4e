package engine

import (
	"context"
	"slices"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/mirror"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/qmd"
	"github.com/pimento-memory/pimento/internal/recall"
	"github.com/pimento-memory/pimento/internal/vault"
)

// merge puts qmd's hits in place of ours on global memory; those of other roots,
// and of pages that qmd cannot read or is not asked for, come in turn with them.
// Without a hit of qmd's ours stand.
func (e *Engine) merge(ctx context.Context, v *view, st *store, q pimento.Query, opts recall.Options, own pimento.Answer, found []qmd.Hit) pimento.Answer {
	theirs, known := e.entriesOf(ctx, v, st, q, opts, found)
	if len(theirs) == 0 && len(known) == 0 {
		return own
	}
	ours := slices.DeleteFunc(own.Hits, func(h pimento.Hit) bool {
		return h.Entry.Scope == pimento.Global && !vault.Sealed(h.Entry.Page) && !page.Archived(h.Entry.Page)
	})
	hits, said := []pimento.Hit{}, map[pimento.Statement]bool{}
	for i := 0; i < max(len(theirs), len(ours)); i++ {
		for _, list := range [][]pimento.Hit{theirs, ours} {
			if i < len(list) && !said[list[i].Entry.Statement] && len(hits) < q.Limit {
				said[list[i].Entry.Statement] = true
				hits = append(hits, list[i])
			}
		}
	}
	own.Hits, own.Known, own.Status = hits, append(known, own.Known...), pimento.OK
	if len(hits) == 0 {
		own.Status = pimento.NoMatch
	}
	return own
}

// entriesOf finds the entries that qmd's hits lie in, and those that the asker
// knows already. A hit on what is no page of ours (any more) is left out.
func (e *Engine) entriesOf(ctx context.Context, v *view, st *store, q pimento.Query, opts recall.Options, found []qmd.Hit) (hits []pimento.Hit, known []pimento.Occurrence) {
	names := e.pagesByName(ctx, st)
	said := map[pimento.Statement]bool{}
	for _, h := range found {
		rel, ok := names[qmd.Name(h.Path)]
		if !ok {
			continue
		}
		p, _, err := st.Parsed(ctx, rel)
		if err != nil {
			continue
		}
		es := st.Entries(p)
		var hidden map[int]bool
		if !q.All {
			hidden = e.hiddenEntries(ctx, v, st, es)
		}
		i := qmd.EntryOf(es, hidden, h, q.Text)
		if i < 0 || said[es[i].Statement] || len(q.Kinds) > 0 && !slices.Contains(q.Kinds, es[i].Kind) {
			continue
		}
		said[es[i].Statement] = true
		if opts.Known != nil && opts.Known(es[i].Statement) {
			known = append(known, es[i].Occurrence)
			continue
		}
		hits = append(hits, pimento.Hit{Entry: es[i], Score: h.Score, Why: []pimento.Factor{{Factor: "qmd", Share: h.Score}}})
	}
	return hits, known
}

// pagesByName maps the names by which qmd may know a root's pages to their paths.
func (e *Engine) pagesByName(ctx context.Context, st *store) map[string]string {
	names := map[string]string{}
	idx, _ := st.Index(ctx)
	_ = mirror.EachPage(ctx, idx, func(p index.Page) bool { names[qmd.Name(p.Path)] = p.Path; return true })
	return names
}
