package journal

import (
	"fmt"
	"testing"

	"github.com/pimento-memory/pimento"
)

// TestSelectSaysWhereToBegin: the position before the first event of interest
// finds it again, and skips all that came before.
func TestSelectSaysWhereToBegin(t *testing.T) {
	j := open(t, t.TempDir())
	ctx := t.Context()
	add := func(typ pimento.EventType, n int) {
		t.Helper()
		for i := range n {
			ev := pimento.Event{V: 1, ID: fmt.Sprint(typ, "-", i), Type: typ, Statement: "0123456789abcdef"}
			if err := j.Append(ctx, []pimento.Event{ev}); err != nil {
				t.Fatal(err)
			}
		}
	}
	find := func(m Mark) (first, last Mark, n int) {
		t.Helper()
		first, last, err := j.Select(ctx, m, []pimento.EventType{pimento.Remembered}, func(pimento.Event) bool { n++; return true })
		if err != nil {
			t.Fatal(err)
		}
		return first, last, n
	}
	add(pimento.Injected, 5)
	first, last, n := find(Mark{})
	if n != 0 || first != last {
		t.Errorf("without news: %d events, first %v, last %v", n, first, last)
	}
	add(pimento.Used, 3)
	add(pimento.Remembered, 1)
	add(pimento.Confirmed, 2)
	first, last, n = find(first)
	if n != 1 || first.Off >= last.Off {
		t.Errorf("with news: %d events, first %v, last %v", n, first, last)
	}
	if again, _, n := find(first); n != 1 || again != first {
		t.Errorf("from the first: %d events, first %v, want %v", n, again, first)
	}
	if _, _, n := find(last); n != 0 {
		t.Errorf("behind the last: %d events", n)
	}
}
