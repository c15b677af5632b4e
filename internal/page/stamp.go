package page

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pimento-memory/pimento"
)

const (
	handoffMark    = "HANDOFF "
	handoffHeading = "Session Handoff"
	summaryHeading = "Session Summary (auto" // written by the daybook's exit hook
	stampLayout    = "2006-01-02 15:04:05"
)

// A stamp is the line above an entry that says when and by whom it was
// written.
type stamp struct {
	time    time.Time
	session string
	handoff bool
}

// IsHandoff says whether an entry only quotes what was open and said when it was
// written, as a session's summary does not.
func IsHandoff(e *pimento.Entry) bool {
	return e.Kind == pimento.KindHandoff && e.Heading == handoffHeading
}

// StampLine is the line that dates an entry, without a line ending:
// "<!-- 2026-02-15 14:30:00 [a1b2c3d4] -->". It shows the wall clock of t in
// t's location and the first 8 characters of the session's id; without a
// session the brackets are left out.
func StampLine(t time.Time, session string) string { return stampLine("", t, session) }

// handoffLine is the line that opens a handoff in a log:
// "<!-- HANDOFF 2026-02-15 14:30:00 [a1b2c3d4] -->".
func handoffLine(t time.Time, session string) string { return stampLine(handoffMark, t, session) }

func stampLine(mark string, t time.Time, session string) string {
	s := "<!-- " + mark + t.Format(stampLayout)
	if id := shortSession(session); id != "" {
		s += " [" + id + "]"
	}
	return s + " -->"
}

// shortSession is the first 8 characters of a session id, without those that
// would end the stamp.
func shortSession(session string) string {
	id := strings.Map(func(r rune) rune {
		if r <= ' ' || r == '[' || r == ']' || r == '<' || r == '>' || r == utf8.RuneError {
			return -1
		}
		return r
	}, session)
	return firstRunes(id, 8)
}

func firstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// stampOf reads a stamp line. It takes only what StampLine and handoffLine
// write, with any session id, at the start of the line.
func stampOf(s string) (st stamp, ok bool) {
	s, ok = strings.CutPrefix(s, "<!-- ")
	if !ok {
		return st, false
	}
	s, st.handoff = strings.CutPrefix(s, handoffMark)
	s, ok = strings.CutSuffix(strings.TrimRight(s, " \t"), " -->")
	if !ok || len(s) < len(stampLayout) {
		return st, false
	}
	if st.time, ok = wallClock(s[:len(stampLayout)]); !ok {
		return st, false
	}
	s = s[len(stampLayout):]
	if s == "" {
		return st, true
	}
	if !strings.HasPrefix(s, " [") || !strings.HasSuffix(s, "]") || strings.ContainsAny(s[2:len(s)-1], "[]<>") {
		return st, false
	}
	st.session = firstRunes(s[2:len(s)-1], 8)
	return st, true
}

// wallClock reads "2006-01-02 15:04:05" as UTC; what zone the clock was in is
// for the caller to know.
func wallClock(s string) (time.Time, bool) {
	if s[4] != '-' || s[7] != '-' || s[10] != ' ' || s[13] != ':' || s[16] != ':' {
		return time.Time{}, false
	}
	var n [6]int
	for i, part := range [6]string{s[:4], s[5:7], s[8:10], s[11:13], s[14:16], s[17:19]} {
		for _, c := range []byte(part) {
			if c < '0' || c > '9' {
				return time.Time{}, false
			}
			n[i] = n[i]*10 + int(c-'0')
		}
	}
	t := time.Date(n[0], time.Month(n[1]), n[2], n[3], n[4], n[5], 0, time.UTC)
	same := t.Day() == n[2] && int(t.Month()) == n[1] && t.Hour() == n[3] && t.Minute() == n[4] && t.Second() == n[5]
	return t, same
}
