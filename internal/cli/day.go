package cli

import (
	"strings"
	"time"
	"unicode"

	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/tool"
	"github.com/pimento-memory/pimento/internal/when"
)

// daysOf reads the time that an argument names, and nothing but a time, in any language
// that times are known in: 2026-11-20, yesterday, monday, March, gestern, 昨天.
func daysOf(s string, now time.Time) (when.Span, error) {
	capital := s
	if s != "" && s[0] >= 'a' && s[0] <= 'z' {
		capital = strings.ToUpper(s[:1]) + s[1:]
	}
	said := []string{s, "on " + capital, "in " + capital}
	for _, l := range append([]text.Language{text.English}, text.Known()...) {
		for _, q := range said {
			days, rest, ok := when.Window(q, l.Code(), now)
			if ok && strings.IndexFunc(rest, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) < 0 {
				return days, nil
			}
		}
		said = said[:1]
	}
	return when.Span{}, noDay(s)
}

func noDay(s string) error {
	if l := strings.ToLower(s); l == "tomorrow" || strings.HasPrefix(l, "next ") {
		return usageError("name a day that has been: 2026-11-20, or yesterday", "%q is in the future", tool.OneLine(s, 60))
	}
	return usageError("write it as 2026-11-20, or yesterday", "not a day: %q", tool.OneLine(s, 60))
}

// dayOf is daysOf where one day is wanted, as that day at midnight UTC.
func dayOf(s string, now time.Time) (time.Time, error) {
	y, m, d := now.Date()
	days, err := daysOf(s, time.Date(y, m, d, 12, 0, 0, 0, time.UTC))
	if err == nil && days.Days() != 1 {
		err = noDay(s)
	}
	return days.From, err
}
