package segment

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pimento-memory/pimento/internal/index"
)

// Postings are what was written, in order and from any doc on, however many docs
// hold the term and however often.
func TestPostings(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, docs := range []int{1, 63, 64, 65, 700} {
		for _, share := range []float64{0.01, 0.1, 0.5, 1} {
			for _, often := range []float64{0, 0.3, 1} {
				t.Run(fmt.Sprint(docs, share, often), func(t *testing.T) {
					var want []posting
					page := index.Page{Path: "page.md", Docs: make([]index.Doc, docs)}
					for i := range page.Docs {
						if r.Float64() < share || i == 0 {
							p := posting{doc: uint32(i), tf: 1}
							if r.Float64() < often {
								p.tf = uint16(2 + r.IntN(400))
							}
							want = append(want, p)
							page.Docs[i].Terms = []index.Term{{Text: "wterm", TF: p.tf}}
						}
					}
					comparePostings(t, inMemory(build([]index.Page{page}, 1)).file, want)
				})
			}
		}
	}
}

func comparePostings(t *testing.T, f *file, want []posting) {
	t.Helper()
	info, ok := f.lookup("wterm")
	if !ok || info.df != len(want) {
		t.Fatalf("the term is in %d docs, want %d", info.df, len(want))
	}
	var got []posting
	for l := f.postings(info); l.next(); {
		got = append(got, posting{l.doc, uint16(l.tf)})
	}
	if !slices.Equal(got, want) {
		t.Fatalf("postings %v, want %v", got, want)
	}
	for _, step := range []uint32{1, 7, 200} {
		l := f.postings(info)
		for doc := uint32(0); doc < f.h.docs; doc += step {
			at, held := slices.BinarySearchFunc(want, doc, func(p posting, d uint32) int { return int(p.doc) - int(d) })
			if l.seek(doc) != held {
				t.Fatalf("seek(%d) = %v", doc, !held)
			}
			if at < len(want) && (l.doc != want[at].doc || uint16(l.tf) != want[at].tf) {
				t.Fatalf("seek(%d) came to doc %d, %d times; want %v", doc, l.doc, l.tf, want[at])
			}
		}
	}
}
