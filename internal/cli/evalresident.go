package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/pimento-memory/pimento/internal/eval"
	"github.com/pimento-memory/pimento/internal/fault"
	"github.com/pimento-memory/pimento/internal/tool"
)

func evalResidentCmd(a *app) *command {
	o := eval.ResidentOptions{Seed: 1}
	var budget string
	var lines bool
	var seed int
	cmd := &command{
		use:   "resident",
		short: "what a long session lacks under three policies",
		long: "Live four made-up pieces of work, with rules, a plan, findings and compactions, under three policies: retrieval for each prompt alone, a summary at each compaction alone, and the profile resident. " +
			"A fault is counted when what a prompt needs stands neither in the agent's context nor in what memory gives it. " +
			"The budget is maxMemoryTokens; the other two policies get what resident has beside its index, too.",
		example: "  pimento eval resident\n  pimento eval resident --budget 120,500 --seed 7 --json",
		args:    noArgs,
	}
	cmd.run = func(ctx context.Context, _ []string) error {
		if seed < 1 {
			return usageError("use a number from 1 on", "--seed %d is out of range", seed)
		}
		o.Seed = uint64(seed)
		var err error
		if o.Budgets, err = numbers(budget); err != nil {
			return err
		}
		var out []eval.Supply
		err = a.inTemp(func(dir string) error {
			b := a.bench(dir)
			b.Profiles = "" // the policies are ours
			out, err = b.Supplies(ctx, o)
			return err
		})
		if err != nil {
			return err
		}
		if lines {
			enc := json.NewEncoder(a.env.Stdout)
			for _, s := range out {
				if err := enc.Encode(s); err != nil {
					return err
				}
			}
			return nil
		}
		return a.print(out, func(p tool.Paint) string { return suppliesText(out, p) })
	}
	f := cmd.flagSet()
	f.StringVar(&budget, "budget", "", "only these sizes of maxMemoryTokens: `N,N,...`")
	f.IntVar(&seed, "seed", 1, "another piece of work of the same kind: `N`")
	f.BoolVar(&lines, "jsonl", false, "print each row, one JSON object a line")
	return cmd
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
