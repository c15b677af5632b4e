package engine

import (
	"maps"
	"slices"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/inject"
	"github.com/pimento-memory/pimento/internal/text"
)

// classify finds what sort of prompt this is and lets some kinds of memory
// count more for it. A frozen prefix is not touched: nothing of a prompt is in
// it, so only what is built for this prompt changes.
func (t *turn) classify(query string, f *inject.Facts) {
	c, ok := classOf(query, t.v.profile.Recall.Classes)
	if !ok {
		return
	}
	t.class = c.Name
	t.v.profile = biased(t.v.profile, c)
	f.Profile = t.v.profile
}

// classOf is the first class of which a prompt holds a word.
func classOf(query string, classes []pimento.Class) (pimento.Class, bool) {
	for _, c := range classes {
		if slices.ContainsFunc(c.Words, func(w string) bool { return text.HasPhrase(query, w) }) {
			return c, true
		}
	}
	return pimento.Class{}, false
}

// biased is a profile for prompts of a class. The one given is shared with
// other turns and stays as it is.
func biased(p pimento.Profile, c pimento.Class) pimento.Profile {
	if c.Hits > 0 {
		p.Recall.Hits = c.Hits
	}
	p.Recall.Weights = maps.Clone(p.Recall.Weights)
	if p.Recall.Weights == nil {
		p.Recall.Weights = map[pimento.Kind]float64{}
	}
	for _, k := range c.Kinds {
		weight, ok := p.Recall.Weights[k]
		if !ok {
			weight = 1
		}
		if c.Boost > 0 {
			p.Recall.Weights[k] = weight * c.Boost
		}
	}
	p.Sections = slices.Clone(p.Sections)
	for i := range p.Sections {
		s := &p.Sections[i]
		switch {
		case s.Pick == pimento.PickHits && c.Hits > 0 && s.Max > 0:
			s.Max = max(s.Max, c.Hits)
		case s.Pick == pimento.PickKinds && slices.ContainsFunc(s.Kinds, func(k pimento.Kind) bool { return slices.Contains(c.Kinds, k) }):
			s.Rank = max(0, s.Rank-c.Rank)
			if c.Budget > 0 {
				s.Budget.Tokens = int(float64(s.Budget.Tokens) * c.Budget)
			}
		}
	}
	return p
}
