package tool

import (
	"fmt"
	"strings"

	"github.com/pimento-memory/pimento/internal/engine"
)

// RenderImport is what files of another system say, and what becomes, or has
// become, of it.
func RenderImport(m engine.Import, p Paint) string {
	var b strings.Builder
	news := 0
	for _, s := range m.Scores {
		if s.Act != engine.ImportKnown {
			news++
		}
		fmt.Fprintf(&b, "%s  %s  %s\n", p.Accent(Pad(s.Act, 6)), p.Faint(fmt.Sprintf("said %dx, %s, last %s", s.Evidence, Printable(s.Cue), s.Last.Format("2006-01-02"))),
			OneLine(s.Text, max(p.Columns()-46, 24)))
		if s.Recovery != "" {
			fmt.Fprintf(&b, "  to undo: pimento restore %s\n", s.Recovery)
		}
	}
	if n := len(m.Unknown); n > 0 {
		fmt.Fprintf(&b, "%s of no entry here: %s\n", Plural(n, "score"), OneLine(strings.Join(m.Unknown, " "), max(p.Columns()-24, 24)))
	}
	if m.Sessions > 0 {
		fmt.Fprintf(&b, "%s\n", Plural(m.Sessions, "past session"))
	}
	for _, note := range m.Notes {
		b.WriteString(p.Faint(Printable(note)) + "\n")
	}
	switch {
	case b.Len() == 0:
		return "There is nothing in it to import."
	case !m.Applied && news+m.Sessions > 0:
		b.WriteString(p.Faint("\nNothing was changed; --apply takes it over.") + "\n")
	}
	return b.String()
}
