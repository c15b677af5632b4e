package tool

import (
	"fmt"
	"strings"
	"time"

	"github.com/pimento-memory/pimento/internal/engine"
)

// RenderDream is what came of a dream. command is how the reader gives commands:
// "pimento" or "/memory".
func RenderDream(r engine.DreamReport, command string, p Paint) string {
	var b strings.Builder
	if r.By != "" {
		fmt.Fprintf(&b, "%s\n", p.Faint(fmt.Sprintf("%s read %s, about %d tokens", Printable(r.By), Plural(len(r.Read), "session"), r.Tokens)))
	}
	if r.Passed > 0 {
		fmt.Fprintf(&b, "%s\n", p.Faint(Plural(r.Passed, "session")+" held nothing to learn from"))
	}
	if r.Left > 0 {
		fmt.Fprintf(&b, "%s\n", p.Faint(Plural(r.Left, "session")+" left for the next dream"))
	}
	waiting := 0
	for _, a := range r.Acts {
		b.WriteString(renderAct(a, p))
		if a.State == engine.DreamWaits {
			waiting++
		}
	}
	for _, t := range r.Decide {
		fmt.Fprintf(&b, "%s  %s\n%s%s", p.Warn(string(t.Relation)), p.Faint(Printable(t.Reason)), RenderTold("either", t.Keep, p), RenderTold("or", t.Drop, p))
	}
	for _, s := range r.Skills {
		fmt.Fprintf(&b, "%s  %s  %s\n", p.Accent("skill"), p.Bold(Printable(s.Name)), OneLine(s.Description, 200))
		for i, step := range s.Steps {
			fmt.Fprintf(&b, "  %d. %s\n", i+1, OneLine(step, 200))
		}
		fmt.Fprintf(&b, "  %s\n", p.Faint("as a file: pimento dream skill "+s.Name+" > .pi/skills/"+s.Name+"/SKILL.md"))
	}
	for _, t := range r.Thrown {
		fmt.Fprintf(&b, "%s %s\n", p.Faint("not taken:"), p.Faint(OneLine(t, 200)))
	}
	if len(r.Acts)+len(r.Decide)+len(r.Skills) == 0 {
		b.WriteString("The dream found nothing to change.\n")
	}
	for _, f := range r.Faults {
		fmt.Fprintf(&b, "%s %s\n", p.Warn(Printable(f.Kind)+":"), OneLine(f.Detail, 300))
	}
	b.WriteString(dreamNext(r, waiting, command, p))
	return b.String()
}

// dreamNext says what the reader may do now.
func dreamNext(r engine.DreamReport, waiting int, command string, p Paint) string {
	switch {
	case r.Undone:
		return "\n" + p.Faint("It was taken back.") + "\n"
	case r.Applied > 0:
		return "\n" + p.Faint(Plural(r.Applied, "change")+" made; all of it back: "+command+" dream undo") + "\n"
	case waiting > 0:
		return "\n" + p.Faint(Plural(waiting, "change")+" in the inbox. Answer one by one: "+command+" inbox; all of it: "+command+" dream --apply") + "\n"
	}
	return ""
}

func renderAct(a engine.DreamAct, p Paint) string {
	var b strings.Builder
	state := ""
	switch a.State {
	case engine.DreamApplied:
		state = "  done"
	case engine.DreamWaits:
		state = "  " + ShortID(a.ID)
	case engine.DreamRefused:
		state = "  left out: " + OneLine(a.Refusal, 120)
	}
	fmt.Fprintf(&b, "%s%s  %s\n", p.Accent(a.Act), p.Bold(Printable(state)), p.Faint(OneLine(a.Reason, 300)))
	if a.Text != "" {
		kind := ""
		if a.Kind != "" {
			kind = "[" + string(a.Kind) + "] "
		}
		b.WriteString(Hang("  "+Pad("new", 8)+" ", kind+OneLine(a.Text, 300), p.Columns()) + "\n")
	}
	for _, t := range a.Replaces {
		b.WriteString(RenderTold("archive", t, p))
	}
	for _, u := range a.Undo {
		if u.Verb == "restore" {
			b.WriteString("  " + p.Faint("to undo: pimento restore "+u.ID) + "\n")
		}
	}
	return b.String()
}

// RenderTold is an entry on a line of its own, with its place below it.
func RenderTold(verb string, t engine.Told, p Paint) string {
	when := ""
	if !t.Said.IsZero() {
		when = ", " + t.Said.Format(time.DateOnly)
	}
	if t.Pinned {
		when += ", pinned"
	}
	return Hang("  "+Pad(verb, 8)+" ", OneLine(t.Text, 300), p.Columns()) + "\n" +
		"           " + p.Faint(PageName(t.Scope, t.Page)+fmt.Sprintf(":%d%s, ", t.Line, when)+ShortID(string(t.ID))) + "\n"
}

// RenderDreamAuto says whether dreams come by themselves; hours is 0 for no, auto
// the command that turns them on.
func RenderDreamAuto(hours float64, auto string) string {
	if hours == 0 {
		return "Dreams do not come by themselves. Turn them on: " + auto + " on"
	}
	return fmt.Sprintf("Dreams come by themselves: every %g hours of a live session, and when one ends. What they find waits in the inbox.", hours)
}
