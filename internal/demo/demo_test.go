package demo

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/tool"
)

func TestMonthIsWhatItSays(t *testing.T) {
	notes, err := parseMonth(month)
	if err != nil {
		t.Fatal(err)
	}
	if len(notes) < 60 || len(notes) > 90 {
		t.Errorf("%d notes", len(notes))
	}
	today := time.Date(2026, 11, 21, 23, 59, 0, 0, time.UTC)
	last := time.Time{}
	for _, n := range notes {
		at := n.at(today)
		if at.Before(last) || at.After(today) || today.Sub(at) > 32*24*time.Hour {
			t.Errorf("%s is out of order or out of the month", at)
		}
		last = at
		if n.kind != "" && n.kind != pimento.KindFact && n.kind != pimento.KindPreference && n.kind != pimento.KindLesson &&
			n.kind != pimento.KindDecision && n.kind != pimento.KindMistake {
			t.Errorf("unknown kind %q", n.kind)
		}
	}
	for _, bad := range []string{"x", "-1 09:00", "one 09:00 daily x", "-1 25:00 daily x", "-1 09:00 moon/fact x"} {
		if _, err := parseMonth(bad); err == nil {
			t.Errorf("parseMonth(%q) = nil error", bad)
		}
	}
}

func TestRunFitsTheTerminalInEveryProfile(t *testing.T) {
	for profile, width := range map[string]int{"default": 80, "daybook": 80, "situation": 40} {
		var out bytes.Buffer
		now := time.Date(2026, 3, 1, 0, 30, 0, 0, time.UTC) // shortly after midnight, after a short month
		err := Run(context.Background(), &out, Options{Now: func() time.Time { return now }, Watch: time.Now,
			Paint: tool.Paint{Width: width}, Profile: profile})
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if utf8.RuneCountInString(strings.TrimRight(line, "\n")) > width {
				t.Errorf("%s: %d columns: %s", profile, utf8.RuneCountInString(line), line)
			}
		}
		if strings.Contains(out.String(), " 1 entries") {
			t.Error(out.String())
		}
		for _, want := range []string{"rollback", "prompt 3", "in all"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s lacks %q:\n%s", profile, want, out.String())
			}
		}
	}
}

func TestAnEmptyTailSaysWhatStandsAlready(t *testing.T) {
	for reason, want := range map[string]string{
		"already stands in the block":      "already in front of the model:\n  0123456789abcdef topics/deploy.md",
		"already in the session's context": "already in front of the model:",
		"no room":                          "Nothing in memory bears on this",
	} {
		var out bytes.Buffer
		v := &view{out: &out, p: tool.Paint{Width: 100}}
		v.prompt(1, "how do we deploy", pimento.Block{Trace: []pimento.Decision{
			{Entry: "0123456789abcdef", Page: "topics/deploy.md", Decision: "dropped", Reason: reason}}}, 0)
		if got := strings.ReplaceAll(out.String(), "the\nmodel", "the model"); !strings.Contains(got, want) {
			t.Errorf("%s:\n%s", reason, got)
		}
	}
}
