package eval

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestSizes holds how often the default profile recalls the answer to codemem's
// development questions, anything for those without one and for another project's, in
// memories of different sizes: the floor must mean about the same in each.
func TestSizes(t *testing.T) {
	var b strings.Builder
	all := projects(t)
	for _, size := range []int{30, 0, 5000} {
		var given, wrongly, others tally
		for i, p := range all {
			mine, none := developed(p)
			theirs, _ := developed(all[(i+1)%len(all)])
			group := len(mine)
			if size == 30 {
				group = 6 // so many answers there is room for
			}
			groups := slices.Collect(slices.Chunk(mine, group))
			for g, asked := range groups {
				r := corpus(t, p.sized(size, uint64(g), asked)...)
				if err := r.Under("default", nil); err != nil {
					t.Fatal(err)
				}
				r.Budgets = []int{1000}
				recalled := func(q Asked) []string { return r.Rank(t.Context(), q.Question).Budget["1000"] }
				for _, q := range asked {
					got := recalled(q)
					given.count(slices.ContainsFunc(q.Gold, func(id string) bool { return slices.Contains(got, id) }))
				}
				for j, q := range none {
					if len(groups) == 1 || j%3 == g%3 {
						wrongly.count(len(recalled(q)) > 0)
					}
				}
				for j, q := range theirs {
					if j%len(groups) == g && q.Type != "scope" {
						others.count(len(recalled(q)) > 0)
					}
				}
			}
		}
		name := map[int]string{0: "all notes", 30: "30 notes", 5000: "5000 made-up ones more"}[size]
		fmt.Fprintf(&b, "%s: answered %v; without an answer, and yet something %v; another project's %v\n", name, given, wrongly, others)
	}
	golden(t, "sizes", b.String())
}

// A tally counts how often something is so.
type tally struct{ of, are int }

func (n *tally) count(is bool) {
	n.of++
	if is {
		n.are++
	}
}

func (n tally) String() string {
	return fmt.Sprintf("%d of %d (%.1f%%)", n.are, n.of, 100*float64(n.are)/float64(n.of))
}

// developed are a project's development questions with an answer, and those without.
func developed(p Project) (answered, not []Asked) {
	for _, a := range p.Asked {
		switch {
		case a.Split != "dev":
		case len(a.Gold) > 0:
			answered = append(answered, a)
		default:
			not = append(not, a)
		}
	}
	return answered, not
}

// sized are the project's notes: all for 0, with so many made-up ones from 1,000 on, else
// those that answer the questions and others by chance.
func (p Project) sized(size int, seed uint64, asked []Asked) []Line {
	if size == 0 || size >= 1000 {
		return append(slices.Clone(p.Lines), p.Distract(size, 1)...)
	}
	keep := map[string]bool{}
	for _, a := range asked {
		for _, id := range a.Gold {
			keep[id] = true
		}
	}
	for _, i := range rand.New(rand.NewPCG(seed, uint64(size))).Perm(len(p.Lines)) {
		if len(keep) >= size {
			break
		}
		keep[p.Lines[i].ID] = true
	}
	return slices.DeleteFunc(slices.Clone(p.Lines), func(l Line) bool { return !keep[l.ID] })
}
