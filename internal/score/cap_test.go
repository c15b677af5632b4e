package score_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/score"
)

// published is the formula as its document gives it: no grace, and what is
// forbidden fades like all else.
func published() score.Policy {
	p := score.Default()
	p.GraceDays, p.Prohibitions = 0, "fade"
	return p
}

// TestTwelveEvidences says for each cue and 1 to 12 evidences what an entry that
// was said just now is: by the published formula, one letter for each.
func TestTwelveEvidences(t *testing.T) {
	want := map[string]string{
		score.CueExplicit:   "cpp aaaaaaaaa", // said once: a candidate, which no report shows
		score.CueStructural: "cpp paaaaaaaa",
		score.CueBehavioral: "cpp ppppaaaaa",
		score.CueRecurrence: "ccp ppppppppa",
	}
	letters := map[string]string{score.Active: "a", score.Provisional: "p", score.Candidate: "c", score.Dropped: "d"}
	for cue, line := range want {
		var got strings.Builder
		for n := 1; n <= 12; n++ {
			s, terms := score.Explain(score.Fact{Kind: pimento.KindPreference, Cue: cue, Evidence: n, First: now, Last: now, Remembered: true}, published(), now)
			got.WriteString(letters[s.Lifecycle])
			if math.Abs(terms.Score-terms.Weight*terms.Fade*terms.Growth) > 1e-12 || terms.Score != s.Score {
				t.Errorf("%s %d: the terms %+v do not make %v", cue, n, terms, s.Score)
			}
		}
		if g := got.String(); g != strings.ReplaceAll(line, " ", "") {
			t.Errorf("%s: %s, want %s", cue, g, line)
		}
	}
}

// TestThePublishedFormulaHidesWhatIsNew: an explicit entry scores ln 2 = 0.693
// on the day it is written, under the 0.7 that a report shows. The grace is our
// answer, and a reinforcement was theirs.
func TestThePublishedFormulaHidesWhatIsNew(t *testing.T) {
	fresh := score.Fact{Kind: pimento.KindPreference, Cue: score.CueExplicit, Evidence: 1, First: now, Last: now, Remembered: true}
	if s := score.Rank([]score.Fact{fresh}, published(), now)[0]; s.Lifecycle != score.Candidate {
		t.Errorf("published: %s; the trap is gone, and so is the reason for the grace", s.Lifecycle)
	}
	s, terms := score.Explain(fresh, score.Default(), now)
	if s.Lifecycle != score.Provisional || !terms.Grace {
		t.Errorf("ours: %s %+v", s.Lifecycle, terms)
	}
	fresh.Evidence = 2
	if s := score.Rank([]score.Fact{fresh}, published(), now)[0]; s.Lifecycle != score.Provisional {
		t.Errorf("published, said twice: %s", s.Lifecycle)
	}
}

// TestDecayOfEachKind: after its days a kind has 37% left by e-folding and half
// by half-life.
func TestDecayOfEachKind(t *testing.T) {
	for kind, n := range score.Default().Days {
		for decay, left := range map[string]float64{score.EFolding: 1 / math.E, score.HalfLife: .5, "": 1 / math.E} {
			p := score.Default()
			p.Decay = decay
			f := score.Fact{Kind: kind, Cue: score.CueExplicit, Evidence: 3, First: days(n), Last: days(n)}
			if _, got := score.Explain(f, p, now); math.Abs(got.Fade-left) > 1e-9 || math.Abs(got.Age-n) > 1e-9 {
				t.Errorf("%s %q: %+v", kind, decay, got)
			}
		}
	}
}

// TestProhibitionsFadeOnRequest: what is forbidden does not fade unless the policy says so.
func TestProhibitionsFadeOnRequest(t *testing.T) {
	f := score.Fact{Kind: pimento.KindLesson, Text: "Never push to main", Cue: score.CueExplicit, Evidence: 2, First: days(400), Last: days(400)}
	if s, terms := score.Explain(f, score.Default(), now); s.Lifecycle != score.Provisional || !terms.Lasting || terms.Tau != 0 {
		t.Errorf("%s %+v", s.Lifecycle, terms)
	}
	if s, terms := score.Explain(f, published(), now); s.Lifecycle != score.Dropped || terms.Lasting {
		t.Errorf("published: %s %+v", s.Lifecycle, terms)
	}
}

func TestCap(t *testing.T) {
	p := score.Policy{Caps: map[pimento.Kind]int{"lesson": 2, "done": 1}, Overflow: 2}
	run := func(p score.Policy, in ...string) string { // "kind score lifecycle"
		var standings []pimento.Standing
		var kinds []pimento.Kind
		for _, line := range in {
			var k string
			var s pimento.Standing
			if _, err := fmt.Sscan(line, &k, &s.Score, &s.Lifecycle); err != nil {
				t.Fatal(err)
			}
			standings, kinds = append(standings, s), append(kinds, pimento.Kind(k))
		}
		score.Cap(standings, kinds, p)
		var out []string
		for _, s := range standings {
			out = append(out, s.Lifecycle[:1])
		}
		return strings.Join(out, "")
	}
	lessons := []string{"lesson 2 active", "lesson 5 active", "lesson 4 active", "lesson 3 active", "lesson 1.6 active"}
	for _, tt := range []struct{ name, want, got string }{
		{"two stay, two wait, one is a candidate", "paapc", run(p, lessons...)},
		{"the pool is shared and takes the best", "aapc ap", run(p, "lesson 9 active", "lesson 8 active", "lesson 7 active", "lesson 1.6 active", "done 6 active", "done 5 active")},
		{"what is provisional by itself is not counted", "aappp", run(p, "lesson 9 active", "lesson 8 active", "lesson 1 provisional", "lesson 1 provisional", "lesson 1 provisional")},
		{"a kind without a cap", "aaa", run(p, "fact 2 active", "fact 3 active", "fact 4 active")},
		{"pinned take no place", "aaa", run(p, "done 9999 active", "done 9999 active", "done 2 active")},
		{"a cap of nothing", "c", run(score.Policy{Caps: map[pimento.Kind]int{"fact": 0}}, "fact 3 active")},
		{"equal scores keep their order", "aapp", run(p, "lesson 2 active", "lesson 2 active", "lesson 2 active", "lesson 2 active")},
		// The original's total of 40 could never be reached: its caps sum to 34.
		{"the total is reached", "aacc", run(score.Policy{Total: 2}, "fact 5 active", "lesson 4 active", "done 3 active", "mistake 2 active")},
		{"nothing to cap", "cd", run(p, "lesson 0.5 candidate", "lesson 0 dropped")},
	} {
		if diff := cmp.Diff(strings.ReplaceAll(tt.want, " ", ""), tt.got); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

func TestAtLeast(t *testing.T) {
	order := []string{score.Active, score.Provisional, score.Candidate, score.Dropped}
	for i, a := range order {
		for j, b := range order {
			if score.AtLeast(a, b) != (i <= j) {
				t.Errorf("AtLeast(%s, %s)", a, b)
			}
		}
		if score.AtLeast("", a) || score.AtLeast(a, "") {
			t.Errorf("no lifecycle is at least %s", a)
		}
	}
}

// What answers use gains a little, never more than the policy's share; by the
// published arithmetic it gains nothing.
func TestUseIsASmallPrior(t *testing.T) {
	f := score.Fact{Kind: pimento.KindLesson, Cue: score.CueExplicit, Evidence: 2, First: days(40), Last: days(40)}
	at := func(used int, p score.Policy) float64 {
		f.Used = used
		s, terms := score.Explain(f, p, now)
		if math.Abs(terms.Score-terms.Weight*terms.Fade*terms.Growth*terms.Use) > 1e-12 || s.Score != terms.Score {
			t.Errorf("%d uses: the terms %+v do not make %v", used, terms, s.Score)
		}
		return s.Score
	}
	p := score.Default()
	never := at(0, p)
	if two, many := at(2, p)/never, at(1000, p)/never; math.Abs(two-1.05) > 1e-9 || many <= two || many >= 1.1 {
		t.Errorf("two uses %v, many %v", two, many)
	}
	p.Used = 0
	if at(1000, p) != never {
		t.Error("the published arithmetic counts uses")
	}
}
