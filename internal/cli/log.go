package cli

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/tool"
)

func logCmd(a *app) *command {
	var q engine.LogQuery
	n, since := 20, ""
	cmd := &command{
		use: "log [ID|PAGE]",
		long: "List what changed in memory, newest first: what was written and by whom, edited, taken out, brought back. " +
			"With the id of an entry, only what happened to it, under its earlier texts as well; with a page or folder, what happened there. The day's log is: pimento daily.",
		example: "  pimento log\n  pimento log --by agent --since yesterday\n  pimento log 3f9c2a71\n  pimento log project:MEMORY.md -n 0",
		args:    count{0, 1},
		run: func(ctx context.Context, args []string) error {
			if len(args) == 1 {
				q.Of = args[0]
			}
			return a.reading(ctx, func(e *engine.Engine) error {
				if err := logQuery(&q, since, e.Now()); err != nil {
					return err
				}
				changes, faults, err := e.Log(ctx, q)
				if err != nil {
					return err
				}
				out := struct {
					Changes []engine.Logged `json:"changes"`
					Faults  []pimento.Fault `json:"faults"`
				}{changes, faults}
				if n > 0 {
					out.Changes = changes[:min(n, len(changes))]
				}
				err = a.print(out, func(p tool.Paint) string { return tool.RenderLog(changes, q, n, p) })
				if !a.flags.json {
					a.noteFaults(faults)
				}
				return err
			})
		},
	}
	f := cmd.flagSet()
	cmd.number(&n, "n", 0, many, "the newest `N`, 20 without it, 0 for all")
	f.StringVar(&since, "since", "", "not before the day `DAY`: 2026-11-20, yesterday, last week")
	f.StringVar(&q.By, "by", "", "only by `WHO`: user, agent, harness, or sync for what changed in the files")
	return cmd
}

// logQuery checks what was asked for.
func logQuery(q *engine.LogQuery, since string, now time.Time) error {
	if who := []string{"user", "agent", "harness", "sync"}; q.By != "" && !slices.Contains(who, q.By) {
		return usageError("use one of: "+strings.Join(who, ", "), "nobody is called %q", tool.OneLine(q.By, 40))
	}
	if since == "" {
		return nil
	}
	days, err := daysOf(since, now)
	if err != nil {
		return err
	}
	if days.From.IsZero() {
		return noDay(since)
	}
	q.Since = days.From
	return nil
}
