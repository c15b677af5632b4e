package inject

import (
	"cmp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/codeblock"
)

// briefRunes is the longest brief form of an entry.
const briefRunes = 160

// brief is the first sentence of a text, on one line: up to the first sentence
// end that leaves enough said, and never more than briefRunes characters.
func brief(s string) string {
	line := Clean(s[:runeFloor(s, min(len(s), 8*briefRunes))])
	line = withinCode(strings.TrimSpace(line))
	if first, rest, cut := strings.Cut(line, "\n"); cut {
		if line = wrapped(first, rest); strings.HasPrefix(first, "#") { // a heading says what it is about, and nothing about it
			first, rest, _ := strings.Cut(withinCode(strings.TrimSpace(rest)), "\n")
			line = strings.TrimSpace(strings.TrimLeft(line, "#")) + ": " + strings.TrimPrefix(wrapped(first, rest), "- ")
		}
	}
	line = strings.Join(strings.Fields(line), " ")
	if end := sentenceEnd(line); end > 0 {
		line = line[:end]
	}
	if utf8.RuneCountInString(line) <= briefRunes {
		return line
	}
	n := 0
	for i := range line {
		if n++; n == briefRunes {
			line = line[:i]
			break
		}
	}
	if i := strings.LastIndexByte(line, ' '); i > len(line)/2 {
		line = line[:i]
	}
	return line + "…"
}

// wrapped is a line with those that go on with it, as an editor wraps a paragraph.
func wrapped(line, rest string) string {
	for rest != "" && !strings.HasPrefix(line, "#") {
		next, more, _ := strings.Cut(rest, "\n")
		if next = strings.TrimSpace(next); beginsBlock(next) {
			break
		}
		line, rest = line+" "+next, more
	}
	return line
}

// beginsBlock says whether a line cannot go on with the one before: it is blank, or
// begins a heading, a bullet, a quotation, a table, a comment or a code block.
func beginsBlock(line string) bool {
	for _, mark := range [...]string{"#", "- ", "* ", "+ ", ">", "|", "<!--"} {
		if strings.HasPrefix(line, mark) {
			return true
		}
	}
	past := strings.TrimLeft(line, "0123456789")
	numbered := past != line && (strings.HasPrefix(past, ". ") || strings.HasPrefix(past, ") "))
	return line == "" || numbered || codeblock.Opening(line) != ""
}

// withinCode goes past the line that opens a code block, which by itself says
// nothing.
func withinCode(s string) string {
	first, rest, more := strings.Cut(s, "\n")
	if !more || codeblock.Opening(first) == "" {
		return s
	}
	return strings.TrimSpace(rest)
}

// sentenceEnd is the offset after the first sentence, 0 if it has no end.
func sentenceEnd(s string) int {
	const least = 20 // "e.g. " and "No. " end nothing
	for i, r := range s {
		switch r {
		case '.', '!', '?':
			if i >= least && i+1 < len(s) && s[i+1] == ' ' {
				return i + 1
			}
		case '。', '！', '？':
			return i + utf8.RuneLen(r)
		}
	}
	return 0
}

// runeFloor is the largest offset up to n that does not split a rune.
func runeFloor(s string, n int) int {
	for n > 0 && n < len(s) && !utf8.RuneStart(s[n]) {
		n--
	}
	return n
}

// clipTo is the longest beginning (or end) of one line that fits the room,
// fenced, with a mark at the cut.
func clipTo(line string, room size, end bool) (string, bool) {
	const mark = "[…]"
	limit := min(len(line), 16*max(room.tokens, 0), 4*max(room.chars, 0), max(room.bytes, 0))
	shape := func(n int) string {
		if end {
			at := len(line) - n
			for at < len(line) && !utf8.RuneStart(line[at]) {
				at++
			}
			return mark + fenceLines(line[at:], false) + "\n"
		}
		return fenceLines(line[:runeFloor(line, n)], false) + mark + "\n"
	}
	low, high := 0, limit // shape(low) is known to fit, or low is 0
	for low < high {
		mid := (low + high + 1) / 2
		if measure(shape(mid)).within(room) {
			low = mid
		} else {
			high = mid - 1
		}
	}
	s := shape(low)
	return s, low > 0 && measure(s).within(room) && len(strings.TrimSpace(s)) > len(mark)
}

// bullet writes an entry as a list item: continuation lines are indented, and
// its origin stands at the end of a single line or on a line of its own.
func bullet(mark, text, origin string) string {
	text = Fence(strings.TrimSpace(text))
	if !strings.Contains(text, "\n") {
		return mark + text + origin + "\n"
	}
	var b strings.Builder
	b.WriteString(mark)
	below := strings.Repeat(" ", strings.IndexByte(mark, ' ')+1)
	first := true
	for line := range strings.SplitSeq(text, "\n") {
		if !first && line != "" {
			b.WriteString(below)
		}
		b.WriteString(line + "\n")
		first = false
	}
	if origin != "" {
		b.WriteString(below + strings.TrimPrefix(origin, " ") + "\n")
	}
	return b.String()
}

// passage writes an entry below the path of its page, as it stands there.
func passage(it *Item, text, origin string) string {
	text = Fence(strings.TrimSpace(text))
	if it.Entry.Task {
		text = markOf(&it.Entry) + text
	}
	return "_" + inline(it.Entry.Page) + "_" + origin + "\n" + text + "\n"
}

// origin is " (confirmed 2026-03-02, project)" with what is known; the word says
// that the user vouched for it, or, with "edited", that it was put into other words since. Of a part it names the page, which holds the rest. Of what
// is replaced, that counts for more than its scope.
func origin(it *Item, part bool) string {
	date := it.Standing.Confirmed
	if date.IsZero() {
		date = it.Entry.Stamp
	}
	if date.IsZero() {
		date = it.Standing.First
	}
	said := ""
	if !it.Standing.Confirmed.IsZero() {
		said = "confirmed "
	}
	if edited := it.Standing.Edited; edited.After(date) && edited.Format(time.DateOnly) != date.Format(time.DateOnly) {
		date, said = edited, "edited "
	}
	var buf [96]byte
	b := append(buf[:0], " ("...)
	open := len(b)
	if part {
		b = append(append(append(b, "part of "...), inline(it.Entry.Page)...), ", "...)
	}
	b = append(b, said...)
	if !date.IsZero() {
		b = append(date.AppendFormat(b, time.DateOnly), ", "...)
	}
	if it.Replaced {
		b = append(b, "stale, "...)
	} else if it.Entry.Scope != "" {
		b = append(append(b, inline(string(it.Entry.Scope))...), ", "...)
	}
	if len(b) == open {
		return ""
	}
	return string(append(b[:len(b)-len(", ")], ')'))
}

// structured is what an entry is about: its heading and its first clause.
func structured(e *pimento.Entry, headed bool) string {
	s := clause(brief(e.Text))
	if h := lastHeading(e.Heading); h != "" && !headed {
		s = h + ": " + s
	}
	return markOf(e) + Fence(strings.TrimSpace(s)) + "\n"
}

// clauseRunes is the longest clause.
const clauseRunes = 64

// clause is what a sentence begins with: up to the first comma, colon,
// semicolon, dash or parenthesis that leaves enough said.
func clause(s string) string {
	const least = 12
	cut, n := len(s), 0
	for i, r := range s {
		if n++; n > clauseRunes {
			cut = i
			if at := strings.LastIndexByte(s[:i], ' '); at > i/2 {
				cut = at
			}
			break
		}
		next := i + utf8.RuneLen(r)
		stop := strings.ContainsRune(",;:", r) && next < len(s) && s[next] == ' ' || strings.ContainsRune("、，；：", r)
		if i >= least && (stop || r == ' ' && (strings.HasPrefix(s[next:], "(") || strings.HasPrefix(s[next:], "- ") || strings.HasPrefix(s[next:], "–") || strings.HasPrefix(s[next:], "—"))) {
			cut = i
			break
		}
	}
	if cut == len(s) {
		return s
	}
	return strings.TrimSpace(s[:cut]) + "…"
}

// lastHeading is the innermost of a path of headings.
func lastHeading(path string) string {
	if i := strings.LastIndex(path, " > "); i >= 0 {
		path = path[i+len(" > "):]
	}
	return inline(brief(path))
}

// pointer is the shortest shape of an entry: where it stands.
func pointer(e *pimento.Entry) string {
	title := e.Heading
	if title == "" {
		title = "an entry"
	}
	if e.Page == "" {
		return "- " + inline(brief(title)) + "\n"
	}
	return "- " + inline(brief(title)) + " (" + inline(e.Page) + ":" + strconv.Itoa(e.Line) + ")\n"
}

func markOf(e *pimento.Entry) string {
	mark := cmp.Or(e.Number, "-")
	switch {
	case e.Task && e.Done:
		return mark + " [x] "
	case e.Task:
		return mark + " [ ] "
	}
	return mark + " "
}
