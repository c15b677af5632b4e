package cli

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/tool"
)

// A changer is an engine's method on one entry.
type changer func(ctx context.Context, id string, by engine.Actor, how ...engine.Planned) (engine.Result, error)

// change runs a changer; with --dry-run it only says what would become of it.
func (a *app) change(ctx context.Context, verb, did, id string, method func(*engine.Engine) changer) error {
	return a.withEngine(func(e *engine.Engine) error {
		var how []engine.Planned
		if a.flags.dryRun {
			how = []engine.Planned{{}}
		}
		res, err := method(e)(ctx, id, user(), how...)
		switch {
		case err != nil:
			return err
		case a.flags.dryRun && res.Action != pimento.Refuse:
			return a.wouldDo(verb+" "+tool.PageName(res.Scope, fmt.Sprintf("%s:%d", res.Page, res.Line)), res.Was)
		}
		return a.written(res, did)
	})
}

// idCmd is a command that takes one id.
func (a *app) idCmd(verb, did, long, example string, method func(*engine.Engine) changer) *command {
	return &command{
		use: verb + " ID", long: long, example: example, args: count{1, 1},
		run: func(ctx context.Context, args []string) error {
			if strings.TrimSpace(args[0]) == "" {
				return usageError("ids are in: pimento recall WORDS", "no id")
			}
			return a.change(ctx, verb, did, args[0], method)
		},
	}
}

func forgetCmd(a *app) *command {
	return a.idCmd("forget", "Forgot",
		"Take an entry out of its page. What it said is kept in private recovery; the answer names the way back.",
		"  pimento forget 3f9c2a71", func(e *engine.Engine) changer { return e.Forget })
}

func confirmCmd(a *app) *command {
	return a.idCmd("confirm", "Confirmed", "Say that an entry still holds, as of today.",
		"  pimento confirm 3f9c2a71", func(e *engine.Engine) changer { return e.Confirm })
}

func reinforceCmd(a *app) *command {
	return a.idCmd("reinforce", "Reinforced", "Count an entry as said again, which makes it more stable.",
		"  pimento reinforce 3f9c2a71", func(e *engine.Engine) changer { return e.Reinforce })
}

func pinCmd(on bool) func(*app) *command {
	verb, did, long := "pin", "Pinned", "Always show an entry, whatever its score."
	if !on {
		verb, did, long = "unpin", "Unpinned", "Take the pin off an entry."
	}
	return func(a *app) *command {
		return a.idCmd(verb, did, long, "  pimento "+verb+" 3f9c2a71", func(e *engine.Engine) changer {
			return func(ctx context.Context, id string, by engine.Actor, how ...engine.Planned) (engine.Result, error) {
				return e.Pin(ctx, id, on, by, how...)
			}
		})
	}
}

func editCmd(a *app) *command {
	return &command{
		use:     "edit ID [TEXT...]",
		long:    "Give an entry a new text; its history stays with it. Without TEXT it is read from standard input.",
		example: "  pimento edit 3f9c2a71 \"deploys go through the staging cluster, except hotfixes\"",
		args:    count{1, many},
		run: func(ctx context.Context, args []string) error {
			text, err := a.text(args[1:], "new text")
			if err != nil {
				return err
			}
			return a.change(ctx, "edit", "Edited", args[0], func(e *engine.Engine) changer {
				return func(ctx context.Context, id string, by engine.Actor, how ...engine.Planned) (engine.Result, error) {
					return e.Edit(ctx, id, text, by, how...)
				}
			})
		},
	}
}

func purgeCmd(a *app) *command {
	var yes bool
	cmd := &command{
		use:     "purge ID",
		long:    "Take an entry out of its page and out of recovery, journal, traces, sessions and index, for good. It lists what it cannot reach: git history, a harness's own transcripts.",
		example: "  pimento purge 3f9c2a71 --yes",
		args:    count{1, 1},
		run: func(ctx context.Context, args []string) error {
			return a.withEngine(func(e *engine.Engine) error { return a.purge(ctx, e, args[0], yes) })
		},
	}
	cmd.flagSet().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

func (a *app) purge(ctx context.Context, e *engine.Engine, id string, yes bool) error {
	if a.flags.dryRun {
		en, err := e.WouldPurge(ctx, id)
		if err != nil {
			return err
		}
		what := "what recovery holds"
		if en.Page != "" {
			what = tool.Place(en)
		}
		return a.wouldDo("purge "+what, en.Text)
	}
	if !yes {
		en, err := e.WouldPurge(ctx, id)
		if err != nil {
			return err
		}
		what := id
		if en.Text != "" { // a damaged payload has only its id
			what = id + " (" + tool.OneLine(en.Text, 60) + ")"
		}
		if err := a.confirm("Purge " + what + " for good?"); err != nil {
			return err
		}
	}
	rep, err := e.Purge(ctx, id, user())
	if err != nil {
		return err
	}
	return a.print(rep, func(p tool.Paint) string { return tool.RenderPurge(rep, p) })
}

// confirm asks a yes or no question on the terminal. Without one it is a usage
// error, because silence is no yes.
func (a *app) confirm(question string) error {
	if !isTerminal(a.env.Stdin) {
		return usageError("add --yes to the command", "it asks first, and nobody is here to answer")
	}
	return a.ask(question)
}

func (a *app) ask(question string) error {
	fmt.Fprint(a.env.Stderr, question+" [y/N] ")
	line, _ := await(a.life, func() (string, error) { return bufio.NewReader(a.env.Stdin).ReadString('\n') })
	if a.life.Err() != nil {
		fmt.Fprintln(a.env.Stderr)
		return a.life.Err()
	}
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes":
		return nil
	}
	a.note("nothing was changed")
	return exit(1)
}
