package cli

import (
	"context"
	"strings"

	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/tool"
)

func restoreCmd(a *app) *command {
	return &command{
		use: "restore [RECOVERY|PAGE]",
		long: "Bring back what forget, archive, scratch clear or an overwrite took out, by its recovery id or the id that it had, or a page of the archive by its name. " +
			"Without an id it lists what can be brought back, newest first.",
		example: "  pimento restore\n  pimento restore 01M7Z83RAF26SV5XNE1GZV5AAF\n  pimento restore archive/deploy.md",
		args:    count{0, 1},
		run: func(ctx context.Context, args []string) error {
			return a.withEngine(func(e *engine.Engine) error {
				if len(args) == 0 {
					return a.recoverable(ctx, e)
				}
				return a.restore(ctx, e, strings.TrimSpace(args[0]))
			})
		},
	}
}

func (a *app) recoverable(ctx context.Context, e *engine.Engine) error {
	list, faults, err := e.Recoverable(ctx)
	if err != nil {
		return err
	}
	for _, f := range faults {
		a.note("%s", tool.Printable(f.Detail))
	}
	return a.print(list, func(p tool.Paint) string { return tool.RenderKept(list, p) })
}

func (a *app) restore(ctx context.Context, e *engine.Engine, id string) error {
	if a.flags.dryRun {
		return a.wouldRestore(ctx, e, id)
	}
	res, err := e.Restore(ctx, id, user())
	if err != nil {
		return tool.RestoreError(id, tool.RestoreHint, err)
	}
	return a.written(res, "Restored")
}

// wouldRestore is the answer of restore --dry-run.
func (a *app) wouldRestore(ctx context.Context, e *engine.Engine, id string) error {
	if strings.HasSuffix(id, ".md") {
		return a.wouldDo("restore the page "+id, "")
	}
	k, err := e.Kept(ctx, e.RecoveryID(ctx, id))
	if err != nil {
		return tool.RestoreError(id, tool.RestoreHint, err)
	}
	return a.wouldDo("restore to "+tool.PageName(k.Scope, k.Page), k.Text)
}
