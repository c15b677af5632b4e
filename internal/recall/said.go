package recall

import (
	"path"
	"strings"
	"unicode"

	"github.com/pimento-memory/pimento"
)

// Said is the text of which an entry's vector is made: its own text, and what names
// its subject around it: tags, headings, and the page's name if that says
// something. "MEMORY" and the names of days do not.
func Said(en pimento.Entry) string {
	var b strings.Builder
	b.WriteString(en.Text)
	for _, t := range en.Tags {
		if !strings.Contains(en.Text, "#"+t) {
			b.WriteString("\n" + t)
		}
	}
	if en.Heading != "" {
		b.WriteString("\n" + en.Heading)
	}
	page := strings.TrimSuffix(en.Page, ".md")
	if strings.ContainsFunc(path.Base(page), unicode.IsLower) {
		b.WriteString("\n" + page)
	}
	return b.String()
}
