package graph

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/text"
)

// A Count is a name and how often it is there.
type Count struct {
	Name string `json:"name"`
	N    int    `json:"n"`
}

// A Degree is an entity and how many facts leave and reach it.
type Degree struct {
	Name string `json:"name"`
	Out  int    `json:"out"`
	In   int    `json:"in"`
}

// Health is what there is to know about a graph as a whole. What ended counts
// in Ended alone.
type Health struct {
	Entities   int                `json:"entities"`
	Facts      int                `json:"facts"` // triples that hold
	Links      int                `json:"links"` // links between pages
	Ended      int                `json:"ended"` // triples that held once
	Predicates []Count            `json:"predicates"`
	Pages      []Count            `json:"pages"`
	Busiest    []Degree           `json:"busiest"`
	Suspicious []Count            `json:"suspicious"` // predicates that say little: short, or true of anything
	Broken     []pimento.Relation `json:"broken"`     // links to pages that are not there
}

// top is how many of each list a report holds.
const top = 10

// vague predicates say nothing about how two things are related.
func vague(id string) bool {
	if len(id) < 3 { // in bytes: a word of another script says much in two characters
		return true
	}
	switch id {
	case "has", "have", "was", "are", "related_to", "related", "relates_to", "uses", "use", "does", "about", "with", "and", "thing":
		return true
	}
	return false
}

// Health looks at the whole graph, as of the day asked for; of all times, today
// counts.
func (g *Graph) Health(ctx context.Context, today string) (Health, error) {
	h := Health{Busiest: []Degree{}, Suspicious: []Count{}, Broken: []pimento.Relation{}}
	all, err := g.anyTime().all(ctx, 0)
	if err != nil {
		return h, err
	}
	day := cmp.Or(g.day, today)
	predicates, pages, names := map[string]int{}, map[string]int{}, map[string]*Degree{}
	for _, f := range all {
		p := text.EntityID(f.Predicate)
		if p == text.LinksTo || p == text.Replaces {
			h.Links++
			if !g.page(ctx, f.Object) && !text.NamesFile(f.Object) {
				h.Broken = append(h.Broken, f)
			}
			continue
		}
		if !(text.Edge{Triple: f.Triple, From: f.From, Until: f.Until}).Holds(day) {
			h.Ended++
			continue
		}
		h.Facts++
		predicates[p]++
		pages[string(f.Scope)+":"+f.Page]++
		degree(names, f.Subject).Out++
		degree(names, f.Object).In++
	}
	h.Entities = len(names)
	h.Predicates = most(predicates, top)
	h.Pages = most(pages, top)
	for _, c := range most(predicates, 0) {
		if vague(c.Name) {
			h.Suspicious = append(h.Suspicious, c)
		}
	}
	for _, d := range slices.SortedFunc(maps.Values(names), func(a, b *Degree) int {
		return cmp.Or(cmp.Compare(b.Out+b.In, a.Out+a.In), cmp.Compare(a.Name, b.Name))
	}) {
		h.Busiest = append(h.Busiest, *d)
	}
	h.Busiest = h.Busiest[:min(len(h.Busiest), top)]
	return h, nil
}

func degree(names map[string]*Degree, name string) *Degree {
	id := text.EntityID(name)
	if names[id] == nil {
		names[id] = &Degree{Name: name}
	}
	return names[id]
}

// page says whether a link to a name means anything.
func (g *Graph) page(ctx context.Context, name string) bool {
	return slices.ContainsFunc(g.sources, func(s Source) bool { return live(ctx, s.Reader, text.NameKey(name)) })
}

// most are the largest counts first, n of them, 0 for all.
func most(counts map[string]int, n int) []Count {
	out := make([]Count, 0, len(counts))
	for name, c := range counts {
		out = append(out, Count{name, c})
	}
	slices.SortFunc(out, func(a, b Count) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Name, b.Name)) })
	if n > 0 && len(out) > n {
		out = out[:n]
	}
	return out
}
