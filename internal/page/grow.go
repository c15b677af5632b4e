package page

import (
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
	if isKnowledge(p.rel) && !n.Stamp.IsZero() {
		at = place{off: p.bom(), before: p.front(n)}
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

// front is the front matter of a new article with the keys that every reader
// of knowledge/ requires, and the blank line below it.
func (p *Page) front(n New) string {
	tier := "L2"
	if n.Pinned {
		tier = "L1"
	}
	lines := []string{"---", "date: " + n.Stamp.Format(time.RFC3339), "type: " + kindType(n.Kind), "tier: " + tier, "---", "", ""}
	return strings.Join(lines, p.eol)
}
