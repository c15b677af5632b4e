package page

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
)

// growArticle writes a new article, or adds to one.
func (p *Page) growArticle(n New) []pimento.Splice {
	if p.isBlank() {
		return p.newArticle(n)
	}
	at := place{off: len(p.src), before: p.endGap()}
	heading := firstLine(n.Heading)
	if i := p.sectionOf(heading); i >= 0 {
		at = p.after(i)
		at.before += p.eol
		if !isBlankAt(p.src, at.off) {
			at.after = p.eol
		}
	} else if heading != "" {
		at.before += "## " + heading + p.eol + p.eol
	}
	return at.splice(p.prose(n, strict))
}

// sectionOf is the index of the section with a heading, -1 for none.
func (p *Page) sectionOf(heading string) int {
	for i, e := range p.entries {
		if heading != "" && (e.Heading == heading || strings.HasSuffix(e.Heading, " > "+heading)) {
			return i
		}
	}
	return -1
}

// newArticle fills a blank page; under knowledge/ it gets front matter.
func (p *Page) newArticle(n New) []pimento.Splice {
	at := place{off: len(p.src), before: p.endGap()}
	if (isKnowledge(p.rel) || n.Front != nil) && !n.Stamp.IsZero() {
		at = place{off: p.bom(), before: p.frontOf(n)}
	}
	for _, z := range [...]zeal{calm, wary} {
		splice := at.splice(p.prose(n, z))
		if p.attempt(splice, 0, 0, func(e pimento.Entry) bool { return e.Text == n.Text && e.Pinned == n.Pinned }) {
			return splice
		}
	}
	return at.splice(p.prose(n, strict))
}

func (p *Page) prose(n New, z zeal) string {
	return withMarks(articleForm.encode(n.Text, 0, p.eol, z), marks{pinned: n.Pinned}, 0, p.eol) + p.eol
}

// frontOf is the front matter of a new article with the keys that every reader
// of knowledge/ requires, and the blank line below it.
func (p *Page) frontOf(n New) string {
	m := Meta{Type: TypeOf(n.Kind), Tier: TierRelevant}
	if n.Front != nil {
		m = *n.Front
	}
	if n.Pinned {
		m.Tier = TierAlways
	}
	lines := []string{"---", "date: " + n.Stamp.Format(time.RFC3339)}
	add := func(key, value string) {
		if value != "" {
			lines = append(lines, key+": "+value)
		}
	}
	add("type", m.Type)
	add("tier", m.Tier)
	add("tags", flowList(m.Tags))
	add("triples", tripleRows(m.Triples))
	return strings.Join(append(lines, "---", "", ""), p.eol)
}

// flowList is a list as it stands on one line, "" for none.
func flowList(items []string) string {
	if len(items) == 0 {
		return ""
	}
	quoted := make([]string, len(items))
	for i, s := range items {
		quoted[i] = s
		if plain, ok := scalar(s); !ok || plain != s || strings.ContainsAny(s, ",[]{}#&:\n\r\t") {
			b, _ := json.Marshal(s) // a string of JSON is one of YAML, and cannot fail
			quoted[i] = string(b)
		}
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// tripleRows are triples as a line of JSON, "" for none.
func tripleRows(ts []pimento.Triple) string {
	rows := make([]string, len(ts))
	for i, t := range ts {
		b, _ := json.Marshal([]string{t.Subject, t.Predicate, t.Object})
		rows[i] = strings.ReplaceAll(string(b), `","`, `", "`)
	}
	if len(rows) == 0 {
		return ""
	}
	return "[" + strings.Join(rows, ", ") + "]"
}
