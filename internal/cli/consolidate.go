package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/tool"
	"github.com/pimento-memory/pimento/internal/upkeep"
)

func consolidateCmd(a *app) *command {
	var apply bool
	cmd := &command{
		use: "consolidate",
		long: "Look for entries that say the same, or nearly, for what newer entries have replaced, and for what contradicts: by their words and dates, no model is asked. " +
			"It shows what would go to the archive; --apply moves it, and each move has a way back. " +
			"What contradicts without a date to tell which one holds, and what is pinned, is left to you, and so is what has merely faded.",
		example: "  pimento consolidate\n  pimento consolidate --apply",
		run: func(ctx context.Context, _ []string) error {
			return a.withEngine(func(e *engine.Engine) error {
				c, err := e.Consolidate(ctx, apply && !a.flags.dryRun, user())
				if err != nil && len(c.Pairs) == 0 {
					return err
				}
				if perr := a.print(c, func(p tool.Paint) string { return consolidationText(c, p) }); err == nil {
					err = perr
				}
				if !a.flags.json {
					a.noteFaults(c.Faults)
				}
				return err
			})
		},
	}
	cmd.flagSet().BoolVar(&apply, "apply", false, "do it")
	return cmd
}

func consolidationText(c engine.Consolidation, p tool.Paint) string {
	if len(c.Pairs)+len(c.Stale) == 0 {
		return "No entries say the same, contradict each other or have faded."
	}
	var b strings.Builder
	moves := 0
	for _, t := range c.Pairs {
		word := p.Accent
		if t.Relation == upkeep.Contradiction || t.Relation == upkeep.Superseded {
			word = p.Warn
		}
		fmt.Fprintf(&b, "%s  %s\n", word(string(t.Relation)), p.Faint(fmt.Sprintf("%s (%.0f%% of their words in common)", t.Reason, 100*t.Alike)))
		keep, drop := "keep", "archive"
		switch {
		case t.Act == "decide":
			keep, drop = "either", "or"
		default:
			moves++
			drop = t.Act
		}
		b.WriteString(tool.RenderTold(keep, t.Keep, p) + tool.RenderTold(drop, t.Drop, p))
		if t.Recovery != "" {
			fmt.Fprintf(&b, "  to undo: pimento restore %s\n", t.Recovery)
		}
	}
	for _, s := range c.Stale {
		fmt.Fprintf(&b, "%s\n%s", p.Faint("faded"), tool.RenderTold("entry", s, p))
	}
	if !c.Applied && moves > 0 {
		b.WriteString(p.Faint(fmt.Sprintf("\nNothing was changed; --apply does it, for %d of them.", moves)) + "\n")
	} else if !c.Applied {
		b.WriteString(p.Faint("\nYou decide: pimento edit, forget or archive ID.") + "\n")
	}
	return b.String()
}
