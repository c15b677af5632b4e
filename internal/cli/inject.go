package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/tool"
)

func injectCmd(a *app) *command {
	t := pimento.Turn{Event: pimento.PromptTurn}
	cmd := &command{
		use: "inject [PROMPT...]",
		long: "Print what the model would be given with this prompt: the prefix, which stays the same for a session, and the tail, which is for this prompt. " +
			"Without --session it starts from nothing and leaves only a record for why and traces; with --dry-run not even that.",
		example: "  pimento inject how do we deploy\n  pimento inject --json --session s1 \"why does the build fail\"",
		args:    anyArgs,
		run: func(ctx context.Context, args []string) (err error) {
			t.Prompt = strings.Join(args, " ")
			if len(args) == 0 || t.Prompt == "-" {
				if t.Prompt, err = a.stdin("prompt"); err != nil {
					return err
				}
			}
			return a.inject(ctx, t)
		},
	}
	f := cmd.flagSet()
	f.StringVar(&t.Session, "session", "", "in the session `ID`; without it from nothing")
	f.StringVar(&t.Harness, "harness", "cli", "of the harness `NAME`")
	f.BoolVar(&t.Main, "main", false, "as in a session that a person leads, not a subagent")
	cmd.number(&t.SystemTokens, "system-tokens", 0, many, "the rest of the prompt takes `N` tokens")
	return cmd
}

func (a *app) inject(ctx context.Context, t pimento.Turn) error {
	brief()
	return a.reading(ctx, func(e *engine.Engine) error {
		t.Dir, t.Look = e.Dir(), true
		if a.flags.dryRun {
			t.Session = "" // stateless
		}
		rep, after := tool.Turn(ctx, e, t)
		err := a.verbatim(rep.Block, func(p tool.Paint) string {
			if rep.Block.Prefix == "" && rep.Block.Tail == "" {
				return nothing(ctx, e, t.Session)
			}
			return blockText(rep.Block, alreadyShown(ctx, e, rep.Block), p)
		})
		if !a.flags.json {
			a.beside(rep)
		}
		if !a.flags.dryRun {
			after(ctx)
		}
		return err
	})
}

// beside says on standard error what is no part of the block.
func (a *app) beside(rep tool.TurnReply) {
	if rep.Notice != "" {
		a.note("%s", tool.Printable(rep.Notice))
	}
	a.noteFaults(rep.Block.Faults)
}

// alreadyShown is what bears on the prompt of an empty tail and needs no saying
// again.
func alreadyShown(ctx context.Context, e *engine.Engine, b pimento.Block) []string {
	if b.Tail != "" {
		return nil
	}
	var texts []string
	for _, d := range tool.AlreadyShown(b) {
		if len(texts) == 3 {
			break
		}
		if en, err := e.Entry(ctx, d.Entry); err == nil {
			texts = append(texts, en.Text)
		}
	}
	return texts
}

// nothing says why a block is empty.
func nothing(ctx context.Context, e *engine.Engine, session string) string {
	switch st := e.Status(ctx, session); {
	case st.Enabled && !st.Off:
		return "Nothing would be injected. Write the first memory: pimento remember \"...\""
	case st.Off:
		return "Nothing is injected: memory is off in this session. In pi, /memory on switches it on."
	default:
		return "Nothing is injected: memory is off. A config.json says \"enabled\": false."
	}
}

// blockText is a block for a person: both zones with a ruler above each.
func blockText(b pimento.Block, already []string, p tool.Paint) string {
	var out strings.Builder
	zone := func(name, text string) {
		if text == "" {
			fmt.Fprintf(&out, "%s\n", p.Faint("--- "+name+": empty"))
			return
		}
		fmt.Fprintf(&out, "%s\n%s\n", p.Faint("--- "+name), tool.Printable(strings.TrimRight(text, "\n")))
	}
	zone("prefix", b.Prefix)
	zone("tail", b.Tail)
	if b.Tail == "" {
		for _, text := range already {
			out.WriteString(p.Fit("    already in front of the model: " + tool.OneLine(text, max(20, p.Columns()-35)) + "\n"))
		}
	}
	foot := fmt.Sprintf("--- %d tokens, profile %s", b.Tokens, b.Profile)
	if b.TraceID != "" {
		foot += ", trace " + b.TraceID
	}
	out.WriteString(p.Fit(p.Faint(foot) + "\n"))
	return out.String()
}
