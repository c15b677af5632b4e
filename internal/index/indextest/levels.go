package indextest

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/pimento-memory/pimento/internal/index"
)

// passages: an entry of several passages is one match with the best of them,
// and one doc of its page.
func passages(t *testing.T, x index.Index) {
	p := page("a.md", "red", "green green", "blue red")
	p.Docs[1].Flags, p.Docs[2].Flags = 0, index.More
	p.Docs[2].Statement, p.Docs[2].Line = p.Docs[1].Statement, p.Docs[1].Line
	apply(t, x, []index.Page{p, page("b.md", "green")})
	q := query("red", "green", "blue")
	m, err := x.Search(context.Background(), q)
	if err != nil || len(m) != 3 {
		t.Fatal(m, err)
	}
	two := m[0]
	if two.Page != "a.md" || two.Doc.Line != 2 || two.Held != 0b111 || two.Score != q.Part(1, 1, 2)*2 {
		t.Errorf("without Whole: %+v", two)
	}
	q.Whole = 1
	m, _ = x.Search(context.Background(), q)
	if want := (q.Part(1, 1, 2)*2 + (q.Part(1, 1, 2)*2 + q.Part(1, 2, 2))) / 2; m[0].Score != want {
		t.Errorf("with Whole: %v, want %v", m[0].Score, want)
	}
	full, _, _ := x.Page(context.Background(), "a.md")
	if len(full.Docs) != 2 {
		t.Errorf("the page has %d docs, want 2", len(full.Docs))
	}
}

// levels: what the page and the neighbours add.
func levels(t *testing.T, x index.Index) {
	talk := page("a.md", "red", "none", "green")
	talk.Docs[2].Flags = index.Said
	apply(t, x, []index.Page{talk, page("b.md", "red"), page("c.md", "red", "none", "green")})
	q := query("red", "green")
	q.AvgPage, q.Page, q.Prev, q.Next, q.Far = 1, 0.5, 0.25, 0.125, 0.5
	m, err := x.Search(context.Background(), q)
	if err != nil || len(m) != 7 {
		t.Fatal(m, err)
	}
	// One term adds 1 everywhere, as no length counts.
	got := map[string][2]float32{}
	for _, m := range m {
		got[fmt.Sprint(m.Page, m.Doc.Line)] = [2]float32{m.Score, m.Near}
	}
	same(t, "scores", got, map[string][2]float32{
		"a.md1": {1 + 0.5*2, 0}, "a.md2": {0.5*2 + 0.25 + 0.125, 0.25 + 0.125}, "a.md3": {1 + 0.5*2 + 0.25*0.5, 0.25 * 0.5}, "b.md1": {1 + 0.5, 0},
		"c.md1": {1 + 0.5*2, 0}, "c.md2": {0.5*2 + 0.25 + 0.125, 0.25 + 0.125}, "c.md3": {1 + 0.5*2, 0}})
	heard := func(back int) map[string]uint64 {
		q.Back = back
		m, err := x.Search(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]uint64{}
		for _, m := range m {
			got[fmt.Sprint(m.Page, m.Doc.Line)] = m.Heard
		}
		return got
	}
	alone := map[string]uint64{"a.md1": 1, "a.md2": 0, "a.md3": 2, "b.md1": 1, "c.md1": 1, "c.md2": 0, "c.md3": 2}
	same(t, "heard one back", heard(1), alone)
	alone["a.md3"] = 1 | 2 // only that was said
	same(t, "heard two back", heard(2), alone)
	same(t, "heard farther back than the page begins", heard(9), alone)
	q.Holding = true
	if got := search(t, x, q); len(got) != 5 || slices.Contains(got, "a.md:2") {
		t.Errorf("Holding: %v", got)
	}
}
