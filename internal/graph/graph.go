// Package graph answers how things are related: who owns what, what changed when, what
// connects two things. A [Graph] is one question's view of the readable roots, as of a
// day. It finds the edges around a thing ([Graph.Around]), a path between two
// ([Graph.Path]), what happened to one over time ([Graph.Timeline]), and what is odd about
// all of them ([Graph.Health]). [Dot] and [SVG] draw what was found.
//
// Edges are the triples and links of entries. They are read from the terms that package
// text makes of them (text.Edge), so there is no graph to build, to store or to keep in
// step with the pages: the neighbourhood of a thing is a range of an index's dictionary.
//
// An edge holds from the date of its page until the day that its page names, or until
// another page replaces its page. So what was true on a day can be told from what is true
// now.
//
// The package decides nothing about memory. It does no I/O of its own, only through the
// index readers that it is given.
package graph

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/text"
)

// A Source is one memory root, the widest first.
type Source struct {
	Scope  pimento.Scope
	Reader index.Reader
}

// A Graph is one question's view of the edges of several roots. It is for one
// goroutine and for as long as the readers are valid.
type Graph struct {
	sources []Source
	day     string            // as of; "" for all times
	ended   map[string]string // by page name: the day on which it was replaced, "" if it was not
}

// New is the graph as of a day; all times for the zero time.
func New(sources []Source, asOf time.Time) *Graph {
	g := &Graph{sources: slices.Clone(sources), ended: map[string]string{}}
	slices.Reverse(g.sources) // what is more specific is told instead of what is wider
	if !asOf.IsZero() {
		g.day = asOf.Format(time.DateOnly)
	}
	return g
}

// A Direction chooses the edges that leave an entity, that reach it, or both.
type Direction string

const (
	Both Direction = "both"
	Out  Direction = "out"
	In   Direction = "in"
)

// Around are the facts that an entity, given by its id, takes part in: those
// that leave it first, in the order of predicate and other end. At most limit,
// 0 for all.
func (g *Graph) Around(ctx context.Context, id string, dir Direction, limit int) ([]pimento.Relation, error) {
	var out []pimento.Relation
	if dir != In {
		if err := g.scan(ctx, text.OutPrefix(id), limit, &out); err != nil {
			return nil, err
		}
	}
	if dir != Out {
		if err := g.scan(ctx, text.InPrefix(id), limit, &out); err != nil {
			return nil, err
		}
	}
	return distinct(out), nil
}

// all are all facts, by subject. At most limit, 0 for all.
func (g *Graph) all(ctx context.Context, limit int) ([]pimento.Relation, error) {
	var out []pimento.Relation
	err := g.scan(ctx, text.OutPrefix(""), limit, &out)
	return distinct(out), err
}

// Timeline are the facts around an entity, or all of them for "", of all times,
// in the order in which they began to hold; those without a day come first. At
// most limit, the latest, 0 for all.
func (g *Graph) Timeline(ctx context.Context, id string, limit int) ([]pimento.Relation, error) {
	ever := *g
	ever.day = ""
	var facts []pimento.Relation
	var err error
	if id == "" {
		facts, err = ever.all(ctx, 0)
	} else {
		facts, err = ever.Around(ctx, id, Both, 0)
	}
	slices.SortStableFunc(facts, func(a, b pimento.Relation) int { return cmp.Compare(a.From, b.From) })
	if limit > 0 && len(facts) > limit {
		facts = facts[len(facts)-limit:]
	}
	return facts, err
}

// scan adds the facts whose terms begin with prefix and that hold.
func (g *Graph) scan(ctx context.Context, prefix string, limit int, out *[]pimento.Relation) error {
	for _, src := range g.sources {
		var keys []string
		if err := src.Reader.Terms(ctx, prefix, func(key string) bool { keys = append(keys, key); return true }); err != nil {
			return err
		}
		for _, key := range keys {
			if limit > 0 && len(*out) >= limit {
				return nil
			}
			f, ok, err := g.fact(ctx, src, key)
			if err != nil {
				return err
			}
			if ok {
				*out = append(*out, f)
			}
		}
	}
	return nil
}

// fact is what a term says; ok is false when no entry says so any more or when
// it does not hold on the day.
func (g *Graph) fact(ctx context.Context, src Source, key string) (f pimento.Relation, ok bool, err error) {
	edge, ok := text.ParseEdge(key)
	if !ok || g.day != "" && !edge.Holds(g.day) {
		return f, false, nil
	}
	ok = false
	err = src.Reader.With(ctx, key, func(page string, d index.Doc) bool {
		f, ok = pimento.Relation{Triple: edge.Triple, From: edge.From, Until: edge.Until,
			Scope: src.Scope, Page: strings.Clone(page), Statement: d.Statement}, true
		return false
	})
	if err != nil || !ok {
		return f, false, err
	}
	if edge.Predicate == text.Replaces {
		return f, true, nil // it is what ends others
	}
	end, err := g.end(ctx, f.Page)
	if err != nil {
		return f, false, err
	}
	if end != "" && (f.Until == "" || end < f.Until) {
		f.Until = end
	}
	return f, g.day == "" || f.Until == "" || g.day < f.Until, nil
}

// longAgo is the end of a page that was replaced nobody knows when.
const longAgo = "0001-01-01"

// end is the day on which a page was replaced by another one, "" if it was not.
func (g *Graph) end(ctx context.Context, page string) (day string, err error) {
	name := text.PageName(page)
	if day, known := g.ended[name]; known {
		return day, nil
	}
	prefix := text.InPrefix(text.EntityID(name)) + text.Replaces + "\x00"
	for _, src := range g.sources {
		err = src.Reader.Terms(ctx, prefix, func(key string) bool {
			edge, ok := text.ParseEdge(key)
			if from := cmp.Or(edge.From, longAgo); ok && (day == "" || from < day) && live(ctx, src.Reader, key) {
				day = from
			}
			return true
		})
		if err != nil {
			return "", err
		}
	}
	g.ended[name] = day
	return day, nil
}

// live says whether an entry holds the term still.
func live(ctx context.Context, r index.Reader, key string) (found bool) {
	_ = r.With(ctx, key, func(string, index.Doc) bool { found = true; return false })
	return found
}

// distinct leaves out what a wider root says again, and the second of an edge
// from a thing to itself.
func distinct(facts []pimento.Relation) []pimento.Relation {
	type key struct{ s, p, o, from, until string }
	seen := make(map[key]bool, len(facts))
	return slices.DeleteFunc(facts, func(f pimento.Relation) bool {
		k := key{text.EntityID(f.Subject), text.EntityID(f.Predicate), text.EntityID(f.Object), f.From, f.Until}
		if seen[k] {
			return true
		}
		seen[k] = true
		return false
	})
}
