package source_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/source"
)

func TestClaudeNotes(t *testing.T) {
	long := strings.Repeat("a paragraph that goes on. ", 30)
	got := source.ClaudeNotes(map[string][]byte{
		"MEMORY.md":           []byte("# Memory\n\n- [Testing](feedback_testing.md) — how to test\n- The staging host is blue.\n"),
		"feedback_testing.md": []byte("---\nname: Testing\ndescription: how\ntype: feedback\n---\n\nRun the tests with make check.\n\n**Why:** plain go test misses the fixtures.\n"),
		"project_queue.md":    []byte("---\ntype: project\n---\n# Queue\n\n- " + long + "\n- the second point\n"),
		"loose.md":            []byte("no front matter\nhere"),
		"empty.md":            []byte("---\ntype: user\n---\n\n# Only a heading\n"),
	})
	want := []source.Note{
		{File: "MEMORY.md", Text: "The staging host is blue."},
		{File: "feedback_testing.md", Text: "Run the tests with make check. **Why:** plain go test misses the fixtures.", Kind: pimento.KindPreference, Personal: true},
		{File: "loose.md", Text: "no front matter here"},
		{File: "project_queue.md", Text: strings.TrimSpace(long), Kind: pimento.KindFact},
		{File: "project_queue.md", Text: "the second point", Kind: pimento.KindFact},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	if got := source.ClaudeNotes(nil); got != nil {
		t.Errorf("%v", got)
	}
}
