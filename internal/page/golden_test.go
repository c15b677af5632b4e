package page

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pimento-memory/pimento"
)

var update = flag.Bool("update", false, "rewrite the goldens")

// TestGoldens shows how every page of the test data is cut. All four variants
// of a page are cut alike, but for their offsets.
func TestGoldens(t *testing.T) {
	for _, s := range seeds(t) {
		t.Run(s.name, func(t *testing.T) {
			base, _, _ := strings.Cut(s.name, " ")
			golden := filepath.Join("testdata", "golden", strings.ReplaceAll(base, "/", "_")+".txt")
			got := describe(Parse(s.rel, s.b))
			if *update && base == s.name {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", golden, diff)
			}
		})
	}
}

// describe renders a page's entries without offsets.
func describe(p *Page) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %q", p.Dialect(), p.Title())
	if f := p.IndexFault(); f != "" {
		fmt.Fprintf(&b, " fault: %s", f)
	}
	if p.Conflicted() {
		b.WriteString(" conflicted")
	}
	if m, ok := p.Meta(); ok {
		fmt.Fprintf(&b, "\nmeta %s %s %q %v %v %v", m.Type, m.Tier, m.Title, m.Tags, triples(m.Triples), m.Date)
	}
	b.WriteString("\n")
	for _, e := range p.Entries() {
		fmt.Fprintf(&b, "\nline %d: %s", e.Line, e.Kind)
		for _, f := range []struct {
			name string
			on   bool
		}{{"task", e.Task}, {"done", e.Done}, {"pinned", e.Pinned}} {
			if f.on {
				b.WriteString(" " + f.name)
			}
		}
		if !e.Stamp.IsZero() {
			fmt.Fprintf(&b, " %s [%s]", e.Stamp.Format("2006-01-02 15:04:05"), e.Session)
		}
		if e.Heading != "" {
			fmt.Fprintf(&b, " under %q", e.Heading)
		}
		if e.Anchor != "" {
			fmt.Fprintf(&b, " ^%s", e.Anchor)
		}
		if len(e.Tags)+len(e.Links) > 0 {
			fmt.Fprintf(&b, " tags %q links %q", e.Tags, e.Links)
		}
		fmt.Fprintf(&b, "\n  %q\n", e.Text)
	}
	return b.String()
}

// triples shows triples as they are written.
func triples(ts []pimento.Triple) (rows [][3]string) {
	for _, t := range ts {
		rows = append(rows, [3]string{t.Subject, t.Predicate, t.Object})
	}
	return rows
}
