package recall

import (
	"context"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
)

// rank is the second pass: it orders by coverage, reads the best again, adds
// what only the text can tell, and returns the hits.
func (a *asking) rank(ctx context.Context, cs []candidate) []pimento.Hit {
	for i := range cs {
		cs[i].share = a.words.coverage(cs[i].match.Parts)
		cs[i].score += a.params.Coverage * cs[i].share * a.words.mass
	}
	cs = slices.DeleteFunc(cs, func(c candidate) bool { return c.share < a.opts.MinCoverage })
	slices.SortFunc(cs, better)
	cs = a.setKnownAside(cs)

	best := a.reread(ctx, cs, max(a.params.Reread, a.limit))
	slices.SortFunc(best, better)
	if len(best) > a.limit {
		best = best[:a.limit]
	}
	hits := make([]pimento.Hit, len(best))
	for i, c := range best {
		hits[i] = pimento.Hit{Entry: c.entry, Score: c.score, Why: c.why}
	}
	return hits
}

// maxKnown is how many known entries an answer names.
const maxKnown = 5

// setKnownAside takes out what the asker has already.
func (a *asking) setKnownAside(cs []candidate) []candidate {
	if a.opts.Known == nil {
		return cs
	}
	return slices.DeleteFunc(cs, func(c candidate) bool {
		d := c.match.Doc
		if !a.opts.Known(d.Statement) {
			return false
		}
		if len(a.known) < maxKnown {
			a.known = append(a.known, pimento.Occurrence{Scope: c.root.Scope, Page: c.match.Page, Statement: d.Statement, N: d.N})
		}
		return true
	})
}

// reread reads up to n candidates from their pages. One that cannot be read is
// dropped with a fault, and the next takes its place.
func (a *asking) reread(ctx context.Context, cs []candidate, n int) []candidate {
	best := make([]candidate, 0, min(n, len(cs)))
	for _, c := range cs {
		if len(best) == n || a.late(ctx) {
			break
		}
		e, err := read(ctx, c)
		if err != nil {
			if ctx.Err() != nil {
				a.failed(ctx, "", ctx.Err())
				break
			}
			a.fault("vault", string(c.root.Scope)+":"+c.match.Page+": "+err.Error())
			continue
		}
		c.entry = e
		best = append(best, c)
	}
	priors := a.priors(best)
	for i := range best {
		a.finish(&best[i], priors[i])
	}
	return best
}

// priors are the callers' priors of the candidates, from 0 to 1.
func (a *asking) priors(cs []candidate) []float64 {
	out := make([]float64, len(cs))
	if a.opts.Prior == nil || len(cs) == 0 {
		return out
	}
	es := make([]pimento.Entry, len(cs))
	for i, c := range cs {
		es[i] = c.entry
	}
	for i, p := range a.opts.Prior(es) {
		out[i] = min(max(p, 0), 1)
	}
	return out
}

// read gets the entry's text; the place is what the index said where the getter
// leaves it open.
func read(ctx context.Context, c candidate) (pimento.Entry, error) {
	d := c.match.Doc
	e := pimento.Entry{Kind: d.Kind, Span: d.Span, Line: d.Line,
		Pinned: d.Flags&index.Pinned != 0, Task: d.Flags&index.Task != 0, Done: d.Flags&index.Done != 0}
	if c.root.Text != nil {
		var err error
		if e, err = c.root.Text(ctx, c.match.Page, d); err != nil {
			return e, err
		}
	}
	e.Scope = c.root.Scope
	if e.Page == "" {
		e.Page = c.match.Page
	}
	if e.Statement == "" {
		e.Statement, e.N = d.Statement, d.N
	}
	return e, nil
}

// finish adds the factors that need the text, and explains the sum.
func (a *asking) finish(c *candidate, prior float64) {
	why := map[string]float64{}
	for i, part := range c.match.Parts {
		if i < len(a.words.terms) && part > 0 {
			why[a.words.terms[i].factor] += float64(part)
		}
	}
	why["coverage"] = a.params.Coverage * c.share * a.words.mass
	why["bigram"] = a.params.Bigram * a.words.bigrams(c.entry.Text, c.match.Parts)
	why["prior"] = a.params.Prior * a.words.mass * prior
	c.score += why["bigram"] + why["prior"]
	c.why = shares(why)
}

// shares turns the parts of a score into factors that sum to 1, largest first.
func shares(parts map[string]float64) []pimento.Factor {
	var out []pimento.Factor
	for name, part := range parts {
		if part > 0 {
			out = append(out, pimento.Factor{Factor: name, Share: part})
		}
	}
	// Sorted before summing, because adding floats in map order is not
	// reproducible to the last bit.
	slices.SortFunc(out, func(x, y pimento.Factor) int {
		switch {
		case x.Share > y.Share:
			return -1
		case x.Share < y.Share:
			return 1
		}
		return strings.Compare(x.Factor, y.Factor)
	})
	sum := 0.0
	for _, f := range out {
		sum += f.Share
	}
	for i := range out {
		out[i].Share /= sum
	}
	return out
}
