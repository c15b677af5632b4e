// Package when understands dates as people write them: the date of a message
// ("1:56 pm on 8 May, 2023"), and the time that a question is about ("what broke
// yesterday", "last spring", "三月"). It guesses from words, errs on the side of
// not understanding, and is pure: what is relative is relative to a time that is
// given.
package when

import (
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// A Span is a half-open stretch of time. A zero From or To is an open end.
type Span struct{ From, To time.Time }

// Holds says whether t lies in the span.
func (s Span) Holds(t time.Time) bool {
	return !t.Before(s.From) && (s.To.IsZero() || t.Before(s.To))
}

// Days is the span's length in days, 0 for one with an open end.
func (s Span) Days() int {
	if s.From.IsZero() || s.To.IsZero() {
		return 0
	}
	return int(s.To.Sub(s.From).Hours()+12) / 24
}

// A token is a word in lower case, a number, or one character of Chinese.
type token struct {
	s     string
	n     int  // its value, -1 if it is no number
	upper bool // it began with a capital
	other bool // it is a word of another language in English
	after byte // the separator after it, 0 for the end or another one

	from, to int // where it stands in the text; a word of another language's stands where that does
}

func tokens(s string) []token { return lex(s, nil) }

// lex is tokens; what a reader of times knows at a place stands for what is there.
func lex(s string, known func(s string, i int) (english string, end int)) []token {
	var out []token
	for i := 0; i < len(s); {
		r := rune(s[i])
		size := 1
		if r >= 0x80 {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		if known != nil && (r >= 0x2E80 || '0' <= r && r <= '9') {
			if english, end := known(s, i); english != "" {
				out = append(out, inWords(english, token{from: i, to: end})...)
				i = end
				continue
			}
		}
		switch {
		case unicode.IsDigit(r) && r < 0x80:
			j, n := i, 0
			for j < len(s) && s[j] >= '0' && s[j] <= '9' && j-i < 9 {
				n = 10*n + int(s[j]-'0')
				j++
			}
			out = append(out, token{s: s[i:j], n: n, after: separator(s, j), from: i, to: j})
			i = j
		case unicode.Is(unicode.Han, r):
			n := hanNumber(r)
			if tens, long := hanTens(s[i:]); long > 0 {
				n, size = tens, long
			}
			out = append(out, token{s: s[i : i+size], n: n, from: i, to: i + size})
			i += size
		case unicode.IsLetter(r):
			j := i
			for j < len(s) {
				r, size := utf8.DecodeRuneInString(s[j:])
				if !unicode.IsLetter(r) || unicode.Is(unicode.Han, r) {
					break
				}
				j += size
			}
			w := strings.ToLower(s[i:j])
			out = append(out, token{s: w, n: number(w), upper: unicode.IsUpper(r), after: separator(s, j), from: i, to: j})
			i = j
		default:
			i += size
		}
	}
	return out
}

// inWords are the English words of a time that is said otherwise where a token stands.
func inWords(english string, t token) (out []token) {
	t.upper, t.other = true, true
	for t.s = range strings.FieldsSeq(english) {
		if t.n = number(t.s); t.s[0] <= '9' {
			t.n, _ = strconv.Atoi(t.s)
		}
		out = append(out, t)
	}
	return out
}

func separator(s string, i int) byte {
	if i < len(s) && (s[i] == '-' || s[i] == '/' || s[i] == ':' || s[i] == '.') {
		return s[i]
	}
	return 0
}

func hanNumber(r rune) int {
	for i, c := range []rune("一二三四五六七八九十") {
		if r == c {
			return i + 1
		}
	}
	if r == '两' {
		return 2
	}
	return -1
}

// hanTens reads 十一, 二十 and 二十三 where something is counted or dated by them, and
// their size, 0 for anything else: 周二十点 is ten o'clock on a Tuesday.
func hanTens(s string) (n, size int) {
	digit := func() int {
		r, _ := utf8.DecodeRuneInString(s[size:])
		if d := hanNumber(r); d > 0 && d < 10 && r != '两' {
			size += utf8.RuneLen(r)
			return d
		}
		return 0
	}
	tens := digit()
	if tens == 1 || !strings.HasPrefix(s[size:], "十") {
		return 0, 0
	}
	size += len("十")
	n = 10*max(tens, 1) + digit()
	r, _ := utf8.DecodeRuneInString(s[size:])
	if n == 10 || !strings.ContainsRune("月日号天周个年", r) {
		return 0, 0
	}
	return n, size
}

func number(w string) int {
	switch w {
	case "a", "an", "one":
		return 1
	case "two", "couple":
		return 2
	case "three", "few":
		return 3
	case "four":
		return 4
	case "five":
		return 5
	case "six":
		return 6
	case "seven":
		return 7
	case "eight":
		return 8
	case "nine":
		return 9
	case "ten":
		return 10
	case "eleven":
		return 11
	case "twelve":
		return 12
	case "fifteen":
		return 15
	}
	return -1
}

// Month is the month of an English name or its first three letters in lower case, 0
// for none.
func Month(w string) time.Month {
	if len(w) < 3 {
		return 0
	}
	for m := time.January; m <= time.December; m++ {
		if name := m.String(); likeName(w, name) || likeName(w, name[:3]) || w == "sept" && m == time.September {
			return m
		}
	}
	return 0
}

// likeName says whether a word in lower case is a name that begins with a capital.
func likeName(w, name string) bool {
	return len(w) == len(name) && w[0] == name[0]|0x20 && w[1:] == name[1:]
}

// Parse finds the date of a message in free text: year, month and day, with the
// month as a name or where its place is clear (2023-05-08, 2023年5月8日, 8.5.2023,
// 5/20/23), or the seconds or milliseconds of Unix. Of a time of day only what ISO
// writes is taken. ok is false when a part is missing or unclear (5/8/2023), or
// there is no such day.
func Parse(s string) (t time.Time, ok bool) {
	s = strings.TrimSpace(s)
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04", "20060102", "20060102T150405Z0700"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, true
		}
	}
	if t, ok := unix(s); ok {
		return t, true
	}
	ts := tokens(s)
	year, mon, day := 0, time.Month(0), 0
	for i, t := range ts {
		if d, ok := placed(ts[i:]); ok {
			return d, true
		}
		switch m := Month(t.s); {
		case m != 0 && mon == 0:
			mon = m
			if d := dayOf(ts, i); d != 0 {
				day = d
			}
		case t.n >= 1900 && t.n < 2200 && year == 0:
			year = t.n
		case day == 0 && isDay(ts, i):
			day = t.n
		}
	}
	if year == 0 || mon == 0 || day == 0 {
		return t, false
	}
	return date(year, mon, day)
}

// dayOf is the day that stands beside the month ts[i], 0 for none: before it, unless a
// year follows the one behind it (session 3, May 8 2023).
func dayOf(ts []token, i int) int {
	year := i + 2
	if year < len(ts) && ordinal(ts[year].s) {
		year++
	}
	if isDay(ts, i+1) && year < len(ts) && ts[year].n >= 1900 && ts[year].n < 2200 {
		return ts[i+1].n
	}
	for j := i - 1; j >= 0; j-- {
		if isDay(ts, j) {
			return ts[j].n
		}
		if ts[j].s != "of" && !ordinal(ts[j].s) {
			break
		}
	}
	if isDay(ts, i+1) {
		return ts[i+1].n
	}
	return 0
}

// isDay says whether a token may be the day of a month and is no part of a time.
func isDay(ts []token, i int) bool {
	return i >= 0 && i < len(ts) && ts[i].n >= 1 && ts[i].n <= 31 && ts[i].after != ':' && (i == 0 || ts[i-1].after != ':') && !halfDay(ts, i)
}

// unix reads seconds or milliseconds since 1970, of 2001 to 2286.
func unix(s string) (t time.Time, ok bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	switch {
	case err != nil || len(s) != 10 && len(s) != 13 || s[0] < '1' || s[0] > '9':
		return t, false
	case len(s) == 13:
		return time.UnixMilli(n).UTC(), true
	}
	return time.Unix(n, 0).UTC(), true
}

// placed reads a date of three numbers whose order is clear.
func placed(ts []token) (t time.Time, ok bool) {
	if d, ok := iso(ts); ok {
		return d, true
	}
	if len(ts) < 3 {
		return t, false
	}
	if ts[0].n >= 1900 && ts[0].n < 2200 && ts[0].after == '.' && ts[1].after == '.' {
		return date(ts[0].n, time.Month(ts[1].n), ts[2].n)
	}
	if y, m, d, ok := chineseDay(ts); ok {
		return date(y, m, d)
	}
	a, b, year, sep := ts[0].n, ts[1].n, ts[2].n, ts[0].after
	if sep == 0 || sep == ':' || ts[1].after != sep || a < 1 || b < 1 || year < 0 {
		return t, false
	}
	if len(ts[2].s) == 2 && sep == '/' { // 1.2.30 is a version
		year += 2000
	}
	switch {
	case year < 1900 || year >= 2200:
	case a > 12 || sep == '.' || a == b:
		return date(year, time.Month(b), a)
	case b > 12:
		return date(year, time.Month(a), b)
	}
	return t, false
}

// chineseDay reads 2023年5月8日.
func chineseDay(ts []token) (year int, m time.Month, day int, ok bool) {
	ok = len(ts) > 4 && ts[0].n >= 1900 && ts[0].n < 2200 && ts[1].s == "年" && ts[2].n >= 1 && ts[3].s == "月" && ts[4].n >= 1
	if ok {
		year, m, day = ts[0].n, time.Month(ts[2].n), ts[4].n
	}
	return year, m, day, ok
}

// halfDay says whether a number is an hour: "7 pm".
func halfDay(ts []token, i int) bool {
	return i+1 < len(ts) && (ts[i+1].s == "am" || ts[i+1].s == "pm")
}

// iso reads 2026-05-07 or 2026/5/7.
func iso(ts []token) (t time.Time, ok bool) {
	if len(ts) < 3 || ts[0].n < 1900 || ts[0].n >= 2200 || len(ts[0].s) != 4 {
		return t, false
	}
	if sep := ts[0].after; sep != '-' && sep != '/' || ts[1].after != sep {
		return t, false
	}
	return date(ts[0].n, time.Month(ts[1].n), ts[2].n)
}

func date(year int, m time.Month, day int) (time.Time, bool) {
	t := time.Date(year, m, day, 0, 0, 0, 0, time.UTC)
	return t, m >= 1 && m <= 12 && t.Month() == m && day >= 1
}
