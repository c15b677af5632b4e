package tool

import (
	"fmt"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
)

// Shown says whether a decision put its entry into the block.
func Shown(d pimento.Decision) bool {
	switch d.Decision {
	case "full", "brief", "pointer":
		return true
	}
	return false
}

// RenderWhy is the record of one block for a person: what each section took,
// which entries it shows and why, what was left out and why. At most list
// entries of each sort are named; 0 names all.
func RenderWhy(t pimento.Trace, p Paint, list int) string {
	var b strings.Builder
	b.WriteString(p.Bold("turn "+t.ID) + "  " + t.Time.Format("2006-01-02 15:04:05"))
	if t.Session != "" {
		b.WriteString(p.Faint("  session " + t.Session))
	}
	b.WriteString("\n")
	if t.Prompt != "" {
		b.WriteString(Wrap("prompt: "+Printable(t.Prompt), p.Columns(), "  ") + "\n")
	}
	fmt.Fprintf(&b, "%s, profile %s, status %s, %.1f ms\n", plural(t.Block.Tokens, "token"), t.Block.Profile,
		t.Block.Status, float64(t.Micros)/1000)
	b.WriteString(RenderSections(t.Block.Sections, p))
	b.WriteString(renderDecisions(t.Block.Trace, p, list))
	b.WriteString(RenderFaults(t.Block.Faults, p))
	return strings.TrimRight(b.String(), "\n")
}

// RenderSections is a bar for what each section took, zone by zone.
func RenderSections(sections []pimento.SectionUse, p Paint) string {
	if len(sections) == 0 {
		return "\nNothing was injected.\n"
	}
	most, name := 0, 0
	for _, s := range sections {
		most, name = max(most, s.Tokens), max(name, len(s.Name))
	}
	var b strings.Builder
	for _, zone := range []pimento.Zone{pimento.Prefix, pimento.Tail} {
		total := 0
		for _, s := range sections {
			if s.Zone == zone {
				total += s.Tokens
			}
		}
		if total == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n%s %s\n", p.Bold(string(zone)), p.Faint(plural(total, "token")))
		for _, s := range sections {
			if s.Zone == zone {
				fmt.Fprintf(&b, "  %s %5d %s\n", Pad(s.Name, name), s.Tokens, p.Accent(Bar(s.Tokens, most, 30)))
			}
		}
	}
	return b.String()
}

func renderDecisions(trace []pimento.Decision, p Paint, list int) string {
	var in, out []pimento.Decision
	for _, d := range trace {
		if Shown(d) {
			in = append(in, d)
		} else {
			out = append(out, d)
		}
	}
	return decisionList("shown", in, p, list) + decisionList("left out", out, p, list)
}

func decisionList(title string, ds []pimento.Decision, p Paint, list int) string {
	if len(ds) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s %s\n", p.Bold(title), p.Faint(fmt.Sprint(len(ds))))
	for i, d := range ds {
		if list > 0 && i == list {
			fmt.Fprintf(&b, "  %s\n", p.Faint(fmt.Sprintf("... %d more (pimento why --all)", len(ds)-i)))
			break
		}
		b.WriteString("  " + DecisionLine(d, p) + "\n")
	}
	return b.String()
}

// DecisionLine is one decision on one line.
func DecisionLine(d pimento.Decision, p Paint) string {
	line := p.Faint(Pad(d.Entry, 16)) + " " + Pad(d.Decision, 8)
	if d.Page != "" {
		line += " " + d.Page
	}
	return line + "  " + Printable(d.Reason)
}

// RenderFaults lists what was missing on the way; "" when nothing was.
func RenderFaults(faults []pimento.Fault, p Paint) string {
	if len(faults) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n" + p.Warn("faults") + "\n")
	for _, f := range faults {
		b.WriteString("  " + Printable(f.Kind+": "+f.Detail) + "\n")
	}
	return b.String()
}

// RenderStory is everything known of one entry, for a person.
func RenderStory(s engine.EntryStory, p Paint) string {
	var b strings.Builder
	b.WriteString(p.Bold(Place(s.Entry)) + "  " + p.Faint(s.ID) + "\n")
	b.WriteString("  " + Wrap(Printable(strings.TrimSpace(s.Entry.Text)), p.Columns(), "  ") + "\n")
	fmt.Fprintf(&b, "  %s, %s, said %s, score %.2f", s.Entry.Kind, s.Standing.Lifecycle,
		plural(s.Standing.Evidence, "time"), s.Standing.Score)
	if s.Entry.Pinned {
		b.WriteString(", pinned")
	}
	fmt.Fprintf(&b, "\n  injected %s, used %s\n", plural(s.Standing.Injected, "time"), plural(s.Standing.Used, "time"))
	if s.Last != nil {
		fmt.Fprintf(&b, "\n%s %s\n  %s: %s\n", p.Bold("last considered"), s.LastTime.Format("2006-01-02 15:04"),
			s.Last.Decision, Printable(s.Last.Reason))
	} else {
		b.WriteString("\nNo kept trace has considered it.\n")
	}
	if len(s.Events) > 0 {
		b.WriteString("\n" + p.Bold("events") + "\n")
		for _, ev := range s.Events {
			b.WriteString("  " + eventLine(ev, p) + "\n")
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

func eventLine(ev pimento.Event, p Paint) string {
	line := ev.Time.Format("2006-01-02 15:04") + " " + Pad(string(ev.Type), 10)
	if ev.Actor != "" {
		line += " by " + ev.Actor
	}
	if ev.Reason != "" {
		line += "  " + p.Faint(Printable(ev.Reason))
	}
	return line
}
