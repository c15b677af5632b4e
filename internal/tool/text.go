package tool

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/pimento-memory/pimento/internal/text"
)

// The limits of a tool's answer, the ones that pi asks its tools to keep.
const (
	maxOutputBytes = 50 * 1024
	maxOutputLines = 2000
)

// limit cuts an answer at a line's end (or, within one huge line, between two
// characters) and says so. The note counts inside the limits.
func limit(s string) string {
	lines := strings.Count(s, "\n") + 1
	if len(s) <= maxOutputBytes && lines <= maxOutputLines {
		return s
	}
	const room = 200 // for the note
	cut := headLines(s, maxOutputLines-2)
	cut = headBytes(cut, maxOutputBytes-room)
	return cut + fmt.Sprintf("\n\n[output truncated: showing %d/%d lines, %d/%d bytes; read the file for the rest]",
		strings.Count(cut, "\n")+1, lines, len(cut), len(s))
}

// headLines is the first n lines of s, without the last line's end.
func headLines(s string, n int) string {
	at := 0
	for range n {
		i := strings.IndexByte(s[at:], '\n')
		if i < 0 {
			return s
		}
		at += i + 1
	}
	return s[:at-1]
}

// headBytes is at most n bytes of s, cut after a whole line when that keeps
// more than half, else after a whole rune.
func headBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	s = s[:n]
	if i := strings.LastIndexByte(s, '\n'); i > n/2 {
		return s[:i]
	}
	for i := 0; i < utf8.UTFMax-1 && len(s) > 0; i++ {
		if r, size := utf8.DecodeLastRuneInString(s); r != utf8.RuneError || size > 1 {
			break
		}
		s = s[:len(s)-1]
	}
	return s
}

// OneLine folds white space, leaves out what does not show, and shortens to n columns,
// for lists in which each entry has one line.
func OneLine(s string, n int) string {
	return clip(strings.Join(strings.Fields(Printable(headBytes(s, 8*n+64))), " "), n)
}

// WithoutBullet takes the marker off a text that is one bullet of a list, as
// it is often typed: the page gives it one of its own. All other texts it
// returns as they are, lists of several lines among them.
func WithoutBullet(s string) string {
	t := strings.TrimSpace(s)
	if len(t) < 3 || !strings.Contains("-*+", t[:1]) || t[1] != ' ' || strings.Contains(t, "\n") {
		return s
	}
	t = strings.TrimSpace(t[2:])
	if strings.Trim(t, "-*+ ") == "" || isBox(t) {
		return s
	}
	return t
}

// bullets are the items of a text that is a list and nothing else, each with its
// indented lines; nil for any other text, tasks among them.
func bullets(s string) (items []string) {
	for line := range strings.SplitSeq(strings.TrimSpace(s), "\n") {
		switch {
		case len(line) > 2 && strings.Contains("-*+", line[:1]) && line[1] == ' ' && !isBox(line[2:]):
			items = append(items, strings.TrimSpace(line[2:]))
		case len(items) > 0 && strings.HasPrefix(line, "  ") && strings.TrimSpace(line) != "":
			items[len(items)-1] += "\n" + line[2:]
		default:
			return nil
		}
	}
	return items
}

// WithoutBox takes bullet and checkbox off a text that is one task as a page has
// it; all other texts it returns as they are.
func WithoutBox(s string) string {
	t := strings.TrimSpace(s)
	if len(t) > 2 && strings.Contains("-*+", t[:1]) && t[1] == ' ' {
		t = strings.TrimSpace(t[2:])
	}
	if !isBox(t) || strings.Contains(t, "\n") || strings.TrimSpace(t[3:]) == "" || t[3] != ' ' {
		return WithoutBullet(s)
	}
	return strings.TrimSpace(t[3:])
}

// isBox says whether a text starts with a checkbox, which makes it a task only
// behind a bullet.
func isBox(s string) bool {
	return len(s) >= 3 && s[0] == '[' && strings.Contains(" xX", s[1:2]) && s[2] == ']'
}

// Plural is "1 page" or "3 pages".
func Plural(n int, word string) string { return text.Plural(n, word) }
