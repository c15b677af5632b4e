package when

import "time"

// Window is the time that a question is about, as seen from now, and the question with
// blanks in place of the words that name it; ok is false when it names none. Days are
// calendar days of now's zone. The question is in English, Chinese, Japanese, Korean or
// Russian, or in the language that is given by its ISO 639-1 code: de, fr, es, pt, it, nl,
// sv, pl or tr.
func Window(question, language string, now time.Time) (w Span, rest string, ok bool) {
	r := reader{ts: inEnglish(lex(question, East), language), today: time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())}
	for r.i = range r.ts {
		r.parted = 0
		if w, ok = r.at(); ok {
			w = r.bounded(w)
			rest = r.without(question)
			return r.upTo(w), rest, true
		}
	}
	return w, question, false
}

// upTo reads the end of "between May and July", "from 3 to 5 June".
func (r *reader) upTo(w Span) Span {
	if to, ok := r.daysTo(w); ok {
		return to
	}
	d, last := r.word(-3).n, r.word(-1).n
	if Month(r.word(0).s) != 0 && d > 0 && d < last && last == w.From.Day() && joins(r.word(-2).s) && opens(r.word(-4).s) {
		return Span{w.From.AddDate(0, 0, d-last), w.To}
	}
	k := -1
	for k >= -3 && !opens(r.word(k).s) {
		k-- // the day stands before the month
	}
	if k < -3 {
		return w
	}
	for k = 1; k <= 5 && !joins(r.word(k).s); k++ {
	}
	if k > 5 {
		return w
	}
	first := r.i
	r.ranged = true
	for r.i = first + k + 1; r.i < min(first+k+4, len(r.ts)); r.i++ {
		if end, ok := r.at(); ok {
			if from := r.startOf(first, w, end); end.To.After(from) {
				return Span{from, end.To}
			}
		}
	}
	return w
}

// daysTo reads the end of "June 3 to 5" and "between June 3rd and 5th, 2025".
func (r *reader) daysTo(w Span) (Span, bool) {
	k, first := 2, r.word(1).n
	if ordinal(r.word(k).s) {
		k++
	}
	join, last := r.word(k).s, r.word(k+1)
	if Month(r.word(0).s) == 0 || w.Days() != 1 || first != w.From.Day() || last.n <= first ||
		!joins(join) || join == "and" && !opens(r.word(-1).s) {
		return w, false
	}
	if k += 2; ordinal(r.word(k).s) {
		k++
	}
	next, year := r.word(k), w.From.Year()
	if Month(next.s) != 0 || next.s == "am" || next.s == "pm" || last.after != 0 && next.n >= 0 {
		return w, false // June 3 to 5 July, 5 pm, 5:30
	}
	if next.n >= 1900 && next.n < 2200 {
		year = next.n
	}
	to, ok := date(year, w.From.Month(), last.n)
	return Span{r.day(year, to.Month(), first), r.day(year, to.Month(), last.n+1)}, ok
}

func ordinal(w string) bool { return w == "th" || w == "st" || w == "nd" || w == "rd" }

// startOf reads the start of a stretch, which stands at first and is w as seen from
// today, as seen from the stretch's end: the May of "between May and July 2025", the
// November before "and February". What names its year or is relative stays.
func (r *reader) startOf(first int, w, end Span) time.Time {
	then := reader{ts: r.ts, i: first, today: end.To.AddDate(0, 0, -1)}
	for range 2 {
		if from, ok := then.calendar(); ok && from.From.Before(end.To) {
			return then.bounded(from).From
		}
		then.today = then.today.AddDate(-1, 0, 0) // from 20 June to 10 June
	}
	return w.From
}

func opens(w string) bool { return w == "between" || w == "from" }

func joins(w string) bool {
	return w == "and" || w == "to" || w == "until" || w == "till" || w == "through"
}

type reader struct {
	ts     []token
	i      int
	today  time.Time
	ranged bool // what is read is the end of a stretch
	parted int  // where what asks for a part of the time begins, from the current token on; 0 for nowhere
}

// word is the token k places on, the empty one beyond the ends.
func (r *reader) word(k int) token {
	if j := r.i + k; j >= 0 && j < len(r.ts) {
		return r.ts[j]
	}
	return token{n: -1}
}

// at reads an expression that begins at the current token.
func (r *reader) at() (Span, bool) {
	t := r.word(0)
	switch t.s {
	case "today", "tonight":
		return days(r.today, 1), true
	case "yesterday":
		if p := r.word(-1).s; p == "before" && r.word(-2).s == "day" {
			return days(r.today.AddDate(0, 0, -2), 1), true
		}
		return days(r.today.AddDate(0, 0, -1), 1), true
	case "last", "past", "previous":
		if p := r.word(-1).s; p == "a" || p == "any" || p == "each" || p == "every" {
			return Span{}, false // a past month
		}
		return r.relative(1)
	case "this":
		return r.relative(0)
	case "penultimate":
		return r.relative(2)
	}
	if w, ok := r.ago(); ok {
		return w, true
	}
	if d, ok := Weekday(t.s); ok {
		return r.weekday(d)
	}
	return r.calendar()
}

// relative reads what follows "last" or "this", which go so far back: "last week".
func (r *reader) relative(back int) (Span, bool) {
	k := 2
	t := r.word(1)
	if w, ok := r.ofLonger(); ok {
		return w, true
	}
	if unit := r.word(-2).s; back == 1 && r.word(-1).s == "before" && stretches(unit) { // the week before last
		t, k, back, r.parted = r.word(-2), 1, 2, -2
	}
	switch t.s {
	case "night", "evening", "morning", "afternoon":
		return days(r.today.AddDate(0, 0, -back), 1), true
	case "weekend":
		return days(r.monday().AddDate(0, 0, 5-7*back), 2), true
	case "quarter":
		first := r.today.Month() - (r.today.Month()-1)%3 - time.Month(3*back)
		return r.quarter(r.today.Year(), first), true
	case "week":
		if d, ok := Weekday(r.word(2).s); ok && back < 2 {
			return days(r.inWeek(r.monday().AddDate(0, 0, -7*back), d), 1), true
		}
		return days(r.monday().AddDate(0, 0, -7*back), 7), true
	case "month":
		return r.month(r.today.Year(), r.today.Month()-time.Month(back)), true
	case "year":
		return r.within(r.today.Year()-back, k)
	}
	if s := season(t.s); s != 0 && back == 0 {
		return r.quarter(r.recentMonth(s).From.Year(), s), true
	} else if s != 0 {
		return r.season(s), true
	}
	if m := Month(t.s); m != 0 {
		return r.recentMonth(m), true
	}
	if d, ok := Weekday(t.s); ok {
		return days(r.lastWeekday(d), 1), true
	}
	if t.n > 0 { // the last three weeks
		unit := r.word(2).s
		if unit == "of" {
			unit = r.word(3).s
		}
		return r.stretch(t.n, unit)
	}
	return Span{}, false
}

// stretch is the n units before tomorrow. Only days are meant exactly.
func (r *reader) stretch(n int, unit string) (Span, bool) {
	tomorrow := r.today.AddDate(0, 0, 1)
	switch unit {
	case "day", "days":
		return Span{tomorrow.AddDate(0, 0, -n), tomorrow}, true
	case "week", "weeks":
		return Span{tomorrow.AddDate(0, 0, -7*n-1), tomorrow}, true
	case "month", "months":
		return Span{r.monthsBack(n), tomorrow}, true
	}
	return Span{}, false
}

// monthsBack is today's day n months ago, or the last one of that month.
func (r *reader) monthsBack(n int) time.Time {
	first := r.day(r.today.Year(), r.today.Month()-time.Month(n), 1)
	return first.AddDate(0, 0, min(r.today.Day(), first.AddDate(0, 1, -1).Day())-1)
}

// ago reads "three weeks ago", "a couple of days ago".
func (r *reader) ago() (Span, bool) {
	n, k := r.word(0).n, 1
	if n < 0 && stretches(r.word(0).s) {
		n, k = 1, 0 // неделю назад
	}
	if n <= 0 || n > 99 {
		return Span{}, false
	}
	if r.word(k).n > 0 { // a few
		n, k = r.word(k).n, k+1
	}
	if r.word(k).s == "of" {
		k++
	}
	unit := r.word(k).s
	if next := r.word(k + 1).s; next != "ago" && next != "back" && next != "earlier" {
		return Span{}, false
	}
	if half := r.word(-1).s; half == "half" && n == 1 && unit == "year" { // half a year ago
		n, unit, r.parted = 6, "months", -1
	}
	return r.back(n, unit)
}

// back is the time so many units ago. The farther back, the less exactly it is meant.
func (r *reader) back(n int, unit string) (Span, bool) {
	switch unit {
	case "day", "days":
		return days(r.today.AddDate(0, 0, -n), 1), true
	case "week", "weeks":
		return days(r.today.AddDate(0, 0, -7*n-3), 7), true
	case "month", "months":
		return days(r.monthsBack(n).AddDate(0, 0, -15), 31), true
	case "year", "years":
		return r.year(r.today.Year() - n), true
	}
	return Span{}, false
}

// bounded opens an end of the window for "since", "before" and "after".
func (r *reader) bounded(w Span) Span {
	day, k := r.dayBefore()
	w, first := r.part(w, k)
	if first < k {
		k, r.parted = first, first+1
	} else if r.parted < 0 {
		k = r.parted - 1
	}
	if w := r.word(k).s; w == "the" || w == "in" || w == "on" {
		k--
	}
	dated := day != 0 || Month(r.word(0).s) != 0 && w.To.Equal(w.From.AddDate(0, 0, 1)) // 8 May, May 8
	if unit := r.word(k - 1).s; unit == "day" || dated && aside(unit) {
		if !dated {
			return w // the day before yesterday
		}
		n := beside(unit, r.word(k-2).n)
		switch r.word(k).s {
		case "before", "until", "till":
			w.From = w.From.AddDate(0, 0, -n)
		case "after":
			w.To = w.To.AddDate(0, 0, n)
		case "since":
			w.To = time.Time{}
		}
		return w
	}
	switch r.word(k).s {
	case "since":
		w.To = time.Time{}
	case "before", "until", "till":
		w.From, w.To = time.Time{}, w.From
	case "after":
		w.From, w.To = w.To, time.Time{}
	}
	return w
}

// dayBefore is the day that stands before a month, 0 for none, and where the word
// before both is: 8 May, 8th May, the 8th of May.
func (r *reader) dayBefore() (day, before int) {
	k := -1
	if r.word(k).s == "of" && ordinal(r.word(k-1).s) {
		k--
	}
	if ordinal(r.word(k).s) {
		k--
	}
	if t := r.word(k); Month(r.word(0).s) != 0 && t.dayOfMonth() {
		return t.n, k - 1
	}
	return 0, -1
}

// dayOfMonth says whether a token may be the day of a month: "a March release" names none.
func (t token) dayOfMonth() bool { return t.n >= 1 && t.n <= 31 && t.s[0] <= '9' }
