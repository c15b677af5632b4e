package vault

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func rulesProject(t *testing.T, files map[string]string) Project {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return Project{Dir: dir}
}

func ruleList(t *testing.T, p Project) (list []string, left string) {
	t.Helper()
	files, left, err := p.Rules(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		list = append(list, f.Rel+"="+f.Text)
	}
	return list, left
}

// TestRulesAreReadByName: markdown files of the one folder, in order; nothing
// hidden, nothing below, nothing that is no text.
func TestRulesAreReadByName(t *testing.T) {
	list, left := ruleList(t, rulesProject(t, map[string]string{"rules/b.md": "b\n", "rules/a.md": "a", "rules/c.txt": "c", "rules/.d.md": "d",
		"rules/sub/e.md": "e", "rules/f.md": "x\x00y", "rules/g.md": "\xffg", "a.md": "outside"}))
	want := []string{"rules/a.md=a", "rules/b.md=b\n", "rules/g.md=\uFFFDg"}
	if fmt.Sprint(list) != fmt.Sprint(want) || left != "" {
		t.Errorf("rules %q, left %q; want %q", list, left, want)
	}
	if list, left := ruleList(t, Project{Dir: t.TempDir()}); len(list) > 0 || left != "" {
		t.Errorf("a project without the folder: %q, %q", list, left)
	}
}

// TestRulesFollowNoLink: neither of a file nor of the folder, not even to what
// lies in the project.
func TestRulesFollowNoLink(t *testing.T) {
	p := rulesProject(t, map[string]string{"rules/a.md": "a", "other/b.md": "b"})
	if err := os.Symlink("../other/b.md", filepath.Join(p.Dir, "rules/b.md")); err != nil {
		t.Fatal(err)
	}
	if list, _ := ruleList(t, p); fmt.Sprint(list) != "[rules/a.md=a]" {
		t.Errorf("%q", list)
	}
	linked := Project{Dir: t.TempDir()}
	if err := os.Symlink(filepath.Join(p.Dir, "rules"), filepath.Join(linked.Dir, "rules")); err != nil {
		t.Fatal(err)
	}
	if files, _, err := linked.Rules(t.Context()); err == nil || len(files) > 0 {
		t.Errorf("a linked folder: %v, %v", files, err)
	}
}

// TestRulesAreBounded in files and in bytes, and say so.
func TestRulesAreBounded(t *testing.T) {
	many := map[string]string{}
	for i := range maxRules + 5 {
		many[fmt.Sprintf("rules/%03d.md", i)] = "one\n"
	}
	list, left := ruleList(t, rulesProject(t, many))
	if len(list) != maxRules || !strings.HasPrefix(list[maxRules-1], "rules/019.md") || !strings.Contains(left, "25 files") {
		t.Errorf("%d files, %q", len(list), left)
	}
	line := strings.Repeat("x", 99) + "\n"
	huge := rulesProject(t, map[string]string{"rules/a.md": line, "rules/b.md": strings.Repeat(line, 100_000), "rules/c.md": "c"})
	files, left, err := huge.Rules(t.Context())
	if err != nil || len(files) != 2 || files[0].Cut || !files[1].Cut || !strings.Contains(left, "b.md is cut, and what comes after it (1) is left out") {
		t.Fatalf("%d files, %q, %v", len(files), left, err)
	}
	if n := len(files[0].Text) + len(files[1].Text); n > maxRuleBytes || n <= maxRuleBytes-len(line) || !strings.HasSuffix(files[1].Text, line) {
		t.Errorf("%d bytes of %d", n, maxRuleBytes)
	}
	if list, left := ruleList(t, rulesProject(t, map[string]string{"rules/a.md": strings.Repeat("x", maxRuleBytes+1)})); len(list) != 0 || left == "" {
		t.Errorf("one endless line: %d files, %q", len(list), left)
	}
}
