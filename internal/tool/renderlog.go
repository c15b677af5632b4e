package tool

import (
	"fmt"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
)

// logCommand is what lists all that q asks for.
func logCommand(q engine.LogQuery) string {
	cmd := "pimento log"
	if q.Of != "" {
		cmd += " " + OneLine(q.Of, 60)
	}
	if q.By != "" {
		cmd += " --by " + q.By
	}
	if !q.Since.IsZero() {
		cmd += " --since " + q.Since.Format("2006-01-02")
	}
	return cmd + " -n 0"
}

// RenderLog lists changes of memory below their days, newest first: those that q asked
// for, of many the first n.
func RenderLog(changes []engine.Logged, q engine.LogQuery, n int, p Paint) string {
	switch {
	case len(changes) == 0 && q == engine.LogQuery{}:
		return "Nothing has changed yet. Write the first memory: " + p.Cmd(`remember "prefer small commits"`)
	case len(changes) == 0:
		return "No such change of memory. What there is: " + p.Cmd("log")
	}
	var b strings.Builder
	day := ""
	for i, c := range changes {
		if n > 0 && i == n {
			b.WriteString(p.Faint(fmt.Sprintf("... %d more (%s)", len(changes)-n, logCommand(q))))
			break
		}
		if d := c.Time.Format("2006-01-02"); d != day {
			if day != "" {
				b.WriteByte('\n')
			}
			day = d
			b.WriteString(p.Bold(d) + "\n")
		}
		head := "  " + c.Time.Format("15:04") + "  " + happened(c.What, p) + "  " + PageName(c.Scope, c.Page)
		if c.ID != "" {
			head += "  " + p.Faint(string(c.ID))
		}
		b.WriteString(head + "  " + p.Faint(byWhom(c.By)) + "\n")
		room := p.Columns() - 9
		if c.Was != "" {
			b.WriteString("         " + p.Faint(OneLine(c.Was, room-3)+" ->") + "\n")
		}
		if c.Text != "" {
			b.WriteString("         " + OneLine(c.Text, room) + "\n")
		}
		if c.Count > 1 {
			b.WriteString("         " + p.Faint("and "+Plural(c.Count-1, "more entry")+" at the same time: a clone, a pull or an import") + "\n")
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// changeWord is a change in a word for a person.
func changeWord(what pimento.EventType) string {
	words := map[pimento.EventType]string{pimento.Appeared: "added", pimento.Aliased: "edited", pimento.Vanished: "removed", pimento.Completed: "done",
		pimento.Reinforced: "said again", pimento.HandedOff: "handoff"}
	if word := words[what]; word != "" {
		return word
	}
	return string(what)
}

// happened is a change in a column.
func happened(what pimento.EventType, p Paint) string {
	word := changeWord(what)
	switch what {
	case pimento.Vanished, pimento.Forgotten, pimento.Archived, pimento.Purged:
		return p.Warn(Pad(word, 10))
	}
	return p.Good(Pad(word, 10))
}

// byWhom says who made a change. A journal is its user's own, so "user" is who asks.
func byWhom(actor string) string {
	switch actor {
	case "", "sync":
		return "in the file"
	case "user":
		return "by you"
	case "agent":
		return "by the agent"
	}
	return "by the " + OneLine(actor, 20)
}
