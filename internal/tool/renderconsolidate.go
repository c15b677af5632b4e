package tool

import (
	"fmt"
	"strings"

	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/upkeep"
)

// RenderConsolidation is what entries are to each other, and what becomes, or
// has become, of them.
func RenderConsolidation(c engine.Consolidation, p Paint) string {
	if len(c.Pairs)+len(c.Cold)+len(c.Stale) == 0 {
		return "No entries say the same or contradict each other, and none has faded for long."
	}
	var b strings.Builder
	for _, t := range c.Pairs {
		word := p.Accent
		if t.Relation == upkeep.Contradiction || t.Relation == upkeep.Superseded {
			word = p.Warn
		}
		fmt.Fprintf(&b, "%s  %s\n", word(string(t.Relation)), p.Faint(fmt.Sprintf("%s (%.0f%% of their words in common)", t.Reason, 100*t.Alike)))
		keep, drop := "keep", t.Act
		if t.Act == engine.ActDecide {
			keep, drop = "either", "or"
		}
		b.WriteString(RenderTold(keep, t.Keep, p) + RenderTold(drop, t.Drop, p))
		if t.Recovery != "" {
			fmt.Fprintf(&b, "  to undo: pimento restore %s\n", t.Recovery)
		}
	}
	for _, m := range c.Cold {
		fmt.Fprintf(&b, "%s  %s\n  archive  %s\n", p.Warn("cold topic"), p.Faint("nothing of it was said for long"),
			Printable(fmt.Sprintf("%s:%s, %s", m.Scope, m.Page, Plural(m.Entries, "entry"))))
		if m.Recovery != "" {
			fmt.Fprintf(&b, "  to undo: pimento restore %s\n", m.Recovery)
		}
	}
	for _, s := range c.Stale {
		fmt.Fprintf(&b, "%s\n%s", p.Faint("faded"), RenderTold("entry", s, p))
	}
	return b.String()
}
