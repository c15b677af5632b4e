package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pimento-memory/pimento/eval/codemem"
	"github.com/pimento-memory/pimento/internal/embed"
	"github.com/pimento-memory/pimento/internal/eval"
	"github.com/pimento-memory/pimento/internal/recall"
	"github.com/pimento-memory/pimento/internal/tool"
)

func evalCmd(a *app) *command {
	cmd := &command{
		use:     "eval",
		long:    "Measure recall: on the corpus that comes with pimento, or on your own data. Nothing of your memory is read.",
		example: "  pimento eval codemem\n  pimento eval recall\n  pimento eval resident\n  pimento eval rank --corpus C.jsonl --queries Q.jsonl --out R.jsonl",
		run: func(context.Context, []string) error {
			return usageError("use: pimento eval codemem, recall, rank, resident, worth, longmemeval or locomo", "eval of what?")
		},
	}
	cmd.add(evalRankCmd(a))
	cmd.add(evalCodememCmd(a))
	cmd.add(evalRecallCmd(a))
	cmd.add(evalResidentCmd(a))
	cmd.add(evalWorthCmd(a))
	cmd.add(evalLongMemEvalCmd(a))
	cmd.add(evalLocomoCmd(a))
	return cmd
}

// embedderFlag is what --embedder takes.
const embedderFlag = "`NAME` of the embedder: static, none, a model of `pimento model list`, an address, or chosen, which is what `pimento model use` chose"

// embedderOf is what --embedder names.
func (a *app) embedderOf(name string) (embed.Choice, error) {
	if name != "chosen" {
		c := embed.NamedChoice(name)
		return c, c.Check()
	}
	c, err := a.chosen(a.dirs())
	if err == nil && c == (embed.Choice{}) {
		err = usageError("choose one: pimento model use bge-small-en-v1.5", "no embedder is chosen")
	}
	return c, err
}

// chooseEmbedder opens what --embedder names.
func (a *app) chooseEmbedder(ctx context.Context, name string) (embed.Embedder, error) {
	c, err := a.embedderOf(name)
	if err != nil {
		return nil, err
	}
	return a.openEmbedder(ctx, c)
}

func evalRankCmd(a *app) *command {
	var corpus, queries, out, budget, level, embedder string
	order := "recall"
	k, floor := 50, eval.DefaultFloor
	cmd := &command{
		use:   "rank",
		short: "rank a corpus for queries, both JSON lines",
		long: "Rank foreign data with the code that recall uses. A corpus line is a JSON object with the keys id, text, and as far as they are known " +
			"date, author, type, section, path, tags, links, supersedes; lines of one section are neighbours. A query line has id, text, now. " +
			"A result line has id, hits, confidence, abstain, ms, budget. With --profile a budget holds what that profile would put in front of a model. " +
			"docs/FORMATS.md says more.",
		example: "  pimento eval rank --corpus C.jsonl --queries Q.jsonl -k 50 --budget 250,1000 --out R.jsonl",
		args:    noArgs,
	}
	cmd.run = func(ctx context.Context, _ []string) error {
		if corpus == "" || queries == "" {
			return usageError("name both, as in: pimento eval rank --corpus C.jsonl --queries Q.jsonl", "--corpus and --queries are needed")
		}
		if level != "entry" && level != "section" {
			return usageError("use entry or section", "unknown level: %s", tool.OneLine(level, 60))
		}
		if order != "recall" && order != "published" {
			return usageError("use recall or published", "unknown order: %s", tool.OneLine(order, 60))
		}
		budgets, err := numbers(budget)
		if err != nil {
			return err
		}
		e, err := a.chooseEmbedder(ctx, embedder)
		if err != nil {
			return err
		}
		lines, err := readLines(a.absolute(corpus), eval.ReadCorpus)
		if err != nil {
			return err
		}
		asked, err := readLines(a.absolute(queries), eval.ReadQuestions)
		if err != nil {
			return err
		}
		c, err := eval.NewCorpus(lines)
		if err != nil {
			return err
		}
		return a.inTemp(func(dir string) error {
			r, closer, err := c.Open(ctx, dir, e)
			if err != nil {
				return err
			}
			defer closer()
			r.K, r.Budgets, r.Sections, r.Floor, r.Clock, r.Params = k, budgets, level == "section", floor, a.env.Now, recall.DefaultParams()
			r.Published = order == "published"
			if a.flags.profile != "" {
				if err := r.Under(a.flags.profile, os.DirFS(filepath.Join(a.dirs().Config, "profiles"))); err != nil {
					return err
				}
			}
			return a.writeRankings(ctx, r, asked, out)
		})
	}
	f := cmd.flagSet()
	f.StringVar(&corpus, "corpus", "", "the entries, one JSON object a line, in `FILE`")
	f.StringVar(&queries, "queries", "", "the questions, one JSON object a line, in `FILE`")
	f.StringVar(&out, "out", "-", "write the results to `FILE`; - is standard output")
	cmd.number(&k, "k", 1, 10_000, "`N` hits for each query")
	f.StringVar(&budget, "budget", "", "also say what injections of so many tokens hold: `N,N,...`")
	f.StringVar(&level, "level", "entry", "rank each entry or each section: `LEVEL`")
	f.StringVar(&order, "order", order, "`ORDER` of hits: recall, or published (similarity * 100 + stability, pinned first)")
	f.StringVar(&embedder, "embedder", "static", embedderFlag)
	f.Float64Var(&floor, "floor", floor, "abstain below this `CONFIDENCE`")
	return cmd
}

// inTemp runs f with a directory of its own that is removed afterwards.
func (a *app) inTemp(f func(dir string) error) error {
	dir, err := os.MkdirTemp("", "pimento-eval-")
	if err != nil {
		return err
	}
	return errors.Join(f(dir), os.RemoveAll(dir))
}

func readLines[T any](path string, read func(r io.Reader, name string) ([]T, error)) ([]T, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, usageError("check the path", "%v", err)
	}
	defer f.Close()
	return read(f, path)
}

// numbers reads "250,500".
func numbers(s string) ([]int, error) {
	var out []int
	for part := range strings.SplitSeq(s, ",") {
		if s == "" {
			break
		}
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || n < 1 {
			return nil, usageError("write it as 250,500,1000", "not a list of numbers: %s", tool.OneLine(s, 60))
		}
		out = append(out, n)
	}
	return out, nil
}

// writeRankings answers the questions, one line each.
func (a *app) writeRankings(ctx context.Context, r *eval.Ranker, asked []eval.Question, out string) (err error) {
	w := a.env.Stdout
	if a.flags.dryRun {
		out = "-"
	}
	if out != "-" {
		f, err2 := os.Create(a.absolute(out))
		if err2 != nil {
			return usageError("check the path", "%v", err2)
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		w = f
	}
	b := bufio.NewWriter(w)
	enc := encoder(b)
	for i, q := range asked {
		if err := ctx.Err(); err != nil {
			return errors.Join(err, b.Flush())
		}
		if err := enc.Encode(r.Rank(ctx, q)); err != nil {
			return err
		}
		a.progress(i+1, len(asked), out != "-")
	}
	return b.Flush()
}

// progress shows how far a long run is, on a terminal only.
func (a *app) progress(done, total int, show bool) {
	if !show || !a.live(a.env.Stderr) || done%8 != 0 && done != total {
		return
	}
	const width = 30
	bar := strings.Repeat("#", width*done/total) + strings.Repeat(".", width-width*done/total)
	end := ""
	if done == total {
		end = "\r" + strings.Repeat(" ", width+30) + "\r"
	}
	fmt.Fprintf(a.env.Stderr, "\r%s %d of %d%s", bar, done, total, end)
}

func evalCodememCmd(a *app) *command {
	o := eval.Options{}
	var embedder, profiles, budget string
	var lines, ablate bool
	cmd := &command{
		use:   "codemem",
		short: "the coding-memory corpus: three projects, 835 questions",
		long: "Ask the questions of the built-in corpus and print how well they are answered. --split dev is what constants are chosen on, test is for reading only. " +
			"With --profiles they are asked as prompts, and the table says what each profile puts in front of a model, as it ships and at equal sizes.",
		example: "  pimento eval codemem\n  pimento eval codemem --distractors 1000 --ablate\n  pimento eval codemem --profiles all --budget 500,1000,2000,4000",
		args:    noArgs,
	}
	cmd.run = func(ctx context.Context, _ []string) error {
		if o.Split != "dev" && o.Split != "test" {
			return usageError("use dev or test", "unknown split: %s", tool.OneLine(o.Split, 60))
		}
		by, err := a.embedderOf(embedder)
		if err != nil {
			return err
		}
		if o.Embedder, err = a.openEmbedder(ctx, by); err != nil {
			return err
		}
		projects, err := eval.Projects(codemem.FS)
		if err != nil {
			return err
		}
		if profiles != "" {
			if ablate {
				return usageError("leave one of them out", "--ablate is about ranking, --profiles about what is injected")
			}
			return a.placements(ctx, projects, o, by, profiles, budget, lines)
		}
		o.Params, o.Ranker = recall.DefaultParams(), func(r *eval.Ranker) { r.Clock = a.env.Now }
		o.Progress = func(done, total int) { a.progress(done, total, true) }
		if ablate {
			return a.ablations(ctx, projects, o)
		}
		rep, err := eval.Run(ctx, projects, o)
		if err != nil {
			return err
		}
		if lines {
			return a.resultLines(rep)
		}
		return a.print(rep, func(p tool.Paint) string { return codememTable(rep, p) })
	}
	f := cmd.flagSet()
	f.StringVar(&o.Split, "split", "test", "the questions of `SPLIT`: dev or test")
	cmd.number(&o.Distractors, "distractors", 0, 200_000, "add `N` made-up notes to each project")
	f.StringVar(&embedder, "embedder", "static", embedderFlag)
	f.StringVar(&profiles, "profiles", "", "measure the blocks of the profiles `NAME,NAME`, or of all that ship: all")
	f.StringVar(&budget, "budget", "500,1000,2000,4000", "with --profiles: sizes in tokens, `N,N`; each limit of a profile in the same proportion")
	f.BoolVar(&lines, "jsonl", false, "print each question's ranking (with --profiles each figure), one JSON object a line")
	f.BoolVar(&ablate, "ablate", false, "switch each factor off in turn and show what changes")
	return cmd
}

// resultLines prints the rankings themselves.
func (a *app) resultLines(rep eval.Report) error {
	type line struct {
		eval.Ranking
		Type  string   `json:"type"`
		Gold  []string `json:"gold"`
		Stale []string `json:"stale,omitempty"`
	}
	var lines []line
	for _, r := range rep.Results {
		lines = append(lines, line{r.Ranking, r.Type, r.Gold, r.Stale})
	}
	return jsonLines(a, lines)
}

// codememTable is a report for a person.
func codememTable(rep eval.Report, p tool.Paint) string {
	var b strings.Builder
	keys := eval.BudgetKeys()
	fmt.Fprintf(&b, "codemem, split %s, %d distractors for each project\n\n", rep.Split, rep.Distractors)
	b.WriteString(p.Bold(fmt.Sprintf("%-12s %4s %6s %6s %6s %6s %6s %6s  %s", "type", "n", "first", "R@1", "R@5", "R@10", "MRR", "nDCG", "R@5 95%  in "+strings.Join(keys, "/")+" tokens")) + "\n")
	for _, r := range rep.Rows {
		var in []string
		for _, k := range keys {
			in = append(in, fmt.Sprintf("%.0f", 100*r.Budget[k]))
		}
		likely := fmt.Sprintf("%.0f-%.0f", 100*r.R5Low, 100*r.R5High)
		fmt.Fprintf(&b, "%-12s %4d %6.1f %6.1f %6.1f %6.1f %6.1f %6.1f  %-7s  %s", r.Type, r.N, 100*r.Hit1, 100*r.R1, 100*r.R5, 100*r.R10, 100*r.MRR, 100*r.NDCG, likely, strings.Join(in, "/"))
		if r.Type == "update" {
			fmt.Fprintf(&b, "  stale first %.1f%%", 100*r.Stale)
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "\noutdated answers that come first: %s where a mark says that they were replaced, %s where none does\n", shareOf(rep.Marked), shareOf(rep.Unmarked))
	fmt.Fprintf(&b, "abstention AUC %.3f, unanswerable and yet answered %.0f%%; %.2f ms a question (p95 %.2f)\n", rep.Abstention, 100*rep.False, rep.P50, rep.P95)
	fmt.Fprintf(&b, "index %.2f MB and vectors %.2f MB for %.2f MB of text in %d entries\n", float64(rep.IndexBytes)/1e6, float64(rep.VectorBytes)/1e6, float64(rep.TextBytes)/1e6, rep.Entries)
	return b.String()
}

func shareOf(s eval.Stale) string { return fmt.Sprintf("%d of %d", s.First, s.N) }

// ablations switches factors off one by one.
func (a *app) ablations(ctx context.Context, projects []eval.Project, o eval.Options) error {
	type change struct {
		Factor string  `json:"off"`
		R1     float64 `json:"r1"`
		R5     float64 `json:"r5"`
		R10    float64 `json:"r10"`
		MRR    float64 `json:"mrr"`
		AUC    float64 `json:"abstention_auc"`
	}
	var out []change
	for _, off := range append([]string{""}, recall.Factors()...) {
		o.Params = recall.DefaultParams().Without(off)
		rep, err := eval.Run(ctx, projects, o)
		if err != nil {
			return err
		}
		all := rep.Rows[len(rep.Rows)-1]
		out = append(out, change{off, all.R1, all.R5, all.R10, all.MRR, rep.Abstention})
	}
	return a.print(out, func(p tool.Paint) string {
		var b strings.Builder
		b.WriteString(p.Bold(fmt.Sprintf("%-14s %6s %6s %6s %6s %6s", "without", "R@1", "R@5", "R@10", "MRR", "AUC")) + "\n")
		for i, c := range out {
			name := c.Factor
			if i == 0 {
				name = "(all factors)"
			}
			fmt.Fprintf(&b, "%-14s %6.1f %6.1f %6.1f %6.1f %6.3f\n", name, 100*c.R1, 100*c.R5, 100*c.R10, 100*c.MRR, c.AUC)
		}
		return b.String()
	})
}
