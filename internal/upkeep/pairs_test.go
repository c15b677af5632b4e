package upkeep

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
)

func known(at int, text string) Known {
	return Known{Entry: pimento.Entry{Text: text, Kind: pimento.KindFact, Occurrence: pimento.Occurrence{Scope: pimento.Project,
		Page: "MEMORY.md", Statement: pimento.StatementOf(text), N: at}}}
}

// relationOfTwo is same, against or distinct, as the finder sees it.
func relationOfTwo(a, b string) string {
	for _, p := range Pairs([]Known{known(0, a), known(1, b)}) {
		if p.Relation == Duplicate || p.Relation == Near {
			return "same"
		}
		return "against"
	}
	return "distinct"
}

// A tally counts how often a label was found, and rightly.
type tally struct{ right, found, there int }

func (c tally) precision() float64 { return float64(c.right) / float64(max(c.found, 1)) }
func (c tally) recall() float64    { return float64(c.right) / float64(max(c.there, 1)) }

// measure compares labelled pairs with what the finder says. part names the part
// of the figures that a line belongs to.
func measure(t *testing.T, file string, part func(label string, nth int) string, into map[string]tally) (n int) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for line := range strings.Lines(string(b)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) != 3 {
			continue
		}
		n++
		label, got := f[0], relationOfTwo(f[1], f[2])
		if back := relationOfTwo(f[2], f[1]); back != got {
			t.Errorf("%q and %q: %s, the other way round %s", f[1], f[2], got, back)
		}
		in := part(label, seen[label])
		seen[label]++
		for _, l := range []string{"same", "against"} {
			c := into[in+" "+l]
			if label == l {
				c.there++
			}
			if got == l {
				c.found++
			}
			if label == l && got == l {
				c.right++
			}
			into[in+" "+l] = c
		}
		if got != label {
			t.Logf("%s: %s, found %s: %q / %q", in, label, got, f[1], f[2])
		}
	}
	return n
}

// TestPairsOnLabels measures the finder on the labelled pairs. What is found must
// nearly always be right, because somebody acts on it; what is missed costs
// little.
func TestPairsOnLabels(t *testing.T) {
	got := map[string]tally{}
	n := measure(t, "testdata/pairs.txt", func(_ string, nth int) string { return []string{"tuning", "measuring"}[nth%2] }, got)
	n += measure(t, "testdata/pairs-fresh.txt", func(string, int) string { return "fresh" }, got)
	if n < 160 {
		t.Fatalf("%d pairs", n)
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		c := got[name]
		t.Logf("%-17s precision %.2f, recall %.2f of %d", name, c.precision(), c.recall(), c.there)
		if c.precision() < 0.9 || c.recall() < 0.6 {
			t.Errorf("%s: precision %.2f, recall %.2f", name, c.precision(), c.recall())
		}
	}
}

func TestVersionsAreNoDuplicates(t *testing.T) {
	if got := relationOfTwo("v3.12.4 released", "v3.12.0 released"); got != "distinct" {
		t.Errorf("two releases are %s", got)
	}
}

var day = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

func TestPairsAtScale(t *testing.T) {
	var es []Known
	for i := range 10_000 {
		es = append(es, known(i, fmt.Sprintf("note %d: module%d handles case %d of the %s import", i, i%97, i*7, []string{"csv", "json", "xml"}[i%3])))
	}
	es = append(es, known(10_000, "the canary needs ten minutes"), known(10_001, "The canary needs 10 minutes."))
	start := time.Now()
	ps := Pairs(es)
	t.Logf("%d pairs in %s", len(ps), time.Since(start))
	if len(ps) != 1 {
		t.Errorf("%d pairs, first %+v", len(ps), ps[:min(len(ps), 3)])
	}
}
