package page

import "github.com/pimento-memory/pimento"

// attempt parses the page as splices would leave it, and reports whether that does
// what was meant and no more: at index i the old entries (none or one) are gone, in
// their place stands the one that is wanted (none where want is nil), every other
// entry says what it said, and the page as a whole is no worse. An entry that an open
// conflict runs through is left to whoever resolves that.
func (p *Page) attempt(splices []pimento.Splice, i, old int, want func(pimento.Entry) bool) bool {
	b, ok := pimento.ApplySplices(p.raw, splices)
	if !ok || old > 0 && p.disputed(p.entries[i].Span) {
		return false
	}
	next := cutPage(p.dialect, p.rel, b)
	fresh := 0
	if want != nil {
		fresh = 1
	}
	if len(next.entries) != len(p.entries)-old+fresh || next.fault != "" && next.fault != p.fault ||
		len(next.conflicts) > len(p.conflicts) || next.openFence && !p.openFence {
		return false
	}
	return (want == nil || want(next.entries[i])) &&
		p.sameAll(p.entries[:i], next.entries[:i]) &&
		p.sameAll(p.entries[i+old:], next.entries[i+fresh:])
}

// sameAll compares entries that an edit had no business with.
func (p *Page) sameAll(a, b []pimento.Entry) bool {
	for i := range a {
		if !p.same(&a[i], &b[i]) {
			return false
		}
	}
	return true
}

// same compares two entries of the page. The heading of a section may change with the
// title of its article.
func (p *Page) same(x, y *pimento.Entry) bool {
	return x.Text == y.Text && sameState(x, y) && (p.dialect == Article || x.Heading == y.Heading)
}

// sameState compares all that is neither text nor place.
func sameState(x, y *pimento.Entry) bool {
	return x.Kind == y.Kind && x.Pinned == y.Pinned && x.Task == y.Task && x.Done == y.Done &&
		x.Stamp.Equal(y.Stamp) && x.Session == y.Session && x.Anchor == y.Anchor
}
