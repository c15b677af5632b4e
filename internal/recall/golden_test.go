package recall_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/recall"
)

var update = flag.Bool("update", false, "write the golden files anew; a commit says why each rank changed")

// TestGolden ranks the questions of testdata/coding.txtar and compares each
// target's rank with the golden file, so that a change of the ranking shows as
// a diff of ranks. The summary line is a floor under all of them.
func TestGolden(t *testing.T) {
	ar, err := txtar.ParseFile("testdata/coding.txtar")
	if err != nil {
		t.Fatal(err)
	}
	_, roots := build(t, ar.Files)
	var out bytes.Buffer
	var asked, top, five, silent, unanswerable int
	for _, line := range questions(t, ar) {
		name, rest, _ := strings.Cut(line, "\t")
		want, question, ok := strings.Cut(rest, "\t")
		if !ok {
			t.Fatalf("bad question %q", line)
		}
		a := recall.Answer(t.Context(), pimento.Query{Text: question}, roots, recall.Options{MinCoverage: 0.25})
		if want == "-" {
			unanswerable++
			if len(a.Hits) == 0 {
				silent++
			}
			fmt.Fprintf(&out, "%-10s %s, %d hits\n", name, a.Status, len(a.Hits))
			continue
		}
		asked++
		rank := rankOf(a, want)
		if rank == 1 {
			top++
		}
		if rank > 0 && rank <= 5 {
			five++
		}
		fmt.Fprintf(&out, "%-10s rank %d\n", name, rank)
	}
	fmt.Fprintf(&out, "first %d, in five %d of %d; silent %d of %d\n", top, five, asked, silent, unanswerable)
	compareGolden(t, "testdata/coding.golden", out.Bytes())
	t.Logf("first %d, in five %d of %d; silent %d of %d", top, five, asked, silent, unanswerable)
	if asked < 30 || top*10 < asked*9 || five*10 < asked*9 {
		t.Errorf("%d of %d first, %d in the first five: below the floor", top, asked, five)
	}
}

func questions(t *testing.T, ar *txtar.Archive) []string {
	t.Helper()
	for _, f := range ar.Files {
		if f.Name == "questions" {
			return strings.Split(strings.TrimSpace(string(f.Data)), "\n")
		}
	}
	t.Fatal("no questions")
	return nil
}

// rankOf is the 1-based rank of the hit whose text or heading holds want, 0 for
// none.
func rankOf(a pimento.Answer, want string) int {
	for i, h := range a.Hits {
		if strings.Contains(h.Entry.Text, want) {
			return i + 1
		}
	}
	return 0
}

func compareGolden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("ranks changed (-want +got), see -update:\n%s", d)
	}
}
