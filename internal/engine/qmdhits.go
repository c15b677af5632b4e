package engine

import (
	"context"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/qmd"
	"github.com/pimento-memory/pimento/internal/recall"
	"github.com/pimento-memory/pimento/internal/text"
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
		return h.Entry.Scope == pimento.Global && !vault.Sealed(h.Entry.Page) && !vault.Archived(h.Entry.Page)
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
		rel, ok := names[qmdName(h.Path)]
		if !ok {
			continue
		}
		p, _, err := st.parsed(ctx, rel)
		if err != nil {
			continue
		}
		es := st.entries(p)
		var hidden map[int]bool
		if !q.All {
			hidden = e.hiddenEntries(ctx, v, st, es)
		}
		i := entryOf(es, hidden, h, q.Text)
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
	idx, _ := e.index(ctx, st)
	_ = eachPage(ctx, idx, func(p index.Page) bool { names[qmdName(p.Path)] = p.Path; return true })
	return names
}

// qmdName is a path without what qmd changes in one: it may write small letters
// only, and a dash for whatever is neither letter nor digit.
func qmdName(path string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("-_ ,+", r) {
			return '-'
		}
		return r
	}, strings.ToLower(strings.TrimSpace(path)))
}

// entryOf is the entry that a hit is about: of those which its lines touch, or
// which it quotes, the one that shares most words with the question, then with
// the quotation; -1 when there is none that may be shown.
func entryOf(es []pimento.Entry, hidden map[int]bool, h qmd.Hit, question string) int {
	best, most := -1, [2]int{-1, -1}
	asked, quoted := wordSet(question), wordSet(h.Text)
	for i, en := range es {
		if hidden[i] || !touches(es, i, h) {
			continue
		}
		var shared [2]int
		for w := range wordSet(en.Text) {
			if asked[w] {
				shared[0]++
			}
			if quoted[w] {
				shared[1]++
			}
		}
		if h.Line == 0 && shared[1] == 0 {
			continue // another part of the page
		}
		if slices.Compare(shared[:], most[:]) > 0 {
			best, most = i, shared
		}
	}
	return best
}

// touches says whether the lines of a hit reach the i-th entry of its page.
func touches(es []pimento.Entry, i int, h qmd.Hit) bool {
	if h.Line == 0 {
		return true
	}
	last := h.Line + max(h.Lines, strings.Count(h.Text, "\n")+1) - 1
	return es[i].Line <= last && (i+1 == len(es) || es[i+1].Line > h.Line)
}

func wordSet(s string) map[string]bool {
	set := map[string]bool{}
	text.Analyze(s, func(field byte, term string) {
		if field == text.Word || field == text.CJK {
			set[term] = true
		}
	})
	return set
}
