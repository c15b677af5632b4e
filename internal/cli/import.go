package cli

import (
	"context"
	"fmt"
	"os"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/tool"
)

// maxImport is the largest file that import reads.
const maxImport = 64 << 20

func importCmd(a *app) *command {
	var apply bool
	cmd := &command{
		use: "import [FILE...]",
		long: "Take over what another memory system kept beside its pages: memory-scores.json or .jsonl (how often each entry was said, and when; " +
			"pins; what was forgotten) and session-search.json (past sessions). Its topic files need no import, they are pages. " +
			"Without a FILE those of this project are looked for where that system keeps them. " +
			"It shows what would be taken over; --apply does it. Importing again adds only what is new.",
		example: "  pimento import\n  pimento import claude\n  pimento import --apply .pi/memory/memory-scores.json",
		args:    count{0, many},
		run: func(ctx context.Context, args []string) error {
			return a.withEngine(func(e *engine.Engine) error {
				if len(args) == 0 {
					args = e.ImportFiles(ctx)
				}
				files, err := a.importFiles(args)
				if err != nil {
					return err
				}
				m, err := e.Import(ctx, files, apply && !a.flags.dryRun, user())
				if err != nil {
					return err
				}
				err = a.print(m, func(p tool.Paint) string {
					if len(files) == 0 {
						return "Nothing to import was found in this project. Name a file: pimento import FILE"
					}
					return tool.RenderImport(m, p)
				})
				if err != nil {
					return err
				}
				if !a.flags.json {
					a.noteFaults(m.Faults)
				}
				return nil
			})
		},
	}
	cmd.flagSet().BoolVar(&apply, "apply", false, "do it")
	cmd.add(importClaudeCmd(a))
	return cmd
}

func (a *app) importFiles(paths []string) (out []engine.ImportFile, err error) {
	for _, path := range paths {
		full := a.absolute(path)
		st, err := os.Stat(full)
		if err == nil && (!st.Mode().IsRegular() || st.Size() > maxImport) {
			err = fmt.Errorf("not a file of at most %d MB", maxImport>>20)
		}
		var b []byte
		if err == nil {
			b, err = os.ReadFile(full)
		}
		if err != nil {
			return nil, &pimento.Error{Op: "import", Path: path, Kind: pimento.KindUsage, Err: plainCause(err), Hint: "name a file that can be read"}
		}
		out = append(out, engine.ImportFile{Path: path, Data: b})
	}
	return out, nil
}

func exportCmd(a *app) *command {
	cmd := &command{
		use:     "export",
		long:    "Write what is known in the form of another memory system.",
		example: "  pimento export scores --out .pi/memory/memory-scores.json\n  pimento export sessions",
		run: func(context.Context, []string) error {
			return usageError("use: pimento export scores, export sessions or export mind DIR", "export what?")
		},
	}
	cmd.add(exportScoresCmd(a))
	cmd.add(exportSessionsCmd(a))
	cmd.add(exportMindCmd(a))
	return cmd
}

func exportScoresCmd(a *app) *command {
	out, scope := "", string(pimento.Project)
	cmd := &command{
		use:     "scores",
		short:   "scores of topic entries, as memory-scores.json",
		long:    "Write where the entries of topics/ stand, as memory-scores.json of the scored-topics system for pi.",
		example: "  pimento export scores\n  pimento export scores --scope global --out memory-scores.json",
		run: func(ctx context.Context, _ []string) error {
			return a.reading(ctx, func(e *engine.Engine) error {
				sc, err := pimento.ParseScope(scope)
				if err != nil {
					return err
				}
				return a.writeExport(out, e.ExportScores(ctx, sc))
			})
		},
	}
	cmd.flagSet().StringVar(&out, "out", "", "write the `FILE` instead of standard output")
	cmd.flagSet().StringVar(&scope, "scope", scope, "of `SCOPE` project or global")
	return cmd
}

func exportSessionsCmd(a *app) *command {
	out := ""
	cmd := &command{
		use:     "sessions",
		short:   "past sessions, as session-search.json",
		long:    "Write what is kept of past sessions of this project, as session-search.json of the scored-topics system for pi.",
		example: "  pimento export sessions --out session-search.json",
		run: func(ctx context.Context, _ []string) error {
			return a.withEngine(func(e *engine.Engine) error {
				s, err := e.ExportSessions(ctx)
				if err != nil {
					return err
				}
				return a.writeExport(out, s)
			})
		},
	}
	cmd.flagSet().StringVar(&out, "out", "", "write the `FILE` instead of standard output")
	return cmd
}

// writeExport writes the state that was gathered to a file or to standard output.
func (a *app) writeExport(file string, state interface{ JSON() ([]byte, error) }) error {
	b, err := state.JSON()
	if err != nil {
		return err
	}
	return a.writeOut("export", file, b, 0o600)
}
