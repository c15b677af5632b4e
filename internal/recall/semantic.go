package recall

import (
	"context"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/embed"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/index/vectors"
)

// IDDigits is how much of a statement its index term holds: the shortest id
// that a person may type.
const IDDigits = 8

// IDKey is the index term of a statement, or of what begins like it; 's' is no
// field letter of package text.
func IDKey(statement string) string { return "s" + statement[:min(IDDigits, len(statement))] }

// similar adds what says the same in other words. What a weak embedder finds
// counts as far as words have not found an answer, on the scale of the question's
// mass: a perfect match in meaning gets Semantic of it. What a strong one finds is
// fused by rank, see fuse.
func (a *asking) similar(ctx context.Context, question string, cs []candidate) []candidate {
	if a.params.Semantic == 0 || a.opts.Embedder == nil || a.late(ctx) {
		return cs
	}
	e, err := a.opts.Embedder(ctx)
	if err != nil || e == nil {
		a.unembedded(err)
		return cs
	}
	info, gate := e.Info(), 1.0
	if a.strong = !info.Weak; info.Weak {
		if gate = a.gate(cs); gate <= 0 {
			return cs
		}
	}
	vs, err := e.Embed(ctx, []string{info.QueryPrefix + question})
	if err != nil || vs[0] == nil {
		a.unembedded(err)
		return cs
	}
	at := make(map[pimento.Statement]int, len(cs))
	for i, c := range cs {
		at[c.match.Doc.Statement] = i
	}
	for i := range a.roots {
		if r := &a.roots[i]; r.Near != nil {
			near, err := r.Near(ctx, vs[0], a.params.Nearest)
			a.unembedded(err)
			cs = a.meant(ctx, r, near, info, gate, cs, at)
		}
	}
	return cs
}

// unembedded records that vectors are missing. Keywords answer.
func (a *asking) unembedded(err error) {
	if err != nil {
		a.fault("embedder", err.Error())
	}
}

// meant takes up what is near in meaning in one root.
func (a *asking) meant(ctx context.Context, r *Source, near []vectors.Near, info embed.Info, gate float64, cs []candidate, at map[pimento.Statement]int) []candidate {
	related, least := float64(info.Related), float32(a.params.Related)
	if !info.Weak {
		least = info.Related / 2
	}
	for rank, n := range near {
		j, ok := at[n.Statement]
		if n.Sim <= least || !ok && !a.opts.Loose && n.Sim < info.Related {
			break // hardly the same matter, and perhaps no word in common
		}
		if !ok {
			c, found := a.lookup(ctx, r, n.Statement)
			if !found {
				continue
			}
			j = len(cs)
			at[n.Statement] = j
			cs = append(cs, c)
		}
		c := &cs[j]
		if float64(n.Sim) <= c.sim {
			continue
		}
		c.sim, c.nearest = float64(n.Sim), rank+1
		c.meant = (c.sim - related) / (1 - related)
		if info.Weak {
			gain := gate * a.params.Semantic * a.words.mass * (c.sim - a.params.Related) / (1 - a.params.Related)
			c.add("meaning", gain-c.why.of("meaning"))
		}
	}
	return cs
}

// fusion is the constant of reciprocal rank fusion (Cormack, Clarke and Büttcher
// 2009): it says how much the first places count over the next ones.
const fusion = 60

// fuse orders by the ranks that words and a strong embedder give. Their scores
// have nothing in common; the sum of reciprocal ranks is put on the scale of the
// question's mass, so that what is added later means the same as ever.
func (a *asking) fuse(cs []candidate) {
	if !a.strong {
		return
	}
	slices.SortFunc(cs, better)
	for i := range cs {
		c := &cs[i]
		score := 1.0 / float64(fusion+i+1)
		meaning := 0.0
		if c.nearest > 0 {
			meaning = 1.0 / float64(fusion+c.nearest)
		}
		c.match.Near = 0
		c.score = a.words.mass * fusion / 2 * score
		c.add("meaning", a.words.mass*fusion/2*meaning)
	}
}

// gate is what vectors count for this question, from 1 to 0.
func (a *asking) gate(cs []candidate) float64 {
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
