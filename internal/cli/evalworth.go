package cli

import (
	"context"
	"fmt"
	"strings"

	worthset "github.com/pimento-memory/pimento/eval/worth"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/eval"
	"github.com/pimento-memory/pimento/internal/profile"
	"github.com/pimento-memory/pimento/internal/think"
	"github.com/pimento-memory/pimento/internal/tool"
)

func evalWorthCmd(a *app) *command {
	var split string
	var model, wrong bool
	cmd := &command{
		use:   "worth",
		short: "what is worth remembering: 261 exchanges, labelled by hand",
		long: "Show exchanges to the detector of what is worth remembering, and print how often it is right. By words alone, or, with --think, by the language model that you turned on, which costs tokens. " +
			"--split dev is what words and constants were chosen on; test was written afterwards.",
		example: "  pimento eval worth\n  pimento eval worth --split test --wrong\n  pimento eval worth --think",
		args:    noArgs,
	}
	cmd.run = func(ctx context.Context, _ []string) error {
		if split != "dev" && split != "test" && split != "all" {
			return usageError("use dev, test or all", "unknown split: %s", tool.OneLine(split, 60))
		}
		cases, err := eval.WorthCases(worthset.Cases)
		if err != nil {
			return err
		}
		p, _, err := profile.Load("default", nil, nil)
		if err != nil {
			return err
		}
		return a.withThinker(ctx, model, func(th think.Thinker) error {
			r, err := eval.Worth(ctx, cases, strings.TrimSuffix(split, "all"), p.Overhear, th, func(done, total int) { a.progress(done, total, th != nil) })
			if err != nil {
				return err
			}
			return a.print(r, func(p tool.Paint) string { return worthTable(r, wrong, p) })
		})
	}
	f := cmd.flagSet()
	f.StringVar(&split, "split", "test", "the exchanges of `SPLIT`: dev, test or all")
	f.BoolVar(&model, "think", false, "ask the language model of pimento think")
	f.BoolVar(&wrong, "wrong", false, "list what it got wrong")
	return cmd
}

// withThinker opens the user's language model, if it is wanted, and passes nil if
// it is not.
func (a *app) withThinker(ctx context.Context, want bool, f func(think.Thinker) error) error {
	if !want {
		return f(nil)
	}
	return a.withEngine(func(e *engine.Engine) error {
		th, err := e.Thinker(ctx)
		if err != nil {
			return err
		}
		if th == nil {
			return usageError("turn one on: pimento think use --help", "no language model is turned on")
		}
		defer th.Close()
		return f(th)
	})
}

func worthTable(r eval.WorthReport, wrong bool, p tool.Paint) string {
	var b strings.Builder
	split := r.Split
	if split == "" {
		split = "all"
	}
	fmt.Fprintf(&b, "worth remembering, split %s, by %s\n\n%s\n", split, tool.Printable(r.By), p.Bold(fmt.Sprintf("%-24s %4s %6s %6s", "class", "n", "found", "right")))
	names := map[string]string{"A": "A wanted by the user", "B": "B fetched by a tool", "C": "C decided or learned", "D": "D status", "E": "E serves once", "F": "F small talk", "G": "G ordinary work"}
	for _, row := range r.Rows {
		right := ""
		if row.Class <= "C" {
			right = fmt.Sprint(row.Right)
		}
		fmt.Fprintf(&b, "%s\n", strings.TrimRight(fmt.Sprintf("%-24s %4d %6d %6s", names[row.Class], row.N, row.Found, right), " "))
	}
	fmt.Fprintf(&b, "\nprecision %.2f, recall %.2f\n", r.Precision, r.Recall)
	if r.Tokens > 0 {
		fmt.Fprintf(&b, "%d tokens", r.Tokens)
		if r.Failed > 0 {
			fmt.Fprintf(&b, ", %s without an answer", tool.Plural(r.Failed, "exchange"))
		}
		b.WriteString("\n")
	}
	if wrong {
		for _, c := range r.Wrong {
			fmt.Fprintf(&b, "\n%s %s\n  %s\n", p.Warn(c.Class), tool.OneLine(c.Prompt, 200), p.Faint(tool.OneLine(c.Answer, 200)))
		}
	}
	return b.String()
}
