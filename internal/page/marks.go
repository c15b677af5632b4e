package page

import "strings"

const (
	pinMark      = "*(pinned)*"
	enforcedMark = "*(enforced)*"
	anchorMark   = "^pm-"
	anchorLen    = len("pm-xxxxxxxx")
)

// marks are what stands at the end of an entry's first or last line and is no
// part of its text.
type marks struct {
	pinned   bool
	enforced bool
	anchor   string
}

func (m marks) any() bool { return m.pinned || m.enforced || m.anchor != "" }

func (m *marks) add(o marks) {
	m.pinned = m.pinned || o.pinned
	m.enforced = m.enforced || o.enforced
	if o.anchor != "" {
		m.anchor = o.anchor
	}
}

// String is the marks in the order in which they are written.
func (m marks) String() string {
	var s []string
	if m.pinned {
		s = append(s, pinMark)
	}
	if m.enforced {
		s = append(s, enforcedMark)
	}
	if m.anchor != "" {
		s = append(s, "^"+m.anchor)
	}
	return strings.Join(s, " ")
}

// markAtEnd is the start of the mark that ends s, -1 when none does.
func markAtEnd(s string) int {
	if s == "" {
		return -1
	}
	switch c := s[len(s)-1]; {
	case c == '*':
		if strings.HasSuffix(s, pinMark) {
			return len(s) - len(pinMark)
		}
		if strings.HasSuffix(s, enforcedMark) {
			return len(s) - len(enforcedMark)
		}
	case isAnchorByte(c):
		at := len(s) - anchorLen - 1
		if at >= 0 && strings.HasPrefix(s[at:], anchorMark) && isAnchor(s[at+1:]) {
			return at
		}
	}
	return -1
}

func isAnchorByte(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' }

// isAnchor reports whether s has the form "pm-xxxxxxxx".
func isAnchor(s string) bool {
	if len(s) != anchorLen || !strings.HasPrefix(s, "pm-") {
		return false
	}
	for i := len("pm-"); i < len(s); i++ {
		if !isAnchorByte(s[i]) {
			return false
		}
	}
	return true
}

// trimMarks takes the marks off a line's end. A line without marks comes back
// as it is, trailing white space included.
func trimMarks(s string) (rest string, m marks) {
	rest = s
	for {
		r := strings.TrimRight(rest, " \t")
		at := markAtEnd(r)
		if at < 0 || at > 0 && r[at-1] != ' ' && r[at-1] != '\t' {
			break
		}
		switch mark := r[at:]; mark {
		case pinMark:
			m.pinned = true
		case enforcedMark:
			m.enforced = true
		default:
			if m.anchor == "" {
				m.anchor = mark[1:]
			}
		}
		rest = r[:at]
	}
	if m.any() {
		rest = strings.TrimRight(rest, " \t")
	}
	return rest, m
}

// escapeMark writes a line of text that happens to end like a mark; plainMark
// reads it back.
func escapeMark(s string) string {
	if at := textMark(s); at >= 0 {
		return s[:at] + `\` + s[at:]
	}
	return s
}

func plainMark(s string) string {
	if at := textMark(s); at > 0 && s[at-1] == '\\' {
		return s[:at-1] + s[at:]
	}
	return s
}

// textMark is the start of what would be a mark at the end of s if no
// backslashes stood before it, -1 when there is nothing of the kind.
func textMark(s string) int {
	r := strings.TrimRight(s, " \t")
	at := markAtEnd(r)
	if at < 0 {
		return -1
	}
	before := strings.TrimRight(r[:at], `\`)
	if before != "" && !strings.HasSuffix(before, " ") && !strings.HasSuffix(before, "\t") {
		return -1
	}
	return at
}
