//go:build linux || darwin

package vault

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
)

// A probe must see in a page what a sweep sees, whether it tells the scheduler of
// its calls or not, and nothing where a sweep takes no page.
func TestProbeSeesWhatASweepSees(t *testing.T) {
	r, top := project(t, nil)
	root := filepath.Join(top, "repo", ".pi", "memory")
	longest := strings.Repeat("n", maxNameLen-3) + ".md"
	for _, rel := range []string{"MEMORY.md", "topics/a.md", "topics/" + longest, "topics/déjà vu.md"} {
		write(t, filepath.Join(root, filepath.FromSlash(rel)), "- "+rel+"\n")
	}
	if err := os.Symlink("MEMORY.md", filepath.Join(root, "link.md")); err != nil {
		t.Fatal(err)
	}
	for _, quiet := range []bool{false, true} {
		p, err := r.Probe()
		if err != nil {
			t.Fatal(err)
		}
		p.quiet = quiet
		pages := 0
		if _, err := r.Sweep(t.Context(), func(rel string, want pimento.Stamp) {
			pages++
			if got, ok := p.Page(rel); !ok || got != want {
				t.Errorf("quiet %v: Page(%.20q) = %v, %v; the sweep has %v", quiet, rel, got, ok, want)
			}
		}, nil); err != nil || pages != 4 {
			t.Fatalf("%d pages, %v", pages, err)
		}
		for _, rel := range []string{"none.md", "none/a.md", "topics", "link.md", "topics/n" + longest, "MEMORY.md\x00", "MEMORY.md\x00.md"} {
			if st, ok := p.Page(rel); ok {
				t.Errorf("quiet %v: Page(%.20q) = %v", quiet, rel, st)
			}
		}
		p.Close()
	}
}
