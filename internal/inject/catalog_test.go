package inject

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/profile"
)

// TestTierCapsAreBytes: the catalog's 25 KB for each tier are bytes, not
// characters, also for one huge line, and both tiers have their own.
func TestTierCapsAreBytes(t *testing.T) {
	p, _, err := profile.Load("catalog", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, body := range map[string]string{
		"many lines": strings.Repeat("- "+strings.Repeat("€", 100)+"\n", 150), // 45 KB in 15,300 characters
		"one line":   strings.Repeat("€", 15_000),
	} {
		b := Build(Facts{Profile: p, Today: "2026-03-02", Dirs: map[pimento.Scope]string{}, Texts: map[pimento.Pick][]Text{pimento.PickMemory: {
			{Scope: pimento.Global, Page: "MEMORY.md", Body: body}, {Scope: pimento.Project, Page: "MEMORY.md", Body: body}}}})
		global, project, ok := strings.Cut(b.Prefix[strings.Index(b.Prefix, "### Global"):], "\n\n### Project")
		if !ok {
			t.Fatalf("%s: two tiers are not there:\n%.200s", name, b.Prefix)
		}
		project = "### Project" + project
		for tier, s := range map[string]string{"global": global, "project": project} {
			if len(s) > 25_000 || len(s) < 24_000 || !utf8.ValidString(s) {
				t.Errorf("%s: %s has %d bytes, valid %v", name, tier, len(s), utf8.ValidString(s))
			}
			if name == "many lines" && !strings.HasSuffix(s, "lines more in MEMORY.md; memory_index shows them]") {
				t.Errorf("%s: %s does not say that it was cut: %q", name, tier, s[len(s)-100:])
			}
		}
	}
}
