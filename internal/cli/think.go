package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/think"
	"github.com/pimento-memory/pimento/internal/tool"
)

func thinkCmd(a *app) *command {
	cmd := &command{
		use: "think [COMMAND]",
		long: "Some upkeep can ask a language model: dreams, the summary on exit, what is worth remembering. None is asked unless you turn one on here. " +
			"What it says waits for your yes, all but the summary on exit, which goes into the log under a profile that writes one (daybook). What it may take in tokens is capped, for a call and for a day, and what it took is written down.",
		example: "  pimento think use -- pi -p --no-tools --no-extensions --no-session\n  pimento think use http://localhost:11434/api/chat --model qwen3:4b\n  pimento think try",
		args:    noArgs,
		run:     func(ctx context.Context, _ []string) error { return a.thinkShow(ctx) },
	}
	cmd.add(&command{use: "show", short: "which is on, and what it took", example: "  pimento think show --json", args: noArgs,
		run: func(ctx context.Context, _ []string) error { return a.thinkShow(ctx) }})
	cmd.add(thinkUseCmd(a))
	cmd.add(thinkWorthCmd(a))
	cmd.add(&command{use: "off", short: "ask none", example: "  pimento think off", args: noArgs,
		run: func(ctx context.Context, _ []string) error { return a.thinkSave(ctx, think.Choice{}) }})
	cmd.add(&command{use: "try [TEXT...]", short: "ask it something", example: "  pimento think try what is a pimento", args: anyArgs,
		run: a.thinkTry})
	return cmd
}

func thinkUseCmd(a *app) *command {
	var c think.Choice
	cmd := &command{
		use:   "use WHAT...",
		short: "turn one on",
		long: "Turn a language model on. WHAT is the address of an endpoint, ending in /v1/chat/completions or /api/chat, or, behind --, a program that reads the question from standard input and prints the answer, such as your agent. " +
			"Memories and excerpts of past sessions are sent to it. A program runs in an empty directory; give an agent no tools, because what it reads was written by others. " +
			"Its tokens are estimated, and what an agent adds of its own is not in the estimate.",
		example: "  pimento think use -- pi -p --no-tools --no-extensions --no-session\n  pimento think use https://api.example.com/v1/chat/completions --model m --key-env EXAMPLE_KEY --per-day 50000",
		args:    count{1, many},
		run:     func(ctx context.Context, args []string) error { return a.thinkUse(ctx, args, c) },
	}
	cmd.flagSet().StringVar(&c.Model, "model", "", "which `MODEL` of the endpoint; at Ollama "+think.DefaultModel+" without it")
	cmd.flagSet().StringVar(&c.KeyEnv, "key-env", "", "the environment `VARIABLE` that holds the endpoint's key")
	cmd.number(&c.MaxTokens, "per-call", 1, many, "at most `N` tokens for a question and its answer")
	cmd.number(&c.MaxTokensPerDay, "per-day", 1, many, "at most `N` tokens a day")
	cmd.number(&c.TimeoutSeconds, "timeout", 1, many, "wait `SECONDS` for an answer")
	return cmd
}

func (a *app) thinkUse(ctx context.Context, args []string, c think.Choice) error {
	if strings.Contains(args[0], "://") {
		if len(args) > 1 {
			return usageError("name its model with --model, its key with --key-env", "an address stands alone: %s", tool.OneLine(args[1], 60))
		}
		c.URL = args[0]
	} else {
		c.Command = a.runnable(args)
	}
	if err := c.Check(); err != nil {
		return err
	}
	return a.thinkSave(ctx, c)
}

// runnable is a command that can be run in another directory, as programs that answer
// are: in an empty one.
func (a *app) runnable(argv []string) []string {
	argv = slices.Clone(argv)
	if strings.ContainsRune(argv[0], filepath.Separator) {
		argv[0] = a.absolute(argv[0])
	}
	return argv
}

func (a *app) thinkSave(ctx context.Context, c think.Choice) error {
	d := a.dirs()
	if d.Config == "" {
		return usageError("set HOME, or PIMENTO_CONFIG_DIR", "no home directory to keep settings in")
	}
	if a.flags.dryRun {
		return a.wouldDo("use "+c.Name(), "")
	}
	var value any = think.None
	if c.On() {
		value = c
	}
	path := ownConfig(d)
	if err := setOwn(ctx, d, "thinker", value); err != nil {
		return err
	}
	return a.print(map[string]any{"thinker": value, "path": path}, func(p tool.Paint) string {
		if !c.On() {
			return "No language model is asked now. Written: " + path
		}
		return fmt.Sprintf("%s is asked from now on, with at most %d tokens a call and %d a day. Written: %s\nTry it: pimento think try",
			p.Accent(tool.Printable(c.Name())), c.PerCall(), c.PerDay(), path)
	})
}

func (a *app) thinkShow(ctx context.Context) error {
	return a.withEngine(func(e *engine.Engine) error {
		s, err := e.Spending(ctx)
		if err != nil {
			return err
		}
		return a.print(s, func(p tool.Paint) string { return tool.RenderSpending(s, p) })
	})
}

// thinkTry asks for a word, or what the person asks.
func (a *app) thinkTry(ctx context.Context, args []string) error {
	return a.withThinker(ctx, true, func(th think.Thinker) error {
		task := strings.Join(args, " ")
		if task == "" {
			task = "Say in one short sentence which language model you are."
		}
		if a.flags.dryRun {
			return a.wouldDo("ask", task)
		}
		t, err := th.Think(ctx, think.Ask{For: "try", Task: task, Max: 300})
		if err != nil {
			return err
		}
		return a.print(map[string]any{"text": t.Text, "by": t.By, "in": t.In, "out": t.Out, "counted": t.Counted}, func(p tool.Paint) string {
			about := "estimated"
			if t.Counted {
				about = "counted by the endpoint"
			}
			return tool.Printable(t.Text) + "\n" + p.Faint(fmt.Sprintf("%s: %d tokens in, %d out, %s", t.By, t.In, t.Out, about))
		})
	})
}

// openThinker opens the language model that somebody turned on.
func (a *app) openThinker(c think.Choice) (think.Thinker, error) {
	if c.URL != "" && c.Model == "" {
		c.Model = a.env.Getenv("PI_MIND_LLM_MODEL")
	}
	now, err := a.clock()
	if err != nil {
		return nil, err
	}
	places := think.Places{Helper: a.helper(), Spend: filepath.Join(a.dirs().State, "think"), Now: now}
	if c.KeyEnv != "" {
		if places.Key = a.env.Getenv(c.KeyEnv); places.Key == "" {
			return nil, usageError("set it, then try again", "the variable %s, which your config.json names, holds no key", tool.OneLine(c.KeyEnv, 60))
		}
	}
	return think.Open(c, places)
}

func thinkWorthCmd(a *app) *command {
	return &command{
		use:   "worth [off|answers|all]",
		short: "propose what an answer holds",
		long: "Look at each answer of an agent for something worth remembering: a correction, a fact that a tool brought, a decision. all looks at compactions, too: at what they take away, under a profile that proposes of it, else at their summaries. " +
			"What is found waits in the inbox. The language model is asked, if one is on; without one it goes by words. Off unless you say otherwise; alone it says what is set.",
		example: "  pimento think worth answers\n  pimento eval worth",
		args:    count{0, 1},
		run:     func(ctx context.Context, args []string) error { return a.thinkWorth(ctx, args) },
	}
}

func (a *app) thinkWorth(ctx context.Context, args []string) error {
	return a.withEngine(func(e *engine.Engine) error {
		if len(args) > 0 {
			if a.flags.dryRun {
				return a.wouldDo("look at "+args[0], "")
			}
			if err := e.SetWorth(ctx, args[0]); err != nil {
				return err
			}
		}
		now := e.Worth(ctx)
		return a.print(map[string]any{"worth": now}, func(tool.Paint) string {
			return map[string]string{"off": "Nothing is looked through.", "answers": "Each answer is looked at for something worth remembering; what is found waits in the inbox.",
				"all": "Each answer and each compaction is looked at for something worth remembering; what is found waits in the inbox."}[now]
		})
	})
}
