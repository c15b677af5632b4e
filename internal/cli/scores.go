package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/cite"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/score"
	"github.com/pimento-memory/pimento/internal/tool"
)

// scoredLine is an entry with its standing, in JSON.
type scoredLine struct {
	ID string `json:"id"`
	entryPlace
	Text     string           `json:"text"`
	Standing pimento.Standing `json:"standing"`
	Terms    score.Terms      `json:"terms"`
}

func newScoredLine(s engine.Scored) scoredLine {
	en := s.Entry
	return scoredLine{en.Occurrence.String(), placeOf(en), en.Text, s.Standing, s.Terms}
}

// scores is `status --scores`.
func (a *app) scores(ctx context.Context, e *engine.Engine, n int) error {
	all, faults := e.Scores(ctx)
	topics, _ := e.Topics(ctx)
	p, _ := e.Profile(ctx)
	out := struct {
		Profile string          `json:"profile"`
		Scoring pimento.Scoring `json:"scoring"`
		Entries []scoredLine    `json:"entries"`
		Topics  []engine.Topic  `json:"topics"`
		Faults  []pimento.Fault `json:"faults"`
	}{p.Name, p.Scoring, []scoredLine{}, append([]engine.Topic{}, topics...), append([]pimento.Fault{}, faults...)}
	for _, s := range all {
		out.Entries = append(out.Entries, newScoredLine(s))
	}
	return a.print(out, func(paint tool.Paint) string {
		text := tool.RenderScores(all, p.Scoring, n, paint)
		if len(topics) > 0 {
			text += "\n\n" + tool.RenderTopics(topics)
		}
		return text
	})
}

func staleCmd(a *app) *command {
	return &command{
		use: "stale",
		long: "List what may be out of date, with a reason for each: cites-changed (a file that it names is gone, or was changed since), " +
			"unconfirmed (inferred once, and nobody said that it holds), faded (its score is below what is shown); and topics that have gone cold. " +
			"Nothing is changed. A changed file is no proof: look, then confirm, edit or forget.",
		example: "  pimento stale\n  pimento confirm 3f9c2a71",
		run: func(ctx context.Context, _ []string) error {
			return a.reading(ctx, func(e *engine.Engine) error { return a.stale(ctx, e) })
		},
	}
}

func (a *app) stale(ctx context.Context, e *engine.Engine) error {
	r := e.Stale(ctx)
	type line struct {
		Reason string `json:"reason"`
		scoredLine
		Cites []cite.Finding `json:"cites,omitempty"`
	}
	out := struct {
		Entries []line          `json:"entries"`
		Cold    []engine.Topic  `json:"cold_topics"`
		Faults  []pimento.Fault `json:"faults"`
	}{[]line{}, append([]engine.Topic{}, r.Cold...), append([]pimento.Fault{}, r.Faults...)}
	for _, s := range r.Entries {
		out.Entries = append(out.Entries, line{s.Reason, newScoredLine(s.Scored), s.Cites})
	}
	return a.print(out, func(p tool.Paint) string { return tool.RenderStale(r, p) })
}

func plotCmd(a *app) *command {
	cmd := &command{
		use:     "plot",
		long:    "Draw a chart, in the terminal or as an SVG file.",
		example: "  pimento plot decay\n  pimento plot decay --svg decay.svg",
		run: func(context.Context, []string) error {
			return usageError("use: pimento plot decay, or plot usage", "plot what?")
		},
	}
	cmd.add(plotDecayCmd(a))
	cmd.add(plotUsageCmd(a))
	return cmd
}

func plotDecayCmd(a *app) *command {
	file, kinds, cue := "", "", score.CueExplicit
	evidence, days := 2, 120
	cmd := &command{
		use:     "decay",
		short:   "how memories of each kind fade",
		long:    "Draw how memories of each kind fade by the profile's scoring, with its thresholds.",
		example: "  pimento plot decay --evidence 4\n  pimento plot decay --kinds preference,done --days 60 --svg decay.svg",
		run: func(ctx context.Context, _ []string) error {
			return a.withEngine(func(e *engine.Engine) error {
				p, _ := e.Profile(ctx)
				ks, err := plotKinds(kinds, p.Scoring)
				if err != nil {
					return err
				}
				if _, ok := p.Scoring.Cues[cue]; !ok {
					return usageError("use explicit, structural, behavioral or recurrence", "no such cue: %q", tool.OneLine(cue, 40))
				}
				chart := tool.DecayChart(p.Scoring, ks, cue, evidence, days)
				if file != "" {
					return a.writeOut("write", file, []byte(chart.SVG()), 0o644)
				}
				return a.print(chart, func(paint tool.Paint) string { return chart.Text(paint.Columns()) })
			})
		},
	}
	f := cmd.flagSet()
	f.StringVar(&file, "svg", "", "write an SVG `FILE` (- for standard output)")
	f.StringVar(&kinds, "kinds", "", "only these `KINDS`, by comma")
	f.StringVar(&cue, "cue", cue, "how it became known: `CUE` explicit, structural, behavioral, recurrence")
	cmd.number(&evidence, "evidence", 1, 10_000, "said `N` times")
	cmd.number(&days, "days", 1, 10_000, "over `N` days")
	return cmd
}

// plotKinds are the kinds of a list, or those that the policy lists.
func plotKinds(list string, p pimento.Scoring) (out []pimento.Kind, err error) {
	if list == "" {
		for _, k := range pimento.EntryKinds() {
			_, capped := p.Caps[k]
			if p.Days[k] > 0 && (capped || len(p.Caps) == 0) {
				out = append(out, k)
			}
		}
		return out, nil
	}
	for name := range strings.SplitSeq(list, ",") {
		k := pimento.Kind(strings.TrimSpace(name))
		if !slices.Contains(pimento.EntryKinds(), k) {
			return nil, usageError("kinds are preference, lesson, pattern, decision, done, mistake, fact, ...", "no such kind: %q", tool.OneLine(name, 40))
		}
		out = append(out, k)
	}
	return out, nil
}
