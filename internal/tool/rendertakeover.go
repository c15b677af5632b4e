package tool

import (
	"strings"

	"github.com/pimento-memory/pimento/internal/engine"
)

// RenderTakeOver shows what another system's memory says and what becomes of it.
func RenderTakeOver(o engine.TakeOver, p Paint) string {
	if len(o.Notes) == 0 {
		return "There is nothing in " + Printable(o.Dir) + "."
	}
	var b strings.Builder
	file, n := "", 0
	for _, t := range o.Notes {
		if t.File != file {
			b.WriteString(p.Bold(Printable(t.File)) + "\n")
			file = t.File
		}
		head := "  " + p.Good(Pad(string(t.Scope), 8))
		if t.Act == engine.TakeSkip {
			head = "  " + p.Faint(Pad("skip", 8))
		} else if !o.Applied || t.ID != "" { // an error ends it before the rest is written
			n++
		}
		b.WriteString(Hang(head, Printable(t.Text), p.Columns()) + "\n")
		if t.Reason != "" {
			b.WriteString("          " + p.Faint(Printable(t.Reason)) + "\n")
		}
	}
	if o.Applied {
		return b.String() + "\nTook over " + Plural(n, "note") + "; " + Printable(o.Dir) + " is as it was."
	}
	if n == 0 {
		return b.String() + "\nNothing is new."
	}
	return b.String() + "\n" + Plural(n, "note") + " to take over: pimento import claude --apply"
}
