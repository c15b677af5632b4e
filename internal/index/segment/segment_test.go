package segment

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/index/indextest"
	"github.com/pimento-memory/pimento/internal/index/memindex"
)

// tunings make the same tests take different ways: nearly everything in the
// delta, nearly nothing, and merges of everything or of nothing.
var tunings = map[string]Options{
	"default": {},
	"delta":   {DeltaBytes: 1 << 30, DeltaDocs: 1 << 30},
	"small":   {DeltaDocs: 5},
	"flush":   {DeltaDocs: -1},
	"nomerge": {DeltaDocs: 9, MergeDocs: -1},
}

func open(t testing.TB, dir string, opt Options) *Index {
	t.Helper()
	x, err := Open(context.Background(), dir, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	})
	return x
}

func TestSuite(t *testing.T) {
	for name, opt := range tunings {
		t.Run(name, func(t *testing.T) {
			indextest.Run(t, func(t *testing.T) index.Index { return open(t, filepath.Join(t.TempDir(), "new", "dir"), opt) })
		})
	}
}

// twoDoors writes through one Index and reads through another one of the same
// directory, as two processes do; now and then both are opened anew.
type twoDoors struct {
	t             *testing.T
	dir           string
	opt           Options
	writer, other *Index
	rng           *rand.Rand
}

func (d *twoDoors) Apply(ctx context.Context, put []index.Page, remove []string) error {
	switch d.rng.IntN(8) {
	case 0:
		d.writer = open(d.t, d.dir, d.opt)
	case 1:
		d.other = open(d.t, d.dir, d.opt)
	case 2:
		d.writer, d.other = d.other, d.writer
	case 3:
		if err := d.writer.Compact(ctx); err != nil {
			d.t.Errorf("Compact: %v", err)
		}
	}
	return d.writer.Apply(ctx, put, remove)
}

func (d *twoDoors) door() *Index {
	if err := d.other.Refresh(context.Background()); err != nil {
		d.t.Errorf("Refresh: %v", err)
	}
	for _, x := range []*Index{d.writer, d.other} {
		if r := x.Rebuilt(); r != "" {
			d.t.Errorf("rebuilt: %v", r)
		}
	}
	return d.other
}

func (d *twoDoors) Stats(ctx context.Context, terms []string) (index.Stats, error) {
	return d.door().Stats(ctx, terms)
}
func (d *twoDoors) Terms(ctx context.Context, prefix string, yield func(string) bool) error {
	return d.door().Terms(ctx, prefix, yield)
}

func (d *twoDoors) Search(ctx context.Context, q index.Query) ([]index.Match, error) {
	return d.door().Search(ctx, q)
}
func (d *twoDoors) With(ctx context.Context, term string, yield func(string, index.Doc) bool) error {
	return d.door().With(ctx, term, yield)
}
func (d *twoDoors) Pages(ctx context.Context, yield func(index.Page) bool) error {
	return d.door().Pages(ctx, yield)
}
func (d *twoDoors) Page(ctx context.Context, path string) (index.Page, bool, error) {
	return d.door().Page(ctx, path)
}
func (d *twoDoors) Refresh(context.Context) error { return nil }
func (d *twoDoors) Close() error                  { return nil }

func TestDifferential(t *testing.T) {
	for name, opt := range tunings {
		seeds := uint64(1)
		if name == "default" || name == "small" {
			seeds = 3
		}
		for seed := range seeds {
			t.Run(fmt.Sprint(name, seed), func(t *testing.T) {
				dir := t.TempDir()
				d := &twoDoors{t: t, dir: dir, opt: opt, rng: rand.New(rand.NewPCG(seed, 7))}
				d.writer, d.other = open(t, dir, opt), open(t, dir, opt)
				indextest.Differential(t, memindex.New(), d, seed)
			})
		}
	}
}

// fill makes an index directory with segments of several sizes, dead pages and
// a delta, and the same in the reference.
func fill(t testing.TB, dir string) *memindex.Index {
	t.Helper()
	ctx := context.Background()
	ref, x := memindex.New(), open(t, dir, Options{DeltaDocs: 30, MergeDocs: 100})
	c := indextest.NewCorpus(11, 400)
	c.Words = 10
	both := func(put []index.Page, remove ...string) {
		ref.Apply(ctx, put, remove)
		if err := x.Apply(ctx, put, remove); err != nil {
			t.Fatal(err)
		}
	}
	both(c.Pages(1000, 9))
	for i := range 30 {
		both([]index.Page{c.Page(fmt.Sprintf("topics/%02d/page-%05d.md", i%17, i), 8)}, fmt.Sprintf("topics/%02d/page-%05d.md", (i+40)%17, i+40))
	}
	if n := len(x.snap.layers); n < 2 || len(x.snap.recent) == 0 || len(x.snap.layers[0].dead) == 0 {
		t.Fatalf("fill makes a dull index: %d layers, %d recent pages", n, len(x.snap.recent))
	}
	return ref
}

func files(t testing.TB, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != "LOCK" {
			names = append(names, e.Name())
		}
	}
	return names
}

func TestReopen(t *testing.T) {
	dir := t.TempDir()
	ref := fill(t, dir)
	x := open(t, dir, Options{})
	indextest.Compare(t, ref, x)
	c := indextest.NewCorpus(11, 400)
	for range 50 {
		indextest.CompareQuery(t, ref, x, c.Query(8, 20))
	}
	if err := x.Compact(context.Background()); err != nil {
		t.Fatal(err)
	}
	if n := len(x.snap.layers) + len(x.snap.recent); n != 1 {
		t.Errorf("%d layers and recent pages after Compact", n)
	}
	if got := files(t, dir); len(got) != 3 {
		t.Errorf("files left: %v", got)
	}
	indextest.Compare(t, ref, x)
	for range 50 {
		indextest.CompareQuery(t, ref, x, c.Query(8, 20))
	}
}

func TestClosed(t *testing.T) {
	x := open(t, t.TempDir(), Options{})
	x.Close()
	if _, err := x.Stats(context.Background(), nil); err == nil {
		t.Error("Stats after Close: no error")
	}
	if err := x.Apply(context.Background(), nil, []string{"a"}); pimento.KindOf(err) != pimento.KindInternal || err == nil {
		t.Errorf("Apply after Close: %v", err)
	}
	if err := x.Refresh(context.Background()); err == nil {
		t.Error("Refresh after Close: no error")
	}
}

func TestOutOfRange(t *testing.T) {
	x := open(t, t.TempDir(), Options{})
	for _, d := range []index.Doc{{Line: -1}, {Len: 1 << 32}, {Span: pimento.Span{Start: -5}}} {
		err := x.Apply(context.Background(), []index.Page{{Path: "a", Docs: []index.Doc{d}}}, nil)
		if pimento.KindOf(err) != pimento.KindUsage {
			t.Errorf("%+v: %v", d, err)
		}
	}
}

// A long merge holds the index for seconds; a reader asks what there is.
func TestRefreshDoesNotWaitForAChange(t *testing.T) {
	x, err := Open(t.Context(), t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	x.change.Lock()
	err = x.Refresh(t.Context())
	x.change.Unlock()
	if err != nil {
		t.Error(err)
	}
}

// Who appends to a tidy change and sorts it must not move the pages of the
// slice that the caller still holds.
func TestTidyLeavesNoRoom(t *testing.T) {
	put, _ := tidy([]index.Page{{Path: "b.md"}, {Path: "b.md"}, {Path: "c.md"}}, nil)
	more := append(put, index.Page{Path: "a.md"})
	slices.SortFunc(more, func(a, b index.Page) int { return strings.Compare(a.Path, b.Path) })
	if len(put) != 2 || put[0].Path != "b.md" || put[1].Path != "c.md" {
		t.Errorf("%v", put)
	}
}

// Pages that say the same have entries of the same score, of which the first count,
// whichever pages are looked at first.
func TestOfEqualEntriesTheFirstCount(t *testing.T) {
	for seed := range uint64(4) {
		c := indextest.NewCorpus(seed, 60)
		c.Words, c.Brief = 6, seed%2 == 0
		kinds := []index.Page{c.Page("a", 40), c.Page("b", 30), c.Page("c", 50)}
		var pages []index.Page
		for i := range 60 {
			p := kinds[(i*i+i/7)%len(kinds)]
			p.Path = fmt.Sprintf("p/%03d.md", i)
			pages = append(pages, p)
		}
		ref, x := memindex.New(), open(t, t.TempDir(), Options{DeltaDocs: 30})
		for _, idx := range []index.Index{ref, x} {
			if err := idx.Apply(t.Context(), pages, nil); err != nil {
				t.Fatal(err)
			}
		}
		for limit := 1; limit < 300; limit += 1 + limit/6 {
			indextest.CompareQuery(t, ref, x, c.Query(1+limit%5, limit))
		}
	}
}

// A search that finds no term leaves nothing behind for the next one, of a file that
// has become another since.
func TestASearchForNothingLeavesNothing(t *testing.T) {
	c := indextest.NewCorpus(1, 60)
	c.Brief = true
	ref, x := memindex.New(), open(t, t.TempDir(), Options{DeltaDocs: 10})
	apply := func(remove []string, pages ...index.Page) {
		for _, idx := range []index.Index{ref, x} {
			if err := idx.Apply(t.Context(), pages, remove); err != nil {
				t.Fatal(err)
			}
		}
		if err := x.Compact(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	apply(nil, c.Page("crowded.md", 40))
	q := c.Query(3, 10)
	nothing := q
	nothing.Terms = []index.WeightedTerm{{Text: "w:nowhere", Weight: 1}}
	indextest.CompareQuery(t, ref, x, nothing)
	apply([]string{"crowded.md"}, c.Page("brief1.md", 1), c.Page("brief2.md", 1), c.Page("brief3.md", 1), c.Page("brief4.md", 1))
	indextest.CompareQuery(t, ref, x, q)
}

// TestPagesWithoutDocsNeedNoLayer: a page of more docs than are built at once is not
// merged, and so copied, for the sake of the marks beside it.
func TestPagesWithoutDocsNeedNoLayer(t *testing.T) {
	large := index.Page{Path: "large.md", Docs: make([]index.Doc, chunk+1)}
	for i := range large.Docs {
		large.Docs[i].Terms = []index.Term{{Text: "wa", TF: 1}}
	}
	if n := len(buildLayers([]index.Page{{Path: "a"}, large, {Path: "z"}}, 1)); n != 1 {
		t.Errorf("%d layers", n)
	}
}
