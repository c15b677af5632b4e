package qmd

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pimento-memory/pimento"
)

// fake is a qmd that is a shell script; it writes down how it was called.
func fake(t *testing.T, script string) (c Client, calls func() string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("SKIP: shell scripts")
	}
	dir := t.TempDir()
	log := filepath.Join(dir, "calls")
	body := "#!/bin/sh\necho \"$PWD|$*\" >>" + log + "\n" + script + "\n"
	if err := os.WriteFile(filepath.Join(dir, "qmd"), []byte(body), 0o755); err != nil {
		t.Fatal(err)
	}
	memory, _ := filepath.EvalSymlinks(t.TempDir())
	c = Client{Program: Find("relative" + string(os.PathListSeparator) + t.TempDir() + string(os.PathListSeparator) + dir), Dir: memory}
	if c.Program != filepath.Join(dir, "qmd") {
		t.Fatalf("found %q", c.Program)
	}
	return c, func() string { b, _ := os.ReadFile(log); return strings.ReplaceAll(string(b), memory, "MEMORY") }
}

func TestFindOnPath(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "qmd"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, list := range []string{"", ".", dir, dir + "/none"} {
		if got := Find(list); got != "" {
			t.Errorf("Find(%q) = %q", list, got)
		}
	}
	_, err := Client{Dir: dir}.Search(t.Context(), Words, "x", 3)
	if pimento.KindOf(err) != pimento.KindUnavailable || !strings.Contains(pimento.HintOf(err), "npm install -g @tobilu/qmd") {
		t.Errorf("%v, hint %q", err, pimento.HintOf(err))
	}
}

func TestSearch(t *testing.T) {
	c, calls := fake(t, `printf '%s' '[{"file":"qmd://pi-memory/daily/2026-02-15.md","score":0.7,"snippet":"@@ -12,2 @@ (11 before, 0 after)\nWorked on auth.\nDone."}]'`)
	got, err := c.Search(t.Context(), Deep, "--json; $(touch x) what about auth?", 3)
	if err != nil {
		t.Fatal(err)
	}
	want := []Hit{{Path: "daily/2026-02-15.md", Line: 12, Lines: 2, Text: "Worked on auth.\nDone.", Score: 0.7}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if got, want := calls(), "MEMORY|query json; $(touch x) what about auth? -n 3 -c pi-memory --json\n"; got != want {
		t.Errorf("called with %q, want %q", got, want)
	}
	if hits, err := c.Search(t.Context(), Words, " -- ", 3); hits != nil || err != nil {
		t.Errorf("nothing asked: %v, %v", hits, err)
	}
}

// What different versions print, and what gets into it.
func TestAnswersOfAllVersions(t *testing.T) {
	hit := func(path, text string) []Hit { return []Hit{{Path: path, Text: text}} }
	for _, c := range []struct {
		name, out string
		want      []Hit
		fails     bool
	}{
		{"nothing", "", nil, false},
		{"an empty list", "[]\n", nil, false},
		{"words for nothing", "\x1b[33mNo results found.\x1b[0m\n", nil, false},
		{"a list", `[{"path":"a.md","content":"x"}]`, hit("a.md", "x"), false},
		{"results in an object", `{"results":[{"file":"pi-memory/a.md","chunk":"x"}]}`, hit("a.md", "x"), false},
		{"hits in an object", `{"hits":[{"file":"/m/daily/a.md","body":"x"}]}`, hit("daily/a.md", "x"), false},
		{"noise before and after", "\x1b[2mLoading...\x1b[0m\n[info] model ready\n[\n {\"path\":\"a.md\",\"snippet\":\"x\"}\n]\nTip: use -n\n", hit("a.md", "x"), false},
		{"without a path", `[{"content":"x"}]`, nil, false},
		{"no JSON", "Segmentation fault", nil, true},
		{"torn", `[{"path":"a.md"`, nil, true},
		{"another shape", `[{"path":7}]`, nil, true},
	} {
		got, err := parseHits([]byte(c.out), "/m")
		if d := cmp.Diff(c.want, got); d != "" || (err != nil) != c.fails {
			t.Errorf("%s: %v\n%s", c.name, err, d)
		}
	}
}

func TestHas(t *testing.T) {
	for out, want := range map[string]bool{
		`["notes","pi-memory"]`:                                                  true,
		`[{"name":"pi-memory","path":"/m"}]`:                                     true,
		`[{"name":"pi-memory-old"},"my pi-memory"]`:                              false,
		"Collections (1):\n\npi-memory (qmd://pi-memory/)\n  Pattern: **/*.md\n": true,
		"Collections (1):\n\npi-memory-old (qmd://pi-memory-old/)\n":             false,
		"": false,
	} {
		if got := lists([]byte(out), Collection); got != want {
			t.Errorf("%q: %v", out, got)
		}
	}
}

func TestSetup(t *testing.T) {
	c, calls := fake(t, `[ "$3" != qmd://pi-memory/daily ]`)
	if err := c.Add(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := c.Describe(t.Context()); err == nil || !strings.Contains(err.Error(), "qmd context add") {
		t.Errorf("a description that failed: %v", err)
	}
	for _, want := range []string{"collection add MEMORY --name pi-memory", "context add qmd://pi-memory/ Curated", "context add qmd://pi-memory/daily Daily"} {
		if !strings.Contains(calls(), want) {
			t.Errorf("no %q in:\n%s", want, calls())
		}
	}
}

func TestFailures(t *testing.T) {
	for script, hint := range map[string]string{
		`echo "Vector index not found. Run 'qmd embed' first." >&2; exit 1`: "run: qmd embed",
		`printf 'a stack\n\033[31mboom\033[0m\n' >&2; exit 3`:               "qmd status",
	} {
		c, _ := fake(t, script)
		_, err := c.Search(t.Context(), Vectors, "x", 1)
		if pimento.KindOf(err) != pimento.KindUnavailable || !strings.Contains(pimento.HintOf(err), hint) || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%s: %v, hint %q", script, err, pimento.HintOf(err))
		}
	}
}

// Nothing found by meaning where qmd says that vectors are missing is no answer.
func TestVectorsAreMissing(t *testing.T) {
	const warns = `echo "Warning: 3 documents (100%) need embeddings. Run 'qmd embed' for better results." >&2; `
	for _, by := range []Command{Vectors, Deep} {
		for _, says := range []string{`echo '[]'`, `echo 'No results found.'`} {
			c, _ := fake(t, warns+says)
			if _, err := c.Search(t.Context(), by, "x", 1); pimento.HintOf(err) != "run: qmd embed" || !strings.Contains(err.Error(), "3 documents") {
				t.Errorf("%s, %s: %v, hint %q", by, says, err, pimento.HintOf(err))
			}
		}
	}
	c, _ := fake(t, warns+`echo '[]'`)
	if _, err := c.Search(t.Context(), Words, "x", 1); err != nil {
		t.Error("words need no vectors:", err)
	}
	c, _ = fake(t, warns+`echo '[{"file":"qmd://pi-memory/a.md","snippet":"x"}]'`)
	if hits, err := c.Search(t.Context(), Vectors, "x", 1); err != nil || len(hits) != 1 {
		t.Error("what was found counts:", hits, err)
	}
}

// A program that hangs, its children with it, holds nobody up.
func TestOutOfTime(t *testing.T) {
	c, _ := fake(t, "sleep 300 & sleep 300")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := c.Search(ctx, Words, "x", 1)
	if pimento.KindOf(err) != pimento.KindUnavailable || !strings.Contains(err.Error(), "in time") {
		t.Error(err)
	}
}

// A program that ends and leaves a child with its output has answered.
func TestLeavesAChild(t *testing.T) {
	c, _ := fake(t, "sleep 3 & echo '[]'")
	if _, err := c.Search(t.Context(), Words, "x", 1); err != nil {
		t.Error(err)
	}
}
