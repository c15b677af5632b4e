package cli

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/pimento-memory/pimento/eval/codemem"
	experiment "github.com/pimento-memory/pimento/eval/recall"
	"github.com/pimento-memory/pimento/internal/eval"
	"github.com/pimento-memory/pimento/internal/think"
	"github.com/pimento-memory/pimento/internal/tool"
)

func evalRecallCmd(a *app) *command {
	run := eval.EffectRun{Runs: 1}
	var model string
	var lines bool
	cmd := &command{
		use:   "recall",
		short: "what searching adds to what is injected anyway",
		long: "The experiment of the daybook's design document: 25 entries, 15 questions, answered from what a profile injects with search and without, and the questions that the document leaves open. " +
			"An answer counts when one of its keywords stands in what is injected; with --model-cmd a language model is asked, and its answer counts.",
		example: "  pimento eval recall\n  pimento eval recall --profile default\n  pimento eval recall --model-cmd \"pi -p --no-tools --no-extensions --no-session\" --runs 3",
		args:    noArgs,
	}
	cmd.run = func(ctx context.Context, _ []string) error {
		x, err := eval.ReadExperiment(experiment.FS)
		if err != nil {
			return err
		}
		projects, err := eval.Projects(codemem.FS)
		if err != nil {
			return err
		}
		run.Profile = cmp.Or(a.flags.profile, x.Setup.Profile)
		var s eval.Study
		err = a.inTemp(func(dir string) error {
			if run.Model, err = a.modelCommand(model, dir, 0); err != nil {
				return err
			}
			if run.Model != nil {
				defer run.Model.Close()
			}
			s, err = a.bench(dir).Study(ctx, x, projects, run)
			return err
		})
		if err != nil {
			return err
		}
		if lines {
			return a.studyLines(s)
		}
		return a.print(s, func(p tool.Paint) string { return studyText(s, p) })
	}
	f := cmd.flagSet()
	f.StringVar(&model, "model-cmd", "", "ask the program `COMMAND`, which reads the question from standard input and prints the answer")
	cmd.number(&run.Runs, "runs", 1, 100, "ask the model `N` times")
	f.BoolVar(&lines, "jsonl", false, "print each row of each table, one JSON object a line")
	return cmd
}

// evalTokens bounds what one evaluation may ask of a model: it was asked for in
// so many words, so the caps of a day's upkeep do not hold for it.
const evalTokens = 50_000_000

// modelCommand opens the program that --model-cmd names, nil for none. tokens is
// what one call may have, 0 for the usual.
func (a *app) modelCommand(command, dir string, tokens int) (think.Thinker, error) {
	if command == "" {
		return nil, nil
	}
	c := think.Choice{Command: strings.Fields(command), MaxTokens: tokens, MaxTokensPerDay: evalTokens}
	if err := c.Check(); err != nil {
		return nil, err
	}
	c.Command = a.runnable(c.Command)
	return think.Open(c, think.Places{Spend: filepath.Join(dir, "spend"), Now: a.env.Now})
}

// studyLines prints every row of every table.
func (a *app) studyLines(s eval.Study) error {
	var lines []map[string]any
	row := func(table string, v any) {
		lines = append(lines, map[string]any{"table": table, "profile": s.Profile, "row": v})
	}
	for _, r := range s.Rows {
		row("questions", r)
	}
	for _, r := range s.Totals {
		row("totals", r)
	}
	for _, r := range s.Times {
		row("times", r)
	}
	for _, r := range s.Wordings {
		row("wordings", r)
	}
	for _, r := range s.Growth {
		row("growth", r)
	}
	for _, r := range s.Survival {
		row("survival", r)
	}
	for _, r := range s.Open {
		row("open", r)
	}
	return jsonLines(a, lines)
}

// studyText is the report for a person.
func studyText(s eval.Study, p tool.Paint) string {
	var b strings.Builder
	fmt.Fprintf(&b, "What searching adds: profile %s, %d questions, answered ", s.Profile, len(s.Rows))
	if s.Asked {
		b.WriteString("by the model from what is injected\n\n")
	} else {
		b.WriteString("when a keyword stands in what is injected\n\n")
	}
	effectTable(&b, s.Effect, p)
	openTable(&b, s.Open, p)
	timesTable(&b, s, p)
	wordingsTable(&b, s, p)
	growthTable(&b, s, p)
	survivalTable(&b, s, p)
	return b.String()
}

func effectTable(b *strings.Builder, f eval.Effect, p tool.Paint) {
	line := "%-18s %-12s %8s %8s %7s\n"
	b.WriteString(p.Bold(strings.TrimSuffix(fmt.Sprintf(line, "ID", "Source", "With", "Without", "Delta"), "\n")) + "\n")
	row := func(r eval.EffectRow) {
		of := func(n int) string { return fmt.Sprintf("%d/%d", n, r.N) }
		fmt.Fprintf(b, line, r.ID, r.Source, of(r.With), of(r.Without), delta(r))
	}
	for _, r := range f.Rows {
		row(r)
	}
	b.WriteString("\n")
	gains := []string{}
	for _, t := range f.Totals {
		row(t)
		if t.Source != "" {
			gains = append(gains, t.Source+" "+delta(t))
		}
	}
	verdict := "The hypothesis held: what was logged days ago gains most"
	if !f.Held {
		verdict = "The hypothesis did not hold: what was logged days ago does not gain most"
	}
	fmt.Fprintf(b, "\n%s (%s).\n", verdict, strings.Join(gains, ", "))
}

// delta is a row's gain, in percent.
func delta(r eval.EffectRow) string {
	if d := 100 * r.Delta(); d != 0 {
		return fmt.Sprintf("%+.0f%%", d)
	}
	return "0%"
}

// openTable answers what the design left open, before the figures in detail.
func openTable(b *strings.Builder, open []eval.Opened, p tool.Paint) {
	question, answer := 0, 0
	for _, o := range open {
		question, answer = max(question, len(o.Question)), max(answer, len(o.Answer))
	}
	b.WriteString("\n" + p.Bold("What the design left open") + "\n")
	for _, o := range open {
		fmt.Fprintf(b, "  %-*s  %-*s  %s\n", question, o.Question, answer, o.Answer, o.Measured)
	}
}

func timesTable(b *strings.Builder, s eval.Study, p tool.Paint) {
	fmt.Fprintf(b, "\n%s\n", p.Bold(fmt.Sprintf("Milliseconds of a whole prompt; the design gives a search %g", s.LimitMS)))
	fmt.Fprintf(b, "  %-14s %16s %16s %16s\n", "", "nothing indexed", "new process", "running")
	for _, t := range s.Times {
		fmt.Fprintf(b, "  %-14s %16.1f %16.1f %16.1f\n", fmt.Sprintf("%d entries", t.Entries), t.Cold, t.Opened, t.Warm)
	}
}

func wordingsTable(b *strings.Builder, s eval.Study, p tool.Paint) {
	fmt.Fprintf(b, "\n%s\n", p.Bold(fmt.Sprintf("Answers among the first %d hits, by key words and by meaning", s.Hits)))
	if len(s.Wordings) == 0 {
		return
	}
	fmt.Fprintf(b, "  %-14s %16s %16s %27s\n", "", "the same words", "other words", fmt.Sprintf("%d paraphrases of codemem", s.Wordings[0].Asked))
	for _, w := range s.Wordings {
		fmt.Fprintf(b, "  %-14s %16s %16s %26.0f%%\n", w.By, fmt.Sprintf("%d/%d", w.Same, w.N), fmt.Sprintf("%d/%d", w.Other, w.N), 100*w.Paraphrases)
	}
}

func growthTable(b *strings.Builder, s eval.Study, p tool.Paint) {
	fmt.Fprintf(b, "\n%s\n", p.Bold("MEMORY.md as it grows: % of the evidence shown, by what a cut keeps"))
	fmt.Fprintf(b, "  %-5s %8s %10s %22s %26s\n", "", "", "", "without search", "with search")
	fmt.Fprintf(b, "  %-5s %8s %10s", "KB", "entries", "questions")
	for range 2 {
		b.WriteString("    ")
		for _, t := range eval.Trims() {
			fmt.Fprintf(b, " %6s", t)
		}
	}
	b.WriteString("\n")
	for _, g := range s.Growth {
		fmt.Fprintf(b, "  %-5d %8d %10d", g.KB, g.Entries, g.Asked)
		for _, share := range []map[string]float64{g.Without, g.With} {
			b.WriteString("    ")
			for _, t := range eval.Trims() {
				fmt.Fprintf(b, " %6.0f", 100*share[t])
			}
		}
		b.WriteString("\n")
	}
}

func survivalTable(b *strings.Builder, s eval.Study, p tool.Paint) {
	if len(s.Survival) == 0 {
		return
	}
	first := s.Survival[0]
	fmt.Fprintf(b, "\n%s\n", p.Bold(fmt.Sprintf("Of %d lines of the day's log and %d open tasks, known after a compaction", first.Lines, first.Open)))
	fmt.Fprintf(b, "  %-18s %22s %22s\n", "", "with handoff", "without")
	cell := func(v eval.Survival) string { return fmt.Sprintf("%d + %d (%d tok)", v.Log, v.Tasks, v.Tokens) }
	for _, with := range s.Survival {
		for _, without := range s.Survival {
			if with.Handoff && !without.Handoff && with.When == without.When {
				fmt.Fprintf(b, "  %-18s %22s %22s\n", with.When, cell(with), cell(without))
			}
		}
	}
}
