package main

import (
	"unicode"
	"unicode/utf8"

	"github.com/pimento-memory/pimento/internal/text"
)

// A tokenizer cuts text into the words of the table: stems of the house's
// analyzer, Chinese words of a lexicon, and after two words that are a phrase
// of the thesaurus the phrase, with a space between its stems.
type tokenizer struct {
	analyzer *text.Analyzer
	chinese  *lexicon
	last     string // the stem before, to find phrases
}

func newTokenizer(chinese *lexicon) *tokenizer {
	return &tokenizer{analyzer: text.NewAnalyzer(), chinese: chinese}
}

// tokens calls emit for each word in the order of the text.
func (z *tokenizer) tokens(s string, emit func(word string)) {
	latin := func(part string) {
		z.last = ""
		z.analyzer.Analyze(part, func(field byte, term string) {
			if field != text.Word {
				return
			}
			emit(term)
			if z.chinese.phrases[z.last] != nil && z.chinese.phrases[z.last][term] {
				emit(z.last + " " + term)
			}
			z.last = term
		})
	}
	start := 0
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !unicode.Is(unicode.Han, r) {
			i += n
			continue
		}
		latin(s[start:i])
		end := i
		for end < len(s) {
			r, n := utf8.DecodeRuneInString(s[end:])
			if !unicode.Is(unicode.Han, r) {
				break
			}
			end += n
		}
		z.chinese.cut(s[i:end], emit)
		i, start = end, end
	}
	latin(s[start:])
}
