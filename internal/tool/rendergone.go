package tool

import (
	"fmt"
	"strings"

	"github.com/pimento-memory/pimento/internal/engine"
)

// RenderKept prints what can be brought back.
func RenderKept(list []engine.Kept, p Paint) string {
	if len(list) == 0 {
		return "Nothing was taken out that could be brought back."
	}
	var b strings.Builder
	for _, k := range list {
		when := "                "
		if !k.Time.IsZero() {
			when = k.Time.Format("2006-01-02 15:04")
		}
		fmt.Fprintf(&b, "%s  %s  %s\n", p.Bold(k.ID), when, p.Faint(k.Verb))
		fmt.Fprintf(&b, "  %s  %s\n", p.Faint(PageName(k.Scope, k.Page)),
			OneLine(k.Text, max(20, p.Columns()-len(k.Scope)-len(k.Page)-6)))
		if k.Other {
			fmt.Fprintf(&b, "  %s\n", p.Faint("of "+Path(k.Dir)))
		}
	}
	b.WriteString("\nBring one back: " + p.Cmd("restore ID") + "\n")
	return b.String()
}

// RenderPurge says what is gone for good, and what is out of reach.
func RenderPurge(rep engine.PurgeReport, p Paint) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Purged %s\n", Printable(rep.ID))
	for _, r := range rep.Removed {
		fmt.Fprintf(&b, "  removed    %s\n", Printable(r))
	}
	for _, r := range rep.Untouched {
		fmt.Fprintf(&b, "  %s  %s\n", p.Warn("untouched"), Printable(r))
	}
	return b.String()
}
