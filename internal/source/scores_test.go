package source_test

import (
	"hash/fnv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pimento-memory/pimento/internal/source"
)

// TestKey holds the keys that the original's own code makes (run with Node).
func TestKey(t *testing.T) {
	for _, tt := range []struct{ class, text, want string }{
		{"preference", "User prefers concise responses", "5ec33969"},
		{"done", "x", "d7a941b8"},
		{"lesson", "记住 the 🎉 café", "0389f108"}, // UTF-16, not bytes, not runes
		{"mistake", strings.Repeat("long ", 60), "12dc0708"},
		{"decision", "naïve – “quoted” text", "07057014"},
	} {
		if got := source.Key(tt.class, tt.text); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.text, got, tt.want)
		}
	}
}

// TestKeyIsNotFNV: a true FNV-1a would find no entry of an existing file.
func TestKeyIsNotFNV(t *testing.T) {
	h := fnv.New32a()
	_, _ = h.Write([]byte("- [preference] User prefers concise responses"))
	if h.Sum32() != 0x4a63801d {
		t.Fatalf("%x", h.Sum32())
	}
	if got := source.Key("preference", "User prefers concise responses"); got == "4a63801d" {
		t.Error("the original's rounding is gone, and with it every key of its files")
	}
}

const one = `{"entries":{"5ec33969":{"class":"preference","score":1.609,"evidenceCount":4,"cue":"explicit",` +
	`"firstSeen":"2026-01-02T03:04:05.000Z","lastReinforced":"2026-02-03T04:05:06.789Z","userState":"pinned","lifecycle":"active",` +
	`"sourceSession":"abc","informs":["x"]}},"lastRebuild":"2026-02-04T00:00:00.000Z"}`

func TestParseScores(t *testing.T) {
	want := source.Score{Class: "preference", Score: 1.609, EvidenceCount: 4, Cue: "explicit", UserState: "pinned", Lifecycle: "active", SourceSession: "abc",
		FirstSeen: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), LastReinforced: time.Date(2026, 2, 3, 4, 5, 6, 789e6, time.UTC)}
	older := strings.Replace(one, `"evidenceCount":4`, `"evidenceCount":3`, 1)
	for name, text := range map[string]string{
		"a file":                    one,
		"with a byte order mark":    "\ufeff" + one,
		"lines: the last one holds": older + "\n" + one + "\n",
		"a torn last line":          older + "\n" + one + "\n" + older[:200],
		"lines of nonsense between": older + "\n{}\n[]\nnull\n\n" + one + "\n",
	} {
		s, err := source.ParseScores([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if d := cmp.Diff(map[string]source.Score{"5ec33969": want}, s.Entries); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	for _, text := range []string{"", "{}", "[]", "nonsense", `{"entries":[]}`, "\x00\xff"} {
		if s, err := source.ParseScores([]byte(text)); err == nil {
			t.Errorf("%q: %+v", text, s)
		}
	}
	if s, err := source.ParseScores([]byte(`{"entries":{}}`)); err != nil || len(s.Entries) != 0 {
		t.Error(s, err)
	}
}

func TestParseSessions(t *testing.T) {
	s, err := source.ParseSessions([]byte(`{"entries":[{"sessionId":"s1","timestamp":"2026-02-03T04:05:06Z","summary":"built the <thing>"}]}`))
	want := source.Sessions{Entries: []source.Session{{ID: "s1", Timestamp: time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC), Summary: "built the <thing>"}}}
	if d := cmp.Diff(want, s); d != "" || err != nil {
		t.Error(d, err)
	}
	b, err := s.JSON()
	if err != nil || !strings.Contains(string(b), "<thing>") {
		t.Error(string(b), err)
	}
	if again, err := source.ParseSessions(b); err != nil || cmp.Diff(s, again) != "" {
		t.Error(again, err)
	}
	if _, err := source.ParseSessions([]byte("nonsense")); err == nil {
		t.Error("nonsense was read")
	}
}

func TestLine(t *testing.T) {
	if got := source.Line(" first \n  second"); got != "first" {
		t.Errorf("%q", got)
	}
}
