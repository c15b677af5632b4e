package recall_test

import (
	"context"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/embed"
	"github.com/pimento-memory/pimento/internal/recall"
)

const carriers = `
-- project/MEMORY.md --
- Parcels to Belgium and Luxembourg leave with Postpunt, two days
- The cost of a parcel is paid by the shop from 40 euros on
- Harborlight serves our pictures, cached for a day
- Invoices are sent on Mondays
- Tuesdays are for releases
`

// TestNamedNowhere: a question about somebody or something of which memory has
// nothing is less sure to be answered, though all its other words are there.
func TestNamedNowhere(t *testing.T) {
	roots := archive(t, carriers)
	sure := func(q string) float64 {
		return recall.Answer(t.Context(), pimento.Query{Text: q}, roots, recall.Options{}).Confidence
	}
	for _, c := range []struct{ named, plain string }{
		{"who pays the cost of a parcel for Zalbrecht", "who pays the cost of a parcel for zalbrecht"},
		{"are invoices of NordWeb sent on Mondays", "are invoices of nordweb sent on mondays"},
	} {
		if a, b := sure(c.named), sure(c.plain); a >= b || a <= 0 {
			t.Errorf("%s: %.3f, and %.3f where the name is like a word", c.named, a, b)
		}
	}
	// What a memory says of a name is much, and seldom what was asked.
	if a, b := sure("what is the yearly contract price of Harborlight?"), sure("what is the yearly contract price of harborlight?"); a >= b {
		t.Errorf("held a name alone: %.3f, as a word %.3f", a, b)
	}
	if a, b := sure("Harborlight"), sure("harborlight"); a != b {
		t.Errorf("only a name was asked for: %.3f, %.3f", a, b)
	}
}

// TestStrangeQuestion: vectors that know no word of a question are not asked, however
// alike they find something; words answer.
func TestStrangeQuestion(t *testing.T) {
	lexicon := embed.NewStatic()
	found := func(q string) bool {
		roots := archive(t, ships)
		near(roots, grey)
		opts := recall.Options{Lexicon: lexicon, Embedder: func(context.Context) (embed.Embedder, error) { return alike{}, nil }}
		return len(ask(t, roots, pimento.Query{Text: q}, opts).Hits) > 0
	}
	for q, want := range map[string]bool{"which boats": true, "which zalbrechts of kwyx": false, "船是什么": true, "龘龘鱻鱻": false} {
		if got := found(q); got != want {
			t.Errorf("%s: found %v", q, got)
		}
	}
}
