package eval

import (
	"context"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/tool"
)

// A Survival says what of a day's work is in front of a model some time after
// the conversation about it was compacted away.
type Survival struct {
	When    string   `json:"when"`
	Handoff bool     `json:"handoff"` // the profile writes handoffs
	Log     int      `json:"log"`     // lines of the day's log that stand in the block, whole
	Lines   int      `json:"lines"`   // of so many
	Tasks   int      `json:"tasks"`   // open items that do
	Open    int      `json:"open"`
	Tokens  int      `json:"tokens"` // of the block
	missing []string // for tests
}

// carryOn is a prompt that says nothing about what it means.
const carryOn = "Please go on where we stopped."

// Survive lives the experiment's day in one session, compacts it in the evening,
// and looks at what is known right after, on the next morning, and after a
// weekend; with the handoff that the profile writes, and without.
func (b Bench) Survive(ctx context.Context, x Experiment, name string) ([]Survival, error) {
	p, err := b.profile(name)
	if err != nil {
		return nil, err
	}
	var out []Survival
	for _, handoff := range []bool{true, false} {
		w, err := b.newWorld(ctx, p.DefaultScope, x.Setup.Today.Add(-12*time.Hour))
		if err != nil {
			return nil, err
		}
		s := setting{profile: name, overrides: map[string]any{"handoff": map[string]any{"enabled": handoff}}}
		err = w.with(s, func(e *engine.Engine) error {
			if err := w.live(ctx, e, x.day()); err != nil {
				return err
			}
			if err := w.compact(ctx, e, x.Setup.Today, "work"); err != nil {
				return err
			}
			for _, at := range []struct {
				when, session string
				at            time.Time
			}{
				{"right after", "work", x.Setup.Today},
				{"next morning", "morning", x.Setup.Today.Add(15 * time.Hour)},
				{"after a weekend", "monday", x.Setup.Today.Add((2*24 + 15) * time.Hour)},
			} {
				w.Now = at.at
				rep, _ := tool.Turn(ctx, e, w.turn(pimento.PromptTurn, at.session, carryOn))
				if err := faulty(rep.Block.Faults); err != nil {
					return err
				}
				out = append(out, x.survival(at.when, handoff, rep.Block))
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// turn is an event of a session whose context holds nothing of ours.
func (w *world) turn(event pimento.TurnEvent, session, prompt string) pimento.Turn {
	return pimento.Turn{Event: event, Harness: "eval", Session: session, Dir: w.Repo, Prompt: prompt, InContext: []string{}}
}

// compact lets a session be compacted as a harness tells it.
func (w *world) compact(ctx context.Context, e *engine.Engine, now time.Time, session string) error {
	w.Now = now
	for _, event := range []pimento.TurnEvent{pimento.SessionStart, pimento.BeforeCompact, pimento.AfterCompact} {
		t := w.turn(event, session, "")
		t.Compaction = "evening"
		rep, after := tool.Turn(ctx, e, t)
		if err := faulty(rep.Block.Faults); err != nil {
			return err
		}
		after(ctx)
	}
	return nil
}

// day is the day's log and checklist as they came to be.
func (x Experiment) day() []said {
	var out []said
	morning := x.Setup.Today.Truncate(24 * time.Hour)
	for _, l := range x.Day {
		if l.Task != "" {
			out = append(out, said{at: morning.Add(8 * time.Hour), page: "SCRATCHPAD.md", text: l.Task, done: l.Done})
			continue
		}
		clock, _ := time.Parse("15:04", l.At)
		at := morning.Add(time.Duration(clock.Hour())*time.Hour + time.Duration(clock.Minute())*time.Minute)
		out = append(out, said{at: at, page: dailyPage(at), text: l.Text, stamped: true})
	}
	return out
}

// survival counts what of the day stands in a block.
func (x Experiment) survival(when string, handoff bool, b pimento.Block) Survival {
	s, in := Survival{When: when, Handoff: handoff, Tokens: b.Tokens}, look(b)
	for _, l := range x.Day {
		switch {
		case l.Done:
		case l.Task != "":
			s.Open++
			if in.holds(l.Task) {
				s.Tasks++
			}
		default:
			s.Lines++
			if in.holds(l.Text) {
				s.Log++
			} else {
				s.missing = append(s.missing, l.Text)
			}
		}
	}
	return s
}
