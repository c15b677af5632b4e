package when

import "time"

// part is the part of a time that is asked for by what stands before it, the words up to
// the k-th: "early May", "the end of last year", "the first week of March". It returns
// where the word before all of that is.
func (r *reader) part(w Span, k int) (Span, int) {
	n, unit := w.Days(), k
	for unit > k-2 && (r.word(unit).s == "of" || r.word(unit).s == "the" || r.word(unit).s == "in") {
		unit--
	}
	if n < 2 || unit == k && k == -1 && r.word(k).s == "" {
		return w, k
	}
	some := (n + 1) / 2 // of a week
	if n >= 28 {
		some = n / 3
	}
	nth := ordinalWord(r.word(unit - 1).s)
	switch r.word(unit).s {
	case "beginning", "start", "middle", "end":
		if unit == k && !r.word(unit).other { // the front end last week
			return w, k
		}
	}
	switch r.word(unit).s {
	case "early", "beginning", "start":
		return days(w.From, some), unit - 1
	case "mid", "middle":
		return days(w.From.AddDate(0, 0, some), n-2*some), unit - 1
	case "late", "end":
		return Span{w.To.AddDate(0, 0, -some), w.To}, unit - 1
	case "half":
		switch nth {
		case 1:
			return days(w.From, n/2+1), unit - 2
		case 2, theLast:
			return Span{w.From.AddDate(0, 0, n/2), w.To}, unit - 2
		}
	case "week", "days", "weekend":
		if nth == theLast {
			return Span{w.To.AddDate(0, 0, -7), w.To}, unit - 2
		}
		if nth > 0 && 7*nth < n+7 {
			return days(w.From.AddDate(0, 0, 7*(nth-1)), 7), unit - 2
		}
	}
	return w, k
}

// theLast is the place of the last one, of however many.
const theLast = 99

// ordinalWord is the number of an ordinal that is written as a word, 0 for none.
func ordinalWord(w string) int {
	switch w {
	case "first":
		return 1
	case "second":
		return 2
	case "third":
		return 3
	case "fourth":
		return 4
	case "last":
		return theLast
	}
	return 0
}

// ofLonger reads "the last week of March", which is no week before this one.
func (r *reader) ofLonger() (Span, bool) {
	then := *r
	if then.i += 3; then.word(-1).s != "of" || then.word(-2).s != "week" && then.word(-2).s != "days" && then.word(-2).s != "half" {
		return Span{}, false
	}
	if then.word(0).s == "the" {
		then.i++
	}
	w, ok := then.at()
	if ok = ok && w.Days() > 7; ok {
		w, _ = r.part(w, 2)
	}
	return w, ok
}

// yearSaid is the year that is said k places on, 0 for none: "2025", "of 2025", "last
// year".
func (r *reader) yearSaid(k int) int {
	if r.word(k).s == "of" {
		k++
	}
	t := r.word(k)
	switch {
	case len(t.s) == 4 && t.n >= 1900 && t.n < 2200:
		return t.n
	case r.word(k+1).s != "year" || r.word(k+2).s == "before":
	case t.s == "last":
		return r.today.Year() - 1
	case t.s == "this":
		return r.today.Year()
	}
	return 0
}

// within reads what names a part of a year that was said before it: "last year in
// March", "last year's summer".
func (r *reader) within(year, k int) (Span, bool) {
	for r.word(k).s == "s" || r.word(k).s == "in" || r.word(k).s == "the" {
		k++
	}
	t := r.word(k)
	if s := season(t.s); s != 0 {
		return r.quarter(year, s), true
	}
	if m := Month(t.s); m != 0 {
		d := r.word(k + 1)
		if !d.dayOfMonth() {
			d = r.word(k - 1)
		}
		if d.dayOfMonth() {
			return days(r.day(year, m, d.n), 1), true
		}
		return r.month(year, m), true
	}
	if t.s == "q" && r.word(k+1).n >= 1 && r.word(k+1).n <= 4 {
		return r.quarter(year, time.Month(3*r.word(k+1).n-2)), true
	}
	return r.year(year), true
}

// weekday reads the name of a weekday: "on Friday", "Friday last week", "Friday morning",
// and "what did we do Friday?". A rule for Fridays names no time.
func (r *reader) weekday(d time.Weekday) (Span, bool) {
	k := 1
	if r.word(k).s == "of" {
		k++
	}
	if r.word(k+1).s == "week" {
		switch r.word(k).s {
		case "last":
			return days(r.inWeek(r.monday().AddDate(0, 0, -7), d), 1), true
		case "this":
			return days(r.inWeek(r.monday(), d), 1), true
		}
	}
	switch before, after := r.word(-1).s, r.word(1).s; {
	case before == "on" || before == "since":
	case before == "every" || before == "each" || before == "a" || before == "any" || before == "next" || before == "per" || before == "and" || before == "or" || binds(before):
		return Span{}, false
	case after == "morning" || after == "evening" || after == "afternoon" || after == "night":
	case after != "" || !r.word(0).upper:
		return Span{}, false
	}
	return days(r.lastWeekday(d), 1), true
}

// inWeek is the day of a week that begins with a Monday.
func (r *reader) inWeek(monday time.Time, d time.Weekday) time.Time {
	return monday.AddDate(0, 0, (int(d)+6)%7)
}
