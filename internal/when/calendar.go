package when

import "time"

// calendar reads what has a place in the calendar, and only its year from today:
// "2026-05-08", "8 May 2026", "May 8", "in March", "March 2026", "in 2025", "Q3",
// "in summer".
func (r *reader) calendar() (Span, bool) {
	t, before, after := r.word(0), r.word(-1), r.word(1)
	if d, ok := placed(r.ts[r.i:]); ok {
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
		if r.inSeason() && !r.framework() {
			return r.quarter(r.recentMonth(s).From.Year(), s), true
		}
	}
	if m := Month(t.s); m != 0 {
		day, first := r.dayBefore()
		if day > 0 && t.s == "may" && !t.upper && !t.other && r.permits(r.word(first)) {
			return Span{}, false // step 3 may fail
		}
		if day == 0 && !t.other && (r.person() || t.s == "may" && r.permitsMany()) {
			return Span{}, false
		}
		k := 1
		if day == 0 && after.dayOfMonth() {
			day, k = after.n, 2
			if ordinal(r.word(k).s) {
				k++
			}
		}
		year := r.yearSaid(k)
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
	if n := ordinalWord(t.s); after.s == "quarter" && n > 0 && n < 5 {
		year := r.yearSaid(2)
		w, named := r.namedQuarter(n, year)
		return w, named || year != 0
	}
	if t.s == "q" && after.n >= 1 && after.n <= 4 && t.after == 0 {
		return r.namedQuarter(after.n, r.yearSaid(2))
	}
	return Span{}, false
}

// permits says whether a "may" behind a number and the word before that is the verb.
func (r *reader) permits(before token) bool {
	after := r.word(1)
	return before.s != "" && !binds(before.s) && after.s != "" && after.n < 0 && !binds(after.s)
}

// permitsMany says whether a "may" before a number is the verb: "may 3 people join?".
func (r *reader) permitsMany() bool {
	n, many := r.word(1), r.word(2)
	if n.n < 2 || n.n > 31 || r.word(0).upper && r.i > 0 || binds(r.word(-1).s) || r.word(-1).s == "the" {
		return false
	}
	return many.s == "people" || len(many.s) > 3 && many.n < 0 && many.s[len(many.s)-1] == 's' && many.s[len(many.s)-2] != 's' && r.word(3).s != ""
}

// person says whether a month is written as the name of somebody: "ask April about it",
// "what did May decide", "June said so", "the table is for Jan".
func (r *reader) person() bool {
	t, before, after := r.word(0), r.word(-1).s, r.word(1)
	if !t.upper || after.dayOfMonth() || r.yearSaid(1) != 0 {
		return false
	}
	switch after.s {
	case "said", "says", "wrote", "writes", "thinks", "thought", "asked", "asks", "told", "tells", "wants", "wanted", "likes", "prefers", "owns", "maintains", "knows":
		return true
	}
	switch before {
	case "ask", "asked", "tell", "told", "with", "thank", "thanks", "ping", "pinged", "cc", "meet", "met", "hi", "hello", "dear":
		return true
	case "did", "does":
		return after.s != ""
	case "for", "from", "by": // no month is cut short so, but "Jan 2026" and "from Jan to May"
		return t.s == "jan" && !joins(after.s)
	}
	return false
}

// namedQuarter reads "in Q3", "Q3 2025": the last one that has begun, unless a year
// is said.
func (r *reader) namedQuarter(n, year int) (Span, bool) {
	first := time.Month(3*n - 2)
	if year >= 1900 && year < 2200 {
		return r.quarter(year, first), true
	}
	return r.quarter(r.recentMonth(first).From.Year(), first), r.inSeason()
}

// leadsIn says whether a month or year may follow the word.
func (r *reader) leadsIn(w string) bool {
	switch w {
	case "in", "of", "since", "until", "before", "after", "during", "by", "early", "late", "mid", "beginning", "start", "middle", "end", "for", "from", "around", "till", "between":
		return true
	case "and", "to", "through":
		return r.ranged
	}
	return false
}

// inSeason says whether what stands before the name of a season or quarter makes it one.
func (r *reader) inSeason() bool {
	before := r.word(-1).s
	if before == "the" {
		before = r.word(-2).s
	}
	return r.leadsIn(before)
}

// framework says whether a season is written as a name, or the beginning of one: Spring
// Boot is no spring, nor is a fall back.
func (r *reader) framework() bool {
	t := r.word(0)
	if t.s == "spring" && t.upper && !t.other {
		return true
	}
	switch r.word(1).s {
	case "boot", "mvc", "security", "data", "cloud", "batch", "beans", "config", "framework", "back", "through", "cleaning", "animation":
		return true
	}
	return false
}

// yearAfter is the year that follows a season, as in "summer 2025" and "summer of
// 2025", 0 for none: the logs "fall 2000 times".
func (r *reader) yearAfter() int {
	unit := r.word(2).s
	if r.word(1).s == "of" {
		unit = r.word(3).s
	}
	if counted(unit) && !r.inSeason() {
		return 0
	}
	return r.yearSaid(1)
}

// counted says whether the number before the word counts: 2000 times.
func counted(w string) bool {
	switch w {
	case "times", "bytes", "rows", "lines", "points", "percent", "ms", "feet", "meters", "metres", "miles", "steps":
		return true
	}
	return false
}

// season is the first month of a season (of the northern half), 0 for none.
func season(w string) time.Month {
	switch w {
	case "spring":
		return time.March
	case "summer":
		return time.June
	case "autumn", "fall":
		return time.September
	case "winter":
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
