package qmd

import (
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/text"
)

// Name is a path without what qmd changes in one: it may write small letters
// only, and a dash for whatever is neither letter nor digit.
func Name(path string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("-_ ,+", r) {
			return '-'
		}
		return r
	}, strings.ToLower(strings.TrimSpace(path)))
}

// EntryOf is the entry that a hit is about: of those which its lines touch, or
// which it quotes, the one that shares most words with the question, then with
// the quotation; -1 when there is none that may be shown.
func EntryOf(es []pimento.Entry, hidden map[int]bool, h Hit, question string) int {
	best, most := -1, [2]int{-1, -1}
	asked, quoted := wordSet(question), wordSet(h.Text)
	for i, en := range es {
		if hidden[i] || !touches(es, i, h) {
			continue
		}
		var shared [2]int
		for w := range wordSet(en.Text) {
			if asked[w] {
				shared[0]++
			}
			if quoted[w] {
				shared[1]++
			}
		}
		if h.Line == 0 && shared[1] == 0 {
			continue // another part of the page
		}
		if slices.Compare(shared[:], most[:]) > 0 {
			best, most = i, shared
		}
	}
	return best
}

// touches says whether the lines of a hit reach the i-th entry of its page.
func touches(es []pimento.Entry, i int, h Hit) bool {
	if h.Line == 0 {
		return true
	}
	last := h.Line + max(h.Lines, strings.Count(h.Text, "\n")+1) - 1
	return es[i].Line <= last && (i+1 == len(es) || es[i+1].Line > h.Line)
}

func wordSet(s string) map[string]bool {
	set := map[string]bool{}
	text.Analyze(s, func(field byte, term string) {
		if field == text.Word || field == text.CJK {
			set[term] = true
		}
	})
	return set
}
