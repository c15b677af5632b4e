package score

import "strings"

// Prohibits reports whether the text forbids something: a clause that begins
// with "never", "do not" or "don't", a "must not", "may not" or "should never"
// anywhere, or the Chinese and Japanese words for it. It is a guess from the
// words alone, and errs on the side of no: "we never saw this again" reports
// what happened and forbids nothing.
func Prohibits(text string) bool {
	if !maybe(text) {
		return false
	}
	s := strings.ToLower(strings.ReplaceAll(text, "’", "'"))
	if !strings.Contains(s, "n't") && !strings.Contains(s, "not") && !strings.Contains(s, "never") {
		return forbidsUnspaced(s)
	}
	for clause := range strings.FieldsFuncSeq(s, endsClause) {
		if forbids(strings.Fields(clause)) {
			return true
		}
	}
	return forbidsUnspaced(s)
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
	if !strings.ContainsFunc(s, func(r rune) bool { return r >= 0x3000 }) {
		return false
	}
	for _, w := range [...]string{"禁止", "不要", "不得", "切勿", "するな", "しないこと", "해서는 안"} {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

func endsClause(r rune) bool { return strings.ContainsRune(".!?;:,\n—–()", r) }

// forbids looks at one clause, in lower case.
func forbids(words []string) bool {
	for i, w := range words {
		w = strings.Trim(w, "*_`\"'-[]")
		next := ""
		if i+1 < len(words) {
			next = strings.Trim(words[i+1], "*_`\"'-[]")
		}
		switch {
		case (w == "must" || w == "may" || w == "should") && (next == "not" || next == "never"):
			return true
		case w == "mustn't" || w == "shouldn't":
			return true
		case !leadsIn(words[:i]):
			continue
		case w == "never", w == "don't", w == "do" && (next == "not" || next == "never"):
			return true
		}
	}
	return false
}

// leadsIn reports whether only words that may stand before an order, or marks
// without a letter (bullets, emphasis), come first.
func leadsIn(words []string) bool {
	for _, w := range words {
		switch w = strings.Trim(w, "*_`\"'-[]"); w {
		case "", "please", "and", "but", "so", "always", "also", "you":
		default:
			return false
		}
	}
	return true
}
