package tool

import (
	"fmt"
	"strings"

	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/plot"
	"github.com/pimento-memory/pimento/internal/usage"
)

// RenderUsage says what answers made of the memories that they were given.
func RenderUsage(sum usage.Sum, dead []engine.DeadWeight, p Paint) string {
	if sum.Answers == 0 {
		return "No answer has been judged here yet: it takes a harness that tells what the model answered, such as pi."
	}
	var b strings.Builder
	if sum.Injected == 0 {
		fmt.Fprintf(&b, "%s judged; nothing of memory stood beside their prompts", Plural(sum.Answers, "answer"))
	} else {
		fmt.Fprintf(&b, "%s of %s used (%.0f%%) in %s", p.Bold(fmt.Sprint(sum.Used)), Plural(sum.Injected, "injected memory"),
			100*usage.Rate(sum.Used, sum.Injected), Plural(sum.Answers, "answer"))
	}
	if sum.Contradicted > 0 {
		fmt.Fprintf(&b, ", %s", p.Warn(fmt.Sprint(sum.Contradicted, " contradicted")))
	}
	b.WriteString("\n")
	if sum.Injected > 0 {
		fmt.Fprintf(&b, "%d of %d injected tokens went to memories that the answer did not use\n", sum.Wasted, sum.Tokens)
	}
	if sum.PrefixUsed > 0 {
		fmt.Fprintf(&b, "what stands in the prefix was used %s\n", Plural(sum.PrefixUsed, "time"))
	}
	if sum.Sessions > 0 {
		fmt.Fprintf(&b, "past sessions stood beside %s\n", Plural(sum.Sessions, "prompt"))
	}
	if len(UsageBars(sum).Bars) > 1 {
		b.WriteString("\n" + UsageBars(sum).Text(min(80, p.Columns())) + "\n")
	}
	if len(dead) > 0 {
		b.WriteString("\n" + p.Bold("dead weight") + p.Faint(" (often injected, never used)") + "\n")
		for _, d := range dead {
			fmt.Fprintf(&b, "  %3dx  %s  %s\n        %s\n", d.Injected, d.Entry.Statement, p.Faint(Place(d.Entry)),
				OneLine(d.Entry.Text, max(20, p.Columns()-8)))
		}
		b.WriteString("Forget or edit one: pimento forget ID\n")
	}
	b.WriteString(p.Faint("A memory that is followed without a trace in the answer counts as not used.") + "\n")
	return b.String()
}

// usageDays is how many of the last days a chart shows.
const usageDays = 30

// UsageBars is the share of injected memories that answers used, day by day, in
// percent.
func UsageBars(sum usage.Sum) plot.Bars {
	bars := plot.Bars{Title: "injected memories that the answer used, in percent", Bars: []plot.Bar{}}
	for _, d := range sum.Days[max(0, len(sum.Days)-usageDays):] {
		if d.Injected == 0 {
			continue
		}
		bars.Bars = append(bars.Bars, plot.Bar{Name: d.Day, Value: 100 * d.Rate(), Note: fmt.Sprintf("%d of %d", d.Used, d.Injected)})
	}
	return bars
}
