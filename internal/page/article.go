package page

import (
	"strings"

	"github.com/pimento-memory/pimento"
)

// A section is a level-2 section of an article.
type section struct {
	start, text, end int
	title            string
}

// cutArticle cuts an article: the whole file is one entry under knowledge/ and
// where there are no level-2 headings; else the lead is one, and every section.
func (p *Page) cutArticle() {
	p.cutSections()
	at, lines := 0, 1
	for i := range p.entries { // lines are counted once, over all entries
		text := p.cuts[i].text
		lines += strings.Count(p.src[at:text], "\n")
		at, p.entries[i].Line = text, lines
	}
}

func (p *Page) cutSections() {
	if p.isWikiIndex() {
		return
	}
	lead, sections := p.sections()
	p.reserve(len(sections) + 1)
	if knowledge := isKnowledge(p.rel); knowledge || len(sections) == 0 {
		if !knowledge && !p.hasProse(p.body, len(p.src)) {
			return // a title says nothing yet
		}
		whole := cut{own: p.body, text: p.body, box: -1, stamp: -1, form: articleForm}
		p.article(whole, pimento.Span{End: len(p.src)}, "")
		return
	}
	if p.hasProse(p.body, lead) {
		p.article(cut{own: p.body, text: p.body, box: -1, stamp: -1, form: articleForm}, p.tight(p.body, lead), "")
	}
	for _, s := range sections {
		heading := joinHeadings([]string{p.title, s.title})
		p.article(cut{own: s.start, text: s.text, box: -1, stamp: -1, form: articleForm}, p.tight(s.start, s.end), heading)
	}
}

// isWikiIndex reports whether the page is the list of all pages that an older
// system wrote anew on every turn: it repeats their titles, and says nothing. One
// that a person wrote in its place begins otherwise.
func (p *Page) isWikiIndex() bool {
	return p.rel == KnowledgeDir+"index.md" && !p.hasMeta &&
		strings.TrimRight(p.src[p.body:lineAt(p.src, p.body).end], " \t") == "# Wiki Index"
}

// isKnowledge reports whether rel is an article with front matter.
func isKnowledge(rel string) bool { return strings.HasPrefix(Origin(rel), KnowledgeDir) }

// article keeps one entry of an article.
func (p *Page) article(e cut, span pimento.Span, heading string) {
	for e.text < span.End && isBlankAt(p.src, e.text) {
		e.text = lineAt(p.src, e.text).next
	}
	if e.text >= span.End {
		return
	}
	kind := pimento.KindReference
	if p.meta.Type != "" {
		kind = KindOfType(p.meta.Type)
	}
	p.keep(e, pimento.Entry{
		Kind: kind, Heading: heading, Span: span, Stamp: p.meta.Date,
	})
}

// isBlankAt reports whether the line at at is blank; the end of the page is.
func isBlankAt(src string, at int) bool {
	return at >= len(src) || isBlank(src[at:lineAt(src, at).end])
}

// tight is a span without the blank lines at its end.
func (p *Page) tight(start, end int) pimento.Span {
	last := start + len(strings.TrimRight(p.src[start:end], " \t\r\n"))
	if last < end {
		end = lineAt(p.src, last).next
	}
	return pimento.Span{Start: start, End: end}
}

// hasProse reports whether anything but blank lines, marks and level-1 headings
// stands in a run of lines.
func (p *Page) hasProse(at, end int) bool {
	for at < end {
		ln := lineAt(p.src, at)
		s := p.src[at:ln.end]
		if level, _ := headingOf(s); level != 1 {
			if rest, _ := trimMarks(s); !isBlank(rest) {
				return true
			}
		}
		at = ln.next
	}
	return false
}

// sections finds the level-2 headings outside fences, and where the lead ends.
func (p *Page) sections() (lead int, sections []section) {
	c := cutter{Page: p, src: p.src}
	for at := p.body; at < len(p.src); {
		ln := lineAt(p.src, at)
		s := p.src[at:ln.end]
		level, text := headingOf(s)
		switch {
		case level == 1 && p.title == "":
			p.title, _ = trimMarks(text)
		case level == 2:
			if n := len(sections); n > 0 {
				sections[n-1].end = at
			} else {
				lead = at
			}
			text, _ = trimMarks(text)
			sections = append(sections, section{start: at, text: ln.next, end: len(p.src), title: text})
		case level == 0:
			if end := c.fenceEnd(ln); end > 0 {
				at = end
				continue
			}
		}
		at = ln.next
	}
	return lead, sections
}
