package text

import (
	"unicode"
	"unicode/utf8"
)

// inWord tells whether r can be part of a word.
func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 0 && classes[r] >= isLower && classes[r] <= isDigit
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Mc, r))
}

// unspaced tells whether r belongs to a script that is written without spaces
// between words, or, like Hangul, with words that carry their grammar along.
func unspaced(r rune) bool {
	switch {
	case r < 0x0E00:
		return false
	case r <= 0x0EFF, // Thai, Lao
		r >= 0x1000 && r <= 0x109F,                // Myanmar
		r >= 0x1100 && r <= 0x11FF,                // Hangul Jamo
		r >= 0x1780 && r <= 0x17FF,                // Khmer
		r >= 0x3040 && r <= 0x30FF && r != 0x30FB, // Kana, without the middle dot
		r >= 0x3005 && r <= 0x3007,                // Han: repetition, closing, zero
		r >= 0x3105 && r <= 0x318F,                // Bopomofo, Hangul compatibility Jamo
		r >= 0x31F0 && r <= 0x31FF,                // Kana extensions
		r >= 0x3400 && r <= 0x4DBF,                // Han extension A
		r >= 0x4E00 && r <= 0x9FFF,                // Han
		r >= 0xAC00 && r <= 0xD7A3,                // Hangul
		r >= 0xF900 && r <= 0xFAFF,                // Han compatibility
		r >= 0xFF66 && r <= 0xFF9D,                // halfwidth Kana
		r >= 0x20000 && r <= 0x323AF:              // Han extensions B to H
		return true
	}
	return false
}

// latin folds U+00C0..U+017F to ASCII; a space stands for "keep the letter".
const latin = "" +
	"aaaaaaaceeeeiiiidnooooo ouuuuy saaaaaaaceeeeiiiidnooooo ouuuuy y" + // U+00C0
	"aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkklllllll" + // U+0100
	"lllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzz " // U+0140

// fold appends r lower-cased, without accents, and with the full-width forms
// of ASCII made plain, so that "résumé" and "resume" are one word however they
// are typed (also decomposed, as file names on some systems are).
func fold(dst []byte, r rune) []byte {
	switch {
	case r >= 'A' && r <= 'Z':
		return append(dst, byte(r)+'a'-'A')
	case r < utf8.RuneSelf:
		return append(dst, byte(r))
	case r == 'ß':
		return append(dst, "ss"...)
	case r == 'ё' || r == 'Ё':
		return utf8.AppendRune(dst, 'е')
	case r >= 0xC0 && r < 0x180:
		if c := latin[r-0xC0]; c != ' ' {
			return append(dst, c)
		}
	case r >= 0x300 && r < 0x370: // combining accents
		return dst
	case r >= 0xFF01 && r <= 0xFF5E: // full-width ASCII
		return fold(dst, r-0xFEE0)
	}
	return utf8.AppendRune(dst, unicode.ToLower(r))
}

// joints is the length of the separators at the start of s, 0 if no part of a
// compound follows them. Two or three in a row ("::", "://") join, too.
func joints(s string) int {
	n := 0
	for n < len(s) && s[n] < utf8.RuneSelf && classes[s[n]] >= isJoint {
		if n == 3 {
			return 0
		}
		n++
	}
	if n == len(s) {
		return 0
	}
	if s[n] < utf8.RuneSelf {
		if cl := classes[s[n]]; cl >= isLower && cl <= isDigit {
			return n
		}
		return 0
	}
	if r, _ := utf8.DecodeRuneInString(s[n:]); inWord(r) && !unspaced(r) {
		return n
	}
	return 0
}

// hump tells whether the capital before s starts a new part after another
// capital: HTTPServer, but not URLs.
func hump(s string) bool {
	if s == "" || s[0] >= utf8.RuneSelf || classes[s[0]] != isLower {
		return false
	}
	if s[0] == 's' && (len(s) == 1 || s[1] < utf8.RuneSelf && classes[s[1]] != isLower) {
		return false
	}
	return true
}

// apostrophe looks at what follows an apostrophe: -1 when the word ends before
// it, 0 when it goes on ("don't", of which "dont" is kept), 1 when a possessive
// "s" is to be skipped.
func apostrophe(s string) int {
	if s == "" {
		return -1
	}
	r, _ := utf8.DecodeRuneInString(s)
	if !inWord(r) || unspaced(r) {
		return -1
	}
	if r == 's' {
		if next, _ := utf8.DecodeRuneInString(s[1:]); !inWord(next) {
			return 1
		}
	}
	return 0
}

// elided tells whether an article or the like has lost its vowel before an
// apostrophe, in French or Italian: what follows is the word.
func elided(low []byte) bool {
	switch string(low) {
	case "l", "d", "j", "n", "s", "c", "m", "t", "qu", "un", "all", "dall", "dell", "nell", "sull", "quest", "jusqu", "lorsqu", "puisqu":
		return true
	}
	return false
}

// suffixed tells whether what follows an apostrophe is no English ending: in Turkish a
// name ends before it, and its case stands behind ("Electron'dan").
func suffixed(low []byte, s string) bool {
	n := 0
	for n < len(s) && s[n] < utf8.RuneSelf && (classes[s[n]] == isLower || classes[s[n]] == isUpper) {
		n++
	}
	switch s[:n] {
	case "t", "ll", "re", "ve", "d", "m", "s", "T", "LL", "RE", "VE", "D", "M", "S":
		return n < len(s) && s[n] >= utf8.RuneSelf
	}
	return len(low) >= 2
}

// sign is the length of the sign in s that makes a name of the letter or two
// before it (C++, C#), 0 if there is none.
func sign(low []byte, s string) int {
	if s == "" || len(low) == 0 || len(low) > 2 || low[0] < 'a' || low[0] > 'z' {
		return 0
	}
	n := 0
	switch {
	case s[0] == '#':
		n = 1
	case len(s) >= 2 && s[0] == '+' && s[1] == '+':
		n = 2
	default:
		return 0
	}
	if n < len(s) {
		if r, _ := utf8.DecodeRuneInString(s[n:]); inWord(r) {
			return 0
		}
	}
	return n
}

func digits(b []byte) bool {
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(b) > 0
}
