package cli

import (
	"cmp"
	"context"
	"errors"
	"strconv"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/think"
	"github.com/pimento-memory/pimento/internal/tool"
)

func dreamCmd(a *app) *command {
	var how engine.Dreaming
	cmd := &command{
		use: "dream [COMMAND]",
		long: "Go through memory: what says the same, what newer entries have replaced, what contradicts, what has faded. " +
			"With a language model (pimento think) it also reads the sessions that no dream has read yet, five at most, and proposes what to remember, to merge, and which workflows to write down. " +
			"What it finds waits in the inbox. --apply does all of it, also what waits of earlier dreams; dream undo takes it back. What is pinned is never touched.",
		example: "  pimento dream\n  pimento dream --dry-run\n  pimento dream --apply\n  pimento dream undo\n  pimento dream auto on",
		args:    noArgs,
		run:     func(ctx context.Context, _ []string) error { return a.dream(ctx, how) },
	}
	cmd.flagSet().BoolVar(&how.Apply, "apply", false, "do all of it, and what waits of earlier dreams")
	cmd.flagSet().BoolVar(&how.Auto, "auto", false, "for timers: do nothing and say nothing unless dream auto is on and no other dream runs")
	cmd.add(&command{use: "last", short: "what the last dream found", example: "  pimento dream last --json", args: noArgs,
		run: func(ctx context.Context, _ []string) error { return a.dreamLast(ctx) }})
	cmd.add(&command{use: "undo", short: "take back what the last dream did", example: "  pimento dream undo", args: noArgs,
		run: func(ctx context.Context, _ []string) error { return a.dreamUndo(ctx) }})
	cmd.add(&command{use: "skill NAME", short: "print a workflow that the last dream found, as a SKILL.md", args: count{1, 1},
		example: "  pimento dream skill release > SKILL.md",
		run:     func(ctx context.Context, args []string) error { return a.dreamSkill(ctx, args[0]) }})
	cmd.add(&command{use: "auto [on|off]", short: "dream by itself in live sessions and when one ends; alone: is it on", args: count{0, 1},
		long: "Dream by itself: every PI_DREAM_INTERVAL_HOURS (0.5 to 24, default 3) of a live session and when one ends, in a process of its own, one at a time. " +
			"Never in print or json mode. The setting is yours alone and holds for all projects.",
		example: "  pimento dream auto on",
		run:     func(ctx context.Context, args []string) error { return a.dreamAuto(ctx, args) }})
	return cmd
}

var (
	errThinking = errors.New("this process answers a question of ours")
	errNoSkill  = errors.New("the last dream found no workflow of this name")
)

func (a *app) dream(ctx context.Context, how engine.Dreaming) error {
	how.DryRun = a.flags.dryRun
	if a.env.Getenv(think.Thinking) != "" {
		return a.quiet(how, &pimento.Error{Op: "dream", Kind: pimento.KindRefused,
			Err: errThinking, Hint: "a dream does not ask for dreams"})
	}
	if how.Auto {
		return a.withEngine(func(e *engine.Engine) error {
			_, err := e.Dream(ctx, how, user())
			return a.quiet(how, err)
		})
	}
	return a.reading(ctx, func(e *engine.Engine) error {
		r, err := e.Dream(ctx, how, user())
		if err != nil && len(r.Acts) == 0 {
			return err
		}
		return cmp.Or(err, a.print(r, func(p tool.Paint) string { return tool.RenderDream(r, "pimento", p) }))
	})
}

// quiet is the error of a dream, none for one that nobody waits for.
func (a *app) quiet(how engine.Dreaming, err error) error {
	if k := pimento.KindOf(err); how.Auto && (k == pimento.KindRefused || k == pimento.KindConflict) {
		return nil
	}
	return err
}

func (a *app) dreamLast(ctx context.Context) error {
	return a.withEngine(func(e *engine.Engine) error {
		r, ok, err := e.LastDream(ctx)
		if err != nil {
			return err
		}
		if !ok {
			return a.print(map[string]any{}, func(tool.Paint) string { return "No dream has gone through this memory yet." })
		}
		return a.print(r, func(p tool.Paint) string {
			return p.Faint(r.Time.Format("2006-01-02 15:04")) + "\n" + tool.RenderDream(r, "pimento", p)
		})
	})
}

func (a *app) dreamUndo(ctx context.Context) error {
	return a.withEngine(func(e *engine.Engine) error {
		if a.flags.dryRun {
			r, _, err := e.LastDream(ctx)
			if err != nil {
				return err
			}
			return a.wouldDo("take back "+tool.Plural(r.Applied, "change"), "")
		}
		r, err := e.DreamUndo(ctx, user())
		if err != nil {
			return err
		}
		return a.print(r, func(tool.Paint) string { return "Taken back: " + tool.Plural(r.Applied, "change") + "." })
	})
}

func (a *app) dreamSkill(ctx context.Context, name string) error {
	return a.withEngine(func(e *engine.Engine) error {
		r, _, err := e.LastDream(ctx)
		if err != nil {
			return err
		}
		for _, s := range r.Skills {
			if s.Name == name {
				return a.verbatim(s, func(tool.Paint) string { return tool.Printable(s.Page()) })
			}
		}
		return &pimento.Error{Op: "dream", Path: name, Kind: pimento.KindNotFound, Err: errNoSkill, Hint: "see what it found: pimento dream last"}
	})
}

func (a *app) dreamAuto(ctx context.Context, args []string) error {
	return a.withEngine(func(e *engine.Engine) error {
		if len(args) == 0 {
			hours := e.DreamHours(ctx)
			return a.print(map[string]any{"auto": hours > 0, "hours": a.dreamHours()}, func(tool.Paint) string { return tool.RenderDreamAuto(hours, "pimento dream auto") })
		}
		if args[0] != "on" && args[0] != "off" {
			return usageError("use: pimento dream auto on, or off", "neither on nor off: %s", tool.OneLine(args[0], 40))
		}
		if a.flags.dryRun {
			return a.wouldDo("turn dreams by themselves "+args[0], "")
		}
		hours, err := e.SetAutoDream(ctx, args[0] == "on")
		if err != nil {
			return err
		}
		return a.print(map[string]any{"auto": hours > 0, "hours": a.dreamHours()}, func(tool.Paint) string { return tool.RenderDreamAuto(hours, "pimento dream auto") })
	})
}

// dreamHours is $PI_DREAM_INTERVAL_HOURS within its bounds.
func (a *app) dreamHours() float64 {
	h, err := strconv.ParseFloat(a.env.Getenv("PI_DREAM_INTERVAL_HOURS"), 64)
	if err != nil || h != h {
		return engine.DefaultDreamHours
	}
	return min(max(h, 0.5), 24)
}
