package cli

import (
	"context"
	"os"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/fault"
	"github.com/pimento-memory/pimento/internal/tool"
)

func traceCmd(a *app) *command {
	var all bool
	cmd := &command{
		use:     "trace ID",
		long:    "Show the record of one prompt: what each section took, which entries were in it and why, and what was left out; or of one question that a command or a tool asked: what it found. The beginning of an id is enough.",
		example: "  pimento trace 01M7ZP9RJSCD\n  pimento trace 01M7ZP9RJSCD --all",
		args:    count{1, 1},
		run: func(ctx context.Context, args []string) error {
			return a.withEngine(func(e *engine.Engine) error {
				tr, err := e.Trace(ctx, args[0])
				if err != nil {
					return err
				}
				return a.printTrace(ctx, e, tr, all)
			})
		},
	}
	cmd.flagSet().BoolVar(&all, "all", false, "name every entry")
	return cmd
}

func replayCmd(a *app) *command {
	return &command{
		use: "replay ID",
		long: "Build the block of a recorded prompt again, from what was recorded of it alone, and print it as inject did. " +
			"No page, journal or clock is asked, so it shows what the model was given, whatever has changed since. Exit status 1 if a byte or a decision differs. " +
			"A question that a command or a tool asked is asked again, of memory as it is now; exit status 1 if other entries answer.",
		example: "  pimento traces\n  pimento replay 01M7ZP9RJSCD",
		args:    count{1, 1},
		run: func(ctx context.Context, args []string) error {
			return a.withEngine(func(e *engine.Engine) error {
				r, err := e.Replay(ctx, args[0])
				if err != nil {
					return err
				}
				if r.Trace.Recall != nil {
					return a.askedAgain(r)
				}
				r.Block = tool.Whole(r.Block)
				if err := a.verbatim(r.Block, func(p tool.Paint) string { return blockText(r.Block, nil, p) }); err != nil {
					return err
				}
				if !r.Same {
					a.note("the bytes differ from those that were handed out (%s, then %s)", r.Block.Sum(), r.Trace.Sum)
					return exit(1)
				}
				if !r.Decided {
					a.note("the bytes are those that were handed out, but the decisions behind them are not those on record")
					return exit(1)
				}
				return nil
			})
		},
	}
}

// askedAgain prints the answer to a question of a record, and says whether it is
// the one of then.
func (a *app) askedAgain(r engine.Replayed) error {
	err := a.print(toJSON(r.Answer), func(p tool.Paint) string { return tool.RenderHits(r.Answer, r.Trace.Prompt, p) })
	if err != nil {
		return err
	}
	if !r.Same {
		a.note("not the answer of then: %s, status %s; now %s, status %s", tool.Plural(r.Trace.Recall.Found, "hit"), r.Trace.Block.Status,
			tool.Plural(len(r.Answer.Hits), "hit"), r.Answer.Status)
		return exit(1)
	}
	if !a.flags.json {
		a.note("the same hits as then")
	}
	return nil
}

func faultsCmd(a *app) *command {
	return &command{
		use: "faults",
		long: "List the moments at which memory let an agent down here, found in the traces and the journal: refetch, duplicate-tool, " +
			"pinned-invariant-miss, post-compaction-bootstrap, silent-recall and flush-miss.",
		example: "  pimento faults\n  pimento faults --json",
		run: func(ctx context.Context, _ []string) error {
			return a.withEngine(func(e *engine.Engine) error {
				faults, err := e.Faults(ctx)
				if err != nil {
					return err
				}
				if faults == nil {
					faults = []fault.Fault{}
				}
				return a.print(faults, func(p tool.Paint) string { return tool.RenderFaultHistory(faults, p) })
			})
		},
	}
}

func verifyCmd(a *app) *command {
	var out string
	cmd := &command{
		use: "verify",
		long: "Bring the page table and the writeback journal up to date: two views, in private state, of what the pages and the journal say; " +
			"and, under a profile that pages, check what was kept of what entries can be shown as. A second run changes nothing. With --out the page table of all scopes goes to a file of yours.",
		example: "  pimento verify\n  pimento verify --out table.jsonl",
		run: func(ctx context.Context, _ []string) error {
			return a.reading(ctx, func(e *engine.Engine) error {
				if out != "" {
					return a.exportTable(ctx, e, a.absolute(out))
				}
				files, err := e.Sidecars(ctx, !a.flags.dryRun)
				if err != nil {
					return err
				}
				return a.print(files, func(p tool.Paint) string { return tool.RenderSidecars(files, p) })
			})
		},
	}
	cmd.flagSet().StringVar(&out, "out", "", "write the page table to `FILE`")
	return cmd
}

func (a *app) exportTable(ctx context.Context, e *engine.Engine, file string) error {
	b, err := e.Table(ctx)
	if err != nil {
		return err
	}
	if a.flags.dryRun {
		return a.wouldDo("write", file)
	}
	if err := os.WriteFile(file, b, 0o600); err != nil {
		return &pimento.Error{Op: "verify", Path: file, Kind: pimento.KindUnavailable, Err: err, Hint: "name a file in a directory that you can write to"}
	}
	done := struct {
		Path  string `json:"path"`
		Bytes int    `json:"bytes"`
	}{file, len(b)}
	return a.print(done, func(tool.Paint) string { return tool.Bytes(int64(len(b))) + " of page table  " + tool.Printable(file) })
}

func flushCmd(a *app) *command {
	return &command{
		use:     "flush",
		long:    "Finish the writes that a crash left between two phases, and bring the page table and the writeback journal up to date.",
		example: "  pimento flush",
		run: func(ctx context.Context, _ []string) error {
			return a.withEngine(func(e *engine.Engine) error {
				var rep struct {
					Finished int              `json:"finished"`
					Files    []engine.Sidecar `json:"files"`
				}
				var err error
				if a.flags.dryRun {
					rep.Files, err = e.Sidecars(ctx, false)
				} else {
					rep.Finished, rep.Files, err = e.Flush(ctx)
				}
				if err != nil {
					return err
				}
				return a.print(rep, func(p tool.Paint) string {
					if a.flags.dryRun {
						return tool.RenderSidecars(rep.Files, p)
					}
					return tool.RenderFlush(rep.Finished, rep.Files, p)
				})
			})
		},
	}
}
