package score

import (
	"slices"
	"strings"
	"unicode"
)

// Prohibits reports whether the text forbids something: a clause that begins
// with "never", "do not" or "don't", a "must not", "may not" or "should never"
// anywhere, or the Chinese and Japanese words for it. It is a guess from the
// words alone, and errs on the side of no: "we never saw this again" reports
// what happened and forbids nothing.
func Prohibits(text string) bool {
	if !maybe(text) {
		return false
	}
	s := strings.ReplaceAll(text, "’", "'")
	return forbids(s) || forbidsUnspaced(s)
}

// maybe says whether a text can forbid anything: most cannot, and to see that
// needs one look at each byte.
func maybe(text string) bool {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c >= 0xE3: // the Chinese, Japanese and Korean words begin so
			return true
		case c|0x20 == 'n' && i+2 < len(text):
			switch next, third := text[i+1]|0x20, text[i+2]|0x20; {
			case next == 'o' && third == 't', next == 'e' && third == 'v', // not, never
				text[i+1] == '\'' && third == 't', text[i+1] == 0xE2: // n't, n’t
				return true
			}
		}
	}
	return false
}

// forbidsUnspaced knows the plain words for it in Chinese, Japanese and Korean.
func forbidsUnspaced(s string) bool {
	if !slices.ContainsFunc([]byte(s), func(c byte) bool { return c >= 0xE3 }) {
		return false
	}
	for _, w := range [...]string{"禁止", "不要", "不得", "切勿", "するな", "しないこと", "해서는 안"} {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// forbids looks at the words of each clause, in whatever case.
func forbids(s string) bool {
	var c clause
	start := -1 // of the word being read
	for i, r := range s {
		if 'a' <= r && r <= 'z' && start >= 0 {
			continue
		}
		ends := endsClause(r)
		if !ends && !unicode.IsSpace(r) {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 && c.forbids(s[start:i]) {
			return true
		}
		if start = -1; ends {
			c = clause{}
		}
	}
	return start >= 0 && c.forbids(s[start:])
}

func endsClause(r rune) bool {
	switch r {
	case '.', '!', '?', ';', ':', ',', '\n', '—', '–', '(', ')':
		return true
	}
	return false
}

// A clause is what matters of the words read so far.
type clause struct {
	begun bool // not only words that may stand before an order, or marks without a letter
	may   bool // the last word is one that "not" or "never" makes a prohibition
}

// bare is a word without the marks around it; strings.Trim takes as long as all else
// here.
func bare(word string) string {
	mark := func(c byte) bool {
		switch c {
		case '*', '_', '`', '"', '\'', '-', '[', ']':
			return true
		}
		return false
	}
	for len(word) > 0 && mark(word[0]) {
		word = word[1:]
	}
	for len(word) > 0 && mark(word[len(word)-1]) {
		word = word[:len(word)-1]
	}
	return word
}

// forbids takes up the next word, and says whether the clause forbids with it.
func (c *clause) forbids(word string) bool {
	if c.begun && !c.may { // then few words matter, and most begin with another letter
		if low := word[0] | 0x20; 'a' <= low && low <= 'z' && low != 'm' && low != 's' {
			return false
		}
	}
	w, may := bare(word), c.may
	c.may = false
	if len(w) > len("shouldn't") {
		c.begun = true
		return false
	}
	var low [len("shouldn't")]byte
	for i := range len(w) {
		if low[i] = w[i]; 'A' <= w[i] && w[i] <= 'Z' {
			low[i] += 'a' - 'A'
		}
	}
	switch string(low[:len(w)]) {
	case "not":
		if may {
			return true
		}
	case "never":
		if may || !c.begun {
			return true
		}
	case "don't":
		if !c.begun {
			return true
		}
	case "mustn't", "shouldn't":
		return true
	case "must", "may", "should":
		c.may = true
	case "do":
		c.may = !c.begun
	case "", "please", "and", "but", "so", "always", "also", "you":
		return false
	}
	c.begun = true
	return false
}
