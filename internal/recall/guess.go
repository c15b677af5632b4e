package recall

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento/internal/embed"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/when"
)

// Bounds of guessing what a mistyped word means.
const (
	typoLeast = 4     // letters of a word that is corrected
	typoSure  = 2     // letters at its beginning that are taken to be right
	typoTwo   = 8     // letters from which on two of them may be wrong
	typoWords = 4     // words of a question that are corrected
	typoTerms = 3     // spellings tried for one word
	typoSeen  = 20000 // terms looked at for one word
)

// correct adds, for words that stand nowhere, the words that are nearly spelt
// so. The first letters are taken to be right, and so is a word that the lexicon
// knows. It reports whether it added any.
func (w *words) correct(ctx context.Context, roots []Source, lexicon *embed.Static, st index.Stats, p Params) bool {
	some := w.standing(st)
	added, tried := false, 0
	for _, t := range w.terms { // those there are now
		word := t.key[1:]
		if t.field != text.Word || t.loose || some[t.unit] || len(word) < typoLeast || tried == typoWords || !letters(word) ||
			lexicon != nil && lexicon.Knows(word) {
			continue
		}
		tried++
		for _, near := range nearest(ctx, roots, word) {
			sure := float64(p.Typo)
			if text.Distance(word, near) > 1 {
				sure *= sure
			}
			w.terms = append(w.terms, term{key: text.Key(text.Word, near), field: text.Word, factor: "typo",
				weight: t.weight * float32(sure), unit: t.unit, sure: sure})
			added = true
		}
	}
	return added
}

// standing tells of each unit whether one of its terms stands somewhere.
func (w *words) standing(st index.Stats) []bool {
	some := make([]bool, len(w.units))
	for i, df := range st.DF {
		some[w.terms[i].unit] = some[w.terms[i].unit] || df > 0
	}
	return some
}

func letters(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r < 'a' || r > 'z' }) < 0
}

// nearest are the indexed stems that are nearest to a word, all of them at the
// same distance.
func nearest(ctx context.Context, roots []Source, word string) (out []string) {
	least := 1
	if len(word) >= typoTwo {
		least = 2
	}
	for _, r := range roots {
		seen := 0
		_ = r.Reader.Terms(ctx, text.Key(text.Word, word[:typoSure]), func(t string) bool { // an index that fails says so in Stats
			t, seen = t[1:], seen+1
			if n := len(t) - len(word); n >= -least && n <= least && len(t) >= typoLeast {
				if d := text.Distance(word, t); d < least {
					least, out = d, append(out[:0], t)
				} else if d == least && len(out) < typoTerms && !slices.Contains(out, t) {
					out = append(out, t)
				}
			}
			return seen < typoSeen
		})
	}
	return out
}

// calendar says whether a word of a question that names a time is of a date: a month, a
// weekday, the number of a day or year.
func calendar(word, in string) bool {
	if english := when.English(in, word); english != "" {
		word = english
	}
	_, iso := time.Parse(time.DateOnly, word)
	if _, ok := when.Weekday(word); ok || iso == nil || when.Month(word) != 0 {
		return true
	}
	n := strings.TrimRight(word, "dhnrst") // 8th
	year := len(n) == 4 && (n[:2] == "19" || n[:2] == "20")
	return n != "" && strings.Trim(n, "0123456789") == "" && (len(n) <= 2 || year)
}

// within asks for the days or months of a window, and no more for the words that named
// it: those that are not in the rest of the question.
func (w *words) within(span when.Span, rest string, p Params) {
	said := map[string]bool{}
	for _, t := range text.QueryTerms(rest, w.lang, 0) {
		said[t.Key()] = true
	}
	for _, t := range w.terms {
		u := &w.units[t.unit]
		if !t.loose && !u.other {
			u.other = said[t.key]
			u.time = !u.other
		}
		u.date = u.date || t.field == text.Exact && calendar(t.key[1:], w.lang.Code())
	}
	w.window = w.weekday(span)
	for i := range w.units {
		if u := &w.units[i]; u.time && !u.date {
			u.weak *= timeWeak
		}
	}
	for i := range w.terms {
		if t := &w.terms[i]; w.units[t.unit].time && !w.units[t.unit].date {
			t.weight *= timeWeak
		}
	}
	w.say = w.apart(rest)
	var keys []string
	switch n := span.Days(); {
	case n >= 1 && n <= 11: // early May
		for d := span.From; d.Before(span.To); d = d.AddDate(0, 0, 1) {
			keys = append(keys, d.Format(time.DateOnly))
		}
	case n > 11 && n <= 100:
		from := span.From
		for d := time.Date(from.Year(), from.Month(), 1, 0, 0, 0, 0, from.Location()); d.Before(span.To); d = d.AddDate(0, 1, 0) {
			keys = append(keys, strings.ToLower(d.Month().String()))
		}
	}
	weight, factor := p.field(text.Meta)
	if w.window == 0 {
		w.units = append(w.units, unit{weak: 0.5})
		w.window = len(w.units)
	}
	for _, k := range keys {
		w.terms = append(w.terms, term{key: text.Key(text.Meta, stemOf(w.analyzer, k)), field: text.Meta, factor: factor,
			weight: weight, unit: w.window - 1, sure: 1})
	}
}

// allude takes the words that name what was done for words of the time: "as we agreed last
// week" says when, and not what about.
func (w *words) allude() {
	for i := range w.terms {
		t := &w.terms[i]
		if u := &w.units[t.unit]; t.field == text.Exact && !t.loose && !u.time {
			if _, u.time = doingOf(t.key[1:]); u.time {
				u.weak *= timeWeak
			}
		}
	}
	for i := range w.terms {
		if t := &w.terms[i]; w.units[t.unit].time {
			t.weight = min(t.weight, timeWeak)
		}
	}
}

// apart is how many words of the question say something beside the time that was asked
// for. A name counts as two: who asks what Mira did does not want to hear what others did.
func (w *words) apart(rest string) int {
	say := text.SignWords(rest)
	signs := map[int]bool{}
	for _, t := range w.terms {
		signs[t.unit] = signs[t.unit] || t.field == text.CJK
	}
	for i, u := range w.units {
		if u.weak >= 1 && !u.time && !u.word && !signs[i] && i+1 != w.window {
			say++
			if u.name {
				say++
			}
		}
	}
	return say
}

// weekday is the number of the unit, from 1, whose word may have named the window, 0 for
// none: "on Friday". An entry holds it that says the word, as a rule for Fridays does, and
// one of that day, whose page does not say which day of the week it was.
func (w *words) weekday(span when.Span) int {
	for _, t := range w.terms {
		word := t.key[1:]
		if t.field == text.Exact {
			word = cmp.Or(when.English(w.lang.Code(), word), word)
		}
		if day, ok := when.Weekday(word); ok && !t.loose && span.Days() == 1 && day == span.From.Weekday() {
			return t.unit + 1
		}
	}
	return 0
}

// timeWeak is what a word of time counts where the time was understood.
const timeWeak = 0.2

// stemOf is the stem of one word, or the word itself.
func stemOf(an *text.Analyzer, word string) string {
	out := word
	an.Analyze(word, func(field byte, stem string) {
		if field == text.Word && letters(word) {
			out = stem
		}
	})
	return out
}
