package mirror

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/index/memindex"
)

// A brokenIndex panics when it is given anything.
type brokenIndex struct{ *memindex.Index }

func (brokenIndex) Apply(context.Context, []index.Page, []string) error { panic("torn") }

// A panic of an index must not end the process, whichever goroutine meets it: a
// sync of several batches hands all but the last to one of its own.
func TestAPanicInASyncIsAnError(t *testing.T) {
	m := one(t)
	for i := range 3 {
		rel := fmt.Sprintf("topics/large-%d.md", i)
		text := strings.Repeat(fmt.Sprintf("- Tulips %d bloom in May beside the old mill.\n", i), syncBatch/40)
		rewrite(t, m, rel, text, 0)
	}
	m.idx = brokenIndex{memindex.New()}
	_, s, _ := m.Sync(t.Context(), Occasion{})
	if s.Err == nil || !strings.Contains(s.Err.Error(), "torn") {
		t.Fatalf("the sync says %v", s.Err)
	}
}
