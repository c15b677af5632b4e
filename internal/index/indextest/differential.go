package indextest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pimento-memory/pimento/internal/index"
)

// Differential applies the same random changes to two empty indexes and
// compares all that they answer, bit for bit. The same seed makes the same
// changes.
func Differential(t *testing.T, a, b index.Index, seed uint64) {
	t.Helper()
	d := &differ{t: t, a: a, b: b, rng: rand.New(rand.NewPCG(seed, 2)), corpus: NewCorpus(seed, 300)}
	d.corpus.Words, d.corpus.Brief = 12, seed%2 == 0
	for step := range 80 {
		d.step = step
		d.change()
		if step%3 == 0 {
			d.compare()
		}
		if t.Failed() {
			return
		}
	}
}

type differ struct {
	t      *testing.T
	a, b   index.Index
	rng    *rand.Rand
	corpus *Corpus
	step   int
}

// change applies a batch: mostly a page or two, now and then very many.
func (d *differ) change() {
	var put []index.Page
	var remove []string
	n, size := d.rng.IntN(3), 6
	switch {
	case d.rng.IntN(15) == 0:
		n, size = 100, 30
	case d.rng.IntN(6) == 0:
		n, size = 12, 20
	}
	for range n {
		put = append(put, d.corpus.Page(d.path(), d.rng.IntN(size)))
	}
	for range d.rng.IntN(3) {
		remove = append(remove, d.path())
	}
	for _, x := range []index.Index{d.a, d.b} {
		if err := x.Apply(context.Background(), put, remove); err != nil {
			d.t.Fatalf("step %d: Apply: %v", d.step, err)
		}
	}
}

func (d *differ) path() string { return fmt.Sprintf("p/%03d.md", d.rng.IntN(200)) }

func (d *differ) compare() {
	Compare(d.t, d.a, d.b)
	for range 4 {
		q := d.corpus.Query(1+d.rng.IntN(12), 1+d.rng.IntN([...]int{8, 200}[d.rng.IntN(2)]))
		CompareQuery(d.t, d.a, d.b, q)
	}
	if d.t.Failed() {
		d.t.Logf("at step %d", d.step)
	}
}

// Compare checks that two readers hold the same pages with the same docs.
func Compare(t *testing.T, a, b index.Reader) {
	t.Helper()
	ctx := context.Background()
	list := func(x index.Reader) []index.Page {
		var out []index.Page
		if err := x.Pages(ctx, func(p index.Page) bool {
			full, ok, err := x.Page(ctx, p.Path)
			if !ok || err != nil {
				t.Errorf("Page(%q): %v, %v", p.Path, ok, err)
			}
			if len(full.Docs) == 0 {
				full.Docs = nil
			}
			out = append(out, full)
			return true
		}); err != nil {
			t.Errorf("Pages: %v", err)
		}
		return out
	}
	if la, lb := list(a), list(b); !reflect.DeepEqual(la, lb) {
		t.Errorf("pages differ:\n%s", cmp.Diff(la, lb))
	}
}

// CompareQuery checks that two readers answer a query alike, statistics and
// the docs of its first term included.
func CompareQuery(t *testing.T, a, b index.Reader, q index.Query) {
	t.Helper()
	ctx := context.Background()
	terms := make([]string, len(q.Terms))
	for i, w := range q.Terms {
		terms[i] = w.Text
	}
	type answer struct {
		Stats   index.Stats
		Matches []index.Match
		With    []string
		Terms   []string
	}
	ask := func(x index.Reader) (out answer) {
		var err error
		if out.Stats, err = x.Stats(ctx, terms); err != nil {
			t.Errorf("Stats: %v", err)
		}
		if out.Matches, err = x.Search(ctx, q); err != nil {
			t.Errorf("Search: %v", err)
		}
		if len(out.Matches) == 0 {
			out.Matches = nil
		}
		if err := x.With(ctx, terms[0], func(page string, d index.Doc) bool {
			out.With = append(out.With, fmt.Sprint(page, d))
			return true
		}); err != nil {
			t.Errorf("With: %v", err)
		}
		// Terms of removed pages may still be listed, so only those count that stand somewhere.
		if err := x.Terms(ctx, terms[0][:min(2, len(terms[0]))], func(t string) bool {
			if st, err := x.Stats(ctx, []string{t}); err == nil && st.DF[0] > 0 {
				out.Terms = append(out.Terms, t)
			}
			return true
		}); err != nil {
			t.Errorf("Terms: %v", err)
		}
		return out
	}
	if aa, ab := ask(a), ask(b); !reflect.DeepEqual(aa, ab) {
		t.Errorf("answers to %v differ:\n%s", q, cmp.Diff(aa, ab))
	}
}
