package cli

import (
	"cmp"
	"context"
	"path/filepath"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/tool"
)

func importClaudeCmd(a *app) *command {
	var scope string
	var apply bool
	cmd := &command{
		use:   "claude [DIR]",
		short: "the notes that Claude Code keeps of this project",
		long: "Take over what Claude Code's auto-memory knows of this project, from DIR or from where it keeps it. What is about you goes into your global memory, " +
			"the rest into your own notes on this project (MEMORY.local.md), which nobody else sees; --scope project shares it. " +
			"It shows what would be written; --apply writes it. Its files are only read, and importing again adds only what is new.",
		example: "  pimento import claude\n  pimento import claude --apply\n  pimento import claude --scope project ~/.claude/projects/-home-ada-shop/memory",
		args:    count{0, 1},
		run: func(ctx context.Context, args []string) error {
			to, err := parseScope(scope)
			if err != nil {
				return err
			}
			return a.withEngine(func(e *engine.Engine) error {
				dir := ""
				if len(args) == 1 {
					dir = a.absolute(args[0])
				} else if dir = e.ClaudeMemory(ctx, a.claudeDir()); dir == "" {
					return a.print(engine.TakeOver{Notes: []engine.TakenNote{}, Faults: []pimento.Fault{}}, func(tool.Paint) string {
						return "Claude Code keeps no memory of this project in " + tool.Printable(a.claudeDir()) + ". Name its folder: pimento import claude DIR"
					})
				}
				o, err := e.TakeNotes(ctx, dir, to, apply && !a.flags.dryRun, user())
				if err != nil && len(o.Notes) == 0 {
					return err
				}
				err = cmp.Or(err, a.print(o, func(p tool.Paint) string { return tool.RenderTakeOver(o, p) }))
				if !a.flags.json {
					a.noteFaults(o.Faults)
				}
				return err
			})
		},
	}
	f := cmd.flagSet()
	f.StringVar(&scope, "scope", "", "where what is about the project goes: `SCOPE` local, project or global")
	f.BoolVar(&apply, "apply", false, "do it")
	return cmd
}

// claudeDir is where Claude Code keeps its own files.
func (a *app) claudeDir() string {
	return cmp.Or(a.env.Getenv("CLAUDE_CONFIG_DIR"), filepath.Join(a.dirs().Home, ".claude"))
}
