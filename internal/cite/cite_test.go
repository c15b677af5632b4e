package cite_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pimento-memory/pimento/internal/cite"
)

func TestPaths(t *testing.T) {
	for text, want := range map[string][]string{
		"The retry lives in `internal/net/retry.go:42`, see docs/RETRY.md.": {"internal/net/retry.go", "docs/RETRY.md"},
		"CI runs ./scripts/ci.sh from .github/workflows/ci.yml":             {"scripts/ci.sh", ".github/workflows/ci.yml"},
		"Makefile.am and go.mod pin it (go.mod)":                            {"Makefile.am", "go.mod"},
		"v3.12.4 released; v3.12.0 released":                                nil,
		"either and/or both":                                                {"and/or"}, // Check leaves it alone: there is no such folder
		"https://example.com/a.go and git@example.com:x/y.git":              nil,
		"/etc/passwd ../outside.go ~/x.go $HOME/x.go *.go":                  nil,
		"e.g. this":          nil,
		"改 `src/main.go`，然后": {"src/main.go"},
		"":                   nil,
	} {
		if diff := cmp.Diff(want, cite.Paths(text)); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

func TestCheck(t *testing.T) {
	dir := t.TempDir()
	said := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	put := func(rel string, at time.Time) {
		p := filepath.Join(dir, rel)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(p, at, at); err != nil {
			t.Fatal(err)
		}
	}
	later := said.Add(time.Hour)
	put("src/old.go", said.Add(-time.Hour))
	put("src/new.go", later)
	put("go.mod", later)
	if err := os.Symlink("/etc", filepath.Join(dir, "out")); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][]cite.Finding{
		"see src/old.go":                       nil,
		"see src/new.go and go.mod":            {{Path: "src/new.go", Changed: later}, {Path: "go.mod", Changed: later}},
		"src/gone.go did it":                   {{Path: "src/gone.go", Gone: true}},
		"other/gone.go, gone.go, and/or, src/": nil, // none can be told to have stood here
		"out/passwd, out/nothing.conf":         nil, // not of the project
	} {
		got := cite.Check(dir, text, said)
		if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b time.Time) bool { return a.Equal(b) })); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
	if got := cite.Check(filepath.Join(dir, "nowhere"), "src/gone.go", said); got != nil {
		t.Errorf("no project: %v", got)
	}
	if got := cite.Check(dir, "src/new.go", time.Time{}); got != nil {
		t.Errorf("said at no known time: %v", got)
	}
}
