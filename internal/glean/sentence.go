package glean

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pimento-memory/pimento/internal/text"
)

// A sentence is one of a message that its user typed.
type sentence struct {
	text     string
	before   string // the one before it on its line, with what stands between them
	after    string // what stands behind it, if it ends with a semicolon
	masked   string // the same bytes in lower case, with quotations blanked
	question bool
	handed   bool // it stands below a line that hands a text over: "Review this policy:"
}

// sentences cuts what was typed of a message into sentences. Of a long one, which is
// mostly pasted all the same, it cuts the first and last paragraph.
func sentences(message string) (out []sentence, long bool) {
	typed := text.Typed(message)
	long = utf8.RuneCountInString(typed) > typedChars
	handed := false
	for _, line := range lines(typed, long) {
		masked := mask(lower(line))
		at, last := 0, 0
		for _, part := range parts(line) {
			from := at
			at += len(part)
			said := strings.TrimSpace(part)
			if said == "" {
				continue
			}
			from += strings.Index(part, said)
			after := ""
			if rest := line[from+len(said):]; rest != "" && (strings.HasSuffix(said, ";") || strings.HasSuffix(said, "；")) {
				after = text.Sentences(rest)[0]
			}
			out = append(out, sentence{said, line[last:from], after, masked[from : from+len(said)], strings.HasSuffix(said, "?") || strings.HasSuffix(said, "？"), handed})
			if i := strings.IndexAny(masked[from:from+len(said)], ":："); i >= 0 && from+i+1 < len(masked) {
				handed = handed || hands(masked[from:from+i+1])
			}
			last = from
		}
		handed = handed || hands(masked) || edits(masked)
	}
	return out, long
}

// parts are the sentences of a line, cut at semicolons as well.
func parts(line string) (out []string) {
	for _, s := range text.Sentences(line) {
		for half := range strings.SplitAfterSeq(s, "；") {
			out = append(out, strings.SplitAfter(half, "; ")...)
		}
	}
	return out
}

// lines are those that are neither code nor a quotation nor out of a log; of a long
// message those of its first and last paragraph.
func lines(typed string, long bool) []string {
	paragraphs := strings.Split(strings.ReplaceAll(typed, "\r\n", "\n"), "\n\n")
	var out []string
	for i, p := range paragraphs {
		for line := range strings.SplitSeq(p, "\n") {
			bare := strings.TrimSpace(line)
			if bare != "" && !quoted(line, bare) && (!long || i == 0 || i == len(paragraphs)-1) {
				out = append(out, unbullet(bare))
			}
		}
	}
	return out
}

// quoted says whether a line is somebody else's: a quotation, indented code, a
// line of a log, of a diff, of a table, of markup.
func quoted(line, bare string) bool {
	if strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t") || strings.ContainsRune(">|<#$%@{}", rune(bare[0])) {
		return true
	}
	if len(bare) > 1 && bare[0] == '[' && isDigits(bare[1:2]) { // a time, and what somebody says in a chat
		return true
	}
	if (bare[0] == '+' || bare[0] == '-') && len(bare) > 1 && bare[1] != ' ' {
		return true
	}
	for _, sign := range [...]string{"=>", "();", " := ", "!==", "===", "</"} {
		if strings.Contains(bare, sign) {
			return true
		}
	}
	if strings.HasPrefix(bare, "//") || strings.HasPrefix(bare, "/*") {
		return true
	}
	return len(bare) > 10 && isDigits(bare[:4]) && (bare[4] == '-' || bare[4] == '/') // a date, and what a log says
}

func isDigits(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' }) < 0
}

// unbullet takes a list's mark off.
func unbullet(s string) string {
	for _, mark := range [...]string{"- ", "* ", "• ", "+ "} {
		if rest, ok := strings.CutPrefix(s, mark); ok {
			return rest
		}
	}
	if digits := len(s) - len(strings.TrimLeft(s, "0123456789")); digits > 0 && digits < 3 {
		for _, mark := range [...]string{". ", ") "} {
			if rest, ok := strings.CutPrefix(s[digits:], mark); ok {
				return rest
			}
		}
	}
	return s
}

// lower is a text in lower case, byte for byte as long: without the few letters whose
// lower case has another length.
func lower(s string) string {
	b := []byte(s)
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if low := unicode.ToLower(r); low != r && utf8.RuneLen(low) == size {
			utf8.EncodeRune(b[i:], low)
		}
		i += size
	}
	return string(b)
}

// mask blanks what stands in quotation marks or backticks, byte for byte.
func mask(s string) string {
	b := []byte(s)
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		closing := closingMark(s, i, r)
		if closing == "" {
			i += size
			continue
		}
		to := strings.Index(s[i+size:], closing)
		if to < 0 {
			i += size
			continue
		}
		for j := i + size; j < i+size+to; j++ {
			b[j] = 0
		}
		i += size + to + len(closing)
	}
	return string(b)
}

// closingMark is what ends a quotation that begins at i, "" where none does. An
// apostrophe begins one only after a space.
func closingMark(s string, i int, r rune) string {
	switch r {
	case '"', '`':
		return string(r)
	case '“':
		return "”"
	case '„':
		return "“"
	case '«':
		return "»"
	case '‘':
		return "’"
	case '「':
		return "」"
	case '『':
		return "』"
	case '《':
		return "》"
	case '\'':
		if i == 0 || s[i-1] == ' ' || s[i-1] == '(' || s[i-1] == ':' {
			return "'"
		}
	}
	return ""
}

// topicColon is the most words before a colon that say what the clause behind it is about;
// more ("in my last job the rule was:") tell of it.
const topicColon = 4

// clause is where the clause begins that a place of the sentence is in. What
// stands before a comma goes with it where it says what the clause is about:
// "for commit messages, ...".
func (s sentence) clause(at int) int {
	from := s.boundary(at)
	before := words(s.masked[:from])
	if from > 0 && isTopic(before) && (len(before) <= topicColon || !strings.HasSuffix(strings.TrimSpace(s.masked[:from]), ":")) {
		return 0
	}
	return from
}

// boundary is where the last clause before a place begins.
func (s sentence) boundary(at int) (from int) {
	for _, b := range [...]string{", ", "，", ": ", "：", " - ", " and ", " but ", " so "} {
		if i := strings.LastIndex(" "+s.masked[:at], b); i >= 0 && i+len(b)-1 > from {
			from = i + len(b) - 1
		}
	}
	return from
}

// words are those of a text in lower case, without the punctuation around them.
func words(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || r == 0 || strings.ContainsRune(",;:.!?()[]\"“”*_，。：；！？、—–", r)
	})
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}
