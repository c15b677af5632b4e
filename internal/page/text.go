package page

import (
	"strings"
)

// A form is how the text of an entry is written on the page, which decides
// what of it must be escaped and how its lines are indented.
type form uint8

const (
	itemForm    form = iota // after a bullet; further lines indented
	plainForm               // a paragraph, as it is
	blockForm               // a block of a log, up to the next stamp
	articleForm             // an article or a section of one
)

// Clean is what a text is on any page: lines end in "\n", lines of only white
// space are empty, and there is no white space around it. The text of every
// entry is clean, and edits clean what they are given.
func Clean(text string) string {
	text = strings.TrimSpace(text)
	if !strings.Contains(text, "\n") {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, s := range lines {
		lines[i] = cleanLine(s)
	}
	return strings.Join(lines, "\n")
}

func cleanLine(s string) string {
	if s = strings.TrimRight(s, "\r"); isBlank(s) {
		return ""
	}
	return s
}

// decode reads an entry's text from the bytes between its prefix and its end.
func (f form) decode(s string, hang int) (string, marks) {
	s = strings.TrimSpace(s)
	if strings.IndexByte(s, '\n') < 0 {
		rest, m := trimMarks(s)
		return strings.TrimSpace(f.plain(plainMark(rest), true)), m
	}
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		if i > 0 {
			l = dedent(l, hang)
		}
		lines[i] = cleanLine(l)
	}
	var all marks
	for n := len(lines) - 1; n > 0; n-- { // marks may have a line of their own
		rest, m := trimMarks(lines[n])
		all.add(m)
		if lines[n] = rest; rest != "" {
			break
		}
		lines = lines[:n]
	}
	if rest, m := trimMarks(lines[0]); rest != "" || len(lines) == 1 {
		all.add(m)
		lines[0] = rest
	}
	last := len(lines) - 1
	for i, l := range lines {
		if i == 0 || i == last {
			l = plainMark(l)
		}
		lines[i] = f.plain(l, i == 0)
	}
	return strings.TrimSpace(strings.Join(lines, "\n")), all
}

// A zeal says how much of a text is escaped. Less reads better; an article
// takes the least that keeps its other entries as they are.
type zeal uint8

const (
	calm   zeal = iota // only what starts with a backslash already
	wary               // what splits an article
	strict             // all structure
)

// encode writes a clean text so that decode reads it back, in as far as the
// form can hold it. The last line has no ending.
func (f form) encode(text string, hang int, eol string, z zeal) string {
	lines := strings.Split(text, "\n")
	last := len(lines) - 1
	pad := strings.Repeat(" ", hang)
	for i, l := range lines {
		l = f.escaped(l, i == 0, z)
		if i == 0 || i == last {
			l = escapeMark(l)
		}
		if i > 0 && l != "" {
			l = pad + l
		}
		lines[i] = l
	}
	return strings.Join(lines, eol)
}

// withMarks puts marks at the end of an encoded text: after its last line, or
// below it when that line closes a fence, which nothing may follow.
func withMarks(s string, m marks, hang int, eol string) string {
	if !m.any() {
		return s
	}
	return s + markGap(s, hang, eol) + m.String()
}

// markGap is what stands between a text and the marks after it.
func markGap(s string, hang int, eol string) string {
	last := strings.TrimLeft(s[strings.LastIndexByte(s, '\n')+1:], " \t")
	if strings.HasPrefix(last, "```") || strings.HasPrefix(last, "~~~") {
		return eol + strings.Repeat(" ", hang)
	}
	return " "
}

// escaped writes one line of text, with a backslash before what would be read
// as structure.
func (f form) escaped(s string, first bool, z zeal) string {
	bare := strings.TrimLeft(s, `\`)
	if !f.structural(bare, first) {
		return s
	}
	if len(bare) < len(s) || z == strict || z == wary && splitsArticle(bare) {
		return `\` + s
	}
	return s
}

// plain reads a line that escaped has written.
func (f form) plain(s string, first bool) string {
	if len(s) > 1 && s[0] == '\\' && f.structural(strings.TrimLeft(s, `\`), first) {
		return s[1:]
	}
	return s
}

// structural reports whether a line of text, at the place where the form puts
// it, would be taken for structure.
func (f form) structural(s string, first bool) bool {
	switch f {
	case itemForm:
		return first && structuralItem(s)
	case blockForm:
		return structuralBlock(s, first)
	case articleForm:
		return structuralArticle(s, first)
	}
	return false
}

// structuralItem is about what follows a bullet: a box, a category, or what
// makes a thematic break of the whole line.
func structuralItem(s string) bool {
	if s == "" {
		return false
	}
	switch s[0] {
	case '[':
		s += " x" // a mark may follow it on the line
		_, _, box := boxOf(s)
		_, n := categoryOf(s)
		return box || n > 0
	case '-', '*', '_':
		return strings.Trim(s, "-*_ \t") == ""
	}
	return false
}

// structuralBlock is about a line of a log: a stamp or a git conflict marker
// anywhere; the heading of a handoff or a box in its first line.
func structuralBlock(s string, first bool) bool {
	if _, ok := stampOf(s); ok || looksConflicted(s) {
		return true
	}
	if !first {
		return false
	}
	if _, text := headingOf(s); text != "" {
		return strings.HasPrefix(text, summaryHeading) || text == handoffHeading
	}
	return isBoxLine(s)
}

// isBoxLine reports whether a line is a bullet with a checkbox.
func isBoxLine(s string) bool {
	_, _, _, ok := BoxOf(s)
	return ok
}

// structuralArticle is about a line of an article: what splits it, a fence
// (which matters when it is not closed), and in the first line a title (which
// is no entry when nothing follows it).
func structuralArticle(s string, first bool) bool {
	level, _ := headingOf(s)
	return splitsArticle(s) || fenceOf(s) != "" || first && (level == 1 || isFrontRule(s))
}

// splitsArticle is about a level-2 heading and a git conflict marker.
func splitsArticle(s string) bool {
	level, _ := headingOf(s)
	return level == 2 || looksConflicted(s)
}
