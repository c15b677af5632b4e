package upkeep

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// number reads a number that says how much, at what time, or which port.
func (r *slots) number(t token) (s slot, n int) {
	if h, m, ok := strings.Cut(strings.TrimSuffix(t.stem, "m"), "h"); ok && isNumber(h, 3) && isNumber(m, 2) { // 1h30m
		hours, _ := strconv.Atoi(h)
		minutes, _ := strconv.Atoi(m)
		return quantity(strconv.Itoa(60*hours+minutes), "minut"), 1
	}
	digits := strings.TrimRight(t.stem, "abcdefghijklmnopqrstuvwxyz%")
	if strings.Trim(digits, "0123456789.,:$€~<>=+-") != "" || strings.Count(digits, ".") > 1 {
		return s, 0
	}
	before, after := token{}, r.after(1)
	if r.at > 0 {
		before = r.ts[r.at-1]
	}
	tail := t.stem[len(digits):]
	whole := isNumber(digits, len(digits))
	digits = strings.TrimLeft(digits, "+~=")
	switch {
	case strings.Count(digits, ":") == 1 || tail == "am" || tail == "pm": // with seconds it is a log's
		if tail == "" && halfDay(after) {
			return slot{sort: clock, value: timeOfDay(digits, after.raw)}, 2
		}
		return slot{sort: clock, value: timeOfDay(digits, tail)}, 1
	case tail == "" && halfDay(after):
		return slot{sort: clock, value: timeOfDay(digits, after.raw)}, 2
	case whole && before.raw == "at" && tail == "h": // à 9h
		return slot{sort: clock, value: timeOfDay(digits, "")}, 1
	case before.raw == "at" && tail == "" && after.stem == "hour": // om 9.30 uur
		return slot{sort: clock, value: timeOfDay(strings.Replace(digits, ".", ":", 1), "")}, 2
	case whole && tail == "" && len(digits) > 1 && (before.raw == "on" && len(digits) > 3 || r.port && (before.stem == "use" || measuring(before))):
		return slot{sort: "port", value: digits}, 1
	case tail == "k" && unit(after.stem): // 5k requests
		return slot{sort: after.stem, value: plain(digits, 1000)}, 2
	case tail == "k":
		return slot{sort: number, value: plain(digits, 1000)}, 1
	case tail != "" && unitTail(t.stem):
		return r.length(quantity(digits, unitOf(tail)), 1)
	case tail == "" && unit(after.stem):
		return r.length(quantity(digits, after.stem), 2)
	case tail == "" && before.raw != "on" && measuring(before):
		return slot{sort: number, value: plain(digits, 1)}, 1
	}
	return s, 0
}

// after is the token so many places on, in the same clause.
func (r *slots) after(n int) token {
	if i := r.at + n; i < len(r.ts) && !r.ts[i-1].end {
		return r.ts[i]
	}
	return token{}
}

// length adds to a stretch of time what follows it: 1 hour 30 minutes, 1h 30m.
func (r *slots) length(s slot, n int) (slot, int) {
	next := r.after(n)
	if s.sort != duration || !next.mark {
		return s, n
	}
	digits := strings.TrimRight(next.stem, "abcdefghijklmnopqrstuvwxyz")
	more, tokens := quantity(digits, unitOf(next.stem[len(digits):])), 1
	if digits == next.stem {
		more, tokens = quantity(digits, r.after(n+1).stem), 2
	}
	x, err := strconv.ParseFloat(s.value, 64)
	y, other := strconv.ParseFloat(more.value, 64)
	if more.sort != duration || err != nil || other != nil {
		return s, n
	}
	s.value = written(x + y)
	return s, n + tokens
}

// The sorts of values that are given in several units.
const (
	duration = "Duration" // in microseconds
	size     = "Bytes"
	years    = "Months"
	share    = "%"
	rate     = "Hertz"
)

// quantity is a number of a unit, written in one way for each sort: 60 seconds are a minute.
// A month is no number of days.
func quantity(digits, unit string) slot {
	sort, times := unit, 1.0
	switch unit {
	case "ms", "millisecond":
		sort, times = duration, 1e3
	case "second":
		sort, times = duration, 1e6
	case "minut":
		sort, times = duration, 60e6
	case "hour":
		sort, times = duration, 3600e6
	case "day":
		sort, times = duration, 24*3600e6
	case "week":
		sort, times = duration, 7*24*3600e6
	case "month":
		sort = years
	case "year":
		sort, times = years, 12
	case "percent":
		sort = share
	case "hz":
		sort = rate
	case "mhz":
		sort, times = rate, 1e6
	case "ghz":
		sort, times = rate, 1e9
	case "byte":
		sort = size
	case "kb", "mb", "gb", "tb":
		return slot{sort: size, value: sizeOf(digits, strings.Index("kmgt", unit[:1])+1)}
	}
	return slot{sort: sort, value: plain(digits, times)}
}

// sizeOf are the bytes of a number of kilobytes (1), megabytes (2) and so on. Both 1000 and 1024
// megabytes are called a gigabyte.
func sizeOf(digits string, power int) string {
	n := plain(digits, 1)
	f, err := strconv.ParseFloat(n, 64)
	if err != nil {
		return n
	}
	for ; f >= 1000 && int64(f)%1000 == 0 && float64(int64(f)) == f; f /= 1000 {
		power++
	}
	for ; power > 0; power-- {
		f *= 1024
	}
	return written(f)
}

// plain writes a number of so many in one way, behind the signs that stand before it: 5,000
// for 5000, ~1.50 for 1.5.
func plain(digits string, times float64) string {
	n := strings.TrimLeft(digits, "$€~<>=+-")
	signs := digits[:len(digits)-len(n)]
	if i := strings.LastIndexByte(n, ','); i > 0 && len(n)-i == len(",000") {
		n = strings.ReplaceAll(n, ",", "")
	}
	f, err := strconv.ParseFloat(strings.Replace(n, ",", ".", 1), 64)
	if err != nil {
		return digits
	}
	return signs + written(f*times)
}

func written(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// halfDay says whether a word makes the number before it a time of day.
func halfDay(t token) bool { return t.raw == "am" || t.raw == "pm" || t.stem == "oclock" }

// timeOfDay writes a time in one way: 09:00 for 9 and am, 12:00 for 12 and pm.
func timeOfDay(digits, half string) string {
	hour, minute, _ := strings.Cut(digits, ":")
	h, err := strconv.Atoi(hour)
	if err != nil {
		return digits + half
	}
	switch {
	case half == "pm" && h < 12:
		h += 12
	case half == "am" && h == 12:
		h = 0
	}
	return fmt.Sprintf("%02d:%s", h, cmp.Or(minute, "00"))
}

// unitOf is the stem of a unit that is written behind its number.
func unitOf(tail string) string {
	switch tail {
	case "s":
		return "second"
	case "m", "min":
		return "minut"
	case "h":
		return "hour"
	case "d":
		return "day"
	case "%":
		return "percent"
	}
	return tail
}

// dayOfMonth reads the number of a day: 3, 3rd.
func dayOfMonth(w string) (day string, ok bool) {
	day = strings.TrimLeft(w, "0123456789")
	switch tail := day; tail {
	case "", "st", "nd", "rd", "th":
		day = w[:len(w)-len(tail)]
	default:
		return "", false
	}
	return day, len(day) == 1 && day != "0" || len(day) == 2 && (day[0] < '3' || day <= "31")
}

// sized is the size that a word of a closed scale says. What is next to each other at
// either end of it is not told apart.
func sized(w string) (slot, bool) {
	switch strings.TrimSuffix(w, "-sized") {
	case "tiny", "small":
		return slot{sort: large, value: "small"}, true
	case "medium":
		return slot{sort: large, value: "medium"}, true
	case "large", "big", "huge":
		return slot{sort: large, value: "large"}, true
	case "short":
		return slot{sort: long, value: "short"}, true
	case "long":
		return slot{sort: long, value: "long"}, true
	}
	return slot{}, false
}
