package recall_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/recall"
	"github.com/pimento-memory/pimento/internal/score"
)

// TestPublished: pinned first, whatever they are about; stability decides
// between hits that are alike to 2% of the best, and not beyond.
func TestPublished(t *testing.T) {
	for _, tt := range []struct {
		name      string
		scores    []float64
		stability []float64
		want      string
	}{
		{"by similarity", []float64{9, 6, 3}, []float64{0.5, 2.5, 2.5}, "abc"},
		{"by stability where they are alike", []float64{9, 8.9, 3}, []float64{0.5, 2.5, 2.5}, "bac"},
		{"a pin stands first", []float64{9, 6, 1}, []float64{2.5, 2.5, score.PinnedScore}, "cab"},
		{"pins keep their order", []float64{9, 6, 1}, []float64{2.5, score.PinnedScore, score.PinnedScore}, "bca"},
		{"without similarity", []float64{0, 0, 0}, []float64{0.1, 0.3, 0.2}, "bca"},
		{"equals keep their order", []float64{5, 5, 5}, []float64{1, 1, 1}, "abc"},
		{"nothing", nil, nil, ""},
	} {
		var hits []pimento.Hit
		for i, s := range tt.scores {
			hits = append(hits, pimento.Hit{Entry: pimento.Entry{Text: string(rune('a' + i))}, Score: s})
		}
		recall.Published(hits, tt.stability)
		var got strings.Builder
		for _, h := range hits {
			got.WriteString(h.Entry.Text)
		}
		if got.String() != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got.String(), tt.want)
		}
	}
}

// TestSharesNeverExceedOne: a score may be anything, a share is 0 to 1.
func TestSharesNeverExceedOne(t *testing.T) {
	for _, tt := range []struct{ scores, want []float64 }{
		{[]float64{12, 6, 3}, []float64{1, 0.5, 0.25}},
		{[]float64{0.5, 2}, []float64{0.25, 1}}, // in another order than by score
		{[]float64{0, 0}, []float64{0, 0}},
		{nil, []float64{}},
	} {
		var hits []pimento.Hit
		for _, s := range tt.scores {
			hits = append(hits, pimento.Hit{Score: s})
		}
		if got := recall.Shares(hits); !slices.Equal(got, tt.want) {
			t.Errorf("%v: %v, want %v", tt.scores, got, tt.want)
		}
	}
}
