package main

import (
	"slices"
	"testing"
)

// TestAnswered: what comes together in two questions and their answers is told of
// both words, in both directions, and no more than is told of our lists; what came
// together once, or is kept back, is not.
func TestAnswered(t *testing.T) {
	v := &vocabulary{number: map[string]int{}, lexicon: newLexicon(nil)}
	for i, w := range []string{"payout", "money", "shop", "backup", "restor"} {
		v.number[w] = i
	}
	v.pairs = [][]statement{{
		{"payouts come on the second day", []string{"when is the money there?"}},
		{"payouts wait for the bank", []string{"where is my money?"}},
		{"the shop has payouts", []string{"restore"}},
		{"nothing here", []string{"shop", "backup"}},
	}}
	for _, st := range v.pairs[0] {
		if keptBack(st) {
			t.Fatalf("%q is kept back", st.text)
		}
	}
	got := v.answered(options{answered: 2, told: 10})
	slices.SortFunc(got, func(x, y triple) int { return int(x.row - y.row) })
	if len(got) != 2 || got[0].row != 0 || got[0].col != 1 || got[1].row != 1 || got[1].col != 0 || got[0].val != got[1].val || got[0].val <= 0 {
		t.Errorf("got %v", got)
	}
	if low := v.answered(options{answered: 2, told: 0.1}); low[0].val != 0.1 {
		t.Errorf("more than is told: %v", low)
	}

	kept := statement{questions: []string{"money"}}
	for kept.text = "payouts"; !keptBack(kept); kept.text += " a" {
	}
	v.pairs = [][]statement{{kept, kept}}
	if got := v.answered(options{answered: 2, told: 10}); got != nil {
		t.Errorf("of what is kept back: %v", got)
	}
}
