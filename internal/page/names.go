package page

import (
	"path"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
)

// name says by what links an entry is meant: an article by its file, with and
// without its directory and keywords, and by its title; a section by its own
// title; anything by its anchor.
func (p *Page) name(e *pimento.Entry) {
	add := func(names ...string) {
		for _, n := range names {
			if n = strings.TrimSpace(n); n != "" {
				e.Names = append(e.Names, n)
			}
		}
	}
	if e.Anchor != "" {
		add("^" + e.Anchor)
	}
	if p.dialect != Article {
		return
	}
	if i := strings.LastIndex(e.Heading, " > "); i >= 0 {
		add(e.Heading[i+len(" > "):])
		return
	}
	rel := strings.TrimSuffix(p.rel, ".md")
	base, _, hasKeywords := strings.Cut(path.Base(rel), "--")
	add(rel)
	if base != rel || hasKeywords {
		add(base)
	}
	if p.meta.Title != "" && p.meta.Title != base {
		add(p.meta.Title)
	} else if p.title != base {
		add(p.title)
	}
}

// replaced finds the links of which a text says that it makes them obsolete: the
// word stands right before the link.
func replaced(text string, links []string) (out []string) {
	if len(links) == 0 {
		return nil
	}
	for i := 0; ; i += 2 {
		next := strings.Index(text[i:], "[[")
		if next < 0 {
			return distinct(out)
		}
		i += next
		if l, size := wikiLink(text[i:]); size > 0 && slices.Contains(links, l) && saysReplaced(text[:i]) {
			out = append(out, l)
		}
	}
}

// saysReplaced says whether what follows a text is obsolete by it.
func saysReplaced(before string) bool {
	before = strings.ToLower(strings.TrimRight(before[max(0, len(before)-40):], " :"))
	for _, w := range [...]string{"supersedes", "superseding", "replaces", "replacing", "instead of", "取代", "替代"} {
		if strings.HasSuffix(before, w) {
			return true
		}
	}
	return false
}
