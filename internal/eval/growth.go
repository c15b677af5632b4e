package eval

import (
	"context"
	"slices"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/when"
)

// A Growth says how much of a long-term page is in front of a model when the
// page is so large and cut in one way.
type Growth struct {
	KB      int                `json:"kb"`
	Entries int                `json:"entries"`
	Asked   int                `json:"asked"`   // questions about them
	Without map[string]float64 `json:"without"` // by the end that survives a cut: share of the evidence shown, no search
	With    map[string]float64 `json:"with"`    // the same with search
}

// Trims are the ways to cut, by what survives.
func Trims() []string { return []string{"start", "middle", "end"} }

// Grow lets MEMORY.md grow, by codemem's facts in the order of their dates, and
// asks what they answer. sizes are in kilobytes.
func (b Bench) Grow(ctx context.Context, projects []Project, name string, sizes []int) ([]Growth, error) {
	p, err := b.profile(name)
	if err != nil {
		return nil, err
	}
	history, lines, asked := facts(projects)
	var out []Growth
	var mine [][]Asked
	total := 0
	for _, kb := range sizes {
		g, qs := grow(history, asked, kb)
		out, mine = append(out, g), append(mine, qs)
		total += len(qs) * len(Trims())
	}
	step := b.steps(total)
	for i := range out {
		if err := b.grown(ctx, p, history[:out[i].Entries], mine[i], lines, &out[i], step); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// grow is how much of a history a page of so many kilobytes holds, and the
// questions whose answers stand there.
func grow(history []said, asked []Asked, kb int) (Growth, []Asked) {
	g := Growth{KB: kb, Without: map[string]float64{}, With: map[string]float64{}}
	on := map[string]bool{}
	for n := 0; g.Entries < len(history); g.Entries++ {
		s := history[g.Entries]
		if n += len(s.line()); n > kb*1000 {
			break
		}
		on[s.anchor] = true
	}
	mine := slices.DeleteFunc(slices.Clone(asked), func(q Asked) bool {
		return slices.ContainsFunc(q.Gold, func(id string) bool { return !on[anchorOf(id)] })
	})
	g.Asked = len(mine)
	return g, mine
}

// facts are codemem's facts on one page, and the questions that have an answer.
func facts(projects []Project) (history []said, lines map[string]Line, asked []Asked) {
	lines = map[string]Line{}
	for _, p := range projects {
		for i, l := range p.Lines {
			if l.Type == "log" {
				continue
			}
			at, _ := when.Parse(l.Date)
			lines[l.ID] = l
			history = append(history, said{at: at.Add(time.Duration(i) * time.Second), page: "MEMORY.md", text: l.Text, anchor: anchorOf(l.ID)})
		}
		for _, q := range p.Asked {
			if len(q.Gold) > 0 {
				asked = append(asked, q)
			}
		}
	}
	slices.SortStableFunc(history, func(a, b said) int { return a.at.Compare(b.at) })
	return history, lines, asked
}

// grown asks about a page under every cut.
func (b Bench) grown(ctx context.Context, p pimento.Profile, page []said, asked []Asked, lines map[string]Line, g *Growth, step func()) error {
	w, err := b.newWorld(ctx, p.DefaultScope, page[0].at)
	if err != nil {
		return err
	}
	now := page[len(page)-1].at.Add(12 * time.Hour)
	if err := w.with(setting{profile: p.Name}, func(e *engine.Engine) error { return w.live(ctx, e, slices.Clone(page)) }); err != nil {
		return err
	}
	for _, trim := range Trims() {
		s := setting{profile: p.Name, overrides: eachSection(p, pimento.PickMemory, map[string]any{"trim": trim})}
		err := w.with(s, func(e *engine.Engine) error {
			shown, err := w.ask(ctx, e, now, "")
			if err != nil {
				return err
			}
			for _, q := range asked {
				found, err := w.ask(ctx, e, now, q.Text)
				if err != nil {
					return err
				}
				g.Without[trim] += look(shown).share(q.Gold, lines)
				g.With[trim] += look(found).share(q.Gold, lines)
				step()
			}
			g.Without[trim] /= float64(max(len(asked), 1))
			g.With[trim] /= float64(max(len(asked), 1))
			return ctx.Err()
		})
		if err != nil {
			return err
		}
	}
	return nil
}
