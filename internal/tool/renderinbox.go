package tool

import (
	"strings"

	"github.com/pimento-memory/pimento"
)

// RenderInbox is what waits for a yes, oldest first. command is how the reader
// answers it: "pimento inbox" or "/memory inbox".
func RenderInbox(list []pimento.Proposal, command string, p Paint) string {
	if len(list) == 0 {
		return "The inbox is empty: nothing waits for your yes."
	}
	var b strings.Builder
	for _, it := range list {
		b.WriteString(p.Bold(ShortID(it.ID)) + "  " + p.Faint(proposalPlace(it)) + "\n")
		if it.Text != "" {
			b.WriteString("    " + p.Accent(Wrap(OneLine(it.Text, 400), p.Columns()-4, "    ")) + "\n")
		}
		for _, id := range it.Replaces {
			verb := "in place of "
			if it.Text == "" {
				verb = "take out "
			}
			b.WriteString("    " + verb + Printable(id) + "\n")
		}
		for _, en := range it.Against {
			b.WriteString("    " + p.Warn(Wrap("it cannot hold beside "+Printable(en.String())+": "+OneLine(en.Text, 160), p.Columns()-4, "    ")) + "\n")
		}
		if it.Reason != "" {
			b.WriteString("    " + p.Faint(Wrap(Printable(it.Reason), p.Columns()-4, "    ")) + "\n")
		}
	}
	b.WriteString("\n" + Plural(len(list), "proposal") + ". Answer with: " + command + " accept ID, edit ID TEXT, reject ID\n")
	return b.String()
}

// ShortID is as much of a proposal's id as a person needs to type.
func ShortID(id string) string { return id[:min(8, len(id))] }

// proposalPlace says where a proposal would go, what it is and who found it.
func proposalPlace(it pimento.Proposal) string {
	place := string(it.Scope)
	if it.Page != "" {
		place += ":" + it.Page
	}
	for _, word := range []string{string(it.Kind), it.Source} {
		if word != "" {
			place += ", " + word
		}
	}
	if !it.Time.IsZero() {
		place += ", " + it.Time.Format("2006-01-02")
	}
	return Printable(place)
}

// RenderProposal is one line about a proposal that was answered.
func RenderProposal(it pimento.Proposal, did string) string {
	return did + ": " + OneLine(Proposed(it), 160)
}

// Proposed is the text that a proposal would write, or what it would take out.
func Proposed(it pimento.Proposal) string {
	if it.Text == "" {
		return "take out " + strings.Join(it.Replaces, ", ")
	}
	return it.Text
}
