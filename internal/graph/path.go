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

// A side is what a search has reached from one of its ends. Whether a fact holds
// is the dearest part, and most entities are only ever reached, never left again:
// so it is looked at when an entity is left, or when the sides have met there.
type side struct {
	root string
	came map[string]pimento.Relation // by which fact each entity was reached
	edge []string                    // those reached last, in the order in which they were
	ways map[string][]way            // of those of the edge that were not looked at yet: all that lead there
}

// A way is a term that leads to an entity.
type way struct {
	src Source
	key string
}

func newSide(root string) *side {
	return &side{root: root, came: map[string]pimento.Relation{root: {}}, edge: []string{root}}
}

// widen takes one step from all of a side's edge; met is where the other side
// has been already.
func (g *Graph) widen(ctx context.Context, s, other *side) (met string, err error) {
	var left []string
	for _, id := range s.edge {
		ok, err := g.reached(ctx, s, id)
		if err != nil {
			return "", err
		}
		if ok {
			left = append(left, id)
		}
	}
	s.edge, s.ways = nil, map[string][]way{}
	for _, id := range left {
		if met, err = g.leave(ctx, s, id, other); err != nil || met != "" {
			return met, err
		}
	}
	return "", nil
}

// reached says whether one of the ways to an entity holds, and keeps the first
// that does. What none leads to may still be reached by a longer way.
func (g *Graph) reached(ctx context.Context, s *side, id string) (bool, error) {
	for _, w := range s.ways[id] {
		f, ok, err := g.fact(ctx, w.src, w.key)
		if err != nil {
			return false, err
		}
		if ok {
			s.came[id] = f
			break
		}
	}
	delete(s.ways, id)
	_, ok := s.came[id]
	return ok, nil
}

// leave takes all ways from an entity that lead to new ones.
func (g *Graph) leave(ctx context.Context, s *side, id string, other *side) (met string, err error) {
	for _, prefix := range [...]string{text.OutPrefix(id), text.InPrefix(id)} {
		for _, src := range g.sources {
			var meeting []string
			err := src.Reader.Terms(ctx, prefix, func(key string) bool {
				end := text.FarEnd(key)
				if _, known := s.came[end]; known {
					return true
				}
				ways, again := s.ways[end]
				if !again {
					s.edge = append(s.edge, end)
				}
				s.ways[end] = append(ways, way{src, key})
				if other.has(end) {
					meeting = append(meeting, end)
				}
				return true
			})
			if err != nil {
				return "", err
			}
			for _, end := range meeting {
				if met, err := g.meet(ctx, s, other, end); err != nil || met {
					return end, err
				}
			}
		}
	}
	return "", nil
}

// has says whether a side seems to have reached an entity.
func (s *side) has(id string) bool {
	_, came := s.came[id]
	_, maybe := s.ways[id]
	return came || maybe
}

// meet says whether both sides have really reached an entity. That the near one
// has not yet is not the last word: its further ways count, too.
func (g *Graph) meet(ctx context.Context, s, other *side, end string) (bool, error) {
	if ok, err := g.reached(ctx, other, end); err != nil || !ok {
		return false, err
	}
	ok, err := g.reached(ctx, s, end)
	if !ok {
		s.edge = slices.DeleteFunc(s.edge, func(id string) bool { return id == end })
	}
	return ok, err
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
