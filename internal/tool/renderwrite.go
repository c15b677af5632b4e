package tool

import (
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
)

// RenderWrite is one line about what became of a write, and how to take it
// back; did is the verb in the past tense for the plain case.
func RenderWrite(res engine.Result, did string, p Paint) string {
	var b strings.Builder
	switch res.Action {
	case pimento.Refuse:
		b.WriteString("Not written: " + Printable(res.Reason))
		if res.Code != "" {
			b.WriteString(" [" + string(res.Code) + "]")
		}
		if len(res.Near) > 0 {
			b.WriteString("\nnear: " + strings.Join(res.Near, ", "))
		}
		return b.String()
	case pimento.Propose:
		text := "Proposed, waits for your yes: " + OneLine(res.Text, 160)
		if res.Reason != "" {
			text += "\n  " + Printable(res.Reason)
		}
		return text + "\n  to write it: " + p.Cmd("inbox accept "+ShortID(string(res.ID)))
	case pimento.Reinforce:
		if did == "Remembered" {
			did = "Already known, reinforced"
		}
	}
	place := PageName(res.Scope, res.Page)
	if res.Text == "" { // a whole page
		b.WriteString(did + ": " + place)
	} else {
		b.WriteString(did + ": " + OneLine(res.Text, 160))
		if res.ID != "" {
			b.WriteString("\n  " + place + "  " + string(res.ID))
		}
	}
	if res.Reason != "" {
		b.WriteString("\n  " + Printable(res.Reason))
	}
	if res.Action == pimento.Put && res.Reason != "" && len(res.Against)+len(res.Proposals) == 0 {
		that := res.Near // what the reason calls so
		if len(res.Earlier) > 0 {
			that = saying(res.Earlier)
		}
		for _, line := range that {
			b.WriteString("\n    " + Printable(line))
		}
	}
	for _, line := range saying(res.Against) {
		b.WriteString("\n  it cannot hold beside " + line)
	}
	if res.Recovery != "" {
		b.WriteString("\n  to undo: " + p.Cmd("restore "+res.Recovery))
	}
	if len(res.Quoted) > 0 {
		b.WriteString("\n  " + Printable(stillQuoted(res)))
	}
	for _, id := range res.Recoveries {
		b.WriteString("\n  to bring back what was taken out: " + p.Cmd("restore "+id))
	}
	return b.String()
}

// stillQuoted says where else the text stands of what was forgotten.
func stillQuoted(res engine.Result) string {
	return "it is still quoted in " + strings.Join(res.Quoted, ", ")
}

// RenderPages is the list of pages, scope by scope.
func RenderPages(pages []engine.PageInfo, p Paint) string {
	if len(pages) == 0 {
		return "No pages yet. Write the first: " + p.Cmd(`remember "prefer small commits"`)
	}
	wide := 0
	for _, pg := range pages {
		wide = max(wide, len(string(pg.Scope))+1+len(pg.Page))
	}
	wide = min(wide, pageColumns)
	var b strings.Builder
	for _, pg := range pages {
		name := PageName(pg.Scope, pg.Page)
		if p.Width > 0 && p.Width < wide+41 {
			name = p.Bold(name) + "\n"
		} else {
			name = p.Bold(Pad(name, wide))
		}
		b.WriteString(name + "  " + Pad(content(pg), 11) + " " + Pad(Bytes(pg.Bytes), 9) + " " +
			p.Faint(pg.Changed.Format("2006-01-02 15:04")) + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// pageColumns bounds the column of names: a page of knowledge that is named by its time
// fits, and one longer name does not push everything to the right.
const pageColumns = 60

// RenderPageTexts is pages as they are, with a heading each when there are
// several.
func RenderPageTexts(pages []engine.PageText, p Paint) string {
	var b strings.Builder
	for i, pg := range pages {
		if len(pages) > 1 {
			if i > 0 {
				b.WriteString("\n")
			}
			b.WriteString(p.Bold("==> "+PageName(pg.Scope, pg.Page)) + "  " + p.Faint(Path(pg.Path)) + "\n")
		}
		b.WriteString(pg.Text)
		if !strings.HasSuffix(pg.Text, "\n") && pg.Text != "" {
			b.WriteString("\n")
		}
	}
	return b.String()
}

// content is how much stands on a page.
func content(pg engine.PageInfo) string {
	if pg.Encrypted {
		return "encrypted"
	}
	return Plural(pg.Entries, "entry")
}
