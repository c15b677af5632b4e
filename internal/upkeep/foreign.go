package upkeep

import (
	"slices"
	"strings"
	"unicode"

	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/when"
)

// A statement in another language is read in English: what its small words, its words of
// time and the verbs that say no more than that something holds mean stands for them. What
// a thing is called stays, as the stem of its language. What is not known here is taken
// for what the statement is about, so that two of them are compared less often.

// Words of a statement in another language that have no place in an English one.
const (
	silent = "~"    // it says nothing
	been   = "~was" // an auxiliary of the past, or of a change: wurde, été
)

// leastKnown is how many words that are read in English a statement has at least that is in
// another language, if its function words do not tell. A day, or a wish, counts for two.
const leastKnown = 2

// languageOf is the language in which a statement is read.
func (w *wordBook) languageOf(s string) text.Language {
	if w.plainlyEnglish(s) {
		return text.English
	}
	return w.languageByWords(s)
}

// languageByWords finds the language of a statement. Notes are often too short for their
// function words to tell: then it is the one that knows most of its words.
func (w *wordBook) languageByWords(s string) text.Language {
	best, _ := text.LanguageOf(s)
	words := wordsOf(s)
	all := len(words)
	words = slices.DeleteFunc(words, commonInEnglish)
	if best > text.Russian || best == text.English && len(words) < all-1 {
		return best
	}
	var count [text.Russian + 1]int
	for _, word := range words {
		for l, n := range w.readIn(word) {
			count[l] += int(n)
		}
	}
	most := max(count[best], leastKnown-1)
	for l, n := range count {
		if n > most {
			best, most = text.Language(l), n
		}
	}
	return best
}

// plainlyEnglish says at a glance of nearly all longer English notes what it takes many times
// as long to find out: that they are in English. A sixth of their words are function words of
// it, and of no other language.
func (w *wordBook) plainlyEnglish(s string) bool {
	all, english := 0, 0
	for word := range strings.FieldsSeq(s) {
		all++
		if text.Stop(word) && w.onlyEnglish(word) {
			english++
		}
	}
	return english >= leastKnown && 6*english >= all
}

// onlyEnglish says whether an English function word is one in no other language.
func (w *wordBook) onlyEnglish(word string) bool {
	if w == nil {
		return len(text.MayBe(word)) == 1
	}
	only, ok := w.only[word]
	if !ok {
		only = len(text.MayBe(word)) == 1
		w.only[word] = only
	}
	return only
}

// wordsOf are the words of a text in lower case, without numbers.
func wordsOf(s string) []string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`,;.:!?()"`, r) })
	return slices.DeleteFunc(words, func(w string) bool { return w[0] >= '0' && w[0] <= '9' })
}

// commonInEnglish says whether English notes are full of a word.
func commonInEnglish(w string) bool {
	return text.Stop(w) || negates(w) || states(w) || wishing(w) || when.Month(w) != 0 || unit(text.Stem(w))
}

// readIn says for how many known words of each language a word counts.
func (w *wordBook) readIn(word string) (in counts) {
	if w != nil {
		if in, ok := w.known[word]; ok {
			return in
		}
	}
	for _, l := range text.Known() {
		switch english := foreignWord(l, word); {
		case foreignTime(l, word) != "", english == "use", english == "prefer", english == "avoid", english == "never":
			in[l] = leastKnown
		case english != "" && english != "and": // which is a letter in most
			in[l] = 1
		}
	}
	if w != nil && len(w.known) < wordsKept {
		w.known[word] = in
	}
	return in
}

// inLanguage makes a token that was read in English one of another language.
func (t *token) inLanguage(l text.Language) {
	english := foreignWord(l, t.raw)
	if english == "" {
		english = foreignTime(l, t.raw)
	}
	switch {
	case strings.HasPrefix(english, silent):
		t.raw, t.stem, t.stop, t.neg, t.name = english, english, true, false, false
	case english != "":
		name, end, last := t.name, t.end, t.last
		*t = tokenOf(english, false)
		_, day := when.Weekday(english)
		t.name, t.end, t.last, t.other = name || when.Month(english) != 0, end, last, l == text.Russian && day
	default:
		if t.stem = l.Stem(t.raw); t.stem == "" {
			t.raw, t.stem, t.stop = silent, silent, true
		}
		t.stop, t.neg, t.other = t.raw == silent, false, true
	}
}

// foreignTime is a word of time in English, "" for any that says nothing here. Since is
// from, because behind the other a reason is given.
func foreignTime(l text.Language, word string) string {
	for _, w := range []string{word, strings.TrimSuffix(word, "s"), singular(l, word)} {
		english := when.English(l.Code(), w)
		if _, ok := when.Weekday(english); ok || when.Month(english) != 0 {
			return english
		}
		switch english {
		case "since":
			return "from"
		case "until", "after", "days", "week", "month", "year", "day", "morning", "evening", "night",
			"two", "three", "four", "five", "six", "seven", "eight", "nine", "ten":
			return english
		}
	}
	return ""
}

// singular is a day of the week without the ending that it has as one of all weeks.
func singular(l text.Language, word string) string {
	switch l {
	case text.Polish: // we wtorki
		if s, ok := strings.CutSuffix(word, "ki"); ok {
			return s + "ek"
		}
	case text.Russian: // по понедельникам, по пятницам
		if s, ok := strings.CutSuffix(word, "ам"); ok {
			if s == "сред" {
				return "среду"
			}
			if strings.HasSuffix(s, "ник") || s == "четверг" {
				return s
			}
			return s + "а"
		}
	}
	return ""
}

// concord says whether a second negation of a clause says the same as the first: nigdy
// nie, non mai, ne pas.
func concord(l text.Language) bool {
	switch l {
	case text.French, text.Spanish, text.Italian, text.Portuguese, text.Polish, text.Russian:
		return true
	}
	return false
}

// phrase is what a word and the one behind it mean together, with what stands behind them: au
// plus, co najmniej.
func phrase(l text.Language, field, rest string) string {
	next, _, _ := strings.Cut(strings.TrimLeft(rest, " "), " ")
	bare := strings.TrimRight(next, ",;.:!?)")
	if english := foreignWord(l, strings.ToLower(field+"_"+bare)); english != "" {
		return english + next[len(bare):]
	}
	return ""
}

// particle reads a preposition of German at the end of its clause as what it is there: a part
// of the verb, which makes another one of it (geht auf, geht zu; findet statt).
func (t *token) particle(l text.Language, field string, last bool) {
	if l != text.German || !last && !t.end {
		return
	}
	switch t.raw {
	case "instead":
		t.raw, t.stem, t.stop = silent, silent, true
	case "to", "at", "from", "over", "under":
		word := strings.ToLower(strings.TrimRight(field, ",;.:!?)"))
		t.raw, t.stem, t.stop, t.other, t.verb = word, word, false, true, true
	}
}

// elided splits what French and Italian write in one: n'utilise, dell'ufficio.
func elided(l text.Language, field string) (before, rest string) {
	if l != text.French && l != text.Italian {
		return "", field
	}
	for _, sign := range []string{"'", "’"} {
		if b, r, ok := strings.Cut(field, sign); ok && b != "" && len(b) <= len("dell") && r != "" && strings.IndexFunc(b, unicode.IsLetter) == 0 {
			return b + "e", r // as ne and de are written before a consonant
		}
	}
	return "", field
}

// asEnglish writes the number of a day (15., 1er, 15-го, el 15) and a time (9h30) as English
// does. more says whether something follows the field.
func asEnglish(l text.Language, field string, more bool, before []token) string {
	bare := strings.TrimRight(field, ",;.")
	if hour, minute, ok := strings.Cut(bare, "h"); ok && isNumber(hour, 2) && isNumber(minute, 2) {
		return hour + ":" + minute + field[len(bare):]
	}
	n := strings.TrimRightFunc(bare, func(r rune) bool { return !unicode.IsDigit(r) })
	on := len(before) > 0 && before[len(before)-1].raw == "on"
	if !isNumber(n, 2) {
		return field
	}
	day := false
	switch tail := bare[len(n):]; l {
	case text.German, text.Polish: // a sentence may end with a number
		day = tail == "" && strings.HasPrefix(field[len(n):], ".") && (more || on)
		bare += "."
	case text.French, text.Spanish, text.Italian, text.Portuguese:
		day = tail == "er" || tail == "" && on
	case text.Dutch:
		day = tail == "e"
	case text.Russian:
		day = tail == "-го" || tail == "-е"
	}
	if !day {
		return field
	}
	return n + "th" + field[min(len(field), len(bare)):]
}

// isNumber says whether a word is a number of at most so many digits.
func isNumber(w string, digits int) bool {
	return w != "" && len(w) <= digits && strings.Trim(w, "0123456789") == ""
}

// inOrder takes out of the tokens of a statement in another language what English says once,
// or not at all: the second negation, and the "of" in 3 de mayo. What happened once is
// marked as such.
func inOrder(l text.Language, ts []token) []token {
	out := ts[:0]
	denied := false
	for i, t := range ts {
		if t.neg && denied && concord(l) && t.raw != "without" && t.raw != "forget" && out[len(out)-1].raw != "forget" {
			t.raw, t.stem, t.stop, t.neg = silent, silent, true, false
		}
		denied = t.neg || denied && !t.end
		if n := len(out); n > 1 && when.Month(t.raw) != 0 && (out[n-1].raw == "of" || out[n-1].raw == silent) && out[n-2].mark {
			out = out[:n-1]
		}
		if t.other && !isDay(t) && foreignPast(l, t, out, i+1 == len(ts)) {
			t.raw = been
		}
		out = append(out, t)
	}
	return out
}

// foreignPast says whether a verb tells what happened once: by its ending, of some languages
// behind an auxiliary among the tokens before it.
func foreignPast(l text.Language, t token, before []token, last bool) bool {
	if t.mark || t.stop || t.name || len(t.raw) < 4 {
		return false
	}
	ends := func(endings string) bool {
		return slices.ContainsFunc(strings.Fields(endings), func(e string) bool { return strings.HasSuffix(t.raw, e) })
	}
	behind := func(from int) bool {
		return slices.ContainsFunc(before[max(0, from):], func(b token) bool { return b.raw == "is" || b.raw == "has" || b.raw == been })
	}
	switch l {
	case text.German: // ist am Freitag gescheitert, dauerte
		return last && ends("t en") && behind(0) || len(t.raw) > 5 && ends("te ten")
	case text.Dutch:
		begins := strings.HasPrefix(t.raw, "ge") || strings.HasPrefix(t.raw, "ver") || strings.HasPrefix(t.raw, "mis")
		return begins && ends("d t en") && behind(0) || len(t.raw) > 5 && ends("de te den ten")
	case text.French:
		if n := len(before); n > 0 && before[n-1].raw == "is" { // others are said of what is done again and again
			return slices.Contains([]string{"tomb", "arriv", "part", "ven", "all", "mont", "sort", "mort", "deven", "reven"}, t.stem)
		}
		return ends("é ée és ées i u is it") && behind(len(before)-2)
	case text.Italian:
		return ends("to ta ti te so sa si se") && behind(len(before)-2)
	case text.Spanish:
		return ends("ó aron ieron") || ends("do to cho") && behind(len(before)-2)
	case text.Portuguese:
		return ends("ou eu iu aram eram iram")
	case text.Polish:
		if slices.Contains([]string{"hasło", "źródło", "tło", "kanał", "protokół", "dział", "podział", "rozdział", "zespół", "sygnał", "szkoła"}, t.raw) {
			return false
		}
		return ends("ł ła ło ły łem łam li")
	case text.Russian:
		noun := slices.Contains([]string{"файл", "отдел", "канал", "портал", "протокол"}, t.raw)
		return !noun && ends("ал ил ел ыл ул ла ло ли лся лась лось лись")
	}
	return false
}

// foreignWord is a word of a language in English, where it says that something holds, has
// changed, is wanted or forbidden, or names a unit; "" for any other.
func foreignWord(l text.Language, w string) string {
	table := ""
	switch l {
	case text.German:
		table = german
	case text.French:
		table = french
	case text.Spanish:
		table = spanish
	case text.Portuguese:
		table = portuguese
	case text.Italian:
		table = italian
	case text.Dutch:
		table = dutch
	case text.Polish:
		table = polish
	case text.Russian:
		table = russian
	}
	return when.LookUp(table, w)
}
