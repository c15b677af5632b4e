package vault

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A survey sees every file of a folder, and nothing of what a link leads to.
func TestSurvey(t *testing.T) {
	top := realTemp(t)
	for path, text := range map[string]string{"in/MEMORY.md": "# M\n", "in/.hidden": "x", "in/a/b/c.md": "deep", "in/x.json": "{}",
		"in/.git/HEAD": "ref", "out/secret.md": "s"} {
		full := filepath.Join(top, path)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"in/link.md": "out/secret.md", "in/dir": "out"} {
		if err := os.Symlink(filepath.Join(top, to), filepath.Join(top, link)); err != nil {
			t.Fatal(err)
		}
	}
	files, more, err := Survey(t.Context(), filepath.Join(top, "in"))
	if err != nil || more {
		t.Fatal(more, err)
	}
	var got []string
	for _, f := range files {
		got = append(got, f.Rel+"="+f.Head)
	}
	slices.Sort(got)
	if want := []string{".hidden=", "MEMORY.md=# M\n", "a/b/c.md=deep", "x.json="}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if _, _, err := Survey(t.Context(), filepath.Join(top, "none")); err == nil {
		t.Error("a folder that is not there was surveyed")
	}
}
