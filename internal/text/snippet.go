package text

import (
	"slices"
	"strings"
	"unicode"
)

// A snippet is so many runes ahead of the best place, and from there on.
const (
	snippetBefore = 80
	snippetAfter  = 120
)

// Snippet is the part of s that bears most on a question: from the place on which
// the next runes hold most of its different words, and some ahead of it. What is
// left out is marked by an ellipsis, words are not cut in two, and white space is
// folded. Without any of the words it is the beginning.
func Snippet(s, question string) string {
	rs := []rune(strings.Join(strings.Fields(s), " "))
	if len(rs) <= snippetBefore+snippetAfter {
		return string(rs)
	}
	at := densest(occurrences(rs, question), snippetAfter)
	from, to := max(0, at-snippetBefore), min(len(rs), at+snippetAfter)
	for from > 0 && from < at && !unicode.IsSpace(rs[from-1]) && !unspaced(rs[from]) {
		from++
	}
	for to < len(rs) && to > at && !unicode.IsSpace(rs[to]) && !unspaced(rs[to]) {
		to--
	}
	out := strings.TrimSpace(string(rs[from:to]))
	if from > 0 {
		out = "…" + out
	}
	if to < len(rs) {
		out += "…"
	}
	return out
}

// A seen is a word of the question at a place of the text.
type seen struct{ at, word int }

// occurrences are the places where a word of the question stands, in order. The
// stem of a word is looked for, so that its other forms count.
func occurrences(rs []rune, question string) []seen {
	lower := make([]rune, len(rs))
	for i, r := range rs {
		lower[i] = unicode.ToLower(r)
	}
	var found []seen
	l, _ := LanguageOf(question)
	for _, q := range QueryTerms(question, l, 64) {
		stem := []rune(q.Term)
		if q.Field != Word && q.Field != CJK || len(stem) < 2 {
			continue
		}
		for i := 0; i+len(stem) <= len(lower); i++ {
			whole := q.Field == CJK || i == 0 || !unicode.IsLetter(lower[i-1])
			if whole && slices.Equal(lower[i:i+len(stem)], stem) {
				found = append(found, seen{i, q.Group})
			}
		}
	}
	slices.SortFunc(found, func(a, b seen) int { return a.at - b.at })
	return found
}

// densest is the first place from which a window of n runes holds most
// different words.
func densest(found []seen, n int) (at int) {
	best := 0
	for i, f := range found {
		words := map[int]bool{}
		for _, g := range found[i:] {
			if g.at >= f.at+n {
				break
			}
			words[g.word] = true
		}
		if len(words) > best {
			at, best = f.at, len(words)
		}
	}
	return at
}
