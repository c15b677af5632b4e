package eval

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	experiment "github.com/pimento-memory/pimento/eval/recall"
	"github.com/pimento-memory/pimento/internal/think"
)

func readExperiment(t testing.TB) Experiment {
	t.Helper()
	x, err := ReadExperiment(experiment.FS)
	must(t, err)
	return x
}

// TestExperimentIsSound: the shape of the document's experiment, questions that
// only their own entry answers, and other words that really are others.
func TestExperimentIsSound(t *testing.T) {
	x := readExperiment(t)
	entries, questions, long := map[string]int{}, map[string]int{}, 0
	for _, e := range x.Entries {
		entries[e.Source]++
		if ok := map[string]bool{"long_term": e.Days > 30, "today": e.Days == 0, "yesterday": e.Days == 1,
			"older_daily": e.Days >= 3 && e.Days <= 30}[e.Source]; !ok {
			t.Errorf("%s is of %d days ago, which is not %s", e.ID, e.Days, e.Source)
		}
		if e.Source == "long_term" {
			long += len(e.Text) + len("- [decision] \n")
		}
	}
	for source, want := range map[string][2]int{"long_term": {15, 8}, "today": {1, 1}, "yesterday": {1, 1}, "older_daily": {8, 5}} {
		for _, q := range x.Questions {
			questions[source] += one(q.Source == source)
		}
		if entries[source] != want[0] || questions[source] != want[1] {
			t.Errorf("%s: %d entries and %d questions, want %v", source, entries[source], questions[source], want)
		}
	}
	if long > 4000 {
		t.Errorf("long-term memory has %d characters: it must fit the section, or cutting is measured, too", long)
	}
	for _, q := range x.Questions {
		var answers []Aged
		for _, e := range x.Entries {
			if mentions(e.Text, q.Keywords) {
				answers = append(answers, e)
			}
		}
		if len(answers) != 1 || answers[0].Source != q.Source || mentions(q.Text+q.Other, q.Keywords) {
			t.Errorf("%s: answered by %v, or by itself", q.ID, answers)
			continue
		}
		if s := shared(q.Other, Line{Text: answers[0].Text}); len(s) > 0 {
			t.Errorf("%s: the other words are not, they share %v", q.ID, s)
		}
	}
}

// TestStudy holds the experiment's figures, but for the times.
func TestStudy(t *testing.T) {
	x, b := readExperiment(t), bench(t)
	x.Setup.SizesKB, x.Setup.Notes = []int{4, 16}, 100
	b.Clock = func() time.Time { return time.Unix(1_800_000_000, 0) } // no time passes
	var out strings.Builder
	for _, name := range BuiltIn() {
		e, err := b.Effect(t.Context(), x, EffectRun{Profile: name})
		must(t, err)
		for _, r := range append(e.Rows, e.Totals...) {
			fmt.Fprintf(&out, "%s: %s %s %d %d of %d\n", name, r.ID, r.Source, r.With, r.Without, r.N)
		}
		fmt.Fprintf(&out, "%s: held %v\n", name, e.Held)
	}
	s, err := b.Study(t.Context(), x, projects(t)[:1], EffectRun{Profile: x.Setup.Profile})
	must(t, err)
	for _, v := range s.Times {
		if v.Cold != 0 || v.Opened != 0 || v.Warm != 0 {
			t.Errorf("times are not the clock's: %+v", v)
		}
		fmt.Fprintf(&out, "time: %d entries\n", v.Entries)
	}
	for _, v := range s.Wordings {
		fmt.Fprintf(&out, "%s: %d and %d of %d, %.1f%% of %d\n", v.By, v.Same, v.Other, v.N, 100*v.Paraphrases, v.Asked)
	}
	for _, v := range s.Growth {
		fmt.Fprintf(&out, "%d KB: %d entries, %d asked", v.KB, v.Entries, v.Asked)
		for _, trim := range Trims() {
			fmt.Fprintf(&out, ", %s %.1f%% %.1f%%", trim, 100*v.Without[trim], 100*v.With[trim])
		}
		out.WriteString("\n")
	}
	for _, v := range s.Survival {
		fmt.Fprintf(&out, "%s, handoff %v: %d of %d, %d of %d, %d tokens\n", v.When, v.Handoff, v.Log, v.Lines, v.Tasks, v.Open, v.Tokens)
	}
	for _, o := range s.Open {
		if !strings.Contains(o.Question, "seconds") { // a time is no golden
			fmt.Fprintf(&out, "%s %s: %s\n", o.Question, o.Answer, o.Measured)
		}
	}
	golden(t, "study", out.String())
}

// TestSearchIsAllThatDiffers: a question whose answer is injected anyway gains
// nothing from searching, one of days ago is answered by searching alone.
func TestSearchIsAllThatDiffers(t *testing.T) {
	x := readExperiment(t)
	e, err := bench(t).Effect(t.Context(), x, EffectRun{Profile: x.Setup.Profile})
	must(t, err)
	if !e.Held || e.Asked {
		t.Errorf("%+v", e)
	}
	for _, r := range e.Rows {
		if want := one(r.Source != "older_daily"); r.With != 1 || r.Without != want {
			t.Errorf("%+v: want 1 with search and %d without", r, want)
		}
	}
}

// A parrot answers with the memory it is given, after n silent answers.
type parrot struct {
	silent int
	asked  []think.Ask
}

func (p *parrot) Think(_ context.Context, a think.Ask) (think.Thought, error) {
	p.asked = append(p.asked, a)
	if len(p.asked) <= p.silent {
		return think.Thought{Text: "unknown"}, nil
	}
	return think.Thought{Text: a.Material[0].Text}, nil
}
func (p *parrot) Room(think.Ask) int { return 10_000 }
func (p *parrot) Close() error       { return nil }

// TestModelIsAsked with the block and the question, and its answers are scored.
func TestModelIsAsked(t *testing.T) {
	x := readExperiment(t)
	p := &parrot{silent: 1}
	e, err := bench(t).Effect(t.Context(), x, EffectRun{Profile: x.Setup.Profile, Model: p, Runs: 2})
	must(t, err)
	if len(p.asked) != 2*2*len(x.Questions) || !e.Asked {
		t.Errorf("asked %d times", len(p.asked))
	}
	if r := e.Rows[0]; r.With != 1 || r.Without != 2 || r.N != 2 {
		t.Errorf("one answer of two was silent: %+v", r)
	}
	if total := e.Totals[len(e.Totals)-1]; total.With != 29 || total.Without != 20 || total.N != 30 {
		t.Errorf("%+v", total)
	}
	last := p.asked[len(p.asked)-1]
	if last.Material[1].Text != x.Questions[len(x.Questions)-1].Text || last.For != "eval" || strings.Contains(last.Material[0].Text, "moment.js") {
		t.Errorf("%+v", last)
	}
}

// TestFaultyMemoryIsNotMeasured: a block with faults would measure the fault.
func TestFaultyMemoryIsNotMeasured(t *testing.T) {
	x := readExperiment(t)
	if _, err := bench(t).Effect(t.Context(), x, EffectRun{Profile: "nobodys"}); pimento.KindOf(err) != pimento.KindUsage {
		t.Errorf("%v", err)
	}
	if err := faulty([]pimento.Fault{{Kind: "config", Detail: "key x"}}); err == nil || !strings.Contains(err.Error(), "key x") {
		t.Errorf("%v", err)
	}
	if err := faulty([]pimento.Fault{{Kind: "budget"}}); err != nil {
		t.Errorf("a tight budget is what is measured: %v", err)
	}
}

// TestHandoffOutlivesTheDay: what a profile keeps of yesterday's work it keeps by
// its handoff, if it has a section for that.
func TestHandoffOutlivesTheDay(t *testing.T) {
	x, b := readExperiment(t), bench(t)
	for _, name := range BuiltIn() {
		p, err := b.profile(name)
		must(t, err)
		if !p.Handoff.Enabled || !slices.ContainsFunc(p.Sections, func(s pimento.Section) bool { return s.Pick == pimento.PickHandoff }) {
			continue
		}
		got, err := b.Survive(t.Context(), x, name)
		must(t, err)
		known := map[string]int{}
		for _, v := range got {
			known[fmt.Sprint(v.When, v.Handoff)] = v.Log
		}
		if known["after a weekendtrue"] <= known["after a weekendfalse"] {
			t.Errorf("%s: %v", name, known)
		}
	}
}
