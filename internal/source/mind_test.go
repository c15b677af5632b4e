package source_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/source"
)

// A page is read back as it was meant, by our parser and by one that only looks
// at lines.
func TestKnowledge(t *testing.T) {
	k := source.Knowledge{Date: time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC), Type: "project", Always: true, Tags: []string{"deploy", `a, "b"`, "x]"},
		Triples: []pimento.Triple{{Subject: "alice", Predicate: "owns", Object: `auth "service"`}, {Subject: strings.Repeat("s", 600), Predicate: strings.Repeat("p", 101), Object: "o"}},
		Body:    "Deploys happen on Thursday.\n\n---\nNot a rule of the front matter.\n"}
	b := k.Bytes()
	m, ok := page.Parse("knowledge/x.md", b).Meta()
	want := page.Meta{Date: k.Date, Type: "project", Tier: "L1", Tags: []string{"deploy", "a  b", "x"},
		Triples: []pimento.Triple{k.Triples[0], {Subject: strings.Repeat("s", 500), Predicate: strings.Repeat("p", 100), Object: "o"}}}
	if !ok {
		t.Fatalf("not front matter:\n%s", b)
	}
	if d := cmp.Diff(want, m); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	lines := map[string]string{}
	for line := range strings.Lines(strings.SplitN(string(b), "\n---\n", 2)[0]) {
		if key, value, ok := strings.Cut(line, ":"); ok {
			lines[key] = strings.TrimSpace(value)
		}
	}
	if lines["type"] != "project" || lines["tier"] != "L1" || lines["tags"] != "[deploy, a  b, x]" || lines["date"] != "2026-03-01T09:30:00.000Z" {
		t.Errorf("line by line: %v", lines)
	}
	if es := page.Parse("knowledge/x.md", b).Entries(); len(es) != 1 || es[0].Text != strings.TrimSpace(k.Body) {
		t.Errorf("body: %+v", es)
	}
	if bare := string(source.Knowledge{Type: "user", Body: "x"}.Bytes()); bare != "---\ntype: user\ntier: L2\n---\n\nx\n" {
		t.Errorf("bare: %q", bare)
	}
}
