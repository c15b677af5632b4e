package tool

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/inject"
	"github.com/pimento-memory/pimento/internal/text"
)

// Shown says whether a decision put its entry into the block.
func Shown(d pimento.Decision) bool { return d.Decision != "dropped" }

// A WhyView is the record of one block with what its entries say now.
type WhyView struct {
	Trace pimento.Trace
	Texts map[string]string // by statement or notice, for the entries that can be named
	Lists []string          // the sections that show a line for each page
	List  int               // at most so many entries of each sort are named; 0 names all
}

// maxNamed bounds how many entries are looked up for a view.
const maxNamed = 60

// NewWhyView looks up what the entries of a trace say, and builds its text again
// as long as what it was built from is kept.
func NewWhyView(ctx context.Context, e *engine.Engine, t pimento.Trace, list int) WhyView {
	v := WhyView{Trace: t, Texts: map[string]string{}, List: list}
	if t.Recall != nil {
		v.recallTexts(ctx, e)
		return v
	}
	if r, err := e.Rebuild(ctx, t); err == nil {
		v.Trace.Block.Prefix, v.Trace.Block.Tail = r.Block.Prefix, r.Block.Tail
	}
	if prof, _ := e.Profile(ctx); prof.Name == t.Block.Profile {
		for _, s := range prof.Sections {
			if s.Pick == pimento.PickPointers {
				v.Lists = append(v.Lists, s.Name)
			}
		}
	}
	count := map[bool]int{}
	var notices []string
	for _, d := range t.Block.Trace {
		shown := Shown(d)
		if count[shown]++; list > 0 && count[shown] > list || len(v.Texts) == maxNamed {
			continue
		}
		notices = append(notices, d.Entry)
		if len(d.Entry) != 16 || v.Texts[d.Entry] != "" {
			continue // a section's name
		}
		if en, err := e.Entry(ctx, d.Entry); err == nil {
			v.Texts[d.Entry] = en.Text
		}
	}
	maps.Copy(v.Texts, e.Told(ctx, notices))
	return v
}

// RenderWhy is the record of one block for a person: what each section took,
// which entries it shows and why, what was left out and why; or that of one
// question.
func RenderWhy(v WhyView, p Paint) string {
	t := v.Trace
	if t.Recall != nil {
		return v.recall(p)
	}
	var b strings.Builder
	b.WriteString(p.Bold(strings.TrimSpace("turn "+t.ID)) + "  " + t.Time.Format("2006-01-02 15:04:05"))
	if t.Session != "" {
		b.WriteString(p.Faint("  session " + OneLine(t.Session, 80)))
	}
	b.WriteString("\n")
	if t.Prompt != "" {
		b.WriteString(Wrap("prompt: "+Printable(t.Prompt), p.Columns(), "  ") + "\n")
	}
	fmt.Fprintf(&b, "%s, profile %s, status %s, %.1f ms\n", Plural(t.Block.Tokens, "token"), t.Block.Profile,
		t.Block.Status, float64(t.Micros)/1000)
	b.WriteString(RenderSections(t.Block, p))
	b.WriteString(v.decisions(p))
	b.WriteString(RenderFaults(t.Block.Faults, p))
	return strings.TrimRight(b.String(), "\n")
}

// frame is the row of what belongs to no section: what the model is told about
// its memory, the tags around a tail.
const frame = "(frame)"

// rows are a block's sections and, in each zone whose text is known, the
// frame: what the text takes and no section accounts for.
func rows(b pimento.Block) []pimento.SectionUse {
	out := slices.Clone(b.Sections)
	for _, z := range []struct {
		zone pimento.Zone
		text string
	}{{pimento.Prefix, b.Prefix}, {pimento.Tail, b.Tail}} {
		rest := text.Tokens(z.text)
		for _, s := range b.Sections {
			if s.Zone == z.zone {
				rest -= s.Tokens
			}
		}
		if rest > 0 {
			out = append(out, pimento.SectionUse{Name: frame, Zone: z.zone, Tokens: rest})
		}
	}
	return out
}

// RenderSections is a bar for what each section took, zone by zone.
func RenderSections(block pimento.Block, p Paint) string {
	sections := rows(block)
	if len(sections) == 0 {
		return "\nNothing was injected.\n"
	}
	most, name := 0, 0
	for _, s := range sections {
		most, name = max(most, s.Tokens), max(name, len(s.Name))
	}
	wide := max(8, min(30, p.Columns()-name-10))
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
		fmt.Fprintf(&b, "\n%s %s\n", p.Bold(string(zone)), p.Faint(Plural(total, "token")))
		for _, s := range sections {
			if s.Zone == zone {
				fmt.Fprintf(&b, "  %s %5d %s\n", Pad(s.Name, name), s.Tokens, p.Accent(Bar(s.Tokens, most, wide)))
			}
		}
	}
	return b.String()
}

func (v WhyView) decisions(p Paint) string {
	var in, out []pimento.Decision
	for _, d := range v.Trace.Block.Trace {
		if Shown(d) {
			in = append(in, d)
		} else {
			out = append(out, d)
		}
	}
	return v.decisionList("shown", in, p) + v.decisionList("left out", out, p)
}

func (v WhyView) decisionList(title string, ds []pimento.Decision, p Paint) string {
	if len(ds) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s %s\n", p.Bold(title), p.Faint(fmt.Sprint(len(ds))))
	for i, d := range ds {
		if v.List > 0 && i == v.List {
			fmt.Fprintf(&b, "  %s\n", p.Faint(fmt.Sprintf("... %d more (pimento why --all)", len(ds)-i)))
			break
		}
		b.WriteString("  " + v.decision(d, p) + "\n")
	}
	return b.String()
}

// AlreadyShown are the decisions of a block about entries that bear on the
// prompt and were left out because they are in front of the model already.
func AlreadyShown(b pimento.Block) []pimento.Decision {
	var out []pimento.Decision
	for _, d := range b.Trace {
		if inject.InFront(d) && !strings.HasPrefix(d.Entry, "~") { // a notice is not asked for
			out = append(out, d)
		}
	}
	return out
}

// decision is one decision: what the entry says where that is known, and below
// it what became of it and why.
func (v WhyView) decision(d pimento.Decision, p Paint) string {
	what := d.Decision
	if what == "full" && slices.Contains(v.Lists, d.Reason) {
		what = "pointer" // all of a line that points to a page
	}
	line := d.Entry + "  " + what
	if d.Page != "" {
		line += "  " + Path(d.Page)
	}
	line += "  " + Printable(d.Reason)
	says := v.Texts[d.Entry]
	if says == "" {
		return line
	}
	return OneLine(says, p.Columns()-2) + "\n      " + p.Faint(line)
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
	b.WriteString(p.Bold(Place(s.Entry)) + "  " + p.Faint(Path(s.ID)) + "\n")
	b.WriteString("  " + Wrap(Printable(strings.TrimSpace(s.Entry.Text)), p.Columns(), "  ") + "\n")
	said := "said " + Plural(s.Standing.Evidence, "time")
	if s.Standing.Last.IsZero() {
		said = "never said here"
	}
	fmt.Fprintf(&b, "  %s, %s, %s", s.Entry.Kind, s.Standing.Lifecycle, said)
	if s.Entry.Pinned {
		b.WriteString(", pinned")
	} else {
		fmt.Fprintf(&b, ", score %.2f", s.Standing.Score)
	}
	b.WriteString("\n  " + Hang("score ", renderTerms(s.Standing, s.Terms, s.Entry.Kind), p.Columns()-2))
	fmt.Fprintf(&b, "\n  put beside a prompt %s, used %s\n", Plural(s.Standing.Injected, "time"), Plural(s.Standing.Used, "time"))
	if c := s.Commit; c != nil {
		b.WriteString("  " + Wrap("in git since "+c.Time.Format("2006-01-02")+", by "+OneLine(c.Author, 60)+": "+OneLine(c.Subject, 200)+" ("+c.ID[:min(len(c.ID), 8)]+")", p.Columns(), "  ") + "\n")
	}
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
	line := ev.Time.Format("2006-01-02 15:04") + " " + happened(ev.Type, p) + " " + byWhom(ev.Actor)
	if ev.Reason != "" {
		line += "  " + p.Faint(Printable(ev.Reason))
	}
	return line
}
