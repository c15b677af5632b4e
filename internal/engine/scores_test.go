package engine_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// A page is read once, not once for each of its entries: four times the entries
// take about four times the memory to look through, not sixteen times.
func TestScoresReadAPageOnce(t *testing.T) {
	taken := func(entries int) uint64 {
		w := newWorld(t)
		var b strings.Builder
		for i := range entries {
			fmt.Fprintf(&b, "- the machine number %d has a belt of its own length, and its oil is changed in spring\n", i)
		}
		w.page("topics/machines.md", b.String())
		e := w.serve()
		e.Scores(t.Context()) // reads it in
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		all, faults := e.Scores(t.Context())
		runtime.ReadMemStats(&after)
		if len(all) != entries || len(faults) != 0 {
			t.Fatalf("%d of %d entries have a score, %v", len(all), entries, faults)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	if few, many := taken(500), taken(2000); many > 8*few {
		t.Errorf("500 entries take %d bytes, 2000 take %d", few, many)
	}
}
