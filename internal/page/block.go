package page

import (
	"strings"

	"github.com/pimento-memory/pimento"
)

// insertBlock is the splice that adds a text (a heading, paragraphs, bullets)
// to the end of a list as it is, below one stamp line. It is nil unless the
// page then holds what it held, and after that exactly the entries that the
// text has on a page of its own: what a text says must not become a mark, a
// stamp or a piece of what stands above it.
func (p *Page) insertBlock(n New) []pimento.Splice {
	if p.dialect != List || isTopic(p.rel) || n.Stamp.IsZero() || n.Pinned || n.Task || isCategory(n.Kind) || p.openFence {
		return nil
	}
	for line := range strings.SplitSeq(n.Text, "\n") {
		_, isStamp := stampOf(line)
		if _, m := trimMarks(line); isStamp || m.any() {
			return nil
		}
	}
	own := cutPage(List, p.rel, []byte(n.Text))
	if len(own.entries) == 0 || own.openFence || own.hasMeta || own.fault != "" || len(own.conflicts) > 0 || own.region.Len() > 0 {
		return nil
	}
	body := StampLine(n.Stamp, n.Session) + p.eol + strings.ReplaceAll(n.Text, "\n", p.eol) + p.eol
	splices := place{off: len(p.src), before: p.endGap()}.splice(body)
	b, _ := pimento.ApplySplices(p.raw, splices)
	next, old := cutPage(p.dialect, p.rel, b), len(p.entries)
	if len(next.entries) != old+len(own.entries) || next.fault != p.fault || !p.sameAll(p.entries, next.entries[:old]) {
		return nil
	}
	for i, e := range own.entries {
		if got := next.entries[old+i]; got.Text != e.Text || got.Task != e.Task || got.Done != e.Done {
			return nil
		}
	}
	return splices
}
