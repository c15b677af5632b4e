package tool

import (
	"strconv"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/inject"
)

// Rules for what a person reads:
//
//   - The answer goes to standard output, complaints go to standard error.
//   - Colour marks structure only; everything can be read without it.
//   - Lines fit the width when it is known; text that is data is never cut
//     without an ellipsis.
//   - No capitals for emphasis, no emoji, no exclamation marks.
//   - An empty result says what to do next.

// Paint says how text for a person may look. The zero value is plain text of
// any width, which is what a pipe gets.
type Paint struct {
	Width int  // columns; 0 means not limited
	Color bool // ANSI colours

	// Door says how a command is given here, such as `restore ID`; nil is a shell.
	Door func(command string) string
}

// Cmd is a command as it is given here.
func (p Paint) Cmd(command string) string {
	if p.Door == nil {
		return "pimento " + command
	}
	return p.Door(command)
}

// Hint is a hint with the commands of a shell as they are given here.
func (p Paint) Hint(hint string) string {
	said := strings.Split(hint, "pimento ")
	for i, s := range said[1:] {
		said[i+1] = p.Cmd(s)
	}
	return strings.Join(said, "")
}

func (p Paint) wrap(code, s string) string {
	if !p.Color || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// Bold is for headings.
func (p Paint) Bold(s string) string { return p.wrap("1", s) }

// Faint is for what can be skipped: ids, places, reasons.
func (p Paint) Faint(s string) string { return p.wrap("2", s) }

// Good is for what is in order.
func (p Paint) Good(s string) string { return p.wrap("32", s) }

// Warn is for what needs attention.
func (p Paint) Warn(s string) string { return p.wrap("33", s) }

// Bad is for what failed.
func (p Paint) Bad(s string) string { return p.wrap("31", s) }

// Accent is for the text that matters on a line.
func (p Paint) Accent(s string) string { return p.wrap("36", s) }

// Columns is the width to lay out for.
func (p Paint) Columns() int {
	if p.Width <= 0 {
		return 100
	}
	return max(40, min(p.Width, 120))
}

// Pad fills s with spaces to n columns.
func Pad(s string, n int) string {
	return s + strings.Repeat(" ", max(0, n-columns(s)))
}

// Bar is a bar of at most n columns for part of whole, in eighths of a column;
// anything above zero shows.
func Bar(part, whole, n int) string {
	if part <= 0 || whole <= 0 {
		return ""
	}
	eighths := max(1, part*n*8/whole)
	eighths = min(eighths, n*8)
	bar := strings.Repeat("█", eighths/8)
	if r := eighths % 8; r > 0 {
		bar += string([]rune(" ▏▎▍▌▋▊▉")[r])
	}
	return bar
}

// Wrap breaks text at spaces into lines of at most width columns, each line after
// the first with the indent. Line breaks of the text are kept.
func Wrap(text string, width int, indent string) string {
	var out []string
	for para := range strings.Lines(text) {
		out = append(out, wrapLine(strings.TrimRight(para, "\r\n"), max(20, width-columns(indent)))...)
	}
	return strings.Join(out, "\n"+indent)
}

func wrapLine(s string, width int) []string {
	if columns(s) <= width {
		return []string{s}
	}
	var lines []string
	lead := s[:len(s)-len(strings.TrimLeft(s, " "))]
	line := lead
	for word := range strings.FieldsSeq(s) {
		for columns(line)+1+columns(word) > width {
			gap := min(1, len(strings.TrimSpace(line)))
			head := breakable(word, width-columns(line)-gap)
			if head == "" && (gap == 0 || columns(lead)+1+columns(word) <= width) {
				break
			}
			if head == "" { // of a word that no line holds, some may go on the next one
				lines, line = append(lines, line), lead
				continue
			}
			lines = append(lines, line+strings.Repeat(" ", gap)+head)
			line, word = lead, word[len(head):]
		}
		if len(strings.TrimSpace(line)) > 0 && columns(line)+1+columns(word) > width {
			lines = append(lines, line)
			line = lead
		}
		if len(strings.TrimSpace(line)) > 0 {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

// narrow is a width below which what stands in columns elsewhere stands below each other.
const narrow = 80

// Fit wraps the lines of a text that are too long for the terminal: sentences at
// spaces, rows with gaps in them at the gaps.
func (p Paint) Fit(text string) string {
	if p.Width <= 0 {
		return text
	}
	width := max(p.Columns(), p.Width)
	var b strings.Builder
	for line := range strings.Lines(text) {
		s := strings.TrimRight(line, "\n")
		if columns(s) > width {
			s = strings.Join(wrapRow(s, width), "\n")
		}
		b.WriteString(s + line[len(strings.TrimRight(line, "\n")):])
	}
	return b.String()
}

// wrapRow is a line in cells with gaps between: as many on one line as fit, and
// each further line set in below the first. A line without gaps is one cell.
func wrapRow(s string, width int) (lines []string) {
	lead := s[:len(s)-len(strings.TrimLeft(s, " "))]
	line := ""
	for cell := range strings.SplitSeq(strings.TrimSpace(s), "  ") {
		if cell = strings.TrimSpace(cell); cell == "" {
			continue
		}
		switch {
		case line == "" && len(lines) == 0:
			line = lead + cell
		case columns(line)+2+columns(cell) <= width:
			line += "  " + cell
		default:
			lines = append(lines, wrapLine(line, width)...)
			line = lead + "    " + cell
		}
	}
	return append(lines, wrapLine(line, width)...)
}

// Hang puts text behind head and wraps it to lines of at most width columns,
// each after the first below the text's start. A width of 0 wraps nothing.
func Hang(head, text string, width int) string {
	if width <= 0 { // a line of the text is none of ours
		return head + strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", columns(head)))
	}
	if width-columns(head) < hangRoom {
		return strings.TrimRight(head, " ") + "\n    " + Wrap(text, width, "    ")
	}
	return head + Wrap(text, width, strings.Repeat(" ", columns(head)))
}

// hangRoom is the columns beside a head below which a text begins on a line of its
// own: a column of single words is not read.
const hangRoom = 16

// Path is a path or name on one line. What it holds that a terminal would act on is
// spelt out, so that no clone can write lines of ours with the name of a file.
func Path(path string) string {
	if path != Printable(path) || strings.ContainsAny(path, "\n\t") {
		return strconv.Quote(path)
	}
	return path
}

// PageName is a page as a person reads it, with its scope where it has one.
func PageName(scope pimento.Scope, page string) string {
	if scope != "" {
		page = string(scope) + ":" + page
	}
	return Path(page)
}

// Below is a message whose lines after the first are set in.
func Below(message string) string { return strings.ReplaceAll(Printable(message), "\n", "\n  ") }

// Printable takes what does not show other than line breaks and tabs out of remembered
// text, so that a memory cannot drive a person's terminal.
func Printable(s string) string { return inject.Clean(s) }
