package inject

import (
	"strings"
	"unicode/utf8"
)

// Clean makes every line break a \n and removes what does not show: control
// characters, direction marks, zero-width characters (a joiner between two
// emoji stays) and tag characters. Bytes that are not UTF-8 become U+FFFD.
func Clean(s string) string {
	at := firstOdd(s)
	if at == len(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	b.WriteString(s[:at])
	var before rune // the last rune that was kept
	for at < len(s) {
		r, n := utf8.DecodeRuneInString(s[at:])
		at += n
		switch {
		case r == '\r':
			if at < len(s) && s[at] == '\n' {
				continue
			}
			r = '\n'
		case r == '\u0085' || r == '\u2028' || r == '\u2029':
			r = '\n'
		case r == '\u200d':
			next, _ := utf8.DecodeRuneInString(s[at:])
			if !isEmoji(before) || !isEmoji(next) {
				continue
			}
		case isHidden(r):
			continue
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}

// firstOdd is the offset of the first byte that is neither printable ASCII nor
// \n or \t.
func firstOdd(s string) int {
	for i := range len(s) {
		if c := s[i]; (c < ' ' && c != '\n' && c != '\t') || c >= 0x7f {
			return i
		}
	}
	return len(s)
}

func isHidden(r rune) bool {
	switch {
	case r < ' ':
		return r != '\n' && r != '\t'
	case r < 0x7f:
		return false
	case r <= 0x9f: // delete and the C1 controls
		return true
	}
	return r == 0xad || // soft hyphen
		r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e ||
		r >= 0x2060 && r <= 0x2069 || r == 0xfeff || r >= 0xe0000 && r <= 0xe007f
}

// isEmoji is a wide guess: pictographs, symbols, skin tones and the emoji
// variation selector.
func isEmoji(r rune) bool {
	return r >= 0x1f000 && r <= 0x1faff || r >= 0x2190 && r <= 0x2bff || r == 0xfe0f
}

// isInline says whether inline has nothing to do.
func isInline(s string) bool {
	before := byte(' ')
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c >= 0x7f || c == '<' || c == ' ' && before == ' ' {
			return false
		}
		before = c
	}
	return before != ' '
}

// inline makes s one harmless line: for page names, dates and headings, which
// stand inside lines of our own.
func inline(s string) string {
	if isInline(s) {
		return s
	}
	return escapeTags(strings.Join(strings.Fields(Clean(s)), " "))
}
