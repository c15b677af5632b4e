//go:build unix

package page

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento/internal/cputime"
)

// listPage is a list of n bullets of about 100 bytes under headings.
func listPage(n int) []byte {
	var b strings.Builder
	b.WriteString("# Memory\n")
	for i := range n {
		if i%20 == 0 {
			fmt.Fprintf(&b, "\n## Topic %d\n\n", i/20)
		}
		fmt.Fprintf(&b, "- [lesson] Number %d: the importer keeps `batch_size` rows in memory, see [[importer]] #import\n", i)
	}
	return []byte(b.String())
}

func logPage(n int) []byte {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "<!-- 2026-02-15 14:%02d:%02d [a1b2c3d4] -->\nBlock %d says that the watcher was restarted.\n\nIt took a while. #ops\n\n", i/60%60, i%60, i)
	}
	return []byte(b.String())
}

func articlePage(n int) []byte {
	var b strings.Builder
	b.WriteString("---\ndate: 2026-01-04T10:00:00Z\ntype: project\ntier: L2\ntags: [a, b]\n---\n# Title\n\nLead.\n")
	for i := range n {
		fmt.Fprintf(&b, "\n## Section %d\n\nThe balancer drains a host before the copy starts, and waits for it.\n", i)
	}
	return []byte(b.String())
}

func BenchmarkParse(b *testing.B) {
	for _, bench := range []struct {
		name, rel string
		page      []byte
	}{
		{"List", "MEMORY.md", listPage(10_000)},
		{"Log", "daily/2026-02-15.md", logPage(10_000)},
		{"Article", "deployment.md", articlePage(10_000)},
		{"SmallArticle", "knowledge/a.md", articlePage(3)},
		{"SmallList", "topics/lessons.md", listPage(40)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(bench.page)))
			b.ReportAllocs()
			start, n := cputime.Used(), 0
			for b.Loop() {
				Parse(bench.rel, bench.page)
				n++
			}
			b.ReportMetric(float64(n*len(bench.page))/1e6/(cputime.Used()-start).Seconds(), "MB/cpu-s")
		})
	}
}

func BenchmarkInsert(b *testing.B) {
	p := Parse("topics/lessons.md", listPage(100))
	b.ReportAllocs()
	for b.Loop() {
		p.Insert(New{Text: "One more thing to know", Kind: "lesson"})
	}
}
