package inject

import (
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
)

// TestExcerptOfALongHit: the part that answers stands for a long entry. Another part may
// follow in a later turn, the same one may not.
func TestExcerptOfALongHit(t *testing.T) {
	long := pimento.Entry{Occurrence: pimento.Occurrence{Statement: "0123456789abcdef", Scope: pimento.Project, Page: "reference.md"}, Text: strings.Repeat("A walrus has tusks. ", 400)}
	build := func(part string, whole int, ctx ...string) pimento.Block {
		f := Facts{InContext: map[string]bool{}, Prefix: &FrozenPrefix{},
			Profile: pimento.Profile{Tail: pimento.Budget{Tokens: 4000}, Sections: []pimento.Section{{Name: "hits", Zone: pimento.Tail, Pick: pimento.PickHits,
				Shapes: []string{"full", "excerpt", "brief"}, Whole: whole}}},
			Items: map[pimento.Pick][]Item{pimento.PickHits: {{Entry: long, Excerpt: part}}}}
		for _, id := range ctx {
			f.InContext[id] = true
		}
		return Build(f)
	}
	first := build("The port is 8443.", 300)
	if want := "- The port is 8443. (part of reference.md, project)\n"; !strings.Contains(first.Tail, want) || len(first.TailIDs) != 2 {
		t.Fatalf("no %q in %q (%v)", want, first.Tail, first.TailIDs)
	}
	if again := build("The port is 8443.", 300, first.TailIDs...); again.Tail != "" {
		t.Errorf("said again: %q", again.Tail)
	}
	if part := build("The port is 8443.", 300, ExcerptID(long.Statement, "The port is 8443.")); part.Tail != "" {
		t.Errorf("said again to a harness that names the part alone: %q", part.Tail)
	}
	if other := build("The job runs at night.", 300, first.TailIDs...); !strings.Contains(other.Tail, "The job runs at night.") {
		t.Errorf("the other part is missing: %q", other.Tail)
	}
	if known := build("The port is 8443.", 300, string(long.Statement)); known.Tail != "" {
		t.Errorf("all of it is in context: %q", known.Tail)
	}
	if whole := build("The port is 8443.", 0); strings.Contains(whole.Tail, "port") || len(whole.TailIDs) != 1 {
		t.Errorf("there is room for all of it: %.200q (%v)", whole.Tail, whole.TailIDs)
	}
}

// TestExcerptsMakeRoom: hits that would do whole stand in part where there is no room for
// all of them.
func TestExcerptsMakeRoom(t *testing.T) {
	for _, c := range []struct {
		room, hits, whole int
	}{{1000, 3, 3}, {500, 3, 0}, {500, 2, 2}} {
		f := Facts{InContext: map[string]bool{}, Prefix: &FrozenPrefix{}, Items: map[pimento.Pick][]Item{},
			Profile: pimento.Profile{Tail: pimento.Budget{Tokens: c.room}, Sections: []pimento.Section{{Name: "hits", Zone: pimento.Tail, Pick: pimento.PickHits,
				Shapes: []string{"full", "excerpt"}, Whole: 300}}}}
		for i := range c.hits {
			text := strings.Repeat("A walrus has tusks. ", 40) // some 200 tokens
			en := pimento.Entry{Occurrence: pimento.Occurrence{Statement: pimento.Statement(strings.Repeat(string(rune('a'+i)), 16)), Page: "reference.md"}, Text: text}
			f.Items[pimento.PickHits] = append(f.Items[pimento.PickHits], Item{Entry: en, Excerpt: "A part of it."})
		}
		tail := Build(f).Tail
		if whole, parts := strings.Count(tail, "- A walrus"), strings.Count(tail, "- A part"); whole != c.whole || parts != c.hits-c.whole {
			t.Errorf("%d hits in %d tokens: %d whole, %d in part", c.hits, c.room, whole, parts)
		}
	}
}
