package cli

import (
	"cmp"
	"context"
	"fmt"

	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/tool"
)

func consolidateCmd(a *app) *command {
	var apply bool
	cmd := &command{
		use: "consolidate",
		long: "Look for entries that say the same, or nearly, for what newer entries have replaced, and for what contradicts: by their words and dates, no model is asked. " +
			"It shows what would go to the archive; --apply moves it, and each move has a way back. " +
			"Topics in which nothing was said for long go as well, where the profile's scoring says so. " +
			"What contradicts without a date to tell which one holds, and what is pinned, is left to you, and so is what has merely faded.",
		example: "  pimento consolidate\n  pimento consolidate --apply",
		run: func(ctx context.Context, _ []string) error {
			return a.reading(ctx, func(e *engine.Engine) error {
				c, err := e.Consolidate(ctx, apply && !a.flags.dryRun, user())
				if err != nil && len(c.Pairs)+len(c.Cold) == 0 {
					return err
				}
				err = cmp.Or(err, a.print(c, func(p tool.Paint) string { return consolidationText(c, p) }))
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

// consolidationText is the plan, and how to go on from there.
func consolidationText(c engine.Consolidation, p tool.Paint) string {
	text, moves := tool.RenderConsolidation(c, p), c.Moves()
	switch {
	case c.Applied || len(c.Pairs)+len(c.Cold)+len(c.Stale) == 0:
		return text
	case moves > 0:
		return text + p.Faint(fmt.Sprintf("\nNothing was changed; --apply does it, for %d of them.", moves)) + "\n"
	}
	return text + p.Faint("\nYou decide: pimento edit, forget or archive ID.") + "\n"
}
