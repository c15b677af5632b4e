package journal

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/pimento-memory/pimento"
)

// The file that is kept open between readings is never read once another one is
// in its place, or none.
func TestReadsTheFileThatIsThere(t *testing.T) {
	ctx := context.Background()
	j, dir := fresh(t)
	other := open(t, dir)
	must(t, j.Append(ctx, []pimento.Event{ev(t, pimento.Remembered, 1), ev(t, pimento.Remembered, 2)}))
	if got, _ := ids(t, other, Mark{}); len(got) != 2 {
		t.Fatal(got)
	}
	must(t, j.Rewrite(ctx, func(e *pimento.Event) bool { return e.ID != "remembered-000001" }))
	if got, _ := ids(t, other, Mark{}); !slices.Equal(got, []string{"remembered-000002"}) {
		t.Fatal("after a rewrite:", got)
	}
	must(t, os.Remove(filepath.Join(dir, "events.jsonl")))
	if got, _ := ids(t, other, Mark{}); len(got) != 0 || len(allRecords(t, other)) != 0 {
		t.Fatal("after a removal:", got)
	}
	must(t, j.Append(ctx, []pimento.Event{ev(t, pimento.Used, 3)}))
	if got, _ := ids(t, other, Mark{}); !slices.Equal(got, []string{"used-000003"}) {
		t.Fatal("begun anew:", got)
	}
}

// A file that is replaced is closed by the last who reads it.
func TestReplacedWhileRead(t *testing.T) {
	ctx := context.Background()
	j, dir := fresh(t)
	must(t, j.Append(ctx, []pimento.Event{ev(t, pimento.Remembered, 1), ev(t, pimento.Remembered, 2)}))
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 50 {
				if got, _ := ids(t, j, Mark{}); len(got) != 2 {
					t.Error(got)
				}
			}
		})
	}
	other := open(t, dir)
	for range 20 {
		must(t, other.Rewrite(ctx, func(*pimento.Event) bool { return true }))
	}
	all.Wait()
	must(t, j.Close())
}
