package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Phrase is where a phrase stands in s as whole words, from a byte on, -1 for
// nowhere. Letter case counts. In a script without spaces any place will do.
func Phrase(s, phrase string, from int) int {
	for phrase != "" && from <= len(s) {
		i := strings.Index(s[from:], phrase)
		if i < 0 {
			return -1
		}
		i += from
		from = i + len(phrase)
		if !joined(s[:i], phrase) && !joined(phrase, s[from:]) {
			return i
		}
	}
	return -1
}

// HasPhrase says whether a phrase stands in s as whole words, in any letter case.
func HasPhrase(s, phrase string) bool {
	return Phrase(strings.ToLower(s), strings.ToLower(phrase), 0) >= 0
}

// joined says whether a word goes on from the end of a to the beginning of b.
func joined(a, b string) bool {
	last, _ := utf8.DecodeLastRuneInString(a)
	first, _ := utf8.DecodeRuneInString(b)
	return a != "" && b != "" && joins(last) && joins(first)
}

func joins(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '\'' || r == '’' || r == '_') && !Unspaced(r)
}

// Unspaced says whether a rune is of a script that is written without spaces,
// its signs included.
func Unspaced(r rune) bool {
	return unspaced(r) || r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xffef
}

// Width is how wide a text is: characters of a script without spaces count two.
func Width(s string) (n int) {
	for _, r := range s {
		n++
		if Unspaced(r) {
			n++
		}
	}
	return n
}

// Sentences cuts a text into sentences and lines that together are the text.
func Sentences(s string) []string {
	var out []string
	from := 0
	for i, r := range s {
		end := i + utf8.RuneLen(r)
		if r == utf8.RuneError {
			continue
		}
		next, _ := utf8.DecodeRuneInString(s[end:])
		spaced := end >= len(s) || unicode.IsSpace(next)
		if r == '\n' || strings.ContainsRune("。！？", r) || strings.ContainsRune(".!?", r) && spaced {
			out = append(out, s[from:end])
			from = end
		}
	}
	if from < len(s) {
		out = append(out, s[from:])
	}
	return out
}
