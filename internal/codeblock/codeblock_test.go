package codeblock_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento/internal/codeblock"
)

func TestOpening(t *testing.T) {
	for line, want := range map[string]codeblock.Fence{
		"```":              "```",
		"```go\r\n":        "```",
		"\t  ~~~~ md":      "~~~~",
		"~~~ with a `tick": "~~~",
		"``":               "",
		"```go run```":     "", // code within a line
		"text ```":         "",
		"- ```":            "",
		"":                 "",
	} {
		if got := codeblock.Opening(line); got != want {
			t.Errorf("%q opens %q, want %q", line, got, want)
		}
	}
}

func TestFencesAreFollowed(t *testing.T) {
	for text, want := range map[string][]codeblock.Fence{ // after each line
		"a\n```\nb\n```\nc":        {"", "```", "```", "", ""},
		"```\n```go\n~~~\n  ```` ": {"```", "```", "```", ""},
		"````\n```\n````":          {"````", "````", ""},
		"~~~\n```\n~~~~\n```":      {"~~~", "~~~", "", "```"},
	} {
		var got []codeblock.Fence
		var f codeblock.Fence
		for line := range strings.Lines(text) {
			f = f.After(line)
			got = append(got, f)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
