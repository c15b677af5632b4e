package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/pimento-memory/pimento/internal/eval"
	"github.com/pimento-memory/pimento/internal/tool"
)

// A benchmark is a public set of conversations and questions that a user has
// downloaded.
type benchmark struct {
	name, title string
	share       bool // its recall is a share of the evidence
	f1          bool // it scores answers by words
	read        func(r io.Reader, name string, each func(d eval.Dialogue, dropped int, read int64) error) error
}

func evalLongMemEvalCmd(a *app) *command {
	return a.dialogueCmd(benchmark{name: "longmemeval", title: "LongMemEval", read: eval.LongMemEval},
		"Ask the questions of LongMemEval (longmemeval_s.json and its sisters, downloaded by you), each of a memory of its own. "+
			"As its authors do it, only what the user said is searched. The official protocol leaves out what has no answer and wants all of the evidence; "+
			"recall-any, which others report, asks every question and is content with one piece.")
}

func evalLocomoCmd(a *app) *command {
	return a.dialogueCmd(benchmark{name: "locomo", title: "LoCoMo", share: true, f1: true, read: eval.LoCoMo},
		"Ask the questions of LoCoMo (locomo10.json, downloaded by you) of each of its conversations. "+
			"The official recall is the share of the evidence that is found; recall-any is content with one piece. Questions without evidence are left out of both.")
}

func (a *app) dialogueCmd(of benchmark, long string) *command {
	run := eval.DialogueRun{Level: eval.SessionLevel, F1: of.f1, Share: of.share, Tokens: 8000}
	var embedder, model string
	var lines bool
	cmd := &command{
		use:   of.name + " FILE",
		short: "the benchmark " + of.title + ", from a file that you have",
		long: long + " With --model-cmd a language model answers from what ranks best, and then says whether the answers are right. " +
			"Nothing of the data comes with pimento, and none was looked at when its constants were chosen.",
		example: fmt.Sprintf("  pimento eval %[1]s data.json\n  pimento eval %[1]s data.json --level turn --limit 50 --jsonl > results.jsonl\n"+
			"  pimento eval %[1]s data.json --limit 20 --model-cmd \"pi -p --no-tools --no-extensions --no-session\"", of.name),
		args: count{1, 1},
	}
	cmd.run = func(ctx context.Context, args []string) (err error) {
		if run.Level != eval.SessionLevel && run.Level != eval.TurnLevel {
			return usageError("use session or turn", "unknown level: %s", tool.OneLine(run.Level, 60))
		}
		if run.Embedder, err = a.chooseEmbedder(ctx, embedder); err != nil {
			return err
		}
		return a.inTemp(func(dir string) error {
			if run.Model, err = a.modelCommand(model, dir, run.Tokens+4000); err != nil {
				return err
			}
			if run.Model != nil {
				defer run.Model.Close()
			}
			run.Temp, run.Clock = dir, a.env.Now
			rep, err := a.dialogues(ctx, of, args[0], &run, lines)
			if err != nil || lines {
				return err
			}
			return a.print(rep, func(p tool.Paint) string { return dialogueTable(rep, of, p) })
		})
	}
	f := cmd.flagSet()
	f.StringVar(&run.Level, "level", run.Level, "rank whole sessions or single messages: `LEVEL` session or turn")
	cmd.number(&run.Limit, "limit", 1, many, "ask the first `N` questions only")
	f.StringVar(&embedder, "embedder", "static", embedderFlag)
	f.StringVar(&model, "model-cmd", "", "ask the program `COMMAND`, which reads the question from standard input and prints the answer")
	cmd.number(&run.Tokens, "tokens", 100, 1_000_000, "with --model-cmd: give it `N` tokens of memory, best first")
	f.BoolVar(&lines, "jsonl", false, "print a line for each question instead of the table")
	return cmd
}

// dialogues reads and asks, as far as the limit goes.
func (a *app) dialogues(ctx context.Context, of benchmark, path string, run *eval.DialogueRun, lines bool) (rep eval.DialogueReport, err error) {
	rep.Benchmark, rep.Level = of.title, run.Level
	f, err := os.Open(a.absolute(path))
	if err != nil {
		return rep, usageError("name the file that you downloaded", "%v", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return rep, err
	}
	if lines {
		enc := encoder(a.env.Stdout)
		run.Each = func(found eval.Found) error { return enc.Encode(found) }
	}
	asked := 0
	err = of.read(bufio.NewReaderSize(f, 1<<20), path, func(d eval.Dialogue, dropped int, read int64) error {
		if run.Limit > 0 && asked >= run.Limit {
			return io.EOF // enough
		}
		asked += len(d.Asked)
		rep.Dropped += dropped
		err := rep.Add(ctx, d, run)
		a.progress(int(100*read/max(info.Size(), 1)), 100, !lines || !isTerminal(a.env.Stdout))
		return err
	})
	if err == io.EOF {
		err = nil
	}
	a.progress(100, 100, err == nil)
	rep.Sum()
	return rep, err
}

// dialogueTable shows both protocols side by side.
func dialogueTable(rep eval.DialogueReport, of benchmark, p tool.Paint) string {
	var b strings.Builder
	what := "all of the evidence among the first"
	if of.share {
		what = "share of the evidence among the first"
	}
	keys := eval.DepthKeys()
	head := func(keys []string) (s string) {
		for _, k := range keys {
			s += fmt.Sprintf(" %5s", "R@"+k)
		}
		return s
	}
	fmt.Fprintf(&b, "%s, ranked by %s\n\n", rep.Benchmark, rep.Level)
	wide := 6*len(keys) + 5 + 7
	fmt.Fprintf(&b, "%-26s %-*s  %s\n", "", wide, "official: "+what, "recall-any: one piece of it")
	line := fmt.Sprintf("%-26s %5s%s %6s  %5s%s", "type", "n", head(keys), "nDCG", "n", head(keys))
	asked := rep.Rows[len(rep.Rows)-1].Asked > 0
	if asked {
		line += "  answered"
		if of.f1 {
			line += "    F1"
		}
	}
	b.WriteString(p.Bold(line) + "\n")
	for _, r := range rep.Rows {
		fmt.Fprintf(&b, "%-26s %5d%s %6.1f  %5d%s", tool.OneLine(r.Type, 26), r.Official.N, recalls(r.Official, keys), 100*r.Official.NDCG, r.Any.N, recalls(r.Any, keys))
		if asked {
			fmt.Fprintf(&b, "  %8s", fmt.Sprintf("%d/%d", r.Right, r.Asked))
			if of.f1 {
				fmt.Fprintf(&b, " %5.1f", 100*r.F1)
			}
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "\n%d messages searched, memories: %d; %.2f ms a search (p95 %.2f)\n", rep.Messages, rep.Memories, rep.P50, rep.P95)
	if rep.Dropped > 0 {
		fmt.Fprintf(&b, "evidence that names no message of its conversation, left out: %d\n", rep.Dropped)
	}
	return b.String()
}

func recalls(t eval.Tally, keys []string) (s string) {
	for _, k := range keys {
		if t.N == 0 {
			s += fmt.Sprintf(" %5s", "-")
		} else {
			s += fmt.Sprintf(" %5.1f", 100*t.Recall[k])
		}
	}
	return s
}
