package page

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNamesAndReplacements(t *testing.T) {
	for _, tt := range []struct {
		rel, text       string
		names, replaces []string
	}{
		{"knowledge/cache--redis,ttl.md", "---\ntitle: The cache\nsupersedes: [old-cache, \"[[older]]\"]\n---\nText.\n",
			[]string{"knowledge/cache--redis,ttl", "cache", "The cache"}, []string{"old-cache", "older"}},
		{"storage.md", "# Storage\n\nProse.\n", []string{"storage", "Storage"}, nil},
		{"MEMORY.md", "- Valkey, which replaces [[redis]] since May, see [[cache]]\n", nil, []string{"redis"}},
		{"MEMORY.md", "- Supersedes: [[a|the first]] ^pm-12345678\n", []string{"^pm-12345678"}, []string{"a"}},
		{"MEMORY.md", "- This replaces [[foobar]]; see also [[foo]]\n", nil, []string{"foobar"}},
		{"MEMORY.md", "- See [[foo]]; the cache replaces [[ foo#limits ]], [[bar]]\n", nil, []string{"foo#limits"}},
		{"MEMORY.md", "- Unlike [[foo]], which it is used instead of [[foo]]\n", nil, []string{"foo"}},
		{"MEMORY.md", "- 取代[[旧的]]\n", nil, []string{"旧的"}},
	} {
		es := Parse(tt.rel, []byte(tt.text)).Entries()
		if len(es) != 1 {
			t.Fatalf("%s: %d entries", tt.rel, len(es))
		}
		if d := cmp.Diff([][]string{tt.names, tt.replaces}, [][]string{es[0].Names, es[0].Replaces}); d != "" {
			t.Errorf("%s: %s", tt.rel, d)
		}
	}
}

// The list of all pages that an older system generated is no memory; a page by
// hand in its place, or of that name elsewhere, is.
func TestWikiIndexIsNoEntry(t *testing.T) {
	const generated = "# Wiki Index\n\n## user\n- [[pm2]]: prefers pm2\n"
	for rel, want := range map[string]int{"knowledge/index.md": 0, "knowledge/sub/index.md": 1, "raw/notes/index.md": 2, "knowledge/fooindex.md": 1} {
		if p := Parse(rel, []byte(generated)); len(p.Entries()) != want && (want == 0 || len(p.Entries()) == 0) {
			t.Errorf("%s: %d entries, want %d", rel, len(p.Entries()), want)
		}
	}
	for _, text := range []string{"# Our index\n\nStart with [[deploys]].\n", "---\ntype: reference\n---\n# Wiki Index\n\nBy hand.\n", "# Wiki Index of mine\n\nBy hand.\n"} {
		if p := Parse("knowledge/index.md", []byte(text)); len(p.Entries()) != 1 {
			t.Errorf("%q: %d entries", text, len(p.Entries()))
		}
	}
	if p := Parse("knowledge/index.md", []byte("\ufeff# Wiki Index\r\n\r\n- [[a]]\r\n")); len(p.Entries()) != 0 {
		t.Errorf("with a mark and CRLF: %d entries", len(p.Entries()))
	}
}
