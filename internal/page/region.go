package page

import (
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
)

// The lines around the part of a list that is generated. They count only at
// the start of a line and alone on it.
const (
	IndexBegin = "<!-- index:begin -->"
	IndexEnd   = "<!-- index:end -->"
)

// IndexFault says what is wrong with the markers of the generated index, ""
// when they are absent or in order. A page with a fault must not be
// regenerated; its markers are ordinary comments.
func (p *Page) IndexFault() string { return p.fault }

// IndexRegion is the span between the two marker lines of the generated index;
// ok is false when there is none or its markers are at fault.
func (p *Page) IndexRegion() (span pimento.Span, ok bool) {
	if p.region.Len() == 0 {
		return span, false
	}
	begin := lineAt(p.src, p.region.Start)
	last := strings.LastIndex(p.src[:p.region.End], IndexEnd)
	return pimento.Span{Start: begin.next, End: last}, true
}

// findRegion looks for the markers of the generated index.
func (p *Page) findRegion() {
	begins, ends := p.marked(IndexBegin), p.marked(IndexEnd)
	switch {
	case len(begins) == 0 && len(ends) == 0:
	case len(begins) > 1 || len(ends) > 1:
		p.fault = "index markers stand more than once"
	case len(ends) == 0:
		p.fault = "index:begin without index:end"
	case len(begins) == 0:
		p.fault = "index:end without index:begin"
	case ends[0] < begins[0]:
		p.fault = "index:end stands before index:begin"
	default:
		p.region = pimento.Span{Start: begins[0], End: lineAt(p.src, ends[0]).next}
	}
}

// marked is the start of every line of the body that is exactly mark.
func (p *Page) marked(mark string) (starts []int) {
	for at := p.body; ; {
		i := strings.Index(p.src[at:], mark)
		if i < 0 {
			return starts
		}
		at += i
		ln := lineAt(p.src, at)
		if (at == p.body || p.src[at-1] == '\n') && isBlank(p.src[at+len(mark):ln.end]) {
			starts = append(starts, at)
		}
		at = ln.next
	}
}

// Conflicted reports whether the page holds an unresolved git conflict outside
// its generated index: a line "<<<<<<< ", then "=======", then ">>>>>>> ". Until
// somebody resolves it the page says what its first side says, and only a log
// takes new entries, below it.
func (p *Page) Conflicted() bool {
	for _, at := range p.conflicts {
		if at < p.region.Start || at >= p.region.End {
			return true
		}
	}
	return false
}

// Agreed is the page as it reads while conflicts are open: itself without any,
// else a page of its own without their marker lines and other sides.
func (p *Page) Agreed() *Page {
	if len(p.conflicts) == 0 {
		return p
	}
	var b []byte
	at := 0
	for _, s := range p.unsaid {
		b = append(b, p.raw[at:s.Start]...)
		at = s.End
	}
	return ParseAs(p.dialect, p.rel, append(b, p.raw[at:]...))
}

// disputed reports whether an open conflict runs through a span.
func (p *Page) disputed(span pimento.Span) bool {
	return slices.ContainsFunc(p.unsaid, func(s pimento.Span) bool { return s.Start < span.End && span.Start < s.End })
}

// findConflicts notes the marker lines of every complete git conflict, and puts
// blanks in the place of those and of all sides but the first.
func (p *Page) findConflicts() {
	if !strings.Contains(p.src, "<<<<<<< ") {
		return
	}
	var open []int // the markers of a conflict that is not closed yet
	split := false
	for at := 0; at < len(p.src); {
		ln := lineAt(p.src, at)
		s := p.src[at:ln.end]
		switch {
		case strings.HasPrefix(s, "<<<<<<< "):
			open, split = append(open[:0], at), false
		case len(open) > 0 && strings.HasPrefix(s, "||||||| "):
			open = append(open, at)
		case len(open) > 0 && s == "=======":
			open, split = append(open, at), true
		case split && strings.HasPrefix(s, ">>>>>>> "):
			p.conflicts = append(append(p.conflicts, open...), at)
			p.unsaid = append(p.unsaid, pimento.Span{Start: open[0], End: lineAt(p.src, open[0]).next},
				pimento.Span{Start: open[1], End: ln.next})
			open, split = open[:0], false
		}
		at = ln.next
	}
	if len(p.unsaid) == 0 {
		return
	}
	b := []byte(p.src)
	for _, s := range p.unsaid {
		for i := s.Start; i < s.End; i++ {
			if b[i] != '\n' {
				b[i] = ' '
			}
		}
	}
	p.src = string(b)
}

// looksConflicted reports a line that git writes around a conflict; alone it
// is text, but it may complete what stands elsewhere on the page.
func looksConflicted(s string) bool {
	return strings.HasPrefix(s, "<<<<<<< ") || s == "=======" || strings.HasPrefix(s, ">>>>>>> ")
}
