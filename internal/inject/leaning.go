package inject

import (
	"slices"

	"github.com/pimento-memory/pimento"
)

// leaning are the sections for a prompt of a class: those of its kinds give way
// later and have more room, and what answers the prompt may be more.
func leaning(sections []pimento.Section, c pimento.Class) []pimento.Section {
	out := slices.Clone(sections)
	for i := range out {
		s := &out[i]
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
	return out
}
