package recall_test

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/recall"
)

// TestFarBehindTheBest: a hit that is far behind the best is left out where the caller says
// so, unless a link brought it along, or a question asks for hardly anything but a time; an
// answer that is less sure than wanted has as many hits as are allowed then.
func TestFarBehindTheBest(t *testing.T) {
	yesterday := time.Date(2026, 11, 17, 9, 0, 0, 0, time.UTC)
	roots := made(t, map[string][]pimento.Entry{
		"boiler.md": {{Text: "The valve of the boiler sticks when the boiler is cold", Links: []string{"grease"}}}, "roof.md": {{Text: "The valve of the roof is cold"}},
		"grease.md": {{Text: "Put wax on it", Names: []string{"grease"}}}, "log.md": {{Text: "Gophers dig", Stamp: yesterday}, {Text: "The garden gate squeaks", Stamp: yesterday}, {Text: "Apples are red"}},
	})
	find := func(question string, opts recall.Options) []string {
		opts.MinConfidence = cmp.Or(opts.MinConfidence, 0.1)
		return texts(ask(t, roots, pimento.Query{Text: question, Now: time.Date(2026, 11, 18, 9, 0, 0, 0, time.UTC)}, opts))
	}
	const boiler, roof, wax = "global:boiler.md The valve of the boiler sticks when the boiler is cold", "global:roof.md The valve of the roof is cold", "global:grease.md Put wax on it"
	const asked = "why does the boiler valve stick in the cold"
	if got := find(asked, recall.Options{}); !slices.Contains(got, roof) || !slices.Contains(got, wax) {
		t.Fatalf("without a limit %q", got)
	}
	if got := find(asked, recall.Options{Least: 0.5}); !slices.Equal(got, []string{boiler, wax}) {
		t.Errorf("with a limit %q", got)
	}
	const two = "the boiler valve sticks when the boiler is cold. And which fruit is red, apples?"
	if got := find(two, recall.Options{Least: 0.6}); !slices.Equal(got, []string{boiler, "global:log.md Apples are red", wax}) {
		t.Errorf("of two parts %q", got)
	}
	stands := func(id pimento.Statement) bool {
		return id == pimento.StatementOf("The valve of the boiler sticks when the boiler is cold")
	}
	if got := find(asked, recall.Options{Least: 0.5, Stands: stands}); !slices.Contains(got, roof) {
		t.Errorf("measured by what stands there anyway %q", got)
	}
	if got := find("what happened yesterday", recall.Options{Least: 0.99}); len(got) != 2 {
		t.Errorf("of yesterday %q", got)
	}
	few := pimento.Unsure{MinConfidence: 0.1, Hits: 1}
	const vague = "which valve of the steamer or the radiator in the basement leaks, and how does one mend it"
	for _, c := range []struct {
		opts recall.Options
		hits int
	}{
		{recall.Options{}, 3}, {recall.Options{MinConfidence: 0.9}, 0}, {recall.Options{MinConfidence: 0.9, Unsure: few}, 1},
		{recall.Options{MinConfidence: 0.9, Unsure: pimento.Unsure{MinConfidence: 0.8, Hits: 1}}, 0}, {recall.Options{Unsure: few}, 3},
	} {
		if got := find(vague, c.opts); len(got) != c.hits {
			t.Errorf("above %v, unsure %+v: %q", c.opts.MinConfidence, c.opts.Unsure, got)
		}
	}
}
