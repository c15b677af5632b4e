package tool

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// The preview of what a page held before a write: 4,000 characters and 120
// lines. Whoever overwrites sees what was lost; whoever appends sees what it
// repeats.
const (
	previewChars = 4000
	previewLines = 120
)

// preview shows at most the limits of text, keeping its start, its end or both
// ("middle" leaves the middle out), the note about a cut counted inside.
func preview(text, keep string) string {
	text = strings.TrimSpace(text)
	lines := strings.Split(text, "\n")
	all, chars := len(lines), utf8.RuneCountInString(text)
	if all <= previewLines && chars <= previewChars {
		return text
	}
	const note = 100 // room for the note below
	kept := keepLines(lines, previewLines-2, keep)
	body := keepRunes([]rune(strings.Join(kept, "\n")), previewChars-note, keep)
	return body + fmt.Sprintf("\n\n[preview truncated: showing %d/%d lines, %d/%d chars]",
		strings.Count(body, "\n")+1, all, utf8.RuneCountInString(body), chars)
}

const ellipsis = "... (truncated) ..."

func keepLines(lines []string, n int, keep string) []string {
	if len(lines) <= n {
		return lines
	}
	switch keep {
	case "end":
		return lines[len(lines)-n:]
	case "middle":
		head, tail := n/2, n-1-n/2
		out := append([]string{}, lines[:head]...)
		out = append(out, ellipsis)
		return append(out, lines[len(lines)-tail:]...)
	default:
		return lines[:n]
	}
}

func keepRunes(r []rune, n int, keep string) string {
	if len(r) <= n {
		return string(r)
	}
	switch keep {
	case "end":
		return string(r[len(r)-n:])
	case "middle":
		rest := n - len(ellipsis) - 2
		return string(r[:rest/2]) + "\n" + ellipsis + "\n" + string(r[len(r)-rest/2:])
	default:
		return string(r[:n])
	}
}

// existing describes what a page held before a write.
func existing(name, was, keep string) string {
	if strings.TrimSpace(was) == "" {
		return name + " was empty."
	}
	shown := preview(was, keep)
	t := strings.TrimSpace(was)
	return fmt.Sprintf("Existing %s preview (%d lines, %d chars):\n\n%s", name,
		strings.Count(t, "\n")+1, utf8.RuneCountInString(t), shown)
}
