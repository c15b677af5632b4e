package upkeep

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento/internal/page"
)

// TestMeetingPagesAreThoseThatClash: looking names up finds the pairs that comparing all
// with all does, in the same order.
func TestMeetingPagesAreThoseThatClash(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	words := []string{"go", "Go", "build", "KEY", "key", "straße", "STRASSE", "Ünder", "ünder"}
	for range 50 {
		var all []*LintPage
		for i := range 30 {
			var keys []string
			for range r.IntN(4) {
				keys = append(keys, words[r.IntN(len(words))])
			}
			name := fmt.Sprintf("%s%d", words[r.IntN(len(words))], r.IntN(9))
			if len(keys) > 0 {
				name += "--" + strings.Join(keys, ",")
			}
			all = append(all, &LintPage{Rel: name + strings.Repeat("x", i%2) + ".md"})
		}
		for overlap := 1; overlap < 3; overlap++ {
			var want, got []string
			for i, a := range all {
				for _, b := range all[i+1:] {
					if _, clash := page.TopicsClash(a.Rel, b.Rel, overlap); clash {
						want = append(want, a.Rel+" "+b.Rel)
					}
				}
			}
			for a, b := range meeting(all) {
				if _, clash := page.TopicsClash(a.Rel, b.Rel, overlap); clash {
					got = append(got, a.Rel+" "+b.Rel)
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%v\nnot %v", got, want)
			}
		}
	}
}
