package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/tool"
)

func archiveCmd(a *app) *command {
	var reason string
	var apply bool
	cmd := &command{
		use: "archive --reason TEXT PAGE|ID...",
		long: "Move pages, or entries by their ids, into archive/ of their scope, where nothing is injected or recalled from unasked. " +
			"It shows what would move; --apply moves it. Each move has a way back.",
		example: "  pimento archive --reason \"merged into deploy\" release.md\n  pimento archive --reason \"no longer so\" 3f9c2a71 --apply\n  pimento recall --archived staging",
		args:    count{1, many},
		run: func(ctx context.Context, args []string) error {
			return a.withEngine(func(e *engine.Engine) error {
				act := apply && !a.flags.dryRun
				moves, err := e.Archive(ctx, args, reason, act, user())
				return cmp.Or(err, a.printMoves(moves, reason, act, err != nil))
			})
		},
	}
	cmd.flagSet().StringVar(&reason, "reason", "", "why it goes: `TEXT`, kept in the journal")
	cmd.flagSet().BoolVar(&apply, "apply", false, "do it")
	return cmd
}

// moved is what `archive` answers in JSON.
type moved struct {
	Applied bool          `json:"applied"`
	Reason  string        `json:"reason"`
	Moves   []engine.Move `json:"moves"`
}

// printMoves shows a plan, or what was done of it before it failed.
func (a *app) printMoves(moves []engine.Move, reason string, applied, failed bool) error {
	if failed && len(moves) == 0 {
		return nil
	}
	return a.print(moved{applied, reason, moves}, func(p tool.Paint) string { return movesText(moves, applied, p) })
}

func movesText(moves []engine.Move, applied bool, p tool.Paint) string {
	var b strings.Builder
	for _, m := range moves {
		what := tool.Plural(m.Entries, "entry")
		if m.ID != "" {
			what = tool.OneLine(m.Text, max(20, p.Columns()-4))
		}
		fmt.Fprintf(&b, "%s -> %s\n  %s\n", p.Bold(tool.PageName(m.Scope, m.Page)), tool.Printable(m.To), what)
		if m.Recovery != "" {
			fmt.Fprintf(&b, "  to undo: pimento restore %s\n", m.Recovery)
		}
	}
	if !applied {
		b.WriteString(p.Faint("Nothing was moved; --apply does it.") + "\n")
	}
	return b.String()
}
