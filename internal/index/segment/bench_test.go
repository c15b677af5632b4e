//go:build unix

package segment

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/pimento-memory/pimento/internal/cputime"
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

func largeIndex(b *testing.B) *Index {
	b.Helper()
	dir, err := large()
	if err != nil {
		b.Fatal(err)
	}
	cleanUp = func() { os.RemoveAll(dir) }
	return open(b, dir, Options{})
}

// loop measures f in wall time and, for machines that are shared, in processor
// time.
func loop(b *testing.B, f func(i int) error) {
	b.Helper()
	start, i := cputime.Used(), 0
	for b.Loop() {
		if i == 0 {
			start = cputime.Used()
		}
		if err := f(i); err != nil {
			b.Fatal(err)
		}
		i++
	}
	b.ReportMetric(float64(cputime.Used()-start)/float64(b.N), "cpu-ns/op")
}

// questions makes queries of n terms as a prompt asks them: words of middling
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
			loop(b, func(i int) error {
				_, err := x.Search(context.Background(), qs[i%len(qs)])
				return err
			})
		})
	}
}

func BenchmarkStats100k(b *testing.B) {
	x := largeIndex(b)
	qs := questions(b, x, 12, 5)
	terms := make([]string, 12)
	loop(b, func(i int) error {
		for k := range terms {
			terms[k] = qs[i%len(qs)].Terms[k].Text
		}
		_, err := x.Stats(context.Background(), terms)
		return err
	})
}

func BenchmarkPages100k(b *testing.B) {
	x := largeIndex(b)
	b.ReportAllocs()
	loop(b, func(int) error {
		return x.Pages(context.Background(), func(index.Page) bool { return true })
	})
}

func BenchmarkRefresh(b *testing.B) {
	x := largeIndex(b)
	loop(b, func(int) error { return x.Refresh(context.Background()) })
}

// BenchmarkOpen opens, asks, and closes, as a one-shot process does.
func BenchmarkOpen(b *testing.B) {
	x := largeIndex(b)
	qs := questions(b, x, 12, 5)
	once := func(dir string, ask bool) func(int) error {
		return func(i int) error {
			y, err := Open(context.Background(), dir, Options{})
			if err != nil {
				return err
			}
			defer y.Close()
			if ask {
				_, err = y.Search(context.Background(), qs[i%len(qs)])
			}
			return err
		}
	}
	b.Run("open", func(b *testing.B) { loop(b, once(x.dir, false)) })
	b.Run("open+search", func(b *testing.B) { loop(b, once(x.dir, true)) })
	b.Run("full delta", func(b *testing.B) {
		dir := b.TempDir()
		y := open(b, dir, Options{})
		c := indextest.NewCorpus(3, 60_000)
		if err := y.Apply(context.Background(), c.Pages(1000, 60), nil); err != nil {
			b.Fatal(err)
		}
		for i := 0; y.base.end < 62<<10 && y.base.docs < 199; i++ {
			if err := y.Apply(context.Background(), []index.Page{c.Page(fmt.Sprintf("new/%d.md", i), 2)}, nil); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(y.base.end), "delta-bytes")
		b.ReportMetric(float64(y.base.docs), "delta-docs")
		loop(b, once(dir, false))
	})
}

// BenchmarkCold is a process that opens the index, asks for statistics, searches
// and ends, beside one that does the same without an index.
func BenchmarkCold(b *testing.B) {
	dir := largeIndex(b).dir
	for _, what := range []string{"corpus", "cold"} {
		b.Run(what, func(b *testing.B) {
			var used time.Duration
			for b.Loop() {
				cmd := start(b, what, dir)
				if err := cmd.Run(); err != nil {
					b.Fatal(err)
				}
				used += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
			}
			b.ReportMetric(float64(used)/float64(b.N), "cpu-ns/op")
		})
	}
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
			loop(b, func(i int) error { return x.Apply(context.Background(), pages[i%64:i%64+1], nil) })
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
			start := cputime.Used()
			loop(b, func(int) error {
				dir := b.TempDir()
				x := open(b, dir, Options{})
				for at := 0; at < len(pages); at += size {
					if err := x.Apply(context.Background(), pages[at:min(at+size, len(pages))], nil); err != nil {
						return err
					}
				}
				bytes = 0
				names, _ := filepath.Glob(filepath.Join(dir, "*"))
				for _, n := range names {
					if info, err := os.Stat(n); err == nil {
						bytes += info.Size()
					}
				}
				return nil
			})
			b.ReportMetric(100_000*float64(b.N)/(cputime.Used()-start).Seconds(), "docs/cpu-s")
			b.ReportMetric(float64(bytes)/float64(text), "index/text")
		})
	}
}
