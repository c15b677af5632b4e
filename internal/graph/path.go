package graph

import (
	"context"
	"slices"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/text"
)

// maxVisits is how many entities a search for a path looks at when it is not
// told: from both ends at once that is five or six steps in a memory of 100,000
// triples, and little enough to answer while somebody waits.
const maxVisits = 2000

// A Path is how two entities are connected.
type Path struct {
	Steps []pimento.Relation `json:"steps"`         // from one end to the other; each in its own direction
	Cut   bool               `json:"cut,omitempty"` // nothing was found among the entities looked at, and there are more
	Seen  int                `json:"visited"`       // entities looked at
}

// Path is a shortest chain of facts between two entities, given by their ids,
// whatever the direction of each. No steps: there is none. It looks at visits
// entities at most, 0 for two thousand.
func (g *Graph) Path(ctx context.Context, from, to string, visits int) (Path, error) {
	if visits <= 0 {
		visits = maxVisits
	}
	if from == to {
		return Path{}, nil
	}
	a, b := newSide(from), newSide(to)
	for seen := 0; ; {
		near, far := a, b
		if len(b.edge) < len(a.edge) {
			near, far = b, a
		}
		if len(near.edge) == 0 {
			return Path{Seen: seen}, nil
		}
		if seen += len(near.edge); seen > visits {
			return Path{Cut: true, Seen: seen - len(near.edge)}, nil
		}
		met, err := g.widen(ctx, near, far)
		if err != nil {
			return Path{}, err
		}
		if met != "" {
			out := a.back(met)
			slices.Reverse(out)
			return Path{Steps: append(out, b.back(met)...), Seen: seen}, nil
		}
	}
}

// A side is what a search has reached from one of its ends.
type side struct {
	root string
	came map[string]pimento.Relation // by which fact each entity was reached
	edge []string                    // those reached last, in the order in which they were
}

func newSide(root string) *side {
	return &side{root: root, came: map[string]pimento.Relation{root: {}}, edge: []string{root}}
}

// widen takes one step from all of a side's edge; met is where the other side
// has been already.
func (g *Graph) widen(ctx context.Context, s, other *side) (met string, err error) {
	var next []string
	for _, id := range s.edge {
		err := g.neighbours(ctx, id, func(f pimento.Relation, end string) bool {
			s.came[end] = f
			next = append(next, end)
			if _, found := other.came[end]; found {
				met = end
			}
			return met == ""
		}, s.came)
		if err != nil || met != "" {
			return met, err
		}
	}
	s.edge = next
	return "", nil
}

// neighbours yields what an entity is related to and has not been seen. Only
// then it is looked whether the fact holds, which is the dearest part.
func (g *Graph) neighbours(ctx context.Context, id string, yield func(f pimento.Relation, end string) bool, seen map[string]pimento.Relation) error {
	for _, prefix := range [...]string{text.OutPrefix(id), text.InPrefix(id)} {
		for _, src := range g.sources {
			var keys []string
			err := src.Reader.Terms(ctx, prefix, func(key string) bool {
				if _, known := seen[text.FarEnd(key)]; !known {
					keys = append(keys, key)
				}
				return true
			})
			if err != nil {
				return err
			}
			for _, key := range keys {
				end := text.FarEnd(key)
				if _, known := seen[end]; known {
					continue
				}
				f, ok, err := g.fact(ctx, src, key)
				if err != nil {
					return err
				}
				if ok && !yield(f, end) {
					return nil
				}
			}
		}
	}
	return nil
}

// back is the way from an entity to the side's end.
func (s *side) back(id string) (out []pimento.Relation) {
	for id != s.root {
		f := s.came[id]
		out = append(out, f)
		id = otherEnd(f, id)
	}
	return out
}

// otherEnd is the end of a fact that is not id.
func otherEnd(f pimento.Relation, id string) string {
	if s := text.EntityID(f.Subject); s != id {
		return s
	}
	return text.EntityID(f.Object)
}
