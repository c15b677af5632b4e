package engine_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // a machine without zones must not pass for one whose days are right

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
)

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	l, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// loggedDays are the days of which there is a log.
func (w *world) loggedDays() string {
	w.Helper()
	files, err := filepath.Glob(w.global("daily/*.md"))
	w.must(err)
	var days []string
	for _, f := range files {
		days = append(days, strings.TrimSuffix(filepath.Base(f), ".md"))
	}
	return strings.Join(days, " ")
}

// A day that ends between two prompts of one long-lived process: what is logged
// then is another day's, and "yesterday" is the one that ended.
func TestMidnightBetweenTwoPrompts(t *testing.T) {
	w := newWorld(t)
	w.now = time.Date(2026, 11, 3, 23, 59, 30, 0, zone(t, "Asia/Tokyo"))
	opt := w.options()
	opt.Now, opt.Serve = func() time.Time { return w.now }, true
	e, err := engine.Open(opt)
	w.must(err)
	t.Cleanup(func() { _ = e.Close() })
	log := func(text string) {
		t.Helper()
		_, err := e.Remember(t.Context(), engine.Note{Text: text, Daily: true, Scope: pimento.Global, Stamped: true})
		w.must(err)
	}
	log("The tower crane was painted.")
	c := w.branchChat("s")
	c.engine = e
	wantIn(t, "prefix", c.say("hello").Prefix, "## Daily log 2026-11-03")
	w.now = w.now.Add(time.Minute)
	log("The mobile crane was greased.")
	if days := w.loggedDays(); days != "2026-11-03 2026-11-04" {
		t.Errorf("logs of %s", days)
	}
	wantIn(t, "today's log", get(t, w.global("daily/2026-11-04.md")), "<!-- 2026-11-04 00:00:30 -->\nThe mobile crane")
	first := func(question string) string {
		a := e.Recall(t.Context(), pimento.Query{Text: question, Now: e.Now()})
		if len(a.Hits) == 0 {
			return "nothing"
		}
		return a.Hits[0].Entry.Text
	}
	wantIn(t, "yesterday", first("which crane did we work on yesterday?"), "tower")
	wantIn(t, "today", first("which crane did we work on today?"), "mobile")
	other := w.branchChat("another") // begun after midnight
	other.engine = e
	prefix := other.say("hello").Prefix
	wantIn(t, "prefix", prefix, "## Last daily log (2026-11-03)", "## Daily log 2026-11-04")
}

// On Monday the last log is Friday's, and of a day that has none of this project's the
// one before.
func TestTheLastLogAfterAWeekend(t *testing.T) {
	w := newWorld(t)
	w.page("daily/2026-11-19.md", "The mobile crane was greased.\n")
	w.page("daily/2026-11-20.md", "The tower crane was painted.\n")
	prefix := func(day int) string {
		w.now = time.Date(2026, 11, day, 9, 0, 0, 0, time.UTC)
		return w.branchChat(fmt.Sprint("s", w.profile, day)).say("hello").Prefix
	}
	for day, want := range map[int]bool{21: true, 23: true, 27: true, 28: false} {
		if has := strings.Contains(prefix(day), "## Last daily log (2026-11-20)\n\nThe tower crane was painted."); has != want {
			t.Errorf("on %d November: %t\n%s", day, has, prefix(day))
		}
		if strings.Contains(prefix(day), "mobile crane") {
			t.Errorf("on %d November an earlier log is shown, too", day)
		}
	}
	w.page("daily/2026-11-22.md", "The ship crane was hired.\n")
	wantIn(t, "prefix", prefix(24), "## Last daily log (2026-11-22)")
	w.profile = "daybook" // whose document says yesterday
	if strings.Contains(prefix(24), "2026-11-22") {
		t.Error("daybook shows another day than yesterday")
	}
}

// Whoever travels has another calendar from then on: what was logged stays where
// it is.
func TestAnotherZone(t *testing.T) {
	w := newWorld(t)
	w.now = time.Date(2026, 11, 4, 9, 0, 0, 0, zone(t, "Asia/Tokyo"))
	w.remember(engine.Note{Text: "The tower crane was painted.", Daily: true, Scope: pimento.Global})
	w.now = w.now.In(zone(t, "America/Los_Angeles")) // the day before
	w.remember(engine.Note{Text: "The mobile crane was greased.", Daily: true, Scope: pimento.Global})
	if days := w.loggedDays(); days != "2026-11-03 2026-11-04" {
		t.Errorf("logs of %s", days)
	}
	b := w.branchChat("s").say("hello")
	wantIn(t, "prefix", b.Prefix, "## Daily log 2026-11-03", "mobile")
	wantOut(t, "prefix", b.Prefix, "tower")
}

// Where clocks are put forward at midnight, that day has no midnight, and where
// they are put back, one day has two. Yesterday is the calendar's, at every hour.
func TestYesterdayWhereClocksChange(t *testing.T) {
	for _, c := range []struct{ zone, day string }{
		{"America/Santiago", "2026-09-06"}, // begins at 1:00
		{"America/Santiago", "2026-04-04"}, // has its last hour twice
		{"Africa/Cairo", "2026-04-24"},
		{"America/Havana", "2026-11-01"}, // has its first hour twice
		{"Europe/Berlin", "2026-03-29"},
		{"Europe/Berlin", "2026-10-25"},
	} {
		t.Run(c.zone+" "+c.day, func(t *testing.T) {
			w := newWorld(t)
			w.profile = "daybook"
			day, err := time.Parse(time.DateOnly, c.day)
			w.must(err)
			on := func(n int) string { return day.AddDate(0, 0, n).Format(time.DateOnly) }
			for n := -3; n < 3; n++ {
				w.page("daily/"+on(n)+".md", fmt.Sprintf("The crane took load %d.\n", 40+n))
			}
			for n := range 3 {
				for _, hour := range []int{0, 1, 9, 23} {
					w.now = time.Date(day.Year(), day.Month(), day.Day()+n, hour, 30, 0, 0, zone(t, c.zone))
					if w.now.Hour() != hour {
						continue // an hour that there is not
					}
					yesterday, load := on(n-1), fmt.Sprintf("load %d.", 40+n-1)
					prefix := w.branchChat(fmt.Sprint(n, hour)).say("hello").Prefix
					wantIn(t, w.now.String(), prefix, "## Daily log: "+yesterday+" (yesterday)", load)
					w.run(func(e *engine.Engine) {
						a := e.Recall(t.Context(), pimento.Query{Text: "what did the crane take yesterday?", Now: e.Now()})
						if len(a.Hits) == 0 || !strings.Contains(a.Hits[0].Entry.Text, load) {
							t.Errorf("%s: yesterday was %s: %+v", w.now, yesterday, a.Hits)
						}
					})
				}
			}
		})
	}
}
