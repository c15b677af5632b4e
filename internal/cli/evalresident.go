package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/pimento-memory/pimento/internal/eval"
	"github.com/pimento-memory/pimento/internal/fault"
	"github.com/pimento-memory/pimento/internal/tool"
)

func evalResidentCmd(a *app) *command {
	o := eval.ResidentOptions{Seed: 1}
	var budget string
	var lines, oracle bool
	seed := 1
	cmd := &command{
		use:   "resident",
		short: "what a long session lacks under three policies",
		long: "Live four made-up pieces of work, with rules, a plan, findings and compactions, under three policies: retrieval for each prompt alone, a summary at each compaction alone, and the profile resident. " +
			"A fault is counted when what a prompt needs stands neither in the agent's context nor in what memory gives it. " +
			"The budget is maxMemoryTokens; the other two policies get what resident has beside its index, too. " +
			"An oracle that tries every way to show what must stand says, of small sessions, whether there was anything to gain.",
		example: "  pimento eval resident\n  pimento eval resident --oracle --json\n  pimento eval resident --budget 120,500 --seed 7 --json",
		args:    noArgs,
	}
	cmd.run = func(ctx context.Context, _ []string) error {
		o.Seed = uint64(seed)
		var err error
		if o.Budgets, err = numbers(budget); err != nil {
			return err
		}
		var out []eval.Supply
		var held eval.Headroom
		err = a.inTemp(func(dir string) error {
			b := a.bench(dir)
			b.Profiles = "" // the policies are ours
			if oracle || !lines && !a.flags.json {
				if held, err = b.Headroom(ctx, oracleCases); err != nil || oracle {
					return err
				}
			}
			out, err = b.Supplies(ctx, o)
			return err
		})
		if err != nil {
			return err
		}
		if oracle {
			return a.print(held, func(tool.Paint) string { return headroomText(held) })
		}
		if lines {
			return jsonLines(a, out)
		}
		return a.print(out, func(p tool.Paint) string { return suppliesText(out, p) + "\n" + headroomText(held) })
	}
	f := cmd.flagSet()
	f.StringVar(&budget, "budget", "", "only these sizes of maxMemoryTokens: `N,N,...`")
	cmd.number(&seed, "seed", 1, many, "another piece of work of the same kind: `N`")
	f.BoolVar(&oracle, "oracle", false, "only what the oracle says")
	f.BoolVar(&lines, "jsonl", false, "print each row, one JSON object a line")
	return cmd
}

// oracleCases is how many small sessions the oracle looks at.
const oracleCases = 30

func headroomText(h eval.Headroom) string {
	verdict := "Nothing was to be gained."
	if h.Wrong+h.Unsaid+h.Faults > 0 {
		verdict = fmt.Sprintf("At %d of these some way would have fitted; at %d it was not said; %d faults could have been avoided.", h.Wrong, h.Unsaid, h.Faults)
	}
	return fmt.Sprintf("The oracle tried every way at %d prompts of %d small sessions; at %d the least set did not fit. %s", h.Prompts, h.Cases, h.Short, verdict)
}

// suppliesText is a row for each piece of work and budget.
func suppliesText(all []eval.Supply, p tool.Paint) string {
	var b strings.Builder
	policies := eval.Policies()
	fmt.Fprintf(&b, "Faults in %d prompts (and the tokens that memory took of one, on average)\n\n", all[0].Prompts)
	head := fmt.Sprintf("%-12s %6s", "work", "budget")
	for _, name := range policies {
		head += fmt.Sprintf("  %-13s", name)
	}
	b.WriteString(p.Bold(head) + "  the least set fits\n")
	for i := 0; i+len(policies) <= len(all); i += len(policies) {
		row := all[i : i+len(policies)]
		fmt.Fprintf(&b, "%-12s %6d", row[0].Workload, row[0].Budget)
		for _, s := range row {
			fmt.Fprintf(&b, "  %-13s", fmt.Sprintf("%d (%.0f)", s.Faults, s.Tokens))
		}
		last := row[len(row)-1]
		fmt.Fprintf(&b, "  at %d of %d prompts\n", last.Prompts-last.Short, last.Prompts)
	}
	b.WriteString("\n" + p.Bold(strings.TrimRight(fmt.Sprintf("%-28s%s", "in all, by kind", columnsOf(policies)), " ")) + "\n")
	for _, k := range fault.Kinds() {
		fmt.Fprintf(&b, "%-28s", k)
		for _, name := range policies {
			n := 0
			for _, s := range all {
				if s.Policy == name {
					n += s.Kinds[k]
				}
			}
			fmt.Fprintf(&b, "%-11d", n)
		}
		b.WriteString("\n")
	}
	b.WriteString("\nWhere the least set does not fit, resident says so in the block, and what is missing then is not counted.\n")
	return b.String()
}

func columnsOf(policies []eval.Policy) string {
	var b strings.Builder
	for _, name := range policies {
		fmt.Fprintf(&b, "%-11s", name)
	}
	return b.String()
}
