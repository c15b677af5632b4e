package text

import (
	"strings"
	"unicode/utf8"
)

// OneLine folds every run of white space of s to one space, trims the ends, and
// cuts the rest to at most limit runes, an ellipsis included that shows the
// cut. A limit of 0 or less yields "".
func OneLine(s string, limit int) string {
	if limit <= 0 {
		return ""
	}
	if plainLine(s, limit) {
		if len(s) <= limit {
			return s
		}
		return strings.TrimRight(s[:limit-1], " ") + "…"
	}
	var b strings.Builder
	runes, cut := 0, 0 // cut: length of b where an ellipsis still fits
	for word := range strings.FieldsSeq(s) {
		if runes > 0 {
			word = " " + word
		}
		for _, r := range word {
			if runes == limit {
				return strings.TrimRight(b.String()[:cut], " ") + "…"
			}
			b.WriteRune(r)
			if runes++; runes == limit-1 {
				cut = b.Len()
			}
		}
	}
	return b.String()
}

// plainLine says whether s, as far as it counts for a limit, is ASCII in which there
// is nothing to fold: most texts are, and need no second look.
func plainLine(s string, limit int) bool {
	last := byte(' ')
	for i := range min(len(s), limit+1) {
		c := s[i]
		if c < ' ' || c >= 0x7f || c == ' ' && last == ' ' {
			return false
		}
		last = c
	}
	return last != ' ' || s == ""
}

// ClipBytes is the longest prefix of s that has at most n bytes and does not
// cut a rune in two.
func ClipBytes(s string, n int) string {
	if n >= len(s) {
		return s
	}
	if n <= 0 {
		return ""
	}
	for i := n; i > n-utf8.UTFMax && i >= 0; i-- {
		if utf8.RuneStart(s[i]) {
			return s[:i]
		}
	}
	return s[:n] // not UTF-8
}
