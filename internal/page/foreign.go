package page

import (
	"bytes"
	"strings"

	"github.com/pimento-memory/pimento"
)

// ForeignIndex is an index of topic pages as the catalog of another program writes
// it, without markers: title, note, "## ... (N)", a numbered table, and a list of
// links. line is where it begins, from 1.
func (p *Page) ForeignIndex() (span pimento.Span, line int, ok bool) {
	// What comes one after another, blank lines apart; the last two repeat.
	shape := []func(string) bool{
		func(s string) bool { return strings.HasPrefix(s, "# ") },
		func(s string) bool { return strings.HasPrefix(s, "> ") },
		func(s string) bool { return strings.HasPrefix(s, "## ") && strings.HasSuffix(s, ")") },
		func(s string) bool { return strings.HasPrefix(s, "| # |") },
		func(s string) bool { return strings.HasPrefix(s, "|") },
		func(s string) bool { return strings.HasPrefix(s, "- [") && strings.HasSuffix(s, ".md)") },
	}
	at, step, n := 0, 0, 0
	for raw := range bytes.Lines(p.raw) {
		s := strings.TrimRight(string(raw), " \t\r\n")
		n++
		switch last := len(shape) - 1; {
		case s == "":
		case shape[step](s):
			if step == 0 {
				span.Start, line = at, n
			}
			if step < last-1 {
				step++
			}
			span.End = at + len(raw)
		case step == last-1 && shape[last](s):
			step, span.End = last, at+len(raw)
		case step == last:
			return span, line, true
		case shape[0](s):
			step, span.Start, line = 1, at, n
		default:
			step = 0
		}
		at += len(raw)
	}
	return span, line, step == len(shape)-1
}
