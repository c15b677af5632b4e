package eval

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/pimento-memory/pimento/internal/fault"
)

// A workload is a long piece of work as an agent lives it: what it is told and
// finds out, what each prompt needs of that, and when a compaction takes its
// context away.
type workload struct {
	name  string
	steps []step
}

// A step is one prompt.
type step struct {
	compacted bool    // a compaction came right before
	told      []thing // what is new with it
	needs     []thing // what it cannot be answered without
	ended     []thing // what holds no more after it
}

// A thing is one statement of a workload. Its first clause is what the least
// shape keeps of it.
type thing struct {
	subject string
	clause  string
	reason  string
	sort    sort
}

// A sort says what becomes of the agent that needs a thing and does not have it.
type sort int

const (
	rule   sort = iota // stands in every prompt, or it is broken
	goal               // the plan and its present step: the same
	read               // from a file, which is read again
	called             // from a tool, which is called again
	stated             // by the user, and nobody knows it now
)

func (t thing) text() string { return t.clause + ", " + t.reason + "." }

// required says whether it must stand in front of the model at every prompt.
func (t thing) required() bool { return t.sort == rule || t.sort == goal }

// missed is the fault of needing a thing that is not there.
func (t thing) missed() fault.Kind {
	switch t.sort {
	case read:
		return fault.Refetch
	case called:
		return fault.DuplicateTool
	}
	return fault.SilentRecall
}

// prompt asks for what a step needs, and says nothing of what must stand anyway.
func (s step) prompt() string {
	if len(s.needs) == 0 {
		return "Please go on."
	}
	var names []string
	for _, t := range s.needs {
		names = append(names, t.subject)
	}
	return "Go on with the " + strings.Join(names, " and the ") + " part."
}

// A shape is the measure of a workload.
type shape struct {
	name             string
	prompts, compact int // a compaction before every so many prompts
	rules, goals     int // spread over the work; a goal takes the place of the one before
	finds            int
	again            int // every so many prompts need something that was found earlier
}

// shapes are those of the paper's evaluation: a plan, constraints, evidence, and
// evidence that is asked for again and again.
func shapes() []shape {
	return []shape{
		{name: "long plan", prompts: 40, compact: 8, rules: 4, goals: 20, finds: 120, again: 4},
		{name: "many rules", prompts: 40, compact: 10, rules: 30, goals: 3, finds: 80, again: 5},
		{name: "evidence", prompts: 40, compact: 8, rules: 5, goals: 4, finds: 240, again: 2},
		{name: "churn", prompts: 40, compact: 4, rules: 8, goals: 8, finds: 160, again: 1},
	}
}

// newWorkload makes the same work for the same seed.
func newWorkload(sh shape, seed uint64) workload {
	r := rand.New(rand.NewPCG(seed, uint64(len(sh.name))))
	w := workload{name: sh.name, steps: make([]step, sh.prompts)}
	n := 0
	subject := func() string { n++; return madeUp(r, n) }
	spread := func(count int, add func(s *step)) {
		for i := range count {
			add(&w.steps[i*sh.prompts/max(count, 1)])
		}
	}
	spread(sh.rules, func(s *step) { s.told = append(s.told, aRule(r, subject())) })
	var now *thing
	spread(sh.goals, func(s *step) {
		t := aGoal(subject())
		if now != nil {
			s.ended = append(s.ended, *now)
		}
		s.told, now = append(s.told, t), &t
	})
	spread(sh.finds, func(s *step) { s.told = append(s.told, aFind(r, subject())) })
	var found []thing
	for i := range w.steps {
		s := &w.steps[i]
		s.compacted = i > 0 && i%sh.compact == 0
		if i%sh.again == 0 {
			for range min(2, len(found)) {
				s.needs = append(s.needs, found[r.IntN(len(found))])
			}
		}
		for _, t := range s.told {
			if !t.required() {
				found = append(found, t)
			}
		}
	}
	return w
}

func aRule(r *rand.Rand, about string) thing {
	return thing{about, "Never " + pick(r, "restart", "deploy", "rename", "truncate", "mock") + " the " + about + " service during the nightly import",
		pick(r, "it drops batches that are half written", "the auditors count what is missing", "nobody is awake to put it right"), rule}
}

func aGoal(about string) thing {
	return thing{about, "Now move the " + about + " consumer to the new queue", "then delete its old topic and tell the owners", goal}
}

func aFind(r *rand.Rand, about string) thing {
	switch r.IntN(3) {
	case 0:
		return thing{about, fmt.Sprintf("The %s loader keeps its retries in %s_retry.go", about, about), fmt.Sprintf("at most %d of them", 2+r.IntN(9)), read}
	case 1:
		return thing{about, fmt.Sprintf("The %s suite has %d tests", about, 20+r.IntN(400)), "three of which are slow", called}
	}
	return thing{about, "The " + about + " certificate is renewed by hand", "every " + pick(r, "March", "June", "October"), stated}
}

func pick(r *rand.Rand, words ...string) string { return words[r.IntN(len(words))] }

// madeUp is a word that no other subject shares a beginning with.
func madeUp(r *rand.Rand, n int) string {
	const consonants, vowels = "bdfgklmnprtvz", "aeiou"
	var b strings.Builder
	for i := n; b.Len() < 4; i /= 13 {
		b.WriteByte(consonants[i%13])
		b.WriteByte(vowels[(i/13)%5])
	}
	for range 2 {
		b.WriteByte(consonants[r.IntN(13)])
		b.WriteByte(vowels[r.IntN(5)])
	}
	return b.String() + "k"
}
