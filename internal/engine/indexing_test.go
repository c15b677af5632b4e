package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
)

// Who asked for it is told how far the reading of many pages is, to its end, and nothing
// of few.
func TestALongReadingIsTold(t *testing.T) {
	w := newWorld(t)
	told := func() (calls [][2]int) {
		opt := w.options()
		opt.Indexing = func(done, total int) { calls = append(calls, [2]int{done, total}) }
		e, err := engine.Open(opt)
		w.must(err)
		e.Recall(t.Context(), pimento.Query{Text: "walnut"})
		w.must(e.Close())
		return calls
	}
	w.page("MEMORY.md", "- A walnut.\n")
	if calls := told(); calls != nil {
		t.Errorf("one page: %v", calls)
	}
	for i := range 30 {
		w.page(fmt.Sprintf("topics/t%d.md", i), "- "+strings.Repeat("walnut ", 15000)+"\n")
	}
	calls := told()
	if n := len(calls); n < 2 || calls[0][0] >= calls[0][1] || calls[n-1][0] != calls[n-1][1] {
		t.Errorf("many pages: %v", calls)
	}
}
