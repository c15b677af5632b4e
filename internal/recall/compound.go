package recall

import (
	"context"
	"strings"

	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/text"
)

// Bounds of what is looked for in a compound: letters of its first and its last part.
const (
	compoundHead = 4
	compoundTail = 4
)

// divide adds, for German and Dutch words that stand nowhere, the words that they may
// be made of: every ending, of which those that stand somewhere count, and the longest
// beginning that does. "Datenbankverbindungen" asks for "Verbindung" and for
// "Datenbank". It reports whether it added any.
func (w *words) divide(ctx context.Context, roots []Source, st index.Stats, p Params) bool {
	if p.Compound == 0 || w.lang != text.German && w.lang != text.Dutch {
		return false
	}
	some := w.standing(st)
	have := w.keys()
	added := false
	for _, t := range w.terms { // those there are now
		word := t.key[1:]
		if t.field != text.Word || some[t.unit] || len(word) < compoundHead+compoundTail || !letters(word) {
			continue
		}
		put := func(part string) {
			if key := text.Key(text.Word, part); !have[key] {
				have[key], added = true, true
				w.terms = append(w.terms, term{key: key, field: text.Word, factor: "compound", weight: t.weight * p.Compound, unit: t.unit, sure: float64(p.Compound)})
			}
		}
		for at := compoundHead; at <= len(word)-compoundTail; at++ {
			put(word[at:])
		}
		if head := beginning(ctx, roots, word); head != "" {
			put(head)
		}
	}
	return added
}

// beginning is the longest indexed stem with which a word begins.
func beginning(ctx context.Context, roots []Source, word string) (head string) {
	for _, r := range roots {
		seen := 0
		_ = r.Reader.Terms(ctx, text.Key(text.Word, word[:compoundHead]), func(t string) bool { // an index that fails says so in Stats
			if t, seen = t[1:], seen+1; len(t) > len(head) && strings.HasPrefix(word, t) {
				head = t
			}
			return seen < typoSeen
		})
	}
	return head
}
