package main

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// TestPairsOfDocuments: a title, a name, a first sentence and a neighbour each
// ask for what belongs to them.
func TestPairsOfDocuments(t *testing.T) {
	w := writer{seen: map[uint64]bool{}}
	reader("doc/a.md")([]byte("# Closing pools\n\nThe pool is closed when the last of its users is gone. It may be opened again by any of them.\n\n"+
		"Sizes\n-----\nA pool has as many places as there are processors.\n"), w.part)
	reader("a.go")([]byte("package a\n\n// It waits until the queue is empty and all of the workers are done.\nfunc (q *Queue) drainWorkers() {}\n\n"+
		"const x = 1 // It is the number of the times that we try.\n"), w.part)
	reader("a.py")([]byte("def load_page(x):\n    \"\"\"Reads a page and all that it links to from the disk.\"\"\"\n"), w.part)
	var r pairing
	for line := range strings.Lines(w.buf.String()) {
		r.line(strings.TrimSuffix(line, "\n"))
	}
	var got []string
	for kind, ps := range r.out {
		for _, p := range ps {
			got = append(got, string("tnbf"[kind])+" "+p.query+" > "+p.passage)
		}
	}
	want := []string{
		"t Closing pools > The pool is closed when the last of its users is gone. It may be opened again by any of them.",
		"t Sizes > A pool has as many places as there are processors.",
		"n drainWorkers > It waits until the queue is empty and all of the workers are done.",
		"n x > It is the number of the times that we try.",
		"n load_page > Reads a page and all that it links to from the disk.",
		"b The pool is closed when the last of its users is gone. > It may be opened again by any of them.",
	}
	want = slices.DeleteFunc(want, func(s string) bool { return strings.HasPrefix(s, "n x") }) // too short for a name
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestPairsThatComeTooOften(t *testing.T) {
	ps := []pair{{"Notes", "a"}, {"notes", "b"}, {"NOTES", "c"}, {"Notes", "d"}, {"Retries", "e"}}
	if got := unrepeated(ps); !slices.Equal(got, []pair{{"Retries", "e"}}) {
		t.Error(got)
	}
}

func TestOwnPairs(t *testing.T) {
	files := fstest.MapFS{"pairs/a.tsv": {Data: []byte("# about\nWe use pnpm.\twhich package manager?\t用什么\n\nalone\n")}}
	got, err := readPairs(files)
	if err != nil || len(got) != 1 || len(got[0]) != 1 || got[0][0].text != "We use pnpm." || len(got[0][0].questions) != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := readPairs(ownPairs); err != nil || len(got) == 0 {
		t.Errorf("ours: %d files, %v", len(got), err)
	}
}
