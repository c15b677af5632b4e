package page

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxWikiLink = 256  // bytes between "[[" and "]]"
	maxLink     = 1024 // bytes between "](" and ")"
)

// markup finds the #tags and links of a text outside code, each once, in the
// order in which they stand.
func markup(text string) (tags, links []string) {
	if strings.IndexByte(text, '#') < 0 && strings.IndexByte(text, '[') < 0 {
		return nil, nil
	}
	var code codeSpans
	for i := 0; i < len(text); {
		for i < len(text) && !opensMarkup[text[i]] {
			i++
		}
		if i == len(text) {
			break
		}
		switch text[i] {
		case '`', '~':
			i = code.skip(text, i)
			continue
		case '#':
			if tag := tagAt(text, i); tag != "" {
				tags = append(tags, strings.TrimRight(tag, "-"))
				i += len(tag)
			}
		case '[':
			if target, size := wikiLink(text[i:]); size > 0 {
				links = append(links, target)
				i += size - 1
			}
		case ']':
			if target := pageLink(text[i:]); target != "" {
				links = append(links, target)
			}
		}
		i++
	}
	return distinct(tags), distinct(links)
}

// opensMarkup are the bytes that markup looks at.
var opensMarkup = [256]bool{'#': true, '[': true, ']': true, '`': true, '~': true}

// distinct removes repetitions and keeps the order.
func distinct(list []string) []string {
	if len(list) < 2 {
		return list
	}
	if len(list) <= 8 {
		kept := list[:0]
		for _, s := range list {
			if !slices.Contains(kept, s) {
				kept = append(kept, s)
			}
		}
		return kept
	}
	seen := make(map[string]bool, len(list))
	return slices.DeleteFunc(list, func(s string) bool {
		if seen[s] {
			return true
		}
		seen[s] = true
		return false
	})
}

// tagAt is the tag behind the '#' at i: letters, digits, '_' and '-', at least
// one of them a letter, and white space or an opening bracket before the '#'.
func tagAt(text string, i int) string {
	if i > 0 {
		switch text[i-1] {
		case ' ', '\t', '\n', ',', ';', '"', '\'':
		case '(', '[':
			if i > 1 && text[i-1] == '(' && text[i-2] == ']' {
				return "" // the anchor of a link
			}
		default:
			if r, _ := utf8.DecodeLastRuneInString(text[:i]); r < utf8.RuneSelf || r == utf8.RuneError || !unicode.IsSpace(r) && !unicode.IsPunct(r) {
				return ""
			}
		}
	}
	rest, letter := text[i+1:], false
	for at, r := range rest {
		switch {
		case unicode.IsLetter(r):
			letter = true
		case unicode.IsDigit(r), unicode.IsMark(r), r == '_', r == '-' && at > 0:
		default:
			rest = rest[:at]
		}
		if len(rest) == at {
			break
		}
	}
	if !letter {
		return ""
	}
	return rest
}

// wikiLink reads "[[target]]" or "[[target|alias]]" at the start of s.
func wikiLink(s string) (target string, size int) {
	if !strings.HasPrefix(s, "[[") {
		return "", 0
	}
	inner := s[2:min(len(s), 2+maxWikiLink)]
	end := strings.Index(inner, "]]")
	if end < 0 || strings.IndexByte(inner[:end], '[') >= 0 || strings.IndexByte(inner[:end], '\n') >= 0 {
		return "", 0
	}
	target, _, _ = strings.Cut(inner[:end], "|")
	if target = strings.TrimSpace(target); target == "" {
		return "", 0
	}
	return target, 2 + end + 2
}

// pageLink reads the target of a markdown link at its "](" when it is a
// relative path: no scheme, no root, no mere fragment. A fragment and a title
// are cut off.
func pageLink(s string) string {
	if !strings.HasPrefix(s, "](") {
		return ""
	}
	s = s[2:min(len(s), 2+maxLink)]
	end := strings.IndexAny(s, ")\n")
	if end < 0 || s[end] != ')' {
		return ""
	}
	s = strings.TrimSpace(s[:end])
	if inner, ok := strings.CutPrefix(s, "<"); ok {
		s, _, _ = strings.Cut(inner, ">")
	} else if i := strings.IndexAny(s, " \t"); i >= 0 {
		s = s[:i]
	}
	s, _, _ = strings.Cut(s, "#")
	if s == "" || s[0] == '/' || s[0] == '\\' || strings.IndexByte(s, ':') >= 0 {
		return ""
	}
	return s
}

// codeSpans knows where the last run of each length of each mark stands, so
// that a text with many runs that close nothing is searched only once.
type codeSpans struct {
	last map[codeRun]int
}

type codeRun struct {
	mark byte
	n    int
}

// skip is the offset behind the code span or fence that opens at i, or behind
// the run of marks when it opens none.
func (c *codeSpans) skip(text string, i int) int {
	run, next := runAt(text, i)
	if run.mark == '~' && run.n < 3 {
		return next
	}
	if len(text)-next > maxRescan && c.lastOf(text, i, run) <= i {
		return next
	}
	for at := next; ; {
		n := strings.IndexByte(text[at:], run.mark)
		if n < 0 {
			return next
		}
		r, end := runAt(text, at+n)
		if r == run {
			return end
		}
		at = end
	}
}

// maxRescan is how much of a text may be searched again for every run.
const maxRescan = 512

// lastOf is where the last run of a kind stands, 0 for none.
func (c *codeSpans) lastOf(text string, from int, run codeRun) int {
	if c.last == nil {
		c.last = map[codeRun]int{}
		for at := from; at < len(text); {
			n := strings.IndexAny(text[at:], "`~")
			if n < 0 {
				break
			}
			r, end := runAt(text, at+n)
			c.last[r] = at + n
			at = end
		}
	}
	return c.last[run]
}

// runAt is the run of equal marks at i and the offset behind it.
func runAt(text string, i int) (codeRun, int) {
	end := i
	for end < len(text) && text[end] == text[i] {
		end++
	}
	return codeRun{text[i], end - i}, end
}
