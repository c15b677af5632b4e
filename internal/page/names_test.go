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
