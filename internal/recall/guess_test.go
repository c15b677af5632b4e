package recall_test

import (
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/embed"
	"github.com/pimento-memory/pimento/internal/recall"
)

// TestOnlyUnknownWordsAreMistyped: a word that the table knows is spelt right, though
// the memory has only one that is nearly spelt so.
func TestOnlyUnknownWordsAreMistyped(t *testing.T) {
	roots := archive(t, "-- project/MEMORY.md --\n- I like the cello\n- The gateway restarts at noon\n")
	opts := recall.Options{Lexicon: embed.NewStatic(), Loose: true}
	for question, want := range map[string]bool{"Where does Oren live?": false, "gatewya": true} {
		a := recall.Answer(t.Context(), pimento.Query{Text: question}, roots, opts)
		corrected := false
		for _, h := range a.Hits {
			for _, f := range h.Why {
				corrected = corrected || f.Factor == "typo"
			}
		}
		if corrected != want {
			t.Errorf("%q: %v", question, a.Hits)
		}
	}
	opts.Lexicon = nil
	if a := recall.Answer(t.Context(), pimento.Query{Text: "gatewya"}, roots, opts); len(a.Hits) == 0 || !strings.Contains(a.Hits[0].Entry.Text, "gateway") {
		t.Errorf("without a table: %+v", a)
	}
}
