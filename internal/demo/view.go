package demo

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/tool"
)

// prefixLines is how much of the prefix is shown; the rest is counted.
const prefixLines = 48

// A view prints the demo and keeps the first error of writing.
type view struct {
	out   io.Writer
	p     tool.Paint
	texts map[string]string
	err   error

	first   string // the prefix of the session
	stable  bool
	prompts int
	tails   int // tokens
	took    time.Duration
	whole   int // tokens of all pages together
}

func (v *view) printf(format string, args ...any) {
	if v.err == nil {
		_, v.err = io.WriteString(v.out, v.p.Fit(fmt.Sprintf(format, args...)))
	}
}

func (v *view) width() int { return min(v.p.Columns(), 80) }

// ruler is a heading across the page, with a figure at its right end.
func (v *view) ruler(title, figure string) {
	line := strings.Repeat("─", max(2, v.width()-len([]rune(title))-len([]rune(figure))-4))
	v.printf("\n%s %s %s\n", v.p.Bold(title), v.p.Faint(line), figure)
}

func (v *view) para(text string) { v.printf("%s\n", tool.Wrap(text, v.width(), "")) }

func (v *view) opening(b built) {
	entries := 0
	for _, pg := range b.pages {
		entries += pg.Entries
	}
	v.whole, v.stable = b.chars/4, true
	v.printf("%s\n\n", v.p.Bold("pimento demo: what an agent is given from a month of memory"))
	v.para(fmt.Sprintf("A simulated project, harbor, in a temporary directory: %d notes written over 30 days "+
		"in %d ms made %d entries on %d markdown pages, about %d tokens in all.",
		b.notes, b.elapsed.Milliseconds(), entries, len(b.pages), v.whole))
	v.printf("\n")
	days := 0
	for _, pg := range b.pages {
		if strings.HasPrefix(pg.Page, page.DailyDir) {
			days++
			continue
		}
		v.printf("  %s %s\n", tool.Pad(string(pg.Scope)+":"+pg.Page, 30), v.p.Faint(tool.Plural(pg.Entries, "entry")))
	}
	v.printf("  %s %s\n", tool.Pad("daily/YYYY-MM-DD.md", 30), v.p.Faint(tool.Plural(days, "day")))
}

// prefix shows the part that stays the same for the whole session.
func (v *view) prefix(b pimento.Block, took time.Duration) {
	v.first = b.Prefix
	v.ruler("session starts", figure(zoneTokens(b, pimento.Prefix), took))
	v.para("The prefix goes into the system prompt. It keeps every byte until the session ends or is compacted, " +
		"so that the provider's prompt cache holds.")
	v.printf("\n")
	v.quote(v.withoutPreamble(b.Prefix), prefixLines)
	v.printf("%s", tool.RenderSections(b, v.p))
	v.leftOut(b)
	v.faults(b)
}

// withoutPreamble folds what the model is told about its memory into one line,
// to leave room for the memory itself.
func (v *view) withoutPreamble(prefix string) string {
	at := strings.Index(prefix, "\n## ")
	if at < 0 {
		return prefix
	}
	head := strings.Count(strings.TrimSpace(prefix[:at]), "\n") + 1
	return fmt.Sprintf("(%d lines tell the model what its memory is and how to use it)\n%s", head, prefix[at:])
}

func (v *view) prompt(n int, prompt string, b pimento.Block, took time.Duration) {
	v.prompts++
	v.took += took
	v.tails += zoneTokens(b, pimento.Tail)
	v.stable = v.stable && b.Prefix == v.first
	v.ruler(fmt.Sprintf("prompt %d", n), figure(zoneTokens(b, pimento.Tail), took))
	v.printf("%s\n\n", v.p.Accent("> "+prompt))
	if b.Tail == "" {
		v.nothing(b)
		v.faults(b)
		return
	}
	v.printf("The tail goes beside the prompt:\n\n")
	v.quote(b.Tail, 40)
	v.why(b)
	v.leftOut(b)
	v.faults(b)
}

// nothing says why a tail is empty: what answers is in the prefix already, or
// there is no such thing.
func (v *view) nothing(b pimento.Block) {
	known := tool.AlreadyShown(b)
	if len(known) == 0 {
		v.para("Nothing in memory bears on this, so nothing is added.")
		return
	}
	v.para("Nothing is added, because what bears on this is already in front of the model:")
	for _, d := range known {
		v.printf("  %s\n", tool.OneLine(v.name(d), v.width()-2))
	}
}

// quote shows text that reaches the model, behind a bar.
func (v *view) quote(text string, most int) {
	bar := v.p.Faint("│ ")
	lines := strings.Split(tool.Printable(strings.TrimRight(text, "\n")), "\n")
	shown := 0
	for _, line := range lines {
		if shown >= most {
			v.printf("%s%s\n", bar, v.p.Faint(fmt.Sprintf("... %d more lines", len(lines)-shown)))
			return
		}
		indent := ""
		if strings.HasPrefix(line, "- ") {
			indent = "  "
		}
		for _, part := range strings.Split(tool.Wrap(line, v.width()-2, indent), "\n") {
			v.printf("%s%s\n", bar, part)
		}
		shown++
	}
}

// why names the entries of the tail with the reasons for them.
func (v *view) why(b pimento.Block) {
	inTail := map[string]bool{}
	for _, id := range b.TailIDs {
		inTail[strings.TrimPrefix(id, "~")] = true
	}
	v.printf("\n%s\n", v.p.Bold("why"))
	for _, d := range b.Trace {
		if tool.Shown(d) && inTail[d.Entry] {
			v.printf("  %s\n      %s\n", tool.OneLine(v.name(d), v.width()-2),
				v.p.Faint(tool.OneLine(d.Page+", "+d.Reason, v.width()-6)))
		}
	}
}

// leftOut counts what was considered and not shown, by reason, and names the
// first of each.
func (v *view) leftOut(b pimento.Block) {
	count, first := map[string]int{}, map[string]pimento.Decision{}
	for _, d := range b.Trace {
		if tool.Shown(d) {
			continue
		}
		r, n := reasonCount(d)
		if count[r] == 0 {
			first[r] = d
		}
		count[r] += n
	}
	if len(count) == 0 {
		return
	}
	reasons := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
	v.printf("\n%s\n", v.p.Bold("left out"))
	for _, r := range reasons {
		line := fmt.Sprintf("%3d  %s", count[r], r)
		v.printf("  %s\n", tool.OneLine(line, v.width()-2))
		if d := first[r]; v.texts[d.Entry] != "" {
			v.printf("       %s\n", v.p.Faint(tool.OneLine("such as: "+v.name(d), v.width()-7)))
		}
	}
}

// reasonCount is a decision's reason and how many entries it is about: a trace
// counts what it does not name, as "no room: 12".
func reasonCount(d pimento.Decision) (string, int) {
	head, tail, ok := strings.Cut(d.Reason, ": ")
	if n, err := strconv.Atoi(tail); ok && err == nil {
		return head, n
	}
	return d.Reason, 1
}

// name is what an entry says, or its id.
func (v *view) name(d pimento.Decision) string {
	if text := v.texts[d.Entry]; text != "" {
		return text
	}
	return d.Entry + " " + d.Page
}

func (v *view) faults(b pimento.Block) {
	for _, f := range b.Faults {
		v.printf("%s\n", v.p.Warn(tool.OneLine("fault: "+f.Kind+": "+f.Detail, v.width())))
	}
}

func (v *view) closing(dir string, kept bool) {
	v.ruler("in all", fmt.Sprintf("%d prompts, %s", v.prompts, millis(v.took)))
	cache := "was the same in every byte"
	if !v.stable {
		cache = "changed"
	}
	v.para(fmt.Sprintf("The prefix %s on all prompts; the tails added %d tokens. All pages at once would be about %d tokens on "+
		"every prompt.", cache, v.tails, v.whole))
	if kept {
		v.printf("\nKept: %s\n", dir)
	}
	v.printf("\nNext: %s, or %s\n", v.p.Accent("pimento setup pi"), v.p.Accent(`pimento remember "..."`))
}

// zoneTokens is what a zone costs, frame and all.
func zoneTokens(b pimento.Block, z pimento.Zone) int {
	if z == pimento.Tail {
		return text.Tokens(b.Tail)
	}
	return text.Tokens(b.Prefix)
}

func figure(tokens int, took time.Duration) string {
	return fmt.Sprintf("%d tokens, %s", tokens, millis(took))
}

func millis(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }
