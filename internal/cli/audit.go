package cli

import (
	"context"
	"strings"

	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/tool"
)

func auditCmd(a *app) *command {
	cmd := &command{
		use: "audit",
		long: "Show what to look at in an audit of memory: what agents decided since the last one (a sample, evenly over time), what lies in raw/, whoever wrote it, " +
			"what lint finds, what may be out of date, what waits. It changes nothing. " +
			"In a harness, the daily-audit skill goes through it; audit done records what came of it.",
		example: "  pimento audit\n  pimento audit --json\n  pimento audit done 'two contradictions put right'",
		args:    noArgs,
		run: func(ctx context.Context, _ []string) error {
			return a.reading(ctx, func(e *engine.Engine) error {
				r, err := e.Audit(ctx)
				if err != nil {
					return err
				}
				if !a.flags.json {
					defer a.noteFaults(r.Faults)
				}
				return a.print(r, func(p tool.Paint) string { return tool.RenderAudit(r, p) })
			})
		},
	}
	cmd.add(&command{use: "done SUMMARY", short: "record that an audit is complete, and what came of it", args: count{1, many},
		example: "  pimento audit done 'nothing odd'",
		run: func(ctx context.Context, args []string) error {
			summary := strings.TrimSpace(strings.Join(args, " "))
			if summary == "" {
				return usageError("say what came of it: pimento audit done 'nothing odd'", "no summary")
			}
			return a.withEngine(func(e *engine.Engine) error {
				last := engine.LastAudit{Summary: summary}
				if !a.flags.dryRun {
					var err error
					if last, err = e.MarkAudit(ctx, summary, user()); err != nil {
						return err
					}
				}
				return a.print(last, func(p tool.Paint) string {
					if a.flags.dryRun {
						return "would record: " + tool.Printable(summary) + "\n"
					}
					return tool.RenderLastAudit(last, p)
				})
			})
		}})
	return cmd
}
