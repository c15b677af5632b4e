package recall

import (
	"bufio"
	"encoding/json"
	"io/fs"
	"testing"

	"github.com/pimento-memory/pimento/eval/codemem"
	"github.com/pimento-memory/pimento/internal/text"
)

// TestBesideMissesNothing: whatever two stems stand side by side in a text, the
// quick look sees it.
func TestBesideMissesNothing(t *testing.T) {
	w := words{analyzer: text.NewAnalyzer()}
	pairs := 0
	check := func(s string) {
		for a, b := range w.adjacent(s) {
			if pairs++; !beside(s, a, b) {
				t.Errorf("%q: %s %s", s, a, b)
			}
		}
	}
	for _, s := range []string{"dying servers", "The skies, gently", "Deploys IT TO the Staging", "parse_tree parseTree", "naïve café", "die Tür"} {
		check(s)
	}
	for _, name := range []string{"go/facts.jsonl", "web/facts.jsonl", "data/facts.jsonl"} {
		f, err := codemem.FS.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		eachText(t, f, check)
	}
	if pairs < 5000 {
		t.Errorf("only %d pairs looked at", pairs)
	}
	far := "the queue is full; later, after the nightly run of the old parser and all of its many helpers had finished without any trouble, retry"
	if beside(far, "queue", "retri") {
		t.Error("far apart is not beside")
	}
}

func eachText(t *testing.T, f fs.File, visit func(string)) {
	t.Helper()
	defer f.Close()
	for sc := bufio.NewScanner(f); sc.Scan(); {
		var line struct{ Text string }
		if err := json.Unmarshal(sc.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		visit(line.Text)
	}
}
