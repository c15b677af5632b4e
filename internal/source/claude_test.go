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

// TestClaudeNotesKeepTheirLines: code, lists and tables are no prose that could be
// folded, and a comment in code is no heading.
func TestClaudeNotesKeepTheirLines(t *testing.T) {
	for body, want := range map[string][]string{
		"# Deploy\n\nIt has steps:\n\n1. build\n2. push\n\n**Why:** the old one\nlost data.\n": {"It has steps:\n\n1. build\n2. push\n\n**Why:** the old one\nlost data."},
		"Build it so:\n\n```sh\n# first the image\nmake image\n\nmake push\n```\n":             {"Build it so:\n\n```sh\n# first the image\nmake image\n\nmake push\n```"},
		"A page:\n\n```md\n~~~\n# Title\n~~~\n```\n":                                           {"A page:\n\n```md\n~~~\n# Title\n~~~\n```"},
		"## Ports\n\n| what | port |\n|---|---|\n| api | 8080 |\n":                             {"| what | port |\n|---|---|\n| api | 8080 |"},
		"- the api listens on 8080\n- the queue\n  is postgres\n":                              {"the api listens on 8080", "the queue is postgres"},
		"- one bullet\n": {"one bullet"},
		"- " + strings.Repeat("long. ", 120) + "\n- steps:\n  1. build\n  2. push\n": {strings.TrimSpace(strings.Repeat("long. ", 120)), "steps:\n1. build\n2. push"},
		"#urgent the key\nof the safe\n":                                             {"#urgent the key of the safe"},
	} {
		var got []string
		for _, n := range source.ClaudeNotes(map[string][]byte{"note.md": []byte(body)}) {
			got = append(got, n.Text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q gave\n%q, want\n%q", body, got, want)
		}
	}
}
