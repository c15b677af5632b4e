package engine

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/graph"
)

// relationsShown is how many relations an answer brings along.
const relationsShown = 15

// graphOf is the graph of all readable roots as of a day; all times for zero.
func (e *Engine) graphOf(ctx context.Context, v *view, asOf time.Time) *graph.Graph {
	var sources []graph.Source
	for _, st := range v.stores {
		idx, fault := st.Index(ctx)
		if fault != nil {
			v.faults = append(v.faults, *fault)
		}
		sources = append(sources, graph.Source{Scope: st.scope, Reader: idx})
	}
	return graph.New(sources, asOf)
}

// relations are what the graph knows of the things that a question names.
func (e *Engine) relations(ctx context.Context, v *view, question string, limit int) []pimento.Relation {
	rs, err := e.graphOf(ctx, v, e.Now()).About(ctx, question, limit)
	v.faultErr("graph", err)
	return rs
}

// A GraphView is a graph that can be asked several questions, with the faults of
// reading it.
type GraphView struct {
	*graph.Graph
	Faults []pimento.Fault
}

// Graph returns how things are related as of a day; for the zero time, at any time.
// It is valid until the engine is closed.
func (e *Engine) Graph(ctx context.Context, asOf time.Time) GraphView {
	v := e.lookSynced(ctx)
	g := e.graphOf(ctx, v, asOf)
	return GraphView{g, v.faults}
}

// Entity is the id of the entity that a name means. The error, of KindNotFound,
// names candidates.
func (g GraphView) Entity(ctx context.Context, name string) (string, error) {
	id, near, err := g.Resolve(ctx, name)
	switch {
	case err != nil:
		return "", &pimento.Error{Op: "graph", Path: name, Kind: pimento.KindInternal, Err: err}
	case id != "":
		return id, nil
	case len(near) > 0:
		return "", &pimento.Error{Op: "graph", Path: name, Kind: pimento.KindNotFound, Err: errors.New("nothing is called that"),
			Hint: "there are: " + strings.Join(near[:min(len(near), 8)], ", ")}
	}
	return "", &pimento.Error{Op: "graph", Path: name, Kind: pimento.KindNotFound, Err: errors.New("nothing is called that"),
		Hint: "relations come from the triples in the front matter of knowledge/*.md, and from links; see: pimento graph health"}
}
