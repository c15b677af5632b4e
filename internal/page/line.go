package page

import (
	"strings"

	"github.com/pimento-memory/pimento/internal/codeblock"
)

// A line is one line of a page: its content without the line ending, and where
// the next one starts. A line ends at "\n", together with every "\r" before it;
// a "\r" elsewhere is content.
type line struct{ start, end, next int }

// lineAt is the line that starts at at, which is inside src.
func lineAt(src string, at int) line {
	ln := line{at, len(src), len(src)}
	if i := strings.IndexByte(src[at:], '\n'); i >= 0 {
		ln.end, ln.next = at+i, at+i+1
	}
	for ln.end > at && src[ln.end-1] == '\r' {
		ln.end--
	}
	return ln
}

// indentOf is the width of a line's leading white space in columns (a tab goes
// to the next multiple of 4) and in bytes.
func indentOf(s string) (cols, n int) {
	for n < len(s) {
		switch s[n] {
		case ' ':
			cols++
		case '\t':
			cols += 4 - cols%4
		default:
			return cols, n
		}
		n++
	}
	return cols, n
}

func isBlank(s string) bool { return strings.Trim(s, " \t") == "" }

// dedent takes up to cols columns of white space off a line; a tab that
// reaches over the edge goes whole.
func dedent(s string, cols int) string {
	col, n := 0, 0
	for n < len(s) && col < cols {
		switch s[n] {
		case ' ':
			col++
		case '\t':
			col += 4 - col%4
		default:
			return s[n:]
		}
		n++
	}
	return s[n:]
}

// headingOf reads an ATX heading: its level, 0 for none, and its text.
func headingOf(s string) (level int, text string) {
	cols, off := indentOf(s)
	if cols > 3 {
		return 0, ""
	}
	s = s[off:]
	for level < len(s) && s[level] == '#' {
		level++
	}
	if level == 0 || level > 6 || level < len(s) && s[level] != ' ' && s[level] != '\t' {
		return 0, ""
	}
	text = strings.TrimSpace(s[level:])
	if bare := strings.TrimRight(text, "#"); bare == "" || strings.HasSuffix(bare, " ") {
		text = strings.TrimSpace(bare)
	}
	return level, text
}

// isRule reports a thematic break: at least three of one of "-*_" and nothing
// else but white space.
func isRule(s string) bool {
	mark, n := byte(0), 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == ' ' || c == '\t':
		case mark == 0 && (c == '-' || c == '*' || c == '_'), c == mark && mark != 0:
			mark, n = c, n+1
		default:
			return false
		}
	}
	return n >= 3
}

// A bullet is a list marker at the start of a line.
type bullet struct {
	indent int  // columns before the marker
	hang   int  // columns by which continuation lines of its text are indented
	text   int  // bytes before its text
	first  bool // may interrupt a paragraph: not an ordered item but "1."
}

// bulletOf reads "- ", "* ", "+ ", "1. " or "1) ". A marker alone on its line
// is a bullet without text.
func bulletOf(s string) (bullet, bool) {
	cols, off := indentOf(s)
	i := off
	if i == len(s) {
		return bullet{}, false
	}
	first := true
	switch c := s[i]; {
	case c == '-' || c == '*' || c == '+':
		i++
	case '0' <= c && c <= '9':
		for i < len(s) && i-off < 10 && '0' <= s[i] && s[i] <= '9' {
			i++
		}
		if i-off > 9 || i == len(s) || s[i] != '.' && s[i] != ')' {
			return bullet{}, false
		}
		first = s[off:i] == "1"
		i++
	default:
		return bullet{}, false
	}
	if i < len(s) && s[i] != ' ' && s[i] != '\t' {
		return bullet{}, false
	}
	width := i - off
	gap, n := indentOf(s[i:])
	if gap == 0 || gap > 4 {
		gap = 1
	}
	text := i + n
	return bullet{indent: cols, hang: cols + width + gap, text: text, first: first && text < len(s)}, true
}

// BoxOf reads a line as a bullet with a checkbox: where what stands between the brackets
// is, and what follows them.
func BoxOf(line string) (at int, text string, done, ok bool) {
	line = strings.TrimRight(line, "\r\n")
	b, ok := bulletOf(line)
	if !ok {
		return 0, "", false, false
	}
	n, done, ok := boxOf(line[b.text:])
	if !ok {
		return 0, "", false, false
	}
	return b.text + 1, line[b.text+n:], done, true
}

// boxOf reads the checkbox at the start of a bullet's text: whether there is
// one, whether it is ticked, and how many bytes it takes with its space.
func boxOf(s string) (n int, done, ok bool) {
	if len(s) < 5 || s[0] != '[' || s[2] != ']' || s[3] != ' ' && s[3] != '\t' {
		return 0, false, false
	}
	switch s[1] {
	case ' ':
	case 'x', 'X':
		done = true
	default:
		return 0, false, false
	}
	_, gap := indentOf(s[3:])
	return 3 + gap, done, 3+gap < len(s)
}

// fenceOf is the fence of a code block that a line at the margin opens, "" for
// none.
func fenceOf(s string) codeblock.Fence {
	if !atMargin(s) {
		return ""
	}
	f := codeblock.Opening(s)
	return f[:min(len(f), maxFence)]
}

// maxFence bounds how long a fence counts, which bounds how often a page with
// many unclosed fences is searched.
const maxFence = 32

// closesFence reports whether a line at the margin closes a fence.
func closesFence(s string, f codeblock.Fence) bool { return atMargin(s) && f.ClosedBy(s) }

// atMargin reports whether a line belongs to no item above it.
func atMargin(s string) bool {
	cols, _ := indentOf(s)
	return cols <= 1
}
