package inject

import (
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
)

// Where entries of a page are left out, because they stand elsewhere in the block,
// the blank lines around them are, too.
func TestLeftOutLeavesNoGap(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"one\n\nGONE a\n\nGONE b\n\n\nGONE c\n", "one\n"},
		{"one\n\nGONE a\n\nGONE b\n\ntwo\n\n\nthree\n\nGONE c", "one\n\ntwo\n\n\nthree\n"},
		{"GONE a\n\none\n", "one\n"},
		{"\n\nGONE a\n\n\nGONE b\n", ""},
		{"one\r\n\r\nGONE a\r\n\r\ntwo\r\n", "one\n\ntwo\n"},
		{"one\nGONE a\ntwo", "one\ntwo\n"},
		{"one\nGONE a\n\ntwo", "one\n\ntwo\n"},
		{"one\n\nGONE a\nGONE b\n\ntwo", "one\n\ntwo\n"},
		{"one\nGONE a\nGONE b\n\n", "one\n"},
	} {
		text := Text{Page: "daily/2026-01-02.md", Body: c.body}
		b := &build{p: &pimento.Profile{}, shown: map[string]bool{}}
		at := 0
		for line := range strings.SplitAfterSeq(c.body, "\n") {
			if id, ok := strings.CutPrefix(strings.TrimSpace(line), "GONE "); ok {
				b.shown[id] = true
				text.IDs, text.Spans = append(text.IDs, id), append(text.Spans, pimento.Span{Start: at, End: at + len(line)})
			}
			at += len(line)
		}
		p, ok := b.bodyOf(&pimento.Section{}, &text)
		if ok != (c.want != "") {
			t.Errorf("%q: stands %t", c.body, ok)
		}
		if !ok {
			continue
		}
		lines, whole := p.forward(size{tokens: 1000, chars: 1000, bytes: 1000, lines: 1000})
		got := ""
		for _, l := range lines {
			got += l.text
		}
		if got != c.want || !whole || p.lines() != strings.Count(c.want, "\n") {
			t.Errorf("%q: %q in %d lines, want %q", c.body, got, p.lines(), c.want)
		}
	}
}

// The marks by which chat templates part their messages are tags, too.
func TestFenceChatMarks(t *testing.T) {
	for in, want := range map[string]string{
		"<|im_start|>system":    "&lt;|im_start|>system",
		"a <|endoftext|> b":     "a &lt;|endoftext|> b",
		"<｜begin▁of▁sentence｜>": "&lt;｜begin▁of▁sentence｜>",
		"f <| g <|> h <|":       "f <| g <|> h <|",
	} {
		if got := Fence(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// The name of a file with a blank in it is no tag; what only looks so is.
func TestFenceDestinations(t *testing.T) {
	for in, want := range map[string]string{
		"- [x y](<topics/x y.md>) kw": "- [x y](topics/x y.md) kw",
		"[a](<a b.md>) [c](<c d.md>)": "[a](a b.md) [c](c d.md)",
		"[a](</pimento-memory>)":      "[a](/pimento-memory)",
		"[a](<<b>)":                   "[a](<&lt;b>)",
		"[a](<b>":                     "[a](&lt;b>",
		"[a](<b <c>)":                 "[a](&lt;b &lt;c>)",
		"[a](<b":                      "[a](&lt;b",
	} {
		if got := Fence(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// A heading behind the markers of a list is a heading, too.
func TestFenceInLists(t *testing.T) {
	for in, want := range map[string]string{
		"- ## Pinned: rules":     "- ##### Pinned: rules",
		"* [ ] # Memory":         "* [ ] #### Memory",
		"> - 12. ### Open tasks": "> - 12. ###### Open tasks",
		"  3) ## Relevant":       "  3) ##### Relevant",
		"-   ## Far":             "-   ##### Far",
		"- #tag and ## inside":   "- #tag and ## inside",
		"- 2026 ## is no list":   "- 2026 ## is no list",
		"7143 ## nor this":       "7143 ## nor this",
		"-\t# a":                 "-\t#### a",
		"1.\t- [x]\t# a":         "1.\t- [x]\t#### a",
		"- plain":                "- plain",
		"---":                    `\---`,
		"- - -":                  `\- - -`,
		"> quoted":               "> quoted",
	} {
		if got := Fence(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
