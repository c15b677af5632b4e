package indextest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
)

// Run is the suite. open makes a new empty index; Run closes it.
func Run(t *testing.T, open func(t *testing.T) index.Index) {
	tests := []struct {
		name string
		run  func(t *testing.T, x index.Index)
	}{
		{"Empty", empty},
		{"Put", put},
		{"Replace", replace},
		{"Remove", remove},
		{"RemoveThenPut", removeThenPut},
		{"PageWithoutDocs", pageWithoutDocs},
		{"Order", order},
		{"Limit", limit},
		{"Weights", weights},
		{"Passages", passages},
		{"Levels", levels},
		{"Stats", stats},
		{"With", with},
		{"PagesInOrder", pagesInOrder},
		{"StopEarly", stopEarly},
		{"OddTerms", oddTerms},
		{"OddValues", oddValues},
		{"NotAliased", notAliased},
		{"Cancelled", cancelled},
		{"ManyPages", manyPages},
		{"ReadersDuringApply", readersDuringApply},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			x := open(t)
			defer func() {
				if err := x.Close(); err != nil {
					t.Errorf("Close: %v", err)
				}
			}()
			test.run(t, x)
		})
	}
}

// page makes a page whose docs hold the words given, one doc for each string;
// its length is its number of words.
func page(path string, docs ...string) index.Page {
	p := index.Page{
		Path:   path,
		Digest: pimento.DigestOf([]byte(path + strings.Join(docs, "\n"))),
		Stamp:  pimento.Stamp{Dev: 1, Ino: 2, Size: 3, Mtime: 4, Ctime: 5},
		Synced: 6,
	}
	for i, words := range docs {
		d := index.Doc{
			Statement: pimento.StatementOf(words),
			Span:      pimento.Span{Start: 100 * i, End: 100*i + 99},
			Line:      i + 1,
			Kind:      pimento.KindFact,
			Len:       len(strings.Fields(words)),
		}
		for _, w := range strings.Fields(words) {
			d.Terms = append(d.Terms, index.Term{Text: w, TF: 1})
		}
		d.Terms = tidy(d.Terms)
		p.Docs = append(p.Docs, d)
	}
	return p
}

// query asks for the words with equal weights and no length normalisation.
func query(words ...string) index.Query {
	q := index.Query{K1: 1, B: 0, AvgLen: 1, Limit: 10}
	for _, w := range words {
		q.Terms = append(q.Terms, index.WeightedTerm{Text: w, Weight: 1})
	}
	return q
}

func apply(t *testing.T, x index.Index, put []index.Page, remove ...string) {
	t.Helper()
	if err := x.Apply(context.Background(), put, remove); err != nil {
		t.Fatalf("Apply: %v", err)
	}
}

// search returns where the query matches, as "path:line".
func search(t *testing.T, x index.Reader, q index.Query) []string {
	t.Helper()
	matches, err := x.Search(context.Background(), q)
	if err != nil {
		t.Fatalf("Search: %v", err)
	}
	out := []string{}
	for _, m := range matches {
		out = append(out, fmt.Sprintf("%s:%d", m.Page, m.Doc.Line))
	}
	return out
}

func paths(t *testing.T, x index.Reader) []string {
	t.Helper()
	out := []string{}
	if err := x.Pages(context.Background(), func(p index.Page) bool {
		out = append(out, p.Path)
		return true
	}); err != nil {
		t.Fatalf("Pages: %v", err)
	}
	return out
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

// bare is a page as a Reader returns it: its docs without terms.
func bare(p index.Page) index.Page {
	p.Docs = slices.Clone(p.Docs)
	for i := range p.Docs {
		p.Docs[i].Terms = nil
	}
	return p
}

func empty(t *testing.T, x index.Index) {
	ctx := context.Background()
	st, err := x.Stats(ctx, []string{"a", ""})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "Stats", st, index.Stats{DF: []int{0, 0}})
	same(t, "Search", search(t, x, query("a")), []string{})
	same(t, "Search for nothing", search(t, x, query()), []string{})
	same(t, "Pages", paths(t, x), []string{})
	if _, ok, err := x.Page(ctx, "a.md"); ok || err != nil {
		t.Errorf("Page: %v, %v", ok, err)
	}
	apply(t, x, nil)
	apply(t, x, nil, "unknown.md")
	if err := x.Refresh(ctx); err != nil {
		t.Errorf("Refresh: %v", err)
	}
}

func put(t *testing.T, x index.Index) {
	a := page("a.md", "red green", "green blue")
	apply(t, x, []index.Page{a, page("b.md", "blue")})
	same(t, "green", search(t, x, query("green")), []string{"a.md:1", "a.md:2"})
	same(t, "blue", search(t, x, query("blue")), []string{"a.md:2", "b.md:1"})
	same(t, "white", search(t, x, query("white")), []string{})
	got, ok, err := x.Page(context.Background(), "a.md")
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	same(t, "Page", got, bare(a))
}

func replace(t *testing.T, x index.Index) {
	apply(t, x, []index.Page{page("a.md", "red", "green"), page("b.md", "red")})
	apply(t, x, []index.Page{page("a.md", "blue")})
	same(t, "red", search(t, x, query("red")), []string{"b.md:1"})
	same(t, "green", search(t, x, query("green")), []string{})
	same(t, "blue", search(t, x, query("blue")), []string{"a.md:1"})
	same(t, "Pages", paths(t, x), []string{"a.md", "b.md"})
	st, _ := x.Stats(context.Background(), []string{"red"})
	same(t, "Stats", st, index.Stats{Docs: 2, Pages: 2, Len: 2, DF: []int{1}})
}

func remove(t *testing.T, x index.Index) {
	apply(t, x, []index.Page{page("a.md", "red"), page("b.md", "red")})
	apply(t, x, nil, "a.md", "c.md")
	same(t, "red", search(t, x, query("red")), []string{"b.md:1"})
	same(t, "Pages", paths(t, x), []string{"b.md"})
	apply(t, x, nil, "b.md")
	same(t, "Pages", paths(t, x), []string{})
	apply(t, x, []index.Page{page("a.md", "red")})
	same(t, "red", search(t, x, query("red")), []string{"a.md:1"})
}

// A page that one call both removes and puts is there afterwards.
func removeThenPut(t *testing.T, x index.Index) {
	apply(t, x, []index.Page{page("a.md", "red")})
	apply(t, x, []index.Page{page("a.md", "blue")}, "a.md")
	same(t, "red", search(t, x, query("red")), []string{})
	same(t, "blue", search(t, x, query("blue")), []string{"a.md:1"})
	apply(t, x, []index.Page{page("a.md", "one"), page("a.md", "two")}) // the last one counts
	same(t, "one", search(t, x, query("one")), []string{})
	same(t, "two", search(t, x, query("two")), []string{"a.md:1"})
}

func pageWithoutDocs(t *testing.T, x index.Index) {
	p := page("empty.md")
	apply(t, x, []index.Page{p, page("a.md", "red")})
	same(t, "Pages", paths(t, x), []string{"a.md", "empty.md"})
	got, ok, err := x.Page(context.Background(), "empty.md")
	if !ok || err != nil || len(got.Docs) != 0 || got.Stamp != p.Stamp {
		t.Errorf("Page: %+v, %v, %v", got, ok, err)
	}
	apply(t, x, []index.Page{page("a.md")})
	same(t, "red", search(t, x, query("red")), []string{})
}

func order(t *testing.T, x index.Index) {
	apply(t, x, []index.Page{page("b.md", "red", "red red red", "red")})
	apply(t, x, []index.Page{page("c.md", "red"), page("a/z.md", "red")})
	apply(t, x, []index.Page{page("a.md", "red")}) // "a.md" < "a/z.md"
	same(t, "ties", search(t, x, query("red")),
		[]string{"b.md:2", "a.md:1", "a/z.md:1", "b.md:1", "b.md:3", "c.md:1"})
}

func limit(t *testing.T, x index.Index) {
	apply(t, x, []index.Page{page("b.md", "red", "red red", "red")})
	apply(t, x, []index.Page{page("a.md", "red", "red red red")})
	q := query("red")
	for n, want := range [][]string{{}, {"a.md:2"}, {"a.md:2", "b.md:2"}, {"a.md:2", "b.md:2", "a.md:1"}} {
		q.Limit = n
		same(t, fmt.Sprint("limit ", n), search(t, x, q), want)
	}
	q.Limit = -1
	same(t, "limit -1", search(t, x, q), []string{})
	q.Limit = 1 << 40
	if got := search(t, x, q); len(got) != 5 {
		t.Errorf("huge limit: %v", got)
	}
}

// Terms of no weight match nothing; a term asked for twice counts twice.
func weights(t *testing.T, x index.Index) {
	apply(t, x, []index.Page{page("a.md", "red", "green", "blue")})
	q := query("red", "green", "green", "blue")
	q.Terms[0].Weight, q.Terms[3].Weight = 0, -1
	m, err := x.Search(context.Background(), q)
	if err != nil || len(m) != 1 || m[0].Doc.Line != 2 || m[0].Score != 2*q.Part(1, 1, 1) || m[0].Held != 0b110 {
		t.Errorf("%+v, %v", m, err)
	}
}

func stats(t *testing.T, x index.Index) {
	ctx := context.Background()
	apply(t, x, []index.Page{page("a.md", "red green", "green"), page("b.md", "green blue white")})
	terms := []string{"green", "red", "none", "green", ""}
	st, err := x.Stats(ctx, terms)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "Stats", st, index.Stats{Docs: 3, Pages: 2, Len: 6, DF: []int{3, 1, 0, 3, 0}})
	apply(t, x, []index.Page{page("b.md", "red")})
	st, _ = x.Stats(ctx, terms)
	same(t, "after replacing", st, index.Stats{Docs: 3, Pages: 2, Len: 4, DF: []int{2, 2, 0, 2, 0}})
	apply(t, x, nil, "a.md")
	st, _ = x.Stats(ctx, terms)
	same(t, "after removing", st, index.Stats{Docs: 1, Pages: 1, Len: 1, DF: []int{0, 1, 0, 0, 0}})
}

func with(t *testing.T, x index.Index) {
	apply(t, x, []index.Page{page("b.md", "red", "green", "red")})
	apply(t, x, []index.Page{page("a.md", "red"), page("c.md", "red")})
	apply(t, x, nil, "c.md")
	var got []string
	collect := func(max int) []string {
		got = nil
		if err := x.With(context.Background(), "red", func(page string, d index.Doc) bool {
			got = append(got, fmt.Sprintf("%s:%d", page, d.Line))
			return len(got) < max
		}); err != nil {
			t.Fatal(err)
		}
		return got
	}
	same(t, "all", collect(100), []string{"a.md:1", "b.md:1", "b.md:3"})
	same(t, "two", collect(2), []string{"a.md:1", "b.md:1"})
}

func pagesInOrder(t *testing.T, x index.Index) {
	want := []string{"MEMORY.md", "a-b.md", "a.md", "a/b.md", "é.md", "日.md"}
	for _, i := range []int{3, 0, 5, 1} {
		apply(t, x, []index.Page{page(want[i], "red")})
	}
	apply(t, x, []index.Page{page(want[2], "red"), page(want[4], "red")})
	same(t, "Pages", paths(t, x), want)
	apply(t, x, []index.Page{page(want[3], "red")})
	same(t, "Pages", paths(t, x), want)
}

func stopEarly(t *testing.T, x index.Index) {
	apply(t, x, []index.Page{page("a.md", "red"), page("b.md", "red")})
	n := 0
	if err := x.Pages(context.Background(), func(p index.Page) bool {
		n++
		if p.Path != "a.md" || p.Docs != nil || p.Synced != 6 || p.Stamp.Ctime != 5 || p.Digest != "" {
			t.Errorf("%+v", p)
		}
		return false
	}); err != nil || n != 1 {
		t.Error(n, err)
	}
}

func oddTerms(t *testing.T, x index.Index) {
	terms := []string{"w", "\x00", "\xff\xfe", "w日本", "x" + strings.Repeat("long", 5000), "wé", "wa\x00b", "w a", "t#", "w日"}
	for i, term := range terms {
		p := page(fmt.Sprintf("p%d.md", i), "filler")
		p.Docs[0].Terms = tidy(append(p.Docs[0].Terms, index.Term{Text: term, TF: 65535}))
		apply(t, x, []index.Page{p})
	}
	for i, term := range terms {
		q := query()
		q.Terms = []index.WeightedTerm{{Text: term, Weight: 1}}
		same(t, fmt.Sprintf("%.20q", term), search(t, x, q), []string{fmt.Sprintf("p%d.md:1", i)})
	}
}

func oddValues(t *testing.T, x index.Index) {
	p := index.Page{Path: strings.Repeat("dir/", 900) + "页.md", Stamp: pimento.Stamp{Dev: 1<<64 - 1, Ino: 1<<64 - 2, Size: -1, Mtime: -1 << 63, Ctime: 1<<63 - 1},
		Digest: "not a sha256", Synced: -5}
	p.Docs = []index.Doc{
		{}, // no terms, no statement, no kind
		{Statement: "ABCDEF0123456789", Kind: "some other kind", N: 70000, Span: pimento.Span{Start: 1 << 31, End: 1<<32 - 1}, Line: 1 << 30,
			Flags: 247, Date: -1 << 62, Len: 1 << 24, Terms: []index.Term{{Text: "wa", TF: 1}, {Text: "wb", TF: 300}}},
		{Statement: "short", Kind: pimento.KindTask, Flags: index.Task | index.Done, Terms: []index.Term{{Text: "wa", TF: 2}}},
		{Statement: "0123456789abcdef"},
	}
	apply(t, x, []index.Page{p, {Path: ""}})
	got, ok, err := x.Page(context.Background(), p.Path)
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	same(t, "Page", got, bare(p))
	same(t, "Pages", paths(t, x), []string{"", p.Path})
}

// The index does not hold on to what the caller may change.
func notAliased(t *testing.T, x index.Index) {
	p := page("a.md", "red green")
	apply(t, x, []index.Page{p})
	p.Docs[0].Terms[0].Text = "zzz"
	p.Docs[0].Line = 99
	same(t, "green", search(t, x, query("green")), []string{"a.md:1"})
	got, _, _ := x.Page(context.Background(), "a.md")
	got.Docs[0].Line = 77
	same(t, "red", search(t, x, query("red")), []string{"a.md:1"})
}

func cancelled(t *testing.T, x index.Index) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := x.Apply(ctx, []index.Page{page("a.md", "red")}, nil); err == nil {
		t.Error("Apply: no error from a cancelled context")
	}
	if _, err := x.Search(ctx, query("red")); err == nil {
		t.Error("Search: no error from a cancelled context")
	}
	same(t, "Pages", paths(t, x), []string{})
}

func manyPages(t *testing.T, x index.Index) {
	c := NewCorpus(3, 500)
	c.Words = 8
	var all, batch []index.Page
	for i := range 400 {
		p := c.Page(fmt.Sprintf("%03d.md", (i*7919)%400), i%4)
		all = append(all, p)
		if batch = append(batch, p); len(batch) == 1+i%23 {
			apply(t, x, batch)
			batch = nil
		}
	}
	apply(t, x, batch)
	slices.SortFunc(all, func(a, b index.Page) int { return strings.Compare(a.Path, b.Path) })
	i := 0
	if err := x.Pages(context.Background(), func(p index.Page) bool {
		want := all[i]
		want.Digest, want.Docs = "", nil
		same(t, "page", p, want)
		i++
		return !t.Failed()
	}); err != nil || i != len(all) {
		t.Fatal(i, err)
	}
}

// Readers see every page either as it was before an Apply or as it is after.
func readersDuringApply(t *testing.T, x index.Index) {
	ctx := context.Background()
	apply(t, x, []index.Page{page("a.md", "old old", "old old")})
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				m, err := x.Search(ctx, query("old", "new"))
				if err != nil || len(m) != 2 {
					t.Errorf("Search: %d matches, %v", len(m), err)
					return
				}
				st, err := x.Stats(ctx, []string{"old", "new"})
				if err != nil || st.DF[0]+st.DF[1] != 2 || st.Docs < 2 {
					t.Errorf("Stats: %+v, %v", st, err)
					return
				}
				if p, ok, err := x.Page(ctx, "a.md"); !ok || err != nil || len(p.Docs) != 2 {
					t.Errorf("Page: %v %v", ok, err)
					return
				}
			}
		})
	}
	c := NewCorpus(1, 100)
	for i := range 60 {
		word := []string{"old", "new"}[i%2]
		apply(t, x, []index.Page{page("a.md", word, word), c.Page(fmt.Sprintf("b%d.md", i), 5)})
	}
	close(stop)
	wg.Wait()
}
