package recall

import (
	"context"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
)

// IDDigits is how much of a statement its index term holds: the shortest id
// that a person may type.
const IDDigits = 8

// IDKey is the index term of a statement, or of what begins like it; 's' is no
// field letter of package text.
func IDKey(statement string) string { return "s" + statement[:min(IDDigits, len(statement))] }

// similar adds what says the same in other words, as far as words alone have
// not found it. Scores are on the scale of the question's mass: a perfect match
// in meaning gets Semantic of it.
func (a *asking) similar(ctx context.Context, question string, cs []candidate) []candidate {
	gate := a.gate(cs)
	if gate <= 0 || a.opts.Embedder == nil || a.late(ctx) {
		return cs
	}
	vs, err := a.opts.Embedder.Embed(ctx, []string{a.opts.Embedder.Info().QueryPrefix + question})
	if err != nil {
		a.fault("embedder", err.Error())
		return cs
	}
	vector := vs[0]
	if vector == nil {
		return cs
	}
	at := make(map[pimento.Statement]int, len(cs))
	for i, c := range cs {
		at[c.match.Doc.Statement] = i
	}
	for i := range a.roots {
		r := &a.roots[i]
		if r.Near == nil {
			continue
		}
		near, err := r.Near(ctx, vector, a.params.Nearest)
		if err != nil {
			a.fault("embedder", string(r.Scope)+": "+err.Error())
			continue
		}
		for _, n := range near {
			gain := gate * a.params.Semantic * a.words.mass * (float64(n.Sim) - a.params.Related) / (1 - a.params.Related)
			if gain <= 0 {
				break
			}
			j, ok := at[n.Statement]
			if !ok {
				c, found := a.lookup(ctx, r, n.Statement)
				if !found {
					continue
				}
				j = len(cs)
				at[n.Statement] = j
				cs = append(cs, c)
			}
			if float64(n.Sim) > cs[j].sim {
				cs[j].sim = float64(n.Sim)
				cs[j].add("meaning", gain-cs[j].why.of("meaning"))
				cs[j].meant = (cs[j].sim - float64(a.opts.Embedder.Info().Related)) / (1 - float64(a.opts.Embedder.Info().Related))
			}
		}
	}
	return cs
}

// gate is what vectors count for this question, from 1 to 0.
func (a *asking) gate(cs []candidate) float64 {
	if a.params.Semantic == 0 {
		return 0
	}
	most := 0.0
	for i := range cs {
		most = max(most, a.words.coverage(cs[i].match.Held))
	}
	return 1 - most/a.params.Covered
}

// lookup finds where a statement stands.
func (a *asking) lookup(ctx context.Context, r *Source, st pimento.Statement) (c candidate, ok bool) {
	err := r.Reader.With(ctx, IDKey(string(st)), func(page string, d index.Doc) bool {
		if d.Statement == st && a.wants(page, d) {
			c, ok = candidate{root: r, match: index.Match{Page: strings.Clone(page), Doc: d}}, true
		}
		return !ok
	})
	if err != nil {
		a.failed(ctx, string(r.Scope), err)
	}
	return c, ok
}
