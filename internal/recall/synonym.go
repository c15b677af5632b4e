package recall

import (
	"slices"
	"strings"

	"github.com/pimento-memory/pimento/internal/embed"
	"github.com/pimento-memory/pimento/internal/text"
)

// weakWord is what a word counts that frames questions; what it means nearly is
// not asked for.
const weakWord = 0.5

// widen asks, beside each word of the question, for words that mean nearly the
// same, in English or Chinese. They stand in for the word and count less the less alike they are.
func (w *words) widen(question string, lexicon *embed.Static, p Params) {
	if p.Synonym == 0 || lexicon == nil || w.lang != text.English {
		return
	}
	have := w.keys()
	add := func(word string, u int, weight float32) {
		n := 0
		for _, l := range lexicon.Likes(word) {
			key := text.Key(text.Word, l.Word)
			if float64(l.Sim) < p.Alike || have[key] || l.Word[0] >= 0x80 {
				continue
			}
			have[key] = true
			sure := p.Synonym * float64(l.Sim)
			w.terms = append(w.terms, term{key: key, field: text.Word, factor: "synonym", weight: weight * float32(sure), unit: u, loose: true, sure: sure})
			if n++; n == p.Synonyms {
				break
			}
		}
	}
	for _, t := range w.terms[:len(w.terms):len(w.terms)] {
		if t.field == text.Word && !t.loose && !w.units[t.unit].time && w.units[t.unit].weak > weakWord {
			add(t.key[1:], t.unit, t.weight)
		}
	}
	for _, word := range w.chinese(lexicon.Words(question)) {
		weak := 1.0
		if text.Weak(word) {
			weak = weakWord
		}
		w.units = append(w.units, unit{weak: weak})
		u := len(w.units) - 1
		w.gather(word, u)
		if weak > weakWord {
			add(word, u, 1)
		}
	}
}

// chinese leaves out of the words of a question those that say nothing. The
// characters of these, and the pairs that lie across the border of two words,
// are still looked for, but not holding them is no lack.
func (w *words) chinese(cut []string) []string {
	all := strings.Join(cut, "\n")
	said := slices.DeleteFunc(cut, text.Stop)
	telling := strings.Join(said, "\n")
	for _, t := range w.terms {
		if t.field != text.CJK || strings.Contains(telling, t.key[1:]) {
			continue
		}
		if strings.IndexFunc(t.key[1:], func(r rune) bool { return !strings.ContainsRune(all, r) }) < 0 {
			w.units[t.unit].weak = 0
		}
	}
	return said
}

// gather makes the characters of a Chinese word one unit.
func (w *words) gather(word string, u int) {
	for i := range w.terms {
		t := &w.terms[i]
		if t.field == text.CJK && strings.Contains(word, t.key[1:]) && !w.units[t.unit].word {
			w.units[t.unit].weak = 0
			t.unit = u
		}
	}
	w.units[u].word = true
}
