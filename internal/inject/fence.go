package inject

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pimento-memory/pimento/internal/codeblock"
)

// ourLevels is the deepest heading level that a profile may use; a heading in
// memory text is demoted by so many levels, to 6 at most, so that none of them
// stands where ours do.
const ourLevels = 3

// maxFenceRun is the longest run of ` or ~ that may open a code block. A longer
// one is escaped, so that closing a block costs a bounded number of bytes.
const maxFenceRun = 8

// Fence makes memory text harmless inside a block: whatever it says, it cannot
// close our fence, open or close a tag, look like one of our headings or
// separators, leave a code block open, or hide anything in characters that do
// not show. Line breaks become \n; what is plain text stays as it is.
func Fence(s string) string { return balance(fenceLines(s, false)) }

// fenceLines does what Fence does, line by line, without closing code blocks.
// In raw text our own stamp comments are kept, quoted ones as well.
func fenceLines(s string, raw bool) string {
	s = Clean(s)
	if !strings.Contains(s, "\n") {
		return fenceLine(s, raw)
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	for line := range strings.SplitAfterSeq(s, "\n") {
		text, end := strings.CutSuffix(line, "\n")
		b.WriteString(fenceLine(text, raw))
		if end {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// fenceLine handles one clean line without its line break.
func fenceLine(line string, raw bool) string {
	at := 0
	for at < len(line) && (line[at] == ' ' || line[at] == '\t') {
		at++
	}
	if inner := inList(line, at); inner < len(line) && line[inner] == '#' {
		line = demote(line, inner)
	}
	if at < len(line) {
		switch line[at] {
		case '-', '=', '*', '_':
			if isRule(line[at:]) {
				line = line[:at] + `\` + line[at:]
			}
		case '`', '~':
			if run(line[at:]) > maxFenceRun {
				line = line[:at] + `\` + line[at:]
			}
		case '<', '\\':
			if raw && isStamp(strings.TrimPrefix(line, `\`)) { // a quoted one stands behind a backslash
				return line
			}
		}
	}
	return escapeTags(line)
}

// inList is where the text of a line begins behind the markers of lists, boxes and
// quotes: a heading there is one, too.
func inList(line string, at int) int {
	for at < len(line) {
		end := at
		for end < len(line) && end-at < 9 && '0' <= line[end] && line[end] <= '9' {
			end++
		}
		switch rest := line[end:]; {
		case end > at && (marked(rest, ".") || marked(rest, ")")):
			at = end + 2
		case end > at:
			return at
		case marked(rest, ">"), marked(rest, "-"), marked(rest, "*"), marked(rest, "+"):
			at += 2
		case strings.HasPrefix(rest, ">"), strings.HasPrefix(rest, " "), strings.HasPrefix(rest, "\t"):
			at++
		case marked(rest, "[ ]"), marked(rest, "[x]"), marked(rest, "[X]"):
			at += 4
		default:
			return at
		}
	}
	return at
}

// marked tells whether a line begins with a marker and a blank.
func marked(line, marker string) bool {
	rest, ok := strings.CutPrefix(line, marker)
	return ok && rest != "" && (rest[0] == ' ' || rest[0] == '\t')
}

// demote lowers the ATX heading whose first # is at; anything else that starts
// with # (a tag, a colour, a shebang) stays.
func demote(line string, at int) string {
	end := at
	for end < len(line) && line[end] == '#' {
		end++
	}
	if end-at > 6 || end < len(line) && line[end] != ' ' && line[end] != '\t' {
		return line
	}
	return line[:at] + strings.Repeat("#", min(end-at+ourLevels, 6)) + line[end:]
}

// isRule says whether a line, its indentation taken off, is a thematic break,
// the underline of a heading, or another separator: one character repeated,
// with or without spaces between.
func isRule(s string) bool {
	c, n := s[0], 0
	for i := range len(s) {
		switch s[i] {
		case c:
			n++
		case ' ', '\t':
		default:
			return false
		}
	}
	return n >= 3 || c == '=' || c == '-' // one = or - already underlines a heading
}

// escapeTags replaces each < that could start a tag, a comment, a processing
// instruction or a mark of a chat template such as <|im_start|>; around the
// destination of a link < and > are left out.
func escapeTags(line string) string {
	from := strings.IndexByte(line, '<')
	if from < 0 {
		return line
	}
	var b strings.Builder
	at := 0
	for i := from; i < len(line); i++ {
		if n := destination(line, i); n > 0 {
			b.WriteString(line[at:i] + line[i+1:i+n])
			i += n
			at = i + 1
		} else if line[i] == '<' && startsTag(line[i+1:]) {
			b.WriteString(line[at:i])
			b.WriteString("&lt;")
			at = i + 1
		}
	}
	if at == 0 {
		return line
	}
	b.WriteString(line[at:])
	return b.String()
}

// destination is how far behind a < at i the > is that closes the destination of
// a link, 0 when none begins there: it is shown without the two.
func destination(line string, i int) int {
	if line[i] != '<' || !strings.HasSuffix(line[:i], "](") {
		return 0
	}
	n := 1 + strings.IndexAny(line[i+1:], "<>")
	if n > 1 && strings.HasPrefix(line[i+n:], ">)") {
		return n
	}
	return 0
}

func startsTag(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return r == '/' || r == '!' || r == '?' || unicode.IsLetter(r) || ChatMark(s)
}

// ChatMark says whether what follows an opening angle bracket makes it begin a mark of
// a chat template: <|im_start|>.
func ChatMark(s string) bool {
	r, n := utf8.DecodeRuneInString(s)
	next, _ := utf8.DecodeRuneInString(s[n:])
	return (r == '|' || r == '｜') && unicode.IsLetter(next)
}

// isStamp recognises the comments that Pimento itself writes above an entry:
//
//	<!-- 2026-03-02 10:15:00 [1a2b3c4d] -->
//	<!-- HANDOFF 2026-03-02 10:15:00 [1a2b3c4d] -->
//	<!-- last updated: 2026-03-02 10:15:00 [1a2b3c4d] -->
//
// A stamp that no session wrote ends after the time.
func isStamp(line string) bool {
	s, ok := strings.CutPrefix(line, "<!-- ")
	if !ok {
		return false
	}
	if s, ok = strings.CutSuffix(s, " -->"); !ok {
		return false
	}
	if head, session := strings.CutSuffix(s, "]"); session {
		s = head
	} else {
		s += " ["
	}
	for _, word := range [...]string{"HANDOFF ", "last updated: "} {
		if rest, ok := strings.CutPrefix(s, word); ok {
			s = rest
			break
		}
	}
	const shape = "0000-00-00 00:00:00 ["
	if len(s) < len(shape) || len(s) > len(shape)+8 {
		return false
	}
	for i := range len(s) {
		if i >= len(shape) {
			if !isWordByte(s[i]) {
				return false
			}
		} else if digit := s[i] >= '0' && s[i] <= '9'; digit != (shape[i] == '0') || !digit && s[i] != shape[i] {
			return false
		}
	}
	return true
}

func isWordByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-' || c == '_'
}

// run is the number of times the first byte of s is repeated.
func run(s string) int {
	n := 0
	for n < len(s) && s[n] == s[0] {
		n++
	}
	return n
}

// balance closes a code block that s leaves open.
func balance(s string) string {
	open := Open(s)
	if open == "" {
		return s
	}
	return strings.TrimSuffix(s, "\n") + "\n" + open
}

// Open is the line that closes the code block which s leaves open, "" when it
// leaves none.
func Open(s string) string { return string(fenceAfter("", s)) }

// fenceAfter is the fence that is open after s, where f is open before it. A run of
// more than maxFenceRun is none: fenceLine escapes it.
func fenceAfter(f codeblock.Fence, s string) codeblock.Fence {
	if !mayHoldCode(s) {
		return f
	}
	for line := range strings.SplitSeq(s, "\n") {
		line = strings.TrimSpace(line)
		if line != "" && run(line) <= maxFenceRun {
			f = f.After(line)
		}
	}
	return f
}

// mayHoldCode tells quickly that a text has no code block.
func mayHoldCode(s string) bool { return strings.Contains(s, "```") || strings.Contains(s, "~~~") }
