package demo

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
)

//go:embed month.txt
var month string

// A note is one line of month.txt.
type note struct {
	day   int // counted back from today: -30 to 0
	clock time.Duration
	where string // the word as written
	scope pimento.Scope
	kind  pimento.Kind
	page  string
	text  string
}

// at is the note's moment when the demo runs on the given day.
func (n note) at(today time.Time) time.Time {
	y, m, d := today.Date()
	return time.Date(y, m, d+n.day, 0, int(n.clock.Minutes()), 0, 0, today.Location()) // what a wall shows, also where midnight is left out
}

func parseMonth(s string) ([]note, error) {
	var notes []note
	for i, line := range strings.Split(s, "\n") {
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		n, err := parseNote(line)
		if err != nil {
			return nil, fmt.Errorf("month.txt:%d: %w", i+1, err)
		}
		notes = append(notes, n)
	}
	return notes, nil
}

func parseNote(line string) (note, error) {
	f := strings.SplitN(line, " ", 4)
	if len(f) < 3 {
		return note{}, fmt.Errorf("too few fields: %q", line)
	}
	day, err := strconv.Atoi(f[0])
	if err != nil {
		return note{}, err
	}
	clock, err := time.Parse("15:04", f[1])
	if err != nil {
		return note{}, err
	}
	n := note{day: day, where: f[2], clock: time.Duration(clock.Hour())*time.Hour + time.Duration(clock.Minute())*time.Minute}
	if len(f) == 4 {
		n.text = f[3]
	}
	place, kind, ok := strings.Cut(n.where, "/")
	if !ok {
		return n, nil
	}
	n.kind = pimento.Kind(kind)
	if topic, ok := strings.CutPrefix(place, "topic:"); ok {
		n.scope, n.page = pimento.Project, "topics/"+topic+".md"
		return n, nil
	}
	n.scope, err = pimento.ParseScope(place)
	return n, err
}
