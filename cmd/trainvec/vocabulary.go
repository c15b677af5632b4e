package main

import (
	"cmp"
	"slices"
	"strings"
)

// vocabulary is the words that are counted, the most frequent first, and the
// text in their numbers.
type vocabulary struct {
	words  []string
	number map[string]int
	count  []int
	share  []float64 // of all words, on average over the sources
	tokens []int32

	ours    [][]string // the thesaurus
	about   []association
	pairs   [][]statement
	sets    []synset // WordNet
	lexicon *lexicon
}

// A candidate is a word, how often the texts have it, and our own lists.
type candidate struct {
	word        string
	count, must int
}

// worth orders candidates: one of ours counts as if the texts had it given times
// at least.
func (c candidate) worth(given int) int {
	if c.must > 0 {
		return max(c.count, given)
	}
	return c.count
}

// mentions counts the words of our own lists.
func mentions(lists [][]string, z *tokenizer) map[string]int {
	out := map[string]int{}
	for _, g := range lists {
		for _, w := range g {
			z.tokens(w, func(t string) { out[t]++ })
		}
	}
	return out
}

// choose picks the words: those of our own lists, and those that occur often
// enough and in several sources, so that the private names of one library do
// not crowd out words that people use.
func choose(c *corpus, ours [][]string, lex *lexicon, o options) *vocabulary {
	v := &vocabulary{number: map[string]int{}}
	old := map[string]int{}
	for i, w := range c.words {
		old[w] = i
	}
	must := mentions(ours, newTokenizer(lex))
	var all []candidate
	for i, w := range c.words {
		spread := o.spread
		if han(w) {
			spread = 1
		}
		if must[w] > 0 || c.count[i] >= o.least && c.spread[i] >= spread && wordy(w) {
			all = append(all, candidate{w, c.count[i], must[w]})
		}
	}
	for w := range must {
		if _, ok := old[w]; !ok {
			all = append(all, candidate{w, 0, must[w]})
		}
	}
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.worth(o.given), a.worth(o.given)), cmp.Compare(b.must, a.must), cmp.Compare(b.count, a.count), cmp.Compare(a.word, b.word))
	})
	if len(all) > o.vocab {
		all = all[:o.vocab]
	}
	renumber := make([]int32, len(c.words))
	for i := range renumber {
		renumber[i] = -2
	}
	for n, a := range all {
		v.words, v.count = append(v.words, a.word), append(v.count, a.count)
		v.number[a.word] = n
		if i, ok := old[a.word]; ok {
			renumber[i] = int32(n)
			v.share = append(v.share, c.share[i])
		} else {
			v.share = append(v.share, 0)
		}
	}
	v.tokens = make([]int32, len(c.tokens))
	for i, t := range c.tokens {
		v.tokens[i] = pause
		if t >= 0 {
			v.tokens[i] = renumber[t]
		}
	}
	return v
}

// wordy tells whether a token looks like a word and not like data.
func wordy(w string) bool {
	if han(w) || strings.Contains(w, " ") {
		return true
	}
	if len(w) < 2 || len(w) > 24 {
		return false
	}
	digits := 0
	for i := range len(w) {
		switch {
		case w[i] >= 0x80:
			return false
		case '0' <= w[i] && w[i] <= '9':
			digits++
		}
	}
	return digits*2 <= len(w) && (w[0] > '9')
}
