package when

import (
	"time"
)

// Window is the time that a question is about, as seen from now; ok is false
// when it names none. Days are calendar days of now's zone. The question is in English,
// Chinese or Russian, or in the language that is given by its ISO 639-1 code: de, fr, es,
// pt, it or nl.
func Window(question, language string, now time.Time) (w Span, ok bool) {
	r := reader{ts: inEnglish(tokens(question), language), today: time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())}
	for r.i = range r.ts {
		if w, ok = r.at(); ok {
			return r.upTo(r.bounded(w)), true
		}
	}
	return w, false
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
	case "last", "past", "previous", "this":
		return r.relative(t.s == "this")
	case "今", "昨", "前", "上", "这", "本", "去":
		if w, ok := r.chineseCalendar(); ok {
			return w, true
		}
		return r.chinese()
	}
	if w, ok := r.ago(); ok {
		return w, true
	}
	if w, ok := r.chineseAgo(); ok {
		return w, true
	}
	if d, ok := Weekday(t.s); ok && (r.word(-1).s == "on" || r.word(-1).s == "since") {
		return days(r.lastWeekday(d), 1), true
	}
	return r.calendar()
}

// inSeason says whether what stands before a season's name makes it one.
func (r *reader) inSeason() bool {
	before := r.word(-1).s
	if before == "the" {
		before = r.word(-2).s
	}
	return r.leadsIn(before)
}

// yearAfter is the year that follows a season, as in "summer 2025" and "summer of
// 2025", 0 for none: the logs "fall 2000 times".
func (r *reader) yearAfter() int {
	next, unit := r.word(1), r.word(2).s
	if next.s == "of" {
		next, unit = r.word(2), r.word(3).s
	}
	if counted(unit) && !r.inSeason() {
		return 0
	}
	if len(next.s) == 4 && next.n >= 1900 && next.n < 2200 {
		return next.n
	}
	return 0
}

// counted says whether the number before the word counts: 2000 times.
func counted(w string) bool {
	switch w {
	case "times", "bytes", "rows", "lines", "points", "percent", "ms", "feet", "meters", "metres", "miles", "steps":
		return true
	}
	return false
}

// relative reads what follows "last" or "this".
func (r *reader) relative(this bool) (Span, bool) {
	back := 1
	if this {
		back = 0
	}
	t := r.word(1)
	switch t.s {
	case "night", "evening", "morning", "afternoon":
		return days(r.today.AddDate(0, 0, -back), 1), true
	case "weekend":
		return days(r.monday().AddDate(0, 0, 5-7*back), 2), true
	case "quarter":
		first := r.today.Month() - (r.today.Month()-1)%3 - time.Month(3*back)
		return r.quarter(r.today.Year(), first), true
	case "week":
		return days(r.monday().AddDate(0, 0, -7*back), 7), true
	case "month":
		return r.month(r.today.Year(), r.today.Month()-time.Month(back)), true
	case "year":
		return r.year(r.today.Year() - back), true
	}
	if s := season(t.s); s != 0 && this {
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
	return r.back(n, unit)
}

// back is the time so many units ago. The farther back, the less exactly it is meant.
func (r *reader) back(n int, unit string) (Span, bool) {
	switch unit {
	case "day", "days", "天", "日":
		return days(r.today.AddDate(0, 0, -n), 1), true
	case "week", "weeks", "周", "星":
		return days(r.today.AddDate(0, 0, -7*n-3), 7), true
	case "month", "months", "月":
		return days(r.monthsBack(n).AddDate(0, 0, -15), 31), true
	case "year", "years", "年":
		return r.year(r.today.Year() - n), true
	}
	return Span{}, false
}

// calendar reads what has a place in the calendar, and only its year from today:
// "2026-05-08", "8 May 2026", "May 8", "in March", "March 2026", "in 2025", "Q3",
// "in summer".
func (r *reader) calendar() (Span, bool) {
	t, before, after := r.word(0), r.word(-1), r.word(1)
	if d, ok := iso(r.ts[r.i:]); ok {
		d = r.day(d.Year(), d.Month(), d.Day())
		return days(d, 1), true
	}
	if t.n >= 2000 && t.n < 2100 && t.after == '-' && r.word(1).n >= 1 && r.word(1).n <= 12 {
		return r.month(t.n, time.Month(r.word(1).n)), true
	}
	if s := season(t.s); s != 0 {
		if y := r.yearAfter(); y != 0 {
			return r.quarter(y, s), true
		}
		if r.inSeason() {
			return r.quarter(r.recentMonth(s).From.Year(), s), true
		}
	}
	if m := Month(t.s); m != 0 {
		day, _ := r.dayBefore()
		if day == 0 && after.dayOfMonth() {
			day, after = after.n, r.word(2)
			if ordinal(after.s) {
				after = r.word(3)
			}
		}
		if after.s == "of" {
			after = r.word(2) // May of 2026
		}
		year := after.n
		if year < 1900 || year >= 2200 {
			year = 0
		}
		if t.s == "march" && !t.upper && day == 0 && counted(r.word(2).s) && !r.leadsIn(before.s) {
			year = 0 // the ants march 2000 miles
		}
		if len(t.s) <= 4 && Month(t.s) == time.May && day == 0 && year == 0 && !(t.upper && r.leadsIn(before.s)) {
			return Span{}, false // "it may be"
		}
		if len(t.s) == len("Dec") && day == 0 && year == 0 && !r.leadsIn(before.s) {
			return Span{}, false // dec to hex, the sep argument, Jan's laptop
		}
		if t.s == "march" && !t.upper && !r.leadsIn(before.s) && day == 0 && year == 0 {
			return Span{}, false
		}
		if year == 0 {
			year = r.recentMonth(m).From.Year()
		}
		if day > 0 {
			return days(r.day(year, m, day), 1), true
		}
		return r.month(year, m), true
	}
	if t.n >= 2000 && t.n < 2100 && len(t.s) == 4 && r.leadsIn(before.s) {
		return r.year(t.n), true
	}
	if t.s == "q" && after.n >= 1 && after.n <= 4 && t.after == 0 {
		return r.namedQuarter(after.n, r.word(2).n)
	}
	return r.chineseCalendar()
}

// namedQuarter reads "in Q3", "Q3 2025": the last one that has begun, unless a year
// is said.
func (r *reader) namedQuarter(n, year int) (Span, bool) {
	first := time.Month(3*n - 2)
	if year >= 1900 && year < 2200 {
		return r.quarter(year, first), true
	}
	return r.quarter(r.recentMonth(first).From.Year(), first), r.leadsIn(r.word(-1).s)
}

// leadsIn says whether a month or year may follow the word.
func (r *reader) leadsIn(w string) bool {
	switch w {
	case "in", "of", "since", "until", "before", "after", "during", "by", "early", "late", "mid", "for", "from", "around", "till", "between":
		return true
	case "and", "to", "through":
		return r.ranged
	}
	return false
}

// bounded opens an end of the window for "since", "before" and "after".
func (r *reader) bounded(w Span) Span {
	day, k := r.dayBefore()
	if p := r.word(k).s; p == "the" || p == "early" || p == "late" {
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

// season is the first month of a season (of the northern half), 0 for none.
func season(w string) time.Month {
	switch w {
	case "spring", "春":
		return time.March
	case "summer", "夏":
		return time.June
	case "autumn", "fall", "秋":
		return time.September
	case "winter", "冬":
		return time.December
	}
	return 0
}

// Weekday is the day of an English name in lower case.
func Weekday(w string) (time.Weekday, bool) {
	for d := time.Sunday; d <= time.Saturday; d++ {
		if likeName(w, d.String()) {
			return d, true
		}
	}
	return 0, false
}

func days(from time.Time, n int) Span { return Span{from, from.AddDate(0, 0, n)} }

func (r *reader) day(y int, m time.Month, d int) time.Time {
	return time.Date(y, m, d, 0, 0, 0, 0, r.today.Location())
}

func (r *reader) month(y int, m time.Month) Span {
	from := r.day(y, m, 1)
	return Span{from, from.AddDate(0, 1, 0)}
}

func (r *reader) quarter(y int, first time.Month) Span {
	from := r.day(y, first, 1)
	return Span{from, from.AddDate(0, 3, 0)}
}

func (r *reader) year(y int) Span { return Span{r.day(y, 1, 1), r.day(y+1, 1, 1)} }

// recentMonth is the last month of that name that has begun.
func (r *reader) recentMonth(m time.Month) Span {
	y := r.today.Year()
	if m > r.today.Month() {
		y--
	}
	return r.month(y, m)
}

// season is the last season that has begun and is not the one that is.
func (r *reader) season(first time.Month) Span {
	from := r.day(r.today.Year(), first, 1)
	for from.AddDate(0, 3, 0).After(r.today) {
		from = from.AddDate(-1, 0, 0)
	}
	return Span{from, from.AddDate(0, 3, 0)}
}

func (r *reader) monday() time.Time {
	return r.today.AddDate(0, 0, -(int(r.today.Weekday())+6)%7)
}

func (r *reader) lastWeekday(d time.Weekday) time.Time {
	n := (int(r.today.Weekday()) - int(d) + 7) % 7
	if n == 0 {
		n = 7
	}
	return r.today.AddDate(0, 0, -n)
}
