package tool

import (
	"fmt"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/graph"
)

// RenderRelations lists relations for a person, each with where it is said.
func RenderRelations(rs []pimento.Relation, p Paint) string {
	if len(rs) == 0 {
		return "No relations found. What there is: pimento graph health"
	}
	var b strings.Builder
	for _, r := range rs {
		b.WriteString(relationLine(r, p) + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

func relationLine(r pimento.Relation, p Paint) string {
	line := r.String()
	days := ""
	if i := strings.LastIndex(line, " ("); i > 0 && (r.From != "" || r.Until != "") {
		line, days = line[:i], line[i:]
	}
	return Printable(line) + p.Faint(days+"  "+PageName(r.Scope, r.Page))
}

// relationText is what a search tells a model of relations, "" for none.
func relationText(rs []pimento.Relation) string {
	if len(rs) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("### Related")
	for _, r := range rs {
		b.WriteString("\n- " + OneLine(r.String(), 400))
	}
	return b.String()
}

// RenderHealth is a report on the graph for a person.
func RenderHealth(h graph.Health, p Paint) string {
	var b strings.Builder
	row(&b, p, "entities", fmt.Sprint(h.Entities))
	row(&b, p, "relations", fmt.Sprintf("%d that hold, %d that held once", h.Facts, h.Ended))
	row(&b, p, "links", fmt.Sprintf("%d, %d of them broken", h.Links, len(h.Broken)))
	list := func(title string, cs []graph.Count) {
		if len(cs) == 0 {
			return
		}
		b.WriteString("\n" + p.Bold(title) + "\n")
		for _, c := range cs {
			fmt.Fprintf(&b, "%6d  %s\n", c.N, Printable(c.Name))
		}
	}
	list("Predicates", h.Predicates)
	list("Pages", h.Pages)
	if len(h.Busiest) > 0 {
		b.WriteString("\n" + p.Bold("Busiest") + "\n")
		for _, d := range h.Busiest {
			fmt.Fprintf(&b, "%6d  %s %s\n", d.In+d.Out, Printable(d.Name), p.Faint(fmt.Sprintf("%d out, %d in", d.Out, d.In)))
		}
	}
	list("Predicates that say little", h.Suspicious)
	if len(h.Broken) > 0 {
		b.WriteString("\n" + p.Bold("Broken links") + "\n")
		for _, r := range h.Broken {
			b.WriteString("        " + relationLine(r, p) + "\n")
		}
	}
	if h.Entities == 0 {
		b.WriteString("\nNothing is related yet. Relations come from the front matter of knowledge/*.md:\n  triples: [[\"alice\", \"owns\", \"auth-service\"]]\n")
	}
	return strings.TrimRight(b.String(), "\n")
}
