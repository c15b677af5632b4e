package recall

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/text"
)

// Bounds of what is looked for in place of a word that stands nowhere.
const (
	partLeast = 4 // letters of a part
	partMost  = 6 // longer words tried for one word
	partWords = 8 // words of a question, the most telling ones
)

// divide adds, for words of other languages than English that stand nowhere, the words
// with which they have a part in common: longer ones that begin with theirs, the longest
// one with which theirs begins, and, for languages that write compounds in one word,
// every ending. "Datenbankverbindungen" asks for "Datenbank" and for "Verbindung",
// "Verbindung" for "Verbindungspool". It reports whether it added any.
func (w *words) divide(ctx context.Context, roots []Source, st index.Stats, p Params) bool {
	if p.Compound == 0 {
		return false
	}
	some := w.standing(st)
	have := w.keys()
	added := false
	tried := map[int]bool{}     // units
	for _, t := range w.terms { // those there are now
		word := t.key[1:]
		if t.field != text.Word || some[t.unit] || w.lang == text.English && word[0] < utf8.RuneSelf || utf8.RuneCountInString(word) < partLeast {
			continue
		}
		if tried[t.unit] = true; len(tried) > partWords {
			break
		}
		parts := longer(ctx, roots, word)
		if head := beginning(ctx, roots, word); head != "" {
			parts = append(parts, head)
		}
		if w.lang.Compounds() {
			for at := partLeast; at <= len(word)-partLeast; at++ {
				parts = append(parts, word[at:])
			}
		}
		for _, part := range parts {
			if key := text.Key(text.Word, part); !have[key] {
				have[key], added = true, true
				w.terms = append(w.terms, term{key: key, field: text.Word, factor: "compound", weight: t.weight * p.Compound, unit: t.unit, sure: float64(p.Compound)})
			}
		}
	}
	return added
}

// longer are the indexed stems that begin with a word, the shortest ones.
func longer(ctx context.Context, roots []Source, word string) (out []string) {
	stems(ctx, roots, word, func(t string) { out = append(out, t) })
	slices.SortStableFunc(out, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
	return out[:min(len(out), partMost)]
}

// beginning is the longest indexed stem with which a word begins.
func beginning(ctx context.Context, roots []Source, word string) (head string) {
	least := 0
	for range partLeast {
		_, n := utf8.DecodeRuneInString(word[least:])
		least += n
	}
	stems(ctx, roots, word[:least], func(t string) {
		if len(t) > len(head) && strings.HasPrefix(word, t) {
			head = t
		}
	})
	return head
}

// stems visits the indexed stems with a prefix.
func stems(ctx context.Context, roots []Source, prefix string, visit func(string)) {
	for _, r := range roots {
		seen := 0
		_ = r.Reader.Terms(ctx, text.Key(text.Word, prefix), func(t string) bool { // an index that fails says so in Stats
			seen++
			visit(t[1:])
			return seen < typoSeen
		})
	}
}
