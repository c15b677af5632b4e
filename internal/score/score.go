// Package score is the arithmetic of remembering and forgetting. From what happened to a
// statement (how plainly and how often it was said, and when last) and from the time, it
// computes where the statement stands. [Rank] gives each [Fact] its standing under a
// [Policy], [Explain] adds the terms of the formula, and [Cap] keeps to the numbers that a
// profile allows. The package is pure: it does no I/O and has no clock, and the same facts
// always give the same standings.
//
// A memory is worth more the more plainly it was said, the more often it was said, and the
// shorter ago that was:
//
//	stability = cue weight * exp(-age/tau) * ln(1 + evidence)
//
// The cue weight says how plainly: what a person stated outright counts 1, what was
// concluded from their behaviour counts less. Age is the time in days since the statement
// was last said, reinforced or confirmed. Tau is an e-folding time: after tau days 37% is
// left. (The system with which this formula was first published calls the same number a
// half-life, which it is not; a policy can say which of the two its days are.) Evidence
// grows as a logarithm, so that the tenth repetition adds less than the second.
//
// Two thresholds would be too strict if they were taken literally, and are softened here.
//
//   - Something that was said once, a second ago, scores ln 2 = 0.693. That is just below
//     what is shown, so a new memory would be invisible until somebody repeats it. Therefore
//     it has a grace period of some days, in which it is at least provisional.
//   - A prohibition ("never push to main") does not become less true because nobody repeats
//     it. Therefore it does not fade, and its grace does not end.
//
// A score decides the order and what is shown. It never changes or removes text.
package score

import (
	"math"
	"time"

	"github.com/pimento-memory/pimento"
)

// The cues: how a statement came to be known, plainest first.
const (
	CueExplicit   = "explicit"   // somebody asked to remember it, or wrote it down
	CueStructural = "structural" // it follows from files or configuration
	CueBehavioral = "behavioral" // it was read off what somebody did
	CueRecurrence = "recurrence" // it kept coming up
)

// The lifecycles, best first. Active and provisional entries are shown.
const (
	Active      = "active"
	Provisional = "provisional"
	Candidate   = "candidate"
	Dropped     = "dropped"
)

// PinnedScore is the score of a pinned statement, above any that can be earned.
const PinnedScore = 9999

// Policy holds the constants of the arithmetic, as a profile gives them. Its
// zero value scores everything 0; start from [Default].
type Policy pimento.Scoring

// The two readings of a policy's days.
const (
	EFolding = "e-folding" // after so many days 37% is left
	HalfLife = "half-life" // after so many days 50% is left
)

// Default is the published arithmetic of the scored-bullets family of memory
// systems, with a grace of 7 days, a tenth at most for what answers use, and e-folding
// times for the kinds that this family does not know.
func Default() Policy {
	return Policy{
		Decay: EFolding,
		Cues:  map[string]float64{CueExplicit: 1.0, CueStructural: 0.9, CueBehavioral: 0.7, CueRecurrence: 0.6},
		Days: map[pimento.Kind]float64{
			pimento.KindPreference: 90, pimento.KindLesson: 60, pimento.KindPattern: 30,
			pimento.KindDecision: 30, pimento.KindDone: 14, pimento.KindMistake: 14,
			pimento.KindFact: 90, pimento.KindReference: 90, pimento.KindNote: 14, pimento.KindHandoff: 14,
		},
		Active: 1.5, Provisional: 0.7, Candidate: 0.4,
		GraceDays: 7, Used: 0.1,
	}
}

// tau is the e-folding time of a kind in days, 0 when it does not fade.
func (p Policy) tau(kind pimento.Kind) float64 {
	if p.Decay == HalfLife {
		return p.Days[kind] / math.Ln2
	}
	return p.Days[kind]
}

// Stability is cueWeight * exp(-ageDays/tauDays) * ln(1+evidence). A negative
// age (a clock that went back) counts as 0, evidence below 1 as 1, and a tau of
// 0 or less means that it does not fade.
func Stability(cueWeight, ageDays, tauDays float64, evidence int) float64 {
	s := cueWeight * math.Log1p(float64(max(evidence, 1)))
	if tauDays <= 0 {
		return s
	}
	return s * math.Exp(-max(ageDays, 0)/tauDays)
}

// Lifecycle is the class of a score; each threshold belongs to the better class.
func (p Policy) Lifecycle(score float64) string {
	switch {
	case score >= p.Active:
		return Active
	case score >= p.Provisional:
		return Provisional
	case score >= p.Candidate:
		return Candidate
	default:
		return Dropped
	}
}

// A Fact is what is known of one statement before it is scored.
type Fact struct {
	Kind        pimento.Kind
	Text        string    // what it says, to tell whether it forbids something, see [Prohibits]
	Cue         string    // "" counts as behavioral, which is what a found entry is
	Evidence    int       // how often it was said or reinforced; below 1 counts as 1
	First, Last time.Time // first seen; last said or reinforced
	Confirmed   time.Time // last confirmed by the user, zero if never
	Edited      time.Time // when its text became this one, zero if it was said so
	Pinned      bool
	Forgotten   bool
	Remembered  bool // we wrote it ourselves, or saw it appear alone (not in a flood, as from a clone)
	Used        int
	Injected    int
}

// Rank computes the standing of each fact, in the order of facts.
func Rank(facts []Fact, p Policy, now time.Time) []pimento.Standing {
	out := make([]pimento.Standing, len(facts))
	for i, f := range facts {
		out[i] = standing(f, p, now)
	}
	return out
}

func standing(f Fact, p Policy, now time.Time) pimento.Standing {
	s := pimento.Standing{
		Evidence: max(f.Evidence, 1), First: f.First, Last: f.Last, Confirmed: f.Confirmed, Edited: f.Edited,
		Used: f.Used, Injected: f.Injected,
	}
	if f.Confirmed.After(s.Last) {
		s.Last = f.Confirmed
	}
	switch {
	case f.Forgotten:
		s.Lifecycle = Dropped
		return s
	case f.Pinned:
		s.Score, s.Lifecycle = PinnedScore, Active
		return s
	}
	t := p.terms(f, s, now)
	s.Score = t.Score
	s.Lifecycle = p.Lifecycle(s.Score)
	if s.Score < p.Provisional && p.grace(f, t.Lasting, now) {
		s.Lifecycle = Provisional
	}
	return s
}

// Terms are the factors of a score: Score = Weight * Fade * Growth * Use, Fade
// being exp(-Age/Tau), Growth ln(1+Evidence), and Use 1 plus the policy's share
// for what answers have used: half of it at two uses, never all of it. They mean
// nothing for what is pinned or forgotten.
type Terms struct {
	Cue      string  `json:"cue"`
	Weight   float64 `json:"weight"`
	Age      float64 `json:"age_days"` // since it was last said, reinforced or confirmed; never negative
	Tau      float64 `json:"tau_days"` // e-folding time, 0 when it does not fade
	Fade     float64 `json:"fade"`
	Evidence int     `json:"evidence"`
	Growth   float64 `json:"growth"`
	Use      float64 `json:"use"`
	Score    float64 `json:"score"`
	Lasting  bool    `json:"lasting"` // it forbids something, and does not fade
	Grace    bool    `json:"grace"`   // shown for being new, or for forbidding
}

// Explain is a statement's standing with the terms behind its score.
func Explain(f Fact, p Policy, now time.Time) (pimento.Standing, Terms) {
	s := standing(f, p, now)
	t := p.terms(f, s, now)
	t.Grace = s.Lifecycle == Provisional && t.Score < p.Provisional
	return s, t
}

func (p Policy) terms(f Fact, s pimento.Standing, now time.Time) Terms {
	t := p.published(f, s, now)
	t.Use = 1 + p.Use(f.Used)
	t.Score *= t.Use
	return t
}

// published are the terms without what use adds.
func (p Policy) published(f Fact, s pimento.Standing, now time.Time) Terms {
	t := Terms{Cue: f.Cue, Weight: p.cueWeight(f.Cue), Age: max(now.Sub(s.Last).Hours()/24, 0), Tau: p.tau(f.Kind),
		Fade: 1, Evidence: s.Evidence, Growth: math.Log1p(float64(s.Evidence)),
		Lasting: p.Prohibitions != "fade" && Prohibits(f.Text)}
	if t.Cue == "" {
		t.Cue = CueBehavioral
	}
	if t.Lasting {
		t.Tau = 0
	}
	if t.Tau > 0 {
		t.Fade = math.Exp(-t.Age / t.Tau)
	}
	t.Score = t.Weight * t.Fade * t.Growth
	return t
}

// Use is the share that a statement gains by having been used so often: half of
// the policy's at two uses, never all of it.
func (p Policy) Use(used int) float64 { return p.Used * float64(used) / float64(used+2) }

func (p Policy) cueWeight(cue string) float64 {
	if w, ok := p.Cues[cue]; ok {
		return w
	}
	return p.Cues[CueBehavioral]
}

// grace reports whether f is shown whatever its score: because it is new, or
// because it lasts.
func (p Policy) grace(f Fact, lasting bool, now time.Time) bool {
	if p.GraceDays <= 0 || f.Cue != CueExplicit || !f.Remembered {
		return false
	}
	return lasting || now.Sub(f.First).Hours()/24 < p.GraceDays
}

// At is the score of something of a kind that was said so often, by such a cue,
// so many days ago, if it forbids nothing.
func (p Policy) At(kind pimento.Kind, cue string, evidence int, days float64) float64 {
	return Stability(p.cueWeight(cue), days, p.tau(kind), evidence)
}
