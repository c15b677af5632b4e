package text

import "unicode/utf8"

// Tokens estimates how many tokens a language model counts for s. It needs no
// vocabulary: English prose comes out near one token for four characters, code
// near one for three, CJK at one a character.
//
//   - ASCII letters: one token for every 7 of a run, at least one; a new run
//     starts at each hump, so getUserName is three
//   - digits: one for every 3
//   - punctuation: one for every 2 in a row
//   - one space before a word is free; more white space, or white space with a
//     line break or tab in it, is one for every 16
//   - CJK and other unspaced scripts: one a character; other letters: one for
//     every 2; symbols and emoji: 2; a byte that is not UTF-8: one
//
// It never allocates, and it is subadditive: Tokens(a+b) <= Tokens(a) +
// Tokens(b). So what is put together from parts never costs more than the
// parts, and a budget that the parts keep is kept by the whole.
func Tokens(s string) int {
	n := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			cost, next := foreignTokens(s, i)
			n, i = n+cost, next
			continue
		}
		start := i
		switch cl := classes[c]; {
		case cl == isLower || cl == isUpper:
			i = letters(s, i+1)
			n += (i - start + 6) / 7
		case cl == isDigit:
			for i < len(s) && s[i] >= '0' && s[i] <= '9' {
				i++
			}
			n += (i - start + 2) / 3
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			i = blanks(s, i)
			if i-start > 1 || c != ' ' || i == len(s) {
				n += (i - start + 15) / 16
			}
		default:
			for i < len(s) && punctuation(s[i]) {
				i++
			}
			n += (i - start + 1) / 2
		}
	}
	return n
}

// letters is where the run of ASCII letters that goes on at s[i] ends.
func letters(s string, i int) int {
	for i < len(s) && s[i] < utf8.RuneSelf {
		cl := classes[s[i]]
		if cl != isLower && cl != isUpper || cl == isUpper && s[i-1] >= 'a' {
			break
		}
		i++
	}
	return i
}

func blanks(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\n' || s[i] == '\t' || s[i] == '\r') {
		i++
	}
	return i
}

func punctuation(c byte) bool {
	if c >= utf8.RuneSelf || c == ' ' || c == '\n' || c == '\t' || c == '\r' {
		return false
	}
	cl := classes[c]
	return cl != isLower && cl != isUpper && cl != isDigit
}

// foreignTokens is what the text beyond ASCII at s[i] costs, and where what it
// counted ends.
func foreignTokens(s string, i int) (cost, next int) {
	r, size := utf8.DecodeRuneInString(s[i:])
	switch {
	case r == utf8.RuneError && size <= 1 || unspaced(r):
		return 1, i + size
	case !inWord(r):
		return 2, i + size
	}
	runes := 0
	for i < len(s) && s[i] >= utf8.RuneSelf {
		r, size := utf8.DecodeRuneInString(s[i:])
		if !inWord(r) || unspaced(r) {
			break
		}
		i += size
		runes++
	}
	return (runes + 1) / 2, i
}
