package eval

import (
	"context"
	"slices"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/when"
)

// A Wording says how often a way of searching finds the answer among as many
// hits as the profile injects: to a question in the entry's words, and to the
// same one in others.
type Wording struct {
	By          string  `json:"by"`    // keyword, hybrid, semantic; or injected: hybrid behind the profile's floor
	Same        int     `json:"same"`  // questions of the experiment
	Other       int     `json:"other"` // the same questions in words that the entry does not have
	N           int     `json:"n"`
	Paraphrases float64 `json:"paraphrases"` // share of codemem's, test split
	Asked       int     `json:"asked"`
}

// injected names what a prompt gets, as against what a search finds.
const injected = "injected"

// Wordings compares ways of searching. project is one of codemem's.
func (b Bench) Wordings(ctx context.Context, x Experiment, project Project, name string) ([]Wording, error) {
	p, err := b.profile(name)
	if err != nil {
		return nil, err
	}
	out := []Wording{{By: string(pimento.Keyword)}, {By: string(pimento.Hybrid)}, {By: string(pimento.Semantic)}, {By: injected}}
	w, _, err := b.aged(ctx, x, name)
	if err != nil {
		return nil, err
	}
	// What is injected anyway would hide what search does.
	s := setting{profile: name, overrides: onlyHits(p)}
	step := b.steps(len(out) * len(x.Questions))
	err = w.with(s, func(e *engine.Engine) error {
		for i := range out {
			for _, q := range x.Questions {
				step()
				out[i].N++
				same, err := w.found(ctx, e, out[i].By, x.Setup.Today, q.Text, p.Recall.Hits)
				if err != nil {
					return err
				}
				other, err := w.found(ctx, e, out[i].By, x.Setup.Today, q.Other, p.Recall.Hits)
				if err != nil {
					return err
				}
				out[i].Same += one(mentions(same, q.Keywords))
				out[i].Other += one(mentions(other, q.Keywords))
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, b.paraphrases(ctx, project, s, p.Recall.Hits, out)
}

// paraphrases asks those of a project of codemem.
func (b Bench) paraphrases(ctx context.Context, project Project, s setting, hits int, out []Wording) error {
	w, lines, err := b.remember(ctx, project)
	if err != nil {
		return err
	}
	asked := slices.DeleteFunc(project.of("test"), func(q Asked) bool { return q.Type != "paraphrase" })
	return w.with(s, func(e *engine.Engine) error {
		for i := range out {
			for _, q := range asked {
				now, _ := when.Parse(q.Now)
				text, err := w.found(ctx, e, out[i].By, now.Add(12*time.Hour), q.Text, hits)
				if err != nil {
					return err
				}
				out[i].Paraphrases += seen(squash(text)).share(q.Gold, lines)
			}
			out[i].Asked = len(asked)
			out[i].Paraphrases /= float64(max(len(asked), 1))
		}
		return nil
	})
}

// found is the text that a way of searching finds.
func (w *world) found(ctx context.Context, e *engine.Engine, by string, now time.Time, question string, hits int) (string, error) {
	if by == injected {
		b, err := w.ask(ctx, e, now, question)
		return b.Prefix + "\n" + b.Tail, err
	}
	w.Now = now
	a := e.Recall(ctx, pimento.Query{Text: question, Mode: pimento.Mode(by), Limit: hits})
	text := ""
	for _, h := range a.Hits {
		text += h.Entry.Text + "\n"
	}
	return text, faulty(a.Faults)
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// onlyHits are overrides that leave a profile nothing but its search.
func onlyHits(p pimento.Profile) map[string]any {
	sections := map[string]any{}
	for _, s := range p.Sections {
		if s.Pick != pimento.PickHits {
			sections[s.Name] = nil
		}
	}
	return map[string]any{"sections": sections}
}
