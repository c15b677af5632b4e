package cli

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/tool"
)

func (a *app) lintPrune(ctx context.Context, e *engine.Engine, apply bool) error {
	rep, err := e.Prune(ctx, apply, user())
	err = cmp.Or(err, a.print(rep, func(p tool.Paint) string { return pruneText(rep, p) }))
	if !a.flags.json {
		a.noteFaults(rep.Faults)
	}
	return err
}

func pruneText(r engine.PruneReport, p tool.Paint) string {
	if len(r.Keeps().Types)+len(r.Keeps().Raw) == 0 {
		return "This profile keeps everything: it has no retention."
	}
	var b strings.Builder
	for _, x := range r.Expired {
		what := "to the archive"
		if x.Delete {
			what = p.Warn("deleted for good")
		}
		fmt.Fprintf(&b, "%s  %s\n  %s, %s old, kept for %d\n", p.Bold(tool.PageName(x.Scope, x.Page)), what,
			tool.Printable(x.Type), tool.Plural(x.Age, "day"), x.Limit)
	}
	switch {
	case len(r.Expired) == 0:
		b.WriteString("Nothing is older than this profile keeps it: " + keepsText(r.Keeps()) + ".\n")
	case r.Applied:
		b.WriteString("\n" + movesText(r.Moves, true, p))
		if len(r.Deleted) > 0 {
			b.WriteString(tool.Plural(len(r.Deleted), "file") + " deleted.\n")
		}
	default:
		b.WriteString("\n" + p.Faint("Nothing was changed; --prune --apply does it.") + "\n")
	}
	if r.Every > 0 && !r.Applied {
		b.WriteString(p.Faint(fmt.Sprintf("It runs by itself after %d writes; there were %d.", r.Every, r.Writes)) + "\n")
	}
	return b.String()
}

// keepsText names the ages of a policy.
func keepsText(r pimento.Retention) string {
	var parts []string
	for _, of := range []map[string]int{r.Types, r.Raw} {
		for _, name := range slices.Sorted(maps.Keys(of)) {
			parts = append(parts, fmt.Sprintf("%s %s", tool.Printable(name), tool.Plural(of[name], "day")))
		}
	}
	return strings.Join(parts, ", ")
}
