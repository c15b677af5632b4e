package recall

import (
	"context"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/when"
)

// outdates says whether one entry seems to be a later state of what another one on its
// page states: both cannot hold, or it looks like that.
func (a *asking) outdates(ctx context.Context, newer, older *candidate) bool {
	n, o := &newer.match, &older.match
	if a.window != nil || n.Page != o.Page || newer.root != older.root {
		return false
	}
	said, was := a.when(n).newest(), a.when(o)
	last := max(was.last, was.edited)
	if last == 0 || said <= last || a.peek(ctx, newer) != nil {
		return false
	}
	return a.seemsLater(newer, older) || a.opts.Against != nil && a.params.LaterScore < math.Inf(1) && a.opts.Against(newer.entry.Text, older.entry.Text) != ""
}

// seemsLater says whether both entries give a value of one sort, and not the same. One that
// reads like the other, but for a word that was asked for, tells of another thing.
func (a *asking) seemsLater(newer, older *candidate) bool {
	enough := func(of float64) bool {
		return newer.score >= of*a.params.LaterScore*older.score && newer.share >= of*a.params.LaterShare*older.share
	}
	if !enough(a.params.LaterTagged) {
		return false
	}
	is, was := a.stated(newer), a.stated(older)
	if !is.differs(was) || !tagged(&newer.entry, &older.entry) && !(enough(1) && a.words.share(newer.entry.Text, older.entry.Text)) {
		return false
	}
	return !(a.words.lacks(newer.match.Held, older.match.Held) && is.like(was) >= a.params.LaterShape)
}

// Later says whether one text of a page seems to state what a text before it did, at a later
// time: they have a word in common that says something, and give another value of one sort.
func Later(newer, older string) bool {
	w := words{analyzer: text.NewAnalyzer()}
	w.lang, _ = text.LanguageOf(newer)
	return w.stateOf(newer).differs(w.stateOf(older)) && w.share(newer, older)
}

// tagged says whether two entries were given a tag in common. An article's tags are those
// of all its sections, and say nothing of two of them.
func tagged(x, y *pimento.Entry) bool {
	return page.DialectOf(x.Page) != page.Article && slices.ContainsFunc(x.Tags, func(t string) bool { return slices.Contains(y.Tags, t) })
}

// stated is the state of a candidate, which is compared with several others.
func (a *asking) stated(c *candidate) state {
	if c.state.values == nil || !c.read {
		c.state = a.words.stateOf(c.entry.Text)
	}
	return c.state
}

// share says whether two texts have a word in common that says something.
func (w *words) share(x, y string) bool {
	have := map[string]bool{}
	w.analyzer.Analyze(x, func(field byte, term string) {
		if (field == text.Word || field == text.CJK && len(term) > 3) && !text.Weak(term) {
			have[term] = true
		}
	})
	found := false
	w.analyzer.Analyze(y, func(field byte, term string) {
		found = found || (field == text.Word || field == text.CJK) && have[term]
	})
	return found
}

// lacks says whether an entry lacks a word of the question that another one holds. Of
// Chinese it is the characters that tell, for pairs of them span words.
func (w *words) lacks(newer, older uint64) bool {
	return slices.ContainsFunc(w.terms, func(t term) bool {
		literal := w.units[t.unit].held &^ w.units[t.unit].loose
		pair := t.field == text.CJK && utf8.RuneCountInString(t.key) > 2
		return !pair && older&literal != 0 && newer&literal == 0
	})
}

// A state is how a text reads: its words, with "#" for each value, and the values of each
// sort in their order. The sort is the unit ("minut", "%", "€"), or what a number looks
// like.
type state struct {
	words  []string
	values map[string][]string
}

// stateTokens is how much of a text is looked at, in words and signs.
const stateTokens = 80

// stateOf reads a text. It is no parser; a sort that is told wrongly has to be told so
// of both texts to matter.
func (w *words) stateOf(s string) state {
	ts := tokens(strings.ToLower(s))
	at := func(i int) string {
		if i < 0 || i >= len(ts) {
			return ""
		}
		return ts[i]
	}
	st := state{values: map[string][]string{}}
	for i, t := range ts {
		r, _ := utf8.DecodeRuneInString(t)
		switch {
		case unicode.IsDigit(r):
			after := at(i + 1)
			if next := at(i + 2); after == "." && w.english(next, isMonth) { // 3. Mai
				after = next
			}
			if sort, value := w.sortOf(t, at(i-1), after); sort != "" {
				st.values[sort] = append(st.values[sort], value)
			}
			if strings.Count(t, ".") == 1 { // beside the sort, for what follows may be no unit
				st.values["decimal"] = append(st.values["decimal"], t)
			}
			st.words = append(st.words, "#")
		case w.english(t, isWeekday):
			st.values["weekday"] = append(st.values["weekday"], t)
			st.words = append(st.words, "#")
		case unicode.IsLetter(r):
			st.words = append(st.words, t)
		}
	}
	return st
}

// sortOf is the sort of a number, by what it looks like and the words beside it, and
// its value; no sort if nothing tells it.
func (w *words) sortOf(number, before, after string) (sort, value string) {
	dots := strings.Count(number, ".")
	switch {
	case w.english(before, isMonth):
		return "date", before + number
	case w.english(after, isMonth):
		return "date", number + after
	case after == "st" || after == "nd" || after == "rd" || after == "th":
		return "ordinal", number
	case strings.Contains(number, ":"):
		return "clock", number
	case strings.Count(number, "-") == 2: // a day of the log, more often than not
		return "", ""
	case dots > 2:
		return "address", number
	case dots == 2:
		return "version", number
	case strings.Contains(signs, before) && before != "":
		return before, number
	case strings.Contains(signs, after) && after != "":
		return after, number
	}
	w.analyzer.Stems(w.lang, after, func([]byte) bool { return true }, func(stem string) { sort = stem })
	if r, _ := utf8.DecodeRuneInString(after); unicode.Is(unicode.Han, r) {
		sort = after
	}
	return sort, number
}

// signs are those that say what a number counts.
const signs = "%$€£¥"

func isMonth(w string) bool { return when.Month(w) != 0 }

func isWeekday(w string) bool {
	_, ok := when.Weekday(strings.TrimSuffix(w, "s"))
	return ok
}

// english says whether a word is one of a sort that is known by its English words.
func (w *words) english(s string, is func(string) bool) bool {
	return is(s) || is(when.English(w.lang.Code(), s))
}

// differs says whether two states give another value of one sort: the last one that each
// names is another ("from Friday to Monday"), or each names one that the other does not.
func (s state) differs(other state) bool {
	for sort, is := range s.values {
		was, ok := other.values[sort]
		if ok && (is[len(is)-1] != was[len(was)-1] || lacksAny(is, was) && lacksAny(was, is)) {
			return true
		}
	}
	return false
}

// lacksAny says whether one of the values is not among the others.
func lacksAny(values, among []string) bool {
	return slices.ContainsFunc(values, func(v string) bool { return !slices.Contains(among, v) })
}

// like is how many words of the shorter text stand in the other in the same order
// (their longest common subsequence), as a share.
func (s state) like(other state) float64 {
	row := make([]int, len(other.words)+1)
	for _, x := range s.words {
		left := 0 // row[j-1] of the line before
		for j, y := range other.words {
			above := row[j+1]
			if row[j+1] = max(above, row[j]); x == y {
				row[j+1] = left + 1
			}
			left = above
		}
	}
	return float64(row[len(other.words)]) / float64(max(1, min(len(s.words), len(other.words))))
}

// tokens are the words, numbers and signs of a text, and each Chinese character.
func tokens(s string) (out []string) {
	for s != "" && len(out) < stateTokens {
		r, n := utf8.DecodeRuneInString(s)
		inWord := func(r rune) bool {
			return (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_') && !unicode.Is(unicode.Han, r)
		}
		switch {
		case r == 'v' && len(s) > 1 && isDigit(s[1]), unicode.IsSpace(r):
			s = s[n:]
			continue
		case isDigit(s[0]):
			for n < len(s) && (isDigit(s[n]) || n+1 < len(s) && strings.IndexByte(".,:-/", s[n]) >= 0 && isDigit(s[n+1])) {
				n++
			}
		case inWord(r):
			if n = strings.IndexFunc(s, func(r rune) bool { return !inWord(r) }); n < 0 {
				n = len(s)
			}
		}
		out, s = append(out, s[:n]), s[n:]
	}
	return out
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }
