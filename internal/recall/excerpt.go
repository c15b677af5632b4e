package recall

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/pimento-memory/pimento/internal/text"
)

// excerptReach is how many bytes of an entry are looked through for an excerpt.
const excerptReach = 256 << 10

// excerpt is the part of a long text that covers most of the question, the first of
// several; "" for a short one, and where no word of the question stands.
func (a *asking) excerpt(ctx context.Context, s string) string {
	reach := text.ClipBytes(s, excerptReach)
	var bits map[string]uint64 // of the index's query, by term
	var low string
	best, from, to, n := 0.0, 0, 0, 0
	for begin, end := range text.WindowsAt(reach) {
		if end-begin == len(reach) {
			return ""
		}
		if bits == nil {
			bits, low = a.words.bits(), strings.ToLower(reach)
		}
		if n++; n%64 == 0 && a.late(ctx) {
			break
		}
		if len(low) == len(reach) && !a.words.begun(low[begin:end]) {
			continue
		}
		held := uint64(0)
		a.words.analyzer.Analyze(reach[begin:end], func(field byte, term string) { held |= bits[text.Key(field, term)] })
		if share := a.words.coverage(held); share > best {
			best, from, to = share, begin, end
		}
	}
	if best == 0 {
		return ""
	}
	return text.Excerpt(s, from, to)
}

// begun says whether it is worth while to take a text in lower case apart: whether the
// beginning of a term stands in it, or letters that are folded.
func (w *words) begun(s string) bool {
	for i := range w.terms {
		if t := &w.terms[i]; len(t.key) > 1 && strings.Contains(s, opening(t.key[1:])) {
			return true
		}
	}
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0
}

// bits are the terms by which an index was asked, each as its bit in what a match holds.
func (w *words) bits() map[string]uint64 {
	out := make(map[string]uint64, len(w.terms))
	for i := range w.terms {
		out[w.terms[i].key] |= 1 << i
	}
	return out
}
