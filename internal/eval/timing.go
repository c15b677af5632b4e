package eval

import (
	"context"
	"slices"

	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/when"
)

// A Timing says how long one prompt takes in all, search included.
type Timing struct {
	Entries int     `json:"entries"`
	Cold    float64 `json:"cold_ms"`   // nothing is indexed yet
	Opened  float64 `json:"opened_ms"` // a new process, the index is there
	Warm    float64 `json:"warm_ms"`   // median of the process's next prompts
}

// warmPrompts are how many prompts Warm is the median of, at least.
const warmPrompts = 15

// Times measures prompts on the experiment's memory, alone and with made-up notes
// beside it.
func (b Bench) Times(ctx context.Context, x Experiment, project Project, name string) ([]Timing, error) {
	var out []Timing
	for _, notes := range []int{0, x.Setup.Notes} {
		w, _, err := b.aged(ctx, x, name)
		if err != nil {
			return nil, err
		}
		for _, l := range project.Distract(notes, 1) {
			at, _ := when.Parse(l.Date)
			if err := w.write(said{at: at, page: listPage(l.Section), text: l.Text}); err != nil {
				return nil, err
			}
		}
		t := Timing{Entries: len(x.Entries) + notes}
		if err := w.time(ctx, x, name, &t); err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

// time measures one memory.
func (w *world) time(ctx context.Context, x Experiment, name string, t *Timing) error {
	for _, into := range []*float64{&t.Cold, &t.Opened} {
		if into == &t.Cold {
			if err := w.forgetIndex(); err != nil {
				return err
			}
		}
		err := w.with(setting{profile: name}, func(e *engine.Engine) error {
			var times []float64
			for i := range max(warmPrompts, len(x.Questions)) {
				start := w.bench.Clock()
				if _, err := w.ask(ctx, e, x.Setup.Today, x.Questions[i%len(x.Questions)].Text); err != nil {
					return err
				}
				times = append(times, float64(w.bench.Clock().Sub(start).Microseconds())/1000)
			}
			*into = times[0]
			slices.Sort(times)
			t.Warm = times[len(times)/2]
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// A Study is the whole of `pimento eval recall`.
type Study struct {
	Effect
	LimitMS  float64    `json:"limit_ms"` // what the design gives a search
	Times    []Timing   `json:"times"`
	Wordings []Wording  `json:"wordings"`
	Hits     int        `json:"hits"` // among how many an answer counts as found
	Growth   []Growth   `json:"growth"`
	Survival []Survival `json:"survival"`
	Open     []Opened   `json:"open"` // what the document leaves open, answered by these
}

// Study makes the experiment and answers the open questions of its document.
func (b Bench) Study(ctx context.Context, x Experiment, projects []Project, run EffectRun) (s Study, err error) {
	s.LimitMS = x.Setup.LimitMS
	p, err := b.profile(run.Profile)
	if err != nil {
		return s, err
	}
	project := projects[max(0, slices.IndexFunc(projects, func(p Project) bool { return p.Name == x.Setup.Project }))]
	s.Hits = p.Recall.Hits
	if s.Effect, err = b.Effect(ctx, x, run); err != nil {
		return s, err
	}
	if s.Times, err = b.Times(ctx, x, project, run.Profile); err != nil {
		return s, err
	}
	if s.Wordings, err = b.Wordings(ctx, x, project, run.Profile); err != nil {
		return s, err
	}
	if s.Growth, err = b.Grow(ctx, projects, run.Profile, x.Setup.SizesKB); err != nil {
		return s, err
	}
	if s.Survival, err = b.Survive(ctx, x, run.Profile); err != nil {
		return s, err
	}
	s.Open = s.open()
	return s, nil
}
