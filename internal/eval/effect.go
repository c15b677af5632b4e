package eval

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/think"
)

// An Experiment is the data of `pimento eval recall`: a memory of half a year,
// questions about it, and one long day of work.
type Experiment struct {
	Setup     Setup
	Entries   []Aged
	Questions []Keyed
	Day       []Logged
}

// A Setup is experiment.json.
type Setup struct {
	Profile string    `json:"profile"`  // that it is about, unless another one is asked for
	Today   time.Time `json:"today"`    // when the questions are asked: after the last line of the day's log
	LimitMS float64   `json:"limit_ms"` // what the design gives a search
	Project string    `json:"project"`  // of codemem, whose paraphrases are asked and whose nouns fill the notes
	Notes   int       `json:"notes"`    // made-up ones beside the memory that is timed
	SizesKB []int     `json:"sizes_kb"` // to which MEMORY.md grows
}

// An Aged is one entry of the memory.
type Aged struct {
	ID     string       `json:"id"`
	Source string       `json:"source"` // long_term, today, yesterday or older_daily
	Days   int          `json:"days"`   // before the day of the questions
	Kind   pimento.Kind `json:"kind,omitempty"`
	Text   string       `json:"text"`
}

// A Keyed is a question that counts as answered when one of its keywords is said.
type Keyed struct {
	ID       string   `json:"id"`
	Source   string   `json:"source"`
	Text     string   `json:"text"`
	Other    string   `json:"other"` // the same, in words that its entry does not have
	Keywords []string `json:"keywords"`
}

// A Logged is one line of the day: an entry of its log, or an item of the
// scratchpad.
type Logged struct {
	At   string `json:"at,omitempty"` // 15:04
	Text string `json:"text,omitempty"`
	Task string `json:"task,omitempty"`
	Done bool   `json:"done,omitempty"`
}

// ReadExperiment reads the data from its files.
func ReadExperiment(files fs.FS) (x Experiment, err error) {
	b, err := fs.ReadFile(files, "experiment.json")
	if err == nil {
		err = json.Unmarshal(b, &x.Setup)
	}
	if err != nil {
		return x, err
	}
	if x.Entries, err = readFile[Aged](files, "entries.jsonl"); err != nil {
		return x, err
	}
	if x.Questions, err = readFile[Keyed](files, "questions.jsonl"); err != nil {
		return x, err
	}
	x.Day, err = readFile[Logged](files, "day.jsonl")
	return x, err
}

// The sources in the order of a report.
func sources() []string { return []string{"long_term", "today", "yesterday", "older_daily"} }

// An Effect is what searching adds to what a profile shows anyway.
type Effect struct {
	Profile string      `json:"profile"`
	Rows    []EffectRow `json:"rows"`   // by question
	Totals  []EffectRow `json:"totals"` // by source, then all
	Held    bool        `json:"hypothesis_held"`
	Asked   bool        `json:"model_asked"` // the answers of a model were scored, not the blocks
}

// An EffectRow counts answered questions, with search and without.
type EffectRow struct {
	ID      string `json:"id"`
	Source  string `json:"source"`
	With    int    `json:"with"`
	Without int    `json:"without"`
	N       int    `json:"n"` // questions, times runs
}

// Delta is what search adds, as a share of all.
func (r EffectRow) Delta() float64 { return float64(r.With-r.Without) / float64(max(r.N, 1)) }

// An EffectRun says how the experiment is made.
type EffectRun struct {
	Profile string
	Model   think.Thinker // nil looks for the keywords in the block itself
	Runs    int           // of a model, 0 means 1
}

// Effect asks every question under a profile as it ships and under the same one
// without search. The hypothesis under test is that of the document this
// experiment comes from: what was logged days ago gains most.
func (b Bench) Effect(ctx context.Context, x Experiment, run EffectRun) (Effect, error) {
	out := Effect{Profile: run.Profile, Asked: run.Model != nil}
	w, p, err := b.aged(ctx, x, run.Profile)
	if err != nil {
		return out, err
	}
	step := b.steps(2 * len(x.Questions))
	for i, overrides := range []map[string]any{nil, without(p, pimento.PickHits)} {
		err := w.with(setting{profile: run.Profile, overrides: overrides}, func(e *engine.Engine) error {
			for j, q := range x.Questions {
				n, err := w.answered(ctx, e, x.Setup.Today, q, run)
				if err != nil {
					return err
				}
				if i == 0 {
					out.Rows = append(out.Rows, EffectRow{ID: q.ID, Source: q.Source, With: n, N: max(run.Runs, 1)})
				} else {
					out.Rows[j].Without = n
				}
				step()
			}
			return nil
		})
		if err != nil {
			return out, err
		}
	}
	out.sum()
	return out, nil
}

// aged is the experiment's memory, written where the profile writes.
func (b Bench) aged(ctx context.Context, x Experiment, name string) (*world, pimento.Profile, error) {
	p, err := b.profile(name)
	if err != nil {
		return nil, p, err
	}
	w, err := b.newWorld(ctx, p.DefaultScope, x.Setup.Today.AddDate(-1, 0, 0))
	if err != nil {
		return nil, p, err
	}
	var history []said
	for i, a := range x.Entries {
		at := x.Setup.Today.AddDate(0, 0, -a.Days).Add(time.Duration(i-60) * time.Minute)
		s := said{at: at, page: "MEMORY.md", text: a.Text, kind: a.Kind}
		if a.Source != "long_term" {
			s.page, s.stamped = dailyPage(at), true
		}
		history = append(history, s)
	}
	return w, p, w.with(setting{profile: name}, func(e *engine.Engine) error { return w.live(ctx, e, history) })
}

func dailyPage(day time.Time) string { return page.DailyPage(day.Format(time.DateOnly)) }

// answered counts the runs in which a question is answered.
func (w *world) answered(ctx context.Context, e *engine.Engine, now time.Time, q Keyed, run EffectRun) (n int, err error) {
	block, err := w.ask(ctx, e, now, q.Text)
	if err != nil {
		return 0, err
	}
	if run.Model == nil {
		if mentions(block.Prefix+"\n"+block.Tail, q.Keywords) {
			n = 1
		}
		return n, nil
	}
	for range max(run.Runs, 1) {
		answer, err := answerOf(ctx, run.Model, block.Prefix+"\n"+block.Tail, q.Text)
		if err != nil {
			return n, fmt.Errorf("question %s: %w", q.ID, err)
		}
		if mentions(answer, q.Keywords) {
			n++
		}
	}
	return n, nil
}

// maxAnswer bounds the answer of a model, in tokens.
const maxAnswer = 200

// answerOf asks a language model a question, given a memory.
func answerOf(ctx context.Context, th think.Thinker, memory, question string) (string, error) {
	t, err := th.Think(ctx, think.Ask{For: "eval", Max: maxAnswer,
		Task:     "Answer the question from the memory alone, in one short sentence. If the memory does not say, answer: unknown.",
		Material: []think.Material{{Name: "memory", Text: memory}, {Name: "question", Text: question}}})
	return t.Text, err
}

// mentions says whether any of some keywords stands in a text, whatever its case.
func mentions(text string, keywords []string) bool {
	folded := strings.ToLower(squash(text))
	return slices.ContainsFunc(keywords, func(k string) bool { return strings.Contains(folded, strings.ToLower(k)) })
}

// sum makes the totals and the verdict.
func (f *Effect) sum() {
	all := EffectRow{ID: "TOTAL"}
	for _, source := range sources() {
		t := EffectRow{Source: source}
		for _, r := range f.Rows {
			if r.Source == source {
				t.With, t.Without, t.N = t.With+r.With, t.Without+r.Without, t.N+r.N
			}
		}
		f.Totals = append(f.Totals, t)
		all.With, all.Without, all.N = all.With+t.With, all.Without+t.Without, all.N+t.N
	}
	older := f.Totals[len(f.Totals)-1].Delta()
	f.Held = !slices.ContainsFunc(f.Totals[:len(f.Totals)-1], func(t EffectRow) bool { return t.Delta() >= older })
	f.Totals = append(f.Totals, all)
}
