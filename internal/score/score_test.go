package score_test

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/score"
)

var now = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

func days(n float64) time.Time { return now.Add(-time.Duration(n * 24 * float64(time.Hour))) }

// TestStability holds the published table: ln(1+n) for n = 1..12, times the
// weight of the cue.
func TestStability(t *testing.T) {
	ln := []float64{0.693, 1.099, 1.386, 1.609, 1.792, 1.946, 2.079, 2.197, 2.303, 2.398, 2.485, 2.565}
	for cue, weight := range score.Default().Cues {
		for i, want := range ln {
			if got := score.Stability(weight, 0, 90, i+1); math.Abs(got-weight*want) > 0.0006 {
				t.Errorf("%s, evidence %d: %.4f, want %.4f", cue, i+1, got, weight*want)
			}
		}
	}
	tests := []struct {
		name             string
		weight, age, tau float64
		evidence         int
		want             float64
	}{
		{"an e-folding time leaves 37%, not half", 1, 90, 90, 1, math.Ln2 / math.E},
		{"a half-life is ln 2 of it", 1, 90 * math.Ln2, 90, 1, math.Ln2 / 2},
		{"a clock that went back", 1, -5, 90, 1, math.Ln2},
		{"no tau does not fade", 1, 10000, 0, 1, math.Ln2},
		{"evidence of nothing is one", 1, 0, 90, 0, math.Ln2},
		{"nor is it negative", 1, 0, 90, -3, math.Ln2},
	}
	for _, tt := range tests {
		if got := score.Stability(tt.weight, tt.age, tt.tau, tt.evidence); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestLifecycleBoundaries(t *testing.T) {
	p := score.Default()
	for _, tt := range []struct {
		score float64
		want  string
	}{
		{9999, score.Active}, {1.5, score.Active},
		{math.Nextafter(1.5, 0), score.Provisional}, {0.7, score.Provisional},
		{math.Nextafter(0.7, 0), score.Candidate}, {0.4, score.Candidate},
		{math.Nextafter(0.4, 0), score.Dropped}, {0, score.Dropped},
	} {
		if got := p.Lifecycle(tt.score); got != tt.want {
			t.Errorf("Lifecycle(%v) = %s, want %s", tt.score, got, tt.want)
		}
	}
}

func TestRank(t *testing.T) {
	fresh := score.Fact{Kind: pimento.KindPreference, Cue: score.CueExplicit, Evidence: 1,
		First: now, Last: now, Remembered: true}
	change := func(f func(*score.Fact)) score.Fact { x := fresh; f(&x); return x }
	tests := []struct {
		name      string
		fact      score.Fact
		lifecycle string
		score     float64
	}{
		{"a fresh entry is visible", fresh, score.Provisional, math.Ln2},
		{"to the last second of its grace",
			change(func(f *score.Fact) { f.First, f.Last = days(7).Add(time.Second), now }), score.Provisional, math.Ln2},
		{"and not at seven days",
			change(func(f *score.Fact) { f.First, f.Last = days(7), now }), score.Candidate, math.Ln2},
		{"grace needs our own writing", change(func(f *score.Fact) { f.Remembered = false }), score.Candidate, math.Ln2},
		{"grace needs the explicit cue", change(func(f *score.Fact) { f.Cue = score.CueBehavioral }), score.Candidate, .7 * math.Ln2},
		{"grace lifts, it does not lower", change(func(f *score.Fact) { f.Evidence = 4 }), score.Active, math.Log(5)},
		{"active needs four from the user", change(func(f *score.Fact) { f.Evidence = 3 }), score.Provisional, math.Log(4)},
		{"eight from behaviour", change(func(f *score.Fact) { f.Evidence, f.Cue = 8, "behavioral" }), score.Active, .7 * math.Log(9)},
		{"an unknown cue is behavioral", change(func(f *score.Fact) { f.Evidence, f.Cue = 8, "" }), score.Active, .7 * math.Log(9)},
		{"a preference said twice holds 40 days",
			change(func(f *score.Fact) { f.Evidence, f.First, f.Last = 2, days(40), days(40) }), score.Provisional, math.Log(3) * math.Exp(-40./90)},
		{"and not 41",
			change(func(f *score.Fact) { f.Evidence, f.First, f.Last = 2, days(41), days(41) }), score.Candidate, math.Log(3) * math.Exp(-41./90)},
		{"unless it was confirmed since",
			change(func(f *score.Fact) { f.Evidence, f.First, f.Last, f.Confirmed = 2, days(41), days(41), now }), score.Provisional, math.Log(3)},
		{"something done fades in days",
			change(func(f *score.Fact) { f.Kind, f.First, f.Last = pimento.KindDone, days(14), days(14) }), score.Dropped, math.Ln2 / math.E},
		{"pinned stands", change(func(f *score.Fact) { f.Pinned, f.Last = true, days(9000) }), score.Active, 9999},
		{"forgotten does not, even pinned", change(func(f *score.Fact) { f.Pinned, f.Forgotten = true, true }), score.Dropped, 0},
		{"a prohibition does not fade",
			change(func(f *score.Fact) { f.Text, f.First, f.Last = "Never force-push", days(900), days(900) }), score.Provisional, math.Ln2},
		{"a task does not fade",
			change(func(f *score.Fact) { f.Kind, f.Evidence, f.First, f.Last = pimento.KindTask, 2, days(900), days(900) }), score.Provisional, math.Log(3)},
		{"the clock went back", change(func(f *score.Fact) { f.First, f.Last = days(-3), days(-3) }), score.Provisional, math.Ln2},
	}
	var facts []score.Fact
	for _, tt := range tests {
		facts = append(facts, tt.fact)
	}
	for i, got := range score.Rank(facts, score.Default(), now) {
		if tt := tests[i]; got.Lifecycle != tt.lifecycle || math.Abs(got.Score-tt.score) > 1e-9 {
			t.Errorf("%s: %s %.4f, want %s %.4f", tt.name, got.Lifecycle, got.Score, tt.lifecycle, tt.score)
		}
	}
}

func TestRankCarriesTheFacts(t *testing.T) {
	f := score.Fact{Kind: pimento.KindFact, First: days(9), Last: days(5), Confirmed: days(2), Used: 3, Injected: 8}
	got := score.Rank([]score.Fact{f}, score.Policy{}, now)[0]
	want := pimento.Standing{Evidence: 1, Lifecycle: score.Active, First: days(9), Last: days(2), Confirmed: days(2), Used: 3, Injected: 8}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d) // with no thresholds everything is active
	}
}

func TestProhibits(t *testing.T) {
	for _, s := range []string{
		"Never push to main without a review.",
		"never commit .env",
		"Please don't use tabs in YAML",
		"Don’t touch vendor/",
		"Releases: do not tag on Fridays",
		"- **Do not** edit generated files",
		"The worker must not hold the lock while it sleeps",
		"You must never log tokens",
		"Tags are signed; never force-push them",
		"不要在周五发布", "本番データベースへの書き込みは禁止",
	} {
		if !score.Prohibits(s) {
			t.Errorf("%q forbids something", s)
		}
	}
	for _, s := range []string{
		"", "The cache has never been cleared by this job",
		"Chose PostgreSQL because it does not lose rows", "I don't know why this works",
		"Use nevermore as the test host", "we never saw this again", "The parser will not fail on CRLF",
	} {
		if score.Prohibits(s) {
			t.Errorf("%q forbids nothing", s)
		}
	}
}
