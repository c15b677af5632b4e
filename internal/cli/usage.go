package cli

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/tool"
	"github.com/pimento-memory/pimento/internal/usage"
)

func usageCmd(a *app) *command {
	rows := false
	cmd := &command{
		use: "usage",
		long: "What answers made of the memories that they were given: how many were used, which are dead weight, how many tokens were wasted. " +
			"It is judged by words, so a memory that is followed without a trace counts as not used.",
		example: "  pimento usage\n  pimento usage --jsonl\n  pimento plot usage --svg usage.svg",
		run: func(ctx context.Context, _ []string) error {
			return a.withEngine(func(e *engine.Engine) error {
				if rows {
					return a.usageRows(ctx, e)
				}
				return a.usage(ctx, e)
			})
		},
	}
	cmd.flagSet().BoolVar(&rows, "jsonl", false, "print the rows: injections, uses, past sessions")
	return cmd
}

func (a *app) usageRows(ctx context.Context, e *engine.Engine) error {
	var errs error
	err := e.UsageRows(ctx, func(row json.RawMessage) { errs = errors.Join(errs, a.say(string(row)+"\n")) })
	return errors.Join(err, errs)
}

func (a *app) usage(ctx context.Context, e *engine.Engine) error {
	sum, dead, err := e.Usage(ctx)
	if err != nil {
		return err
	}
	type day struct {
		Day          string  `json:"day"`
		Answers      int     `json:"answers"`
		Injected     int     `json:"injected"`
		Used         int     `json:"used"`
		Contradicted int     `json:"contradicted"`
		Rate         float64 `json:"rate"`
		Tokens       int     `json:"tokens"`
		Wasted       int     `json:"wasted"`
		PrefixUsed   int     `json:"prefix_used"`
	}
	of := func(d usage.Day) day {
		return day{d.Day, d.Answers, d.Injected, d.Used, d.Contradicted, d.Rate(), d.Tokens, d.Wasted, d.PrefixUsed}
	}
	type weight struct {
		ID string `json:"id"`
		entryPlace
		Text     string `json:"text"`
		Injected int    `json:"injected"`
	}
	total := of(sum.Day)
	total.Day = "all"
	out := struct {
		day
		Prompts  int      `json:"prompts"`
		Sessions int      `json:"sessions"`
		Days     []day    `json:"days"`
		Dead     []weight `json:"dead"`
	}{total, sum.Prompts, sum.Sessions, []day{}, []weight{}}
	for _, d := range sum.Days {
		out.Days = append(out.Days, of(d))
	}
	for _, d := range dead {
		en := d.Entry
		out.Dead = append(out.Dead, weight{en.Occurrence.String(), placeOf(en), en.Text, d.Injected})
	}
	return a.print(out, func(p tool.Paint) string { return tool.RenderUsage(sum, dead, p) })
}

func plotUsageCmd(a *app) *command {
	file := ""
	cmd := &command{
		use:     "usage",
		short:   "how many injected memories answers used, day by day",
		example: "  pimento plot usage\n  pimento plot usage --svg usage.svg",
		run: func(ctx context.Context, _ []string) error {
			return a.withEngine(func(e *engine.Engine) error {
				sum, _, err := e.Usage(ctx)
				if err != nil {
					return err
				}
				chart := tool.UsageBars(sum)
				switch {
				case file != "":
					return a.writeOut("write", file, []byte(chart.SVG()), 0o644)
				case len(chart.Bars) == 0:
					return a.print(chart, func(p tool.Paint) string { return tool.RenderUsage(sum, nil, p) })
				}
				return a.print(chart, func(p tool.Paint) string { return chart.Text(p.Columns()) })
			})
		},
	}
	cmd.flagSet().StringVar(&file, "svg", "", "write an SVG `FILE` (- for standard output)")
	return cmd
}
