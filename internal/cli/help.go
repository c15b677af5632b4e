package cli

import (
	"flag"
	"strings"
	"unicode/utf8"

	"github.com/pimento-memory/pimento/internal/tool"
)

// page is the help of a command.
func (c *command) page(a *app) string {
	if c.help != nil {
		return c.help()
	}
	p := a.paint()
	width := helpWidth(p)
	var b strings.Builder
	about := c.long
	if about == "" && c.short != "" {
		about = strings.ToUpper(c.short[:1]) + c.short[1:] + "."
	}
	b.WriteString(prose(about, width) + "\n" + p.Bold("usage") + "\n" + commandLine("  "+strings.TrimSpace(c.path+" "+c.use), width) + "\n")
	if len(c.subs) > 0 {
		var rows [][2]string
		for _, sub := range c.subs {
			rows = append(rows, [2]string{sub.use, sub.short})
		}
		b.WriteString("\n" + p.Bold("commands") + "\n" + terms(rows, width))
	}
	if c.example != "" {
		b.WriteString("\n" + p.Bold("example") + "\n")
		for line := range strings.Lines(c.example) {
			b.WriteString(commandLine(strings.TrimSuffix(line, "\n"), width) + "\n")
		}
	}
	own := newFlagSet()
	global := a.globalFlags()
	c.flagSet().VisitAll(func(f *flag.Flag) {
		if global.Lookup(f.Name) == nil {
			own.Var(f.Value, f.Name, f.Usage)
		}
	})
	if text := flagHelp(own, width); text != "" {
		b.WriteString("\n" + p.Bold("flags") + "\n" + text)
	}
	b.WriteString("\nFlags of every command: pimento --help\n")
	return b.String()
}

// helpWidth is how wide a help page is set: like the terminal, and where
// nobody knows its width, or it is very wide, 80 columns.
func helpWidth(p tool.Paint) int { return min(80, p.Columns()) }

// prose sets paragraphs. What goes on after "- " stands below it.
func prose(text string, width int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if item, ok := strings.CutPrefix(line, "- "); ok {
			b.WriteString(tool.Hang("- ", item, width) + "\n")
			continue
		}
		b.WriteString(tool.Wrap(line, width, "") + "\n")
	}
	return b.String()
}

// Below a terminal of so many columns, or with so few left beside the longest name,
// what names mean stands below them.
const (
	narrowPage = 60
	leastRoom  = 24
)

// terms sets names and what they mean.
func terms(rows [][2]string, width int) string {
	wide := 0
	for _, r := range rows {
		wide = max(wide, len(r[0]))
	}
	var b strings.Builder
	for _, r := range rows {
		if width < narrowPage && width-wide-4 < leastRoom {
			b.WriteString("  " + r[0] + "\n" + tool.Hang("      ", r[1], width) + "\n")
			continue
		}
		b.WriteString(tool.Hang("  "+tool.Pad(r[0], wide)+"  ", r[1], width) + "\n")
	}
	return b.String()
}

// commandLine is a line for a shell, broken where that leaves it the same command:
// between words, outside of quotes.
func commandLine(line string, width int) string {
	var out []string
	for utf8.RuneCountInString(line) > width {
		at := lastGap(line, width-len(` \`))
		if at < 0 {
			break
		}
		out, line = append(out, line[:at]+` \`), "      "+line[at+1:]
	}
	return strings.Join(append(out, line), "\n")
}

// lastGap is where the last space outside of quotes stands within the first so many
// columns of a line, or the first one after them; -1 where there is none.
func lastGap(line string, columns int) (at int) {
	at = -1
	var quote rune
	begun, n := false, 0 // a word was begun; columns so far
	for i, r := range line {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '"' || r == '\'':
			quote = r
		case r == ' ' && begun:
			if n > columns && at >= 0 {
				return at
			}
			at = i
			if n > columns {
				return at
			}
		}
		begun = begun || r != ' '
		n++
	}
	return at
}

// flagHelp is one line for each flag. A name in backquotes in its text stands
// for the value.
func flagHelp(fs *flag.FlagSet, width int) string {
	var rows [][2]string
	fs.VisitAll(func(f *flag.Flag) {
		value, text := flag.UnquoteUsage(f)
		rows = append(rows, [2]string{strings.TrimSpace(dashed(f.Name) + " " + value), text})
	})
	return terms(rows, width)
}
