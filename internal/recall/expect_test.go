package recall_test

import (
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/recall"
)

const uploads = `
-- project/MEMORY.md --
- Uploads are scanned for viruses first
- Uploads stay there for 36 months
- Uploads above 20 MB are refused
- Uploads are listed every night
- Uploads cost the customer 3 cents
`

// TestExpected: of equal entries that one comes first which has the sort of answer
// that the question asks for; it covers no more of the question for it.
func TestExpected(t *testing.T) {
	roots := archive(t, uploads)
	for question, want := range map[string]string{
		"How long do uploads stick around?":   "Uploads stay there for 36 months",
		"how often do we look at the uploads": "Uploads are listed every night",
		"uploads: how large may these get?":   "Uploads above 20 MB are refused",
		"How much do uploads cost?":           "Uploads cost the customer 3 cents",
	} {
		a := recall.Answer(t.Context(), pimento.Query{Text: question}, roots, recall.Options{})
		if a.Status != pimento.OK || a.Hits[0].Entry.Text != want {
			t.Errorf("%q: %s %+v", question, a.Status, a.Hits)
			continue
		}
		off := recall.Answer(t.Context(), pimento.Query{Text: question}, roots, recall.Options{Params: recall.DefaultParams().Without("answer")})
		if len(off.Hits) != len(a.Hits) {
			t.Errorf("%q: %d hits, %d without the sort of answer", question, len(a.Hits), len(off.Hits))
		}
	}
	if a := recall.Answer(t.Context(), pimento.Query{Text: "How long is the boat?"}, roots, recall.Options{MinCoverage: 0.1}); len(a.Hits) > 0 {
		t.Errorf("a unit of time alone answers nothing: %+v", a.Hits)
	}
}
