package cli

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento/internal/embed"
	"github.com/pimento-memory/pimento/internal/eval"
	"github.com/pimento-memory/pimento/internal/tool"
)

// bench is what memories are measured on: machines of their own in dir, with the
// user's profiles and embedders.
func (a *app) bench(dir string) eval.Bench {
	return eval.Bench{Temp: dir, Clock: a.env.Now, Profiles: filepath.Join(a.dirs().Config, "profiles"), Embed: a.openEmbedder,
		Progress: func(done, total int) { a.progress(done, total, true) }}
}

// placements shows what each profile puts in front of a model.
func (a *app) placements(ctx context.Context, projects []eval.Project, run eval.Options, by embed.Choice, profiles, budget string, lines bool) error {
	o := eval.PlacementOptions{Split: run.Split, Embedder: by}
	if profiles != "all" {
		o.Profiles = strings.Split(profiles, ",")
	}
	for i, p := range projects {
		projects[i].Lines = append(p.Lines, p.Distract(run.Distractors, 1)...)
	}
	var err error
	if o.Budgets, err = numbers(budget); err != nil {
		return err
	}
	var out []eval.Placement
	err = a.inTemp(func(dir string) error {
		out, err = a.bench(dir).Place(ctx, projects, o)
		return err
	})
	if err != nil {
		return err
	}
	if lines {
		return jsonLines(a, out)
	}
	return a.print(out, func(p tool.Paint) string { return placementTable(out, run.Split, p) })
}

// placementTable is one row for each profile and one column for each size, and
// below it what the profiles as they ship are good at.
func placementTable(all []eval.Placement, split string, p tool.Paint) string {
	var b strings.Builder
	cells, widths := [][]string{{"profile"}}, []int{}
	for _, pl := range all {
		row := cells[len(cells)-1]
		if pl.Budget == 0 {
			row = []string{pl.Profile}
			cells = append(cells, row)
		}
		if len(cells) == 2 {
			cells[0] = append(cells[0], headOf(pl.Budget))
		}
		cells[len(cells)-1] = append(row, fmt.Sprintf("%.1f (%.0f)", 100*pl.Evidence, pl.Tokens))
	}
	for _, row := range cells {
		for i, c := range row {
			widths = append(widths, 0)
			widths[i] = max(widths[i], len(c))
		}
	}
	fmt.Fprintf(&b, "codemem, split %s: %% of the evidence that stands in the block, whole (and the tokens that a block takes)\n\n", split)
	for i, row := range cells {
		line := ""
		for j, c := range row {
			line += tool.Pad(c, widths[j]+2)
		}
		line = strings.TrimRight(line, " ")
		if i == 0 {
			line = p.Bold(line)
		}
		b.WriteString(line + "\n")
	}
	return b.String() + "\n" + shippedTable(all, p)
}

func headOf(budget int) string {
	if budget == 0 {
		return "as it ships"
	}
	return fmt.Sprintf("%d tokens", budget)
}

// shippedTable has one column for each profile, as it ships.
func shippedTable(all []eval.Placement, p tool.Paint) string {
	ship := slices.DeleteFunc(slices.Clone(all), func(pl eval.Placement) bool { return pl.Budget != 0 })
	var b strings.Builder
	row := func(name string, cell func(eval.Placement) string) string {
		line := tool.Pad(name, 34)
		for _, pl := range ship {
			line += " " + strings.Repeat(" ", max(0, 9-len(cell(pl)))) + cell(pl)
		}
		return line
	}
	share := func(of func(eval.Placement) float64) func(eval.Placement) string {
		return func(pl eval.Placement) string { return fmt.Sprintf("%.1f", 100*of(pl)) }
	}
	b.WriteString(p.Bold(row("as it ships", func(pl eval.Placement) string { return pl.Profile })) + "\n")
	for _, typ := range slices.Sorted(maps.Keys(ship[0].Types)) {
		b.WriteString(row(typ, share(func(pl eval.Placement) float64 { return pl.Types[typ] })) + "\n")
	}
	b.WriteString(row("evidence, or its page named", share(func(pl eval.Placement) float64 { return pl.Named })) + "\n")
	b.WriteString(row("only what was replaced (of update)", share(func(pl eval.Placement) float64 { return pl.Stale })) + "\n")
	b.WriteString(row("recalled for another project's", share(func(pl eval.Placement) float64 { return pl.Foreign })) + "\n")
	b.WriteString(row("recalled though nothing answers", share(func(pl eval.Placement) float64 { return pl.Noise })) + "\n")
	size := func(of func(eval.Recalled) float64) func(eval.Placement) string {
		return func(pl eval.Placement) string { return fmt.Sprintf("%.0f", of(pl.Recalled)) }
	}
	b.WriteString(p.Bold("tokens recalled by one question") + "\n")
	b.WriteString(row("that memory answers", size(func(r eval.Recalled) float64 { return r.Answered })) + "\n")
	b.WriteString(row("that nothing answers", size(func(r eval.Recalled) float64 { return r.Unanswered })) + "\n")
	b.WriteString(row("about another project", size(func(r eval.Recalled) float64 { return r.Foreign })) + "\n")
	return b.String()
}
