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
		if i += n - 1; n == 1 {
			e = English(language, t.s)
		}
		if e == "" {
			out = append(out, t)
			continue
		}
		for w := range strings.FieldsSeq(e) {
			out = append(out, token{s: w, n: number(w), upper: true, after: t.after})
		}
	}
	for i := range out {
		out = reorder(out, i)
	}
	return out
}

// phrase is what several words mean together, and how many they are; 1 for none.
func phrase(language string, ts []token) (english string, n int) {
	is := func(words ...string) bool {
		for i, w := range words {
			if i >= len(ts) || ts[i].s != w {
				return false
			}
		}
		return true
	}
	switch {
	case language == "fr" && is("il", "y", "a"):
		return "before", 3
	case language == "fr" && is("avant", "hier"), language == "it" && is("altro", "ieri"):
		return "day before yesterday", 2
	}
	return "", 1
}

// reorder puts what begins at a place into English order.
func reorder(ts []token, i int) []token {
	at := func(k int) token {
		if k >= 0 && k < len(ts) {
			return ts[k]
		}
		return token{n: -1}
	}
	unit := func(w string) bool { return stretches(w) || season(w) != 0 || Month(w) != 0 || isWeekday(w) }
	switch t := at(i); {
	case i+2 < len(ts) && t.s == "before" && at(i+1).n > 0 && stretches(at(i+2).s): // vor zwei Wochen, hace dos semanas
		t.s = "ago"
		ts[i], ts[i+1], ts[i+2] = ts[i+1], ts[i+2], t
	case i+1 < len(ts) && unit(t.s) && at(i+1).s == "last" && !unit(at(i+2).s): // la semaine dernière
		ts[i], ts[i+1] = ts[i+1], ts[i]
	case t.s == "of" && (at(i-1).n > 0 && Month(at(i+1).s) != 0 || at(i-1).s == "before" || at(i-1).s == "after" || at(i-1).s == "until"): // 8 de mayo, antes de mayo
		return append(ts[:i:i], ts[i+1:]...)
	case isWeekday(at(i+1).s) && (t.s == "in" || t.s == "le" || t.s == "el" || t.s == "il" || t.s == "op"):
		ts[i].s = "on"
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
	case "day", "days", "week", "month", "year", "weekend", "quarter", "night":
		return true
	}
	return false
}

// English is a word of a language, in lower case, with or without accents, in English,
// where times are named by such words; "" for any other. Russian is known by its letters.
func English(language, w string) string {
	if w != "" && (w[0] == 0xD0 || w[0] == 0xD1) {
		return lookUp(russian, w)
	}
	switch language {
	case "de":
		return lookUp(german, w)
	case "fr":
		return lookUp(french, w)
	case "es":
		return lookUp(spanish, w)
	case "pt":
		return lookUp(portuguese, w)
	case "it":
		return lookUp(italian, w)
	case "nl":
		return lookUp(dutch, w)
	}
	return ""
}
