//go:build unix

package vault

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/cputime"
)

func benchRoot(b *testing.B, n int) *Root {
	r, top := project(b, nil)
	for i := range n {
		write(b, filepath.Join(top, "repo/.pi/memory/topics", fmt.Sprintf("topic-%04d.md", i)), "- one fact\n")
	}
	return r
}

// BenchmarkSweep sweeps 2,000 pages.
func BenchmarkSweep(b *testing.B) {
	const files = 2000
	r := benchRoot(b, files)
	n := 0
	b.ReportAllocs()
	start := cputime.Used()
	for b.Loop() {
		n = 0
		if _, err := r.Sweep(b.Context(), func(string, pimento.Stamp) { n++ }, nil); err != nil {
			b.Fatal(err)
		}
	}
	if n != files {
		b.Fatal(n)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/files, "ns/file")
	b.ReportMetric(float64(cputime.Used()-start)/float64(b.N)/files, "cpu-ns/file")
}

// BenchmarkRead reads one small page.
func BenchmarkRead(b *testing.B) {
	r := benchRoot(b, 1)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := r.Read(b.Context(), "topics/topic-0000.md"); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkApply replaces and appends to a page of 8 KB, fsyncs included.
func BenchmarkApply(b *testing.B) {
	for _, how := range []string{"replace", "append"} {
		b.Run(how, func(b *testing.B) {
			r := benchRoot(b, 0)
			text := make([]byte, 8<<10)
			if _, err := r.Apply(b.Context(), creation("a.md", string(text))); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				next := append(text, "- one more\n"...)
				c := addition("a.md", string(text), "- one more\n")
				c.Append = how == "append"
				if _, err := r.Apply(b.Context(), c); err != nil {
					b.Fatal(err)
				}
				text = next
			}
		})
	}
}

// BenchmarkCheck is what a turn pays for consent, BenchmarkFindProject for
// knowing where it is.
func BenchmarkCheck(b *testing.B) {
	home := realTemp(b)
	write(b, filepath.Join(home, "p/.pi/memory/a.md"), "x")
	p, _, err := FindProject(b.Context(), filepath.Join(home, "p"), home)
	if err != nil {
		b.Fatal(err)
	}
	c := OpenConsents(filepath.Join(home, "s"))
	if err := c.Grant(b.Context(), p, "", now()); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if c.Check(p).Status != Granted {
			b.Fatal("no consent")
		}
	}
}

func BenchmarkFindProject(b *testing.B) {
	home := realTemp(b)
	repo(b, filepath.Join(home, "app"))
	write(b, filepath.Join(home, "app/a/b/c.txt"), "x")
	for b.Loop() {
		if _, ok, err := FindProject(b.Context(), filepath.Join(home, "app/a/b"), home); !ok || err != nil {
			b.Fatal(err)
		}
	}
}
