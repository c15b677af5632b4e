package tool

import (
	"fmt"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/fault"
)

// RenderTraces lists records of prompts and of questions, one a line.
func RenderTraces(traces []pimento.Trace, p Paint) string {
	if len(traces) == 0 {
		return "No prompt has been answered here yet. Try: pimento inject --session try \"...\""
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

// RenderFaultHistory lists the moments at which memory failed, and counts them.
func RenderFaultHistory(faults []fault.Fault, p Paint) string {
	if len(faults) == 0 {
		return "No faults: nothing that had to stand was missing, as far back as the records reach."
	}
	var b strings.Builder
	count := map[fault.Kind]int{}
	for _, f := range faults {
		count[f.Kind]++
		head := p.Faint(f.Time.Format("2006-01-02 15:04")) + "  " + p.Warn(Pad(string(f.Kind), 26))
		if f.Session != "" {
			head += p.Faint(Pad(OneLine(f.Session, 8), 9))
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
		state := p.Faint("absent")
		switch {
		case f.Written:
			state = p.Good("written")
		case f.Valid:
			state = p.Good("valid")
		case f.Present:
			state = p.Warn("outdated")
		}
		fmt.Fprintf(&b, "%s %s  %s  %s\n", Pad(string(f.Scope), 8), Pad(state, 8+len(state)-len(stripAnsi(state))), Pad(Plural(f.Lines, "line"), 10), p.Faint(f.Path))
	}
	return strings.TrimRight(b.String(), "\n")
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
			return "\n" + RenderSidecars(files, p)
		}
	}
	return ""
}
