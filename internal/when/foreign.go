package when

import "strings"

// A question in another language is read in English: each word of time and the small
// words around it are replaced, and put in English order. What has no part in a time
// stays, and means nothing here.

// inEnglish is the question with its times in English.
func inEnglish(ts []token, language string) []token {
	var out []token
	for i := 0; i < len(ts); i++ {
		t := ts[i]
		e, n := phrase(language, ts[i:])
		to := ts[i+n-1].to
		if i += n - 1; n == 1 {
			e = English(language, t.s)
		}
		if e == "" {
			out = append(out, t)
			continue
		}
		out = append(out, inWords(e, token{after: t.after, from: t.from, to: to})...)
	}
	for i := range out {
		out = reorder(out, i, language)
	}
	return out
}

// phrases are words that name a time together, after what they mean.
const phrases = `
fr before: il y a
fr day before yesterday: avant hier
fr weekend: week end
fr weekend: fin de semaine
es weekend: fin de semana
pt weekend: fim de semana
pt weekend: final de semana
pt monday: segunda feira
pt tuesday: terça feira
pt wednesday: quarta feira
pt thursday: quinta feira
pt friday: sexta feira
it day before yesterday: altro ieri
it weekend: fine settimana
sv today: i dag
sv yesterday: i går
sv day before yesterday: i förrgår
sv this: den här
sv this: det här
tr day before yesterday: önceki gün
tr weekend: hafta sonu
`

// phrase is what several words mean together, and how many they are; 1 for none.
func phrase(language string, ts []token) (english string, n int) {
	if language == "" || language == "en" || !strings.Contains(phrases, ": "+ts[0].s+" ") {
		return "", 1
	}
	for line := range strings.SplitSeq(phrases, "\n") {
		rest, ok := strings.CutPrefix(line, language+" ")
		english, words, _ := strings.Cut(rest, ": ")
		n := 0
		for w := range strings.FieldsSeq(words) {
			ok = ok && n < len(ts) && ts[n].s == w
			n++
		}
		if ok && n > 0 {
			return english, n
		}
	}
	return "", 1
}

// reorder puts what begins at a place into English order.
func reorder(ts []token, i int, language string) []token {
	at := func(k int) token {
		if k >= 0 && k < len(ts) {
			return ts[k]
		}
		return token{n: -1}
	}
	unit := func(w string) bool { return stretches(w) || season(w) != 0 || Month(w) != 0 || isWeekday(w) }
	next := at(i + 1)
	switch t := at(i); {
	case i+2 < len(ts) && t.s == "before" && next.n > 0 && stretches(at(i+2).s): // vor zwei Wochen, hace dos semanas
		t.s = "ago"
		ts[i], ts[i+1], ts[i+2] = next, ts[i+2], t
	case next.other && next.s == "since" && stretches(t.s) && at(i-1).n > 0: // två veckor sedan
		ts[i+1].s = "ago"
	case next.other && (next.s == "last" || next.s == "penultimate") && unit(t.s) && !unit(at(i+2).s): // la semaine dernière
		ts[i], ts[i+1] = next, t
	case t.other && t.s == "of" && (at(i-1).n > 0 && Month(next.s) != 0 || at(i-1).s == "before" || at(i-1).s == "after" || at(i-1).s == "until"): // 8 de mayo, antes de mayo
		return append(ts[:i:i], ts[i+1:]...)
	case isWeekday(next.s) && (t.s == "in" || t.s == "le" || t.s == "el" || t.s == "il" || t.s == "op"):
		ts[i].s = "on"
	case language != "tr" || !unit(t.s):
	case isWeekday(t.s) && next.s == "day": // pazartesi günü
		t.s, next.s = "on", t.s
		ts[i], ts[i+1] = t, next
	case next.s == "since" || next.s == "until" || next.s == "after" || next.s == "beginning" || next.s == "middle" || next.s == "end": // mayıs başında
		ts[i], ts[i+1] = next, t
	}
	return ts
}

func isWeekday(w string) bool {
	_, ok := Weekday(w)
	return ok
}

// stretches says whether a word is a length of time.
func stretches(w string) bool {
	switch w {
	case "day", "days", "week", "weeks", "month", "months", "year", "years", "weekend", "quarter", "night":
		return true
	}
	return false
}

// English is a word of a language, in lower case, with or without accents, in English,
// where times are named by such words; "" for any other. Russian is known by its letters.
func English(language, w string) string {
	if w != "" && (w[0] == 0xD0 || w[0] == 0xD1) {
		return LookUp(russian, w)
	}
	switch language {
	case "de":
		return LookUp(german, w)
	case "fr":
		return LookUp(french, w)
	case "es":
		return LookUp(spanish, w)
	case "pt":
		return LookUp(portuguese, w)
	case "it":
		return LookUp(italian, w)
	case "nl":
		return LookUp(dutch, w)
	case "sv":
		return LookUp(swedish, w)
	case "pl":
		return LookUp(polish, w)
	case "tr":
		return LookUp(turkish, w)
	}
	return ""
}
