//go:build unix

package score_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/cputime"
	"github.com/pimento-memory/pimento/internal/score"
)

// BenchmarkRescore scores 100,000 entries and holds them to their caps, as a
// whole memory is when its standings are reckoned anew.
func BenchmarkRescore(b *testing.B) {
	const n = 100_000
	p := score.Default()
	p.Caps = map[pimento.Kind]int{"preference": 8, "lesson": 8, "pattern": 6, "decision": 4, "done": 4, "mistake": 4}
	p.Overflow, p.Total = 6, 40
	all := []pimento.Kind{"preference", "lesson", "pattern", "decision", "done", "mistake"}
	facts, kinds := make([]score.Fact, n), make([]pimento.Kind, n)
	for i := range facts {
		kinds[i] = all[i%len(all)]
		text := fmt.Sprintf("Entry %d of the memory says in about a hundred characters what somebody learned about part %d", i, i%97)
		if i%50 == 0 {
			text = fmt.Sprintf("Never deploy part %d of the system on a Friday without asking somebody first", i)
		}
		facts[i] = score.Fact{Kind: kinds[i], Text: text, Cue: score.CueExplicit, Evidence: 1 + i%12, First: days(float64(i % 300)), Last: days(float64(i % 90)),
			Remembered: i%2 == 0, Pinned: i%500 == 0}
	}
	b.ReportAllocs()
	defer cputime.Report(b)()
	for b.Loop() {
		score.Cap(score.Rank(facts, p, now), slices.Clip(kinds), p)
	}
}
