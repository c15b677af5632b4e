package recall

// mayHold says whether it is worth while to take s apart: whether the beginnings
// of some pair's words stand near each other. Most texts hold the words of a
// question apart, and this is seen twenty times faster than stemmed.
func (w *words) mayHold(s string, held uint64) bool {
	for i := range w.pairs {
		if p := &w.pairs[i]; p.held != 0 && p.held&held == p.held && beside(s, p.first, p.second) {
			return true
		}
	}
	return false
}

// mayBegin says of a word in lower case whether it may be one of a pair that is
// looked for. Nearly all of a text's words are not, and need not be stemmed.
func (w *words) mayBegin(held uint64) func(low []byte) bool {
	var openings []string
	for _, p := range w.pairs {
		if p.held != 0 && p.held&held == p.held {
			openings = append(openings, opening(p.first), opening(p.second))
		}
	}
	return func(low []byte) bool {
		for _, o := range openings {
			if len(low) >= len(o) && string(low[:len(o)]) == o {
				return true
			}
		}
		return false
	}
}

// besideBytes is how far behind the beginning of a word that of the next may
// stand, stop words between them.
const besideBytes = 96

// beside says whether somewhere in s the beginning of one stem stands a little
// before that of another one, or at the same place: a joined word is followed by
// its parts. Where folding is more than lower case it says yes.
func beside(s, first, second string) bool {
	a, b := opening(first), opening(second)
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return true
		}
		if !begins(s[i:], a) {
			continue
		}
		for j := i; j < min(len(s), i+len(first)+besideBytes); j++ {
			if begins(s[j:], b) {
				return true
			}
		}
	}
	return false
}

// opening is the part of a stem with which each of its words begins: stemming
// changes the ends of words, of the shortest ones nearly all ("dying", "die").
func opening(stem string) string {
	if len(stem) < 4 {
		return stem[:1]
	}
	return stem[:min(len(stem)-1, 5)]
}

// begins is strings.HasPrefix with s in lower case.
func begins(s, prefix string) bool {
	if len(s) < len(prefix) {
		return false
	}
	for i := range len(prefix) {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != prefix[i] {
			return false
		}
	}
	return true
}
