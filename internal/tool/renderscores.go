package tool

import (
	"fmt"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/plot"
	"github.com/pimento-memory/pimento/internal/score"
)

// renderTerms is a score as the product that it is.
func renderTerms(s pimento.Standing, t score.Terms, kind pimento.Kind) string {
	if s.Score >= score.PinnedScore {
		return "pinned, so it stands above every score"
	}
	if s.Last.IsZero() && !t.Lasting {
		return "0: it stood on its page before Pimento saw it, and nobody has said it since; reinforce or confirm it if it holds"
	}
	fade := "does not fade"
	switch {
	case t.Lasting:
		fade = "forbids something, so it does not fade"
	case t.Tau > 0:
		fade = fmt.Sprintf("said %.1f days ago, a %s keeps 37%% after %.4g", t.Age, kind, t.Tau)
	}
	line := fmt.Sprintf("%.3f = %.2f (%s) * %.3f (%s) * %.3f (ln(1 + %d))", t.Score, t.Weight, t.Cue, t.Fade, fade, t.Growth, t.Evidence)
	if t.Use > 1 {
		line += fmt.Sprintf(" * %.3f (%s used it)", t.Use, Plural(s.Used, "answer"))
	}
	if t.Grace {
		line += "; shown as " + s.Lifecycle + ", because it " + graceWord(t)
	}
	return line
}

func graceWord(t score.Terms) string {
	if t.Lasting {
		return "forbids something"
	}
	return "is new"
}

// RenderScores is the standing of entries, best first: at most n of them, 0 for
// all.
func RenderScores(all []engine.Scored, p pimento.Scoring, n int, paint Paint) string {
	if len(all) == 0 {
		return "Nothing has a score yet. Try: pimento remember \"prefer small commits\""
	}
	var b strings.Builder
	b.WriteString(paint.Bold("  score  standing    kind       said  days     id") + "\n")
	for i, s := range all {
		if n > 0 && i == n {
			fmt.Fprintf(&b, "%s\n", paint.Faint(fmt.Sprintf("... %d more (pimento status --scores -n 0)", len(all)-n)))
			break
		}
		worth := fmt.Sprintf("%7.3f", s.Standing.Score)
		if s.Standing.Score >= score.PinnedScore {
			worth = " pinned"
		}
		age := fmt.Sprintf("%5.1f", s.Terms.Age)
		if s.Standing.Last.IsZero() {
			age = "    -"
		}
		fmt.Fprintf(&b, "%s  %s  %s  %3dx  %s  %s", worth, lifeWord(s.Standing.Lifecycle, paint), Pad(string(s.Entry.Kind), 10),
			s.Standing.Evidence, age, paint.Faint(string(s.Entry.Statement[:min(8, len(s.Entry.Statement))])))
		if paint.Columns() < narrow {
			b.WriteString("\n         " + OneLine(s.Entry.Text, paint.Columns()-9) + "\n")
			continue
		}
		b.WriteString("  " + OneLine(s.Entry.Text, paint.Columns()-57) + "\n")
	}
	b.WriteString("\n" + lives(all, p, paint))
	return strings.TrimRight(b.String(), "\n")
}

// lifeWord is a lifecycle in its column.
func lifeWord(life string, p Paint) string {
	word := Pad(life, 11)
	switch life {
	case score.Active:
		return p.Good(word)
	case score.Dropped, score.Candidate:
		return p.Faint(word)
	}
	return word
}

// lives counts lifecycles by kind, beside the caps.
func lives(all []engine.Scored, p pimento.Scoring, paint Paint) string {
	count := map[pimento.Kind]map[string]int{}
	for _, s := range all {
		if count[s.Entry.Kind] == nil {
			count[s.Entry.Kind] = map[string]int{}
		}
		count[s.Entry.Kind][s.Standing.Lifecycle]++
	}
	var b strings.Builder
	for _, k := range pimento.EntryKinds() {
		c, ok := count[k]
		if !ok {
			continue
		}
		limit := ""
		if n, ok := p.Caps[k]; ok {
			limit = fmt.Sprintf(" of %d", n)
		}
		row(&b, paint, string(k), fmt.Sprintf("active %d%s, provisional %d, candidate %d, dropped %d",
			c[score.Active], limit, c[score.Provisional], c[score.Candidate], c[score.Dropped]))
	}
	return b.String()
}

// RenderStale is the list of what may be out of date.
func RenderStale(r engine.StaleReport, p Paint) string {
	if len(r.Entries)+len(r.Cold) == 0 {
		return "Nothing looks out of date."
	}
	var b strings.Builder
	for _, s := range r.Entries {
		b.WriteString(p.Warn(Pad(s.Reason, 13)) + "  " + p.Bold(Place(s.Entry)) + "  " + p.Faint(string(s.Entry.Statement)) + "\n")
		b.WriteString("  " + OneLine(s.Entry.Text, p.Columns()-2) + "\n")
		b.WriteString("  " + p.Faint(staleDetail(s)) + "\n")
	}
	for _, t := range r.Cold {
		b.WriteString(p.Warn(Pad("cold topic", 13)) + "  " + p.Bold(PageName(t.Scope, t.Page)) + "\n")
		b.WriteString("  " + p.Faint(fmt.Sprintf("nothing of its %s was said since %s", Plural(t.Entries, "entry"), t.Newest.Format("2006-01-02"))) + "\n")
	}
	b.WriteString("\n" + p.Faint("still so: "+p.Cmd("confirm ID")+"   not any more: "+p.Cmd("forget ID")+", "+p.Cmd("edit ID TEXT")) + "\n")
	if len(r.Cold) > 0 {
		b.WriteString(p.Faint("a cold topic goes to the archive with: pimento archive --reason cold --apply PAGE, or pimento consolidate --apply") + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

func staleDetail(s engine.Stale) string {
	switch s.Reason {
	case engine.StaleCites:
		var parts []string
		for _, c := range s.Cites {
			if c.Gone {
				parts = append(parts, Printable(c.Path)+" is gone")
			} else {
				parts = append(parts, Printable(c.Path)+" was changed on "+c.Changed.Format("2006-01-02"))
			}
		}
		return strings.Join(parts, ", ") + "; last said " + s.Standing.Last.Format("2006-01-02")
	case engine.StaleUnconfirmed:
		return "inferred (" + s.Terms.Cue + ") on " + s.Standing.First.Format("2006-01-02") + " and never confirmed"
	}
	return renderTerms(s.Standing, s.Terms, s.Entry.Kind)
}

// DecayChart draws how the kinds of a policy fade that were said so often, by
// such a cue, over so many days.
func DecayChart(p pimento.Scoring, kinds []pimento.Kind, cue string, evidence, days int) plot.Chart {
	c := plot.Chart{Title: fmt.Sprintf("stability: %s, said %s, by %s", cue, Plural(evidence, "time"), p.Decay),
		X: "days since it was last said", Y: "score",
		Levels: []plot.Level{{Name: "active", Y: p.Active}, {Name: "provisional", Y: p.Provisional}, {Name: "candidate", Y: p.Candidate}}}
	policy := score.Policy(p)
	for _, k := range kinds {
		s := plot.Series{Name: string(k)}
		if d := p.Days[k]; d > 0 {
			s.Name += fmt.Sprintf(" (%.4g days)", d)
		}
		const steps = 120
		for i := 0; i <= steps; i++ {
			x := float64(days) * float64(i) / steps
			s.Points = append(s.Points, plot.Point{X: x, Y: policy.At(k, cue, evidence, x)})
		}
		c.Series = append(c.Series, s)
	}
	return c
}
