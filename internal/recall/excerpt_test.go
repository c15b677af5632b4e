package recall_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/recall"
)

// TestExcerpt: a hit on a long entry comes with the part that answers; a short one is
// shown whole.
func TestExcerpt(t *testing.T) {
	var long strings.Builder
	for i := range 100 {
		fmt.Fprintf(&long, "Paragraph %d speaks at some length of the walrus and of nothing else.\n\n", i)
		if i == 60 {
			long.WriteString("The gateway listens on port 8443, which the firewall must allow.\n\n")
		}
	}
	roots := archive(t, "-- project/reference.md --\n# Reference\n\n"+long.String()+"-- project/MEMORY.md --\n- The pager rings for the gateway.\n")
	a := ask(t, roots, pimento.Query{Text: "which port does the gateway listen on?"}, recall.Options{Excerpts: true})
	if len(a.Hits) != 2 {
		t.Fatalf("%d hits", len(a.Hits))
	}
	for _, h := range a.Hits {
		long := h.Entry.Page == "reference.md"
		if got := strings.Contains(h.Excerpt, "port 8443"); got != long || len(h.Excerpt) > 1200 {
			t.Errorf("%s: %q", h.Entry.Page, h.Excerpt)
		}
	}
}
