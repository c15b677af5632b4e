package tool

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// columns is the width of a text in a terminal: two for each wide character, none
// for what combines with the one before and for our colours.
func columns(s string) int {
	n := 0
	for _, r := range stripAnsi(s) {
		n += columnsOf(r)
	}
	return n
}

func columnsOf(r rune) int {
	if r < 0x300 { // the first that combines
		return 1
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	return 1
}

// clip shortens s to n columns, the mark of the cut included.
func clip(s string, n int) string {
	if len(s) <= n || headColumns(s, n) == s {
		return s
	}
	return headColumns(s, n-1) + "…"
}

// headColumns is the beginning of a text that fits n columns.
func headColumns(s string, n int) string {
	at := 0
	for i, r := range s {
		if n -= columnsOf(r); n < 0 {
			return s[:at]
		}
		at = i + utf8.RuneLen(r)
		if r == utf8.RuneError {
			_, size := utf8.DecodeRuneInString(s[i:])
			at = i + size
		}
	}
	return s
}

// breakable is how much of a word may stay at the end of a line with so much room:
// writing without spaces breaks between any two wide characters, all else nowhere.
func breakable(word string, room int) string {
	head := headColumns(word, room)
	for head != "" && head != word {
		last, size := utf8.DecodeLastRuneInString(head)
		next, _ := utf8.DecodeRuneInString(word[len(head):])
		if columnsOf(last) == 2 && columnsOf(next) == 2 && !strings.ContainsRune("，。、；：？！）」』”…", next) {
			return head
		}
		head = head[:len(head)-size]
	}
	return ""
}
