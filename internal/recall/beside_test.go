package recall

import (
	"bufio"
	"encoding/json"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/eval/codemem"
	"github.com/pimento-memory/pimento/internal/text"
)

// TestBesideMissesNothing: whatever two stems stand side by side in a text, the
// quick look and the sketch in the index see it, and the search for it finds it.
func TestBesideMissesNothing(t *testing.T) {
	w := words{analyzer: text.NewAnalyzer()}
	pairs, asked, yes := 0, 0, 0
	check := func(s string) {
		sketch := text.Beside(Docs(nil, w.analyzer, "daily/2026-03-05.md", time.Time{}, pimento.Entry{Text: s, Tags: []string{"storage"}})[0].Beside)
		var side []pair
		for a, b := range w.adjacent(s, func([]byte) bool { return true }) {
			side = append(side, pair{first: a, second: b, held: 1, idf: 1})
			if pairs++; !beside(s, a, b) || !sketch.May(text.BesideBit(a, b)) {
				t.Errorf("%q: %s %s", s, a, b)
			}
			if asked++; sketch.May(text.BesideBit(b, a+"x")) {
				yes++
			}
		}
		for _, p := range side {
			if w.pairs = []pair{p}; w.bigrams(s, 1) != 1 {
				t.Errorf("%q: %s %s is not found", s, p.first, p.second)
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
	if asked < 4*yes {
		t.Errorf("of %d pairs that stand nowhere the sketch takes %d for possible", asked, yes)
	}
	check(strings.Repeat("alpha beta gamma delta epsilon zeta eta theta iota kappa ", 20)) // of a long text there is no sketch
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
