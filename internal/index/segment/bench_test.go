package segment

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/index/indextest"
)

// large is the directory of an index of 100,000 docs on 1,667 pages, built once
// for all benchmarks of a run.
var large = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "pimento-bench-*")
	if err != nil {
		return "", err
	}
	x, err := Open(context.Background(), dir, Options{})
	if err != nil {
		return "", err
	}
	defer x.Close()
	return dir, x.Apply(context.Background(), indextest.NewCorpus(1, 60_000).Pages(100_000, 60), nil)
})

func TestMain(m *testing.M) {
	if child() {
		return
	}
	code := m.Run()
	if !benchmarked {
		os.Exit(code)
	}
	if dir, err := large(); err == nil {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

var benchmarked bool

func largeIndex(b *testing.B) *Index {
	b.Helper()
	benchmarked = true
	dir, err := large()
	if err != nil {
		b.Fatal(err)
	}
	return open(b, dir, Options{})
}

// fields makes queries of n terms as a prompt asks them: words of middling
// frequency, with the idf that the index gives them.
func questions(b *testing.B, x *Index, n, limit int) []index.Query {
	c := indextest.NewCorpus(2, 60_000)
	var out []index.Query
	for range 64 {
		q := c.Query(n, limit)
		terms := make([]string, n)
		for i := range terms {
			terms[i] = q.Terms[i].Text
		}
		st, err := x.Stats(context.Background(), terms)
		if err != nil {
			b.Fatal(err)
		}
		for i := range q.Terms {
			df := float64(st.DF[i])
			q.Terms[i].Weight = float32(math.Log(1 + (float64(st.Docs)-df+0.5)/(df+0.5)))
		}
		out = append(out, q)
	}
	return out
}

func BenchmarkSearch100k(b *testing.B) {
	for _, test := range []struct{ terms, limit int }{{3, 5}, {12, 5}, {12, 200}, {48, 200}} {
		b.Run(fmt.Sprintf("terms=%d/limit=%d", test.terms, test.limit), func(b *testing.B) {
			x := largeIndex(b)
			qs := questions(b, x, test.terms, test.limit)
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				if _, err := x.Search(context.Background(), qs[i%len(qs)]); err != nil {
					b.Fatal(err)
				}
				i++
			}
		})
	}
}

func BenchmarkStats100k(b *testing.B) {
	x := largeIndex(b)
	qs := questions(b, x, 12, 5)
	terms := make([]string, 12)
	i := 0
	for b.Loop() {
		for k := range terms {
			terms[k] = qs[i%len(qs)].Terms[k].Text
		}
		if _, err := x.Stats(context.Background(), terms); err != nil {
			b.Fatal(err)
		}
		i++
	}
}

func BenchmarkPages100k(b *testing.B) {
	x := largeIndex(b)
	b.ReportAllocs()
	for b.Loop() {
		if err := x.Pages(context.Background(), func(index.Page) bool { return true }); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRefresh(b *testing.B) {
	x := largeIndex(b)
	for b.Loop() {
		if err := x.Refresh(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOpen opens, asks, and closes, as a one-shot process does.
func BenchmarkOpen(b *testing.B) {
	x := largeIndex(b)
	qs := questions(b, x, 12, 5)
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			y, err := Open(context.Background(), x.dir, Options{})
			if err != nil {
				b.Fatal(err)
			}
			y.Close()
		}
	})
	b.Run("open+search", func(b *testing.B) {
		i := 0
		for b.Loop() {
			y, err := Open(context.Background(), x.dir, Options{})
			if err != nil {
				b.Fatal(err)
			}
			if _, err := y.Search(context.Background(), qs[i%len(qs)]); err != nil {
				b.Fatal(err)
			}
			y.Close()
			i++
		}
	})
	b.Run("full delta", func(b *testing.B) {
		dir := b.TempDir()
		y := open(b, dir, Options{})
		c := indextest.NewCorpus(3, 60_000)
		if err := y.Apply(context.Background(), c.Pages(1000, 60), nil); err != nil {
			b.Fatal(err)
		}
		for i := 0; y.base.end < 60<<10 && i < 200; i++ {
			if err := y.Apply(context.Background(), []index.Page{c.Page(fmt.Sprintf("new/%d.md", i), 2)}, nil); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(y.base.end), "delta-bytes")
		b.ReportMetric(float64(y.base.docs), "delta-docs")
		for b.Loop() {
			z, err := Open(context.Background(), dir, Options{})
			if err != nil {
				b.Fatal(err)
			}
			z.Close()
		}
	})
}

// BenchmarkApplyOne replaces one page of 60 docs, or of one doc, of 100,000.
func BenchmarkApplyOne(b *testing.B) {
	for _, docs := range []int{1, 60} {
		b.Run(fmt.Sprintf("docs=%d", docs), func(b *testing.B) {
			from := largeIndex(b).dir
			dir := b.TempDir()
			if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
				b.Fatal(err)
			}
			x := open(b, dir, Options{})
			c := indextest.NewCorpus(4, 60_000)
			pages := c.Pages(60*64, 60)
			for i := range pages {
				pages[i].Docs = pages[i].Docs[:docs]
			}
			i := 0
			for b.Loop() {
				if err := x.Apply(context.Background(), pages[i%64:i%64+1], nil); err != nil {
					b.Fatal(err)
				}
				i++
			}
			b.ReportMetric(float64(len(x.snap.layers)), "layers")
		})
	}
}

func BenchmarkBuild(b *testing.B) {
	pages := indextest.NewCorpus(1, 60_000).Pages(100_000, 60)
	text := 0
	for i := range pages {
		for j := range pages[i].Docs {
			for _, t := range pages[i].Docs[j].Terms {
				if t.Text[0] == 'x' {
					text += int(t.TF) * len(t.Text)
				}
			}
		}
	}
	for _, size := range []int{len(pages), 83} {
		b.Run(fmt.Sprintf("pages=%d", size), func(b *testing.B) {
			var bytes int64
			for b.Loop() {
				dir := b.TempDir()
				x := open(b, dir, Options{})
				for at := 0; at < len(pages); at += size {
					if err := x.Apply(context.Background(), pages[at:min(at+size, len(pages))], nil); err != nil {
						b.Fatal(err)
					}
				}
				bytes = 0
				names, _ := filepath.Glob(filepath.Join(dir, "*"))
				for _, n := range names {
					info, _ := os.Stat(n)
					bytes += info.Size()
				}
			}
			b.ReportMetric(100_000*float64(b.N)/b.Elapsed().Seconds(), "docs/s")
			b.ReportMetric(float64(bytes)/float64(text), "index/text")
		})
	}
}
