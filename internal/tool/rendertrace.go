package tool

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/fault"
	"github.com/pimento-memory/pimento/internal/inject"
)

// RenderTraces lists records of prompts and of questions, one a line.
func RenderTraces(traces []pimento.Trace, p Paint) string {
	if len(traces) == 0 {
		return "No prompt has been answered here yet. Try: " + p.Cmd(`inject --session try "..."`)
	}
	var b strings.Builder
	for _, t := range traces {
		prompt, room := t.Prompt, p.Columns()-60
		if prompt == "" {
			prompt = "(no prompt)"
		}
		tokens := Pad(Plural(t.Block.Tokens, "token"), 13)
		if t.Recall != nil {
			tokens, prompt = Pad(Plural(t.Recall.Found, "hit"), 13), "recall: "+prompt
		}
		if room < 20 {
			room, tokens = p.Columns()-2, strings.TrimSpace(tokens)+"\n  "
		}
		fmt.Fprintf(&b, "%s  %s  %s%s\n", p.Faint(t.ID), t.Time.Format("2006-01-02 15:04"), tokens, OneLine(prompt, room))
	}
	return b.String()
}

// faultColumns is the width from which faults stand in columns.
const faultColumns = 70

// RenderFaultHistory lists the moments at which memory failed, and counts them.
func RenderFaultHistory(faults []fault.Fault, p Paint) string {
	if len(faults) == 0 {
		return "No faults: nothing that had to stand was missing, as far back as the records reach."
	}
	var b strings.Builder
	count := map[fault.Kind]int{}
	for _, f := range faults {
		count[f.Kind]++
		kind, session := string(f.Kind), OneLine(f.Session, 8)
		if p.Columns() >= faultColumns {
			kind = Pad(kind, 26)
		} else if session != "" {
			session = "  " + session
		}
		head := p.Faint(f.Time.Format("2006-01-02 15:04")) + "  " + p.Warn(kind)
		if session != "" {
			head += p.Faint(Pad(session, 9))
		}
		b.WriteString(Hang(head, Printable(f.Detail), p.Columns()) + "\n")
	}
	var sums []string
	for _, k := range fault.Kinds() {
		if count[k] > 0 {
			sums = append(sums, fmt.Sprintf("%d %s", count[k], k))
		}
	}
	return b.String() + "\n" + strings.Join(sums, ", ")
}

// RenderSidecars says of each file whether it is there and right.
func RenderSidecars(files []engine.Sidecar, p Paint) string {
	var b strings.Builder
	for _, f := range files {
		state := sidecarState(f, p)
		fmt.Fprintf(&b, "%s %s  %s  %s\n", Pad(string(f.Scope), 8), Pad(state, 8+len(state)-len(stripAnsi(state))), Pad(Plural(f.Lines, "line"), 10), p.Faint(f.Path))
	}
	return strings.TrimRight(b.String(), "\n")
}

func sidecarState(f engine.Sidecar, p Paint) string {
	switch {
	case f.Written:
		return p.Good("written")
	case f.Valid:
		return p.Good("valid")
	case f.Present:
		return p.Warn("outdated")
	}
	return p.Faint("absent")
}

// typedShown is how many rows of the page table a list of pages names.
const typedShown = 40

// RenderTyped is what the entries of the curated pages are to the agent: class,
// pin, the least that may stand of each, and what its four shapes take.
func RenderTyped(rows []inject.Row, p Paint) string {
	if len(rows) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n\n" + p.Faint("class, pin, least shape, tokens in full, compressed, structured, as a pointer") + "\n")
	last := ""
	for _, r := range rows[:min(len(rows), typedShown)] {
		if page := string(r.Scope) + ":" + r.Source.File; page != last {
			b.WriteString(p.Bold(Printable(page)) + "\n")
			last = page
		}
		b.WriteString(typedRow(r, p) + "\n")
	}
	if more := len(rows) - typedShown; more > 0 {
		b.WriteString(p.Faint(fmt.Sprintf("... %d more; all of them: pimento verify --out FILE", more)) + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

func typedRow(r inject.Row, p Paint) string {
	var sizes []string
	for _, shape := range []string{"full", "compressed", "structured", "pointer"} {
		size := "-"
		if rep, ok := r.Reps[shape]; ok {
			size = strconv.Itoa(rep.Tokens)
		}
		sizes = append(sizes, size)
	}
	what, ok := r.Reps["full"]
	if !ok {
		what = r.Reps["structured"]
	}
	head := fmt.Sprintf("%5d  %-12s %-4s %-10s %-15s ", r.Source.LineFrom, r.Class, r.Pin, r.MinFidelity, strings.Join(sizes, " "))
	return head + OneLine(what.Text, max(p.Columns()-len(head), 24))
}

// RenderFlush says what a flush found.
func RenderFlush(n int, files []engine.Sidecar, p Paint) string {
	text := "Nothing was left half written."
	if n > 0 {
		text = "Finished " + Plural(n, "write") + " that had been left behind."
	}
	return text + "\n" + RenderSidecars(files, p)
}

// BesidePages is the part of a list of pages about the page table; empty as
// long as nobody has asked for one.
func BesidePages(files []engine.Sidecar, p Paint) string {
	for _, f := range files {
		if f.Present {
			return "\n\n" + p.Faint("page table, made from the pages:") + "\n" + RenderSidecars(files, p)
		}
	}
	return ""
}
