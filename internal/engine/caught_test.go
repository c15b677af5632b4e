package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
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
	e, _, st := gate(t)
	for i := range 3 {
		rel := fmt.Sprintf("topics/large-%d.md", i)
		text := strings.Repeat(fmt.Sprintf("- Tulips %d bloom in May beside the old mill.\n", i), syncBatch/40)
		if err := os.MkdirAll(filepath.Dir(st.path(rel)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(st.path(rel), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	st.idx = brokenIndex{memindex.New()}
	_, s, _ := e.syncStore(t.Context(), st, occasion{})
	if s.err == nil || !strings.Contains(s.err.Error(), "torn") {
		t.Fatalf("the sync says %v", s.err)
	}
}
