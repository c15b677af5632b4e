package page

import (
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
)

// A lineKind is what a line at the margin is.
type lineKind uint8

const (
	textLine lineKind = iota
	blankLine
	headingLine
	bulletLine
	commentLine // a comment that has its lines to itself, stamps included
	ruleLine    // a thematic break
	fenceLine   // opens a fence that is closed
)

// A cutter cuts a run of text into bullets and paragraphs.
type cutter struct {
	*Page
	src   string // the page up to where the run ends
	at    int
	lines int // number of lines before the offset counted
	seen  int // the offset counted

	headings []string // by level, from 1; "" for a level left out
	path     string   // headings joined
	kind     pimento.Kind

	stamp   stamp
	stampAt int  // start of the live stamp line, -1 when none is
	stampTo int  // end of the live stamp line
	fresh   bool // nothing but a heading has followed the stamp

	unclosed [2]unclosedFence // by mark: '`' and '~'
}

// An unclosedFence remembers a search for a closing fence that failed, so that
// the same lines are not searched again for the next opening.
type unclosedFence struct{ n, until int }

// cutList cuts the body up to end in the list dialects.
func (p *Page) cutList(end int) {
	c := &cutter{Page: p, src: p.src[:end], at: p.body, lines: 1, stampAt: -1}
	c.kind = c.headingKind()
	p.reserve(1 + strings.Count(c.src, "\n- ") + strings.Count(p.src[end:], "\n<!-- "))
	for c.at < len(c.src) {
		if c.at == p.region.Start && p.region.Len() > 0 {
			c.at = p.region.End
			c.dropStamp()
			continue
		}
		c.step()
	}
}

// step takes one construct.
func (c *cutter) step() {
	ln := lineAt(c.src, c.at)
	kind, next := c.classify(ln)
	switch kind {
	case blankLine:
		if !c.fresh || c.stampTo == ln.start {
			c.dropStamp()
		}
	case headingLine:
		c.heading(ln)
	case commentLine:
		c.comment(ln)
	case ruleLine:
		c.dropStamp()
	case bulletLine:
		next = c.bullet(ln)
	default:
		next = c.paragraph(ln)
	}
	c.at = next
}

// classify says what a line at the margin is and where what it opens ends.
func (c *cutter) classify(ln line) (kind lineKind, next int) {
	s := c.src[ln.start:ln.end]
	cols, off := indentOf(s)
	if off == len(s) {
		return blankLine, ln.next
	}
	if cols > 3 {
		return textLine, ln.next
	}
	switch ch := s[off]; ch {
	case '#':
		if level, _ := headingOf(s); level > 0 {
			return headingLine, ln.next
		}
	case '-', '*', '_', '+', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		if ch < '0' && isRule(s) || ch == '_' && isRule(s) {
			return ruleLine, ln.next
		}
		if _, ok := bulletOf(s); ok {
			return bulletLine, ln.next
		}
	case '<':
		if off == 0 && strings.HasPrefix(s, "<!--") {
			if end := c.commentEnd(ln); end > 0 {
				return commentLine, end
			}
		}
	case '`', '~':
		if end := c.fenceEnd(ln); end > 0 {
			return fenceLine, end
		}
	}
	return textLine, ln.next
}

// commentEnd is where a comment that has its lines to itself ends, 0 when the
// line does not open one. A comment holds no other one, so that an unclosed one
// hides nothing that a later one closes.
func (c *cutter) commentEnd(ln line) int {
	for first := ln; ; {
		s := c.src[ln.start:ln.end]
		if ln.start != first.start && strings.Contains(s, "<!--") {
			return 0
		}
		if i := strings.Index(s, "-->"); i >= 0 {
			if !isBlank(s[i+len("-->"):]) {
				return 0
			}
			return ln.next
		}
		if ln.next >= len(c.src) {
			return 0
		}
		ln = lineAt(c.src, ln.next)
	}
}

// fenceEnd is where a fenced code block ends, 0 when the line does not open one
// that is closed before the next stamp or generated index.
func (c *cutter) fenceEnd(ln line) int {
	fence := fenceOf(c.src[ln.start:ln.end])
	if fence == "" {
		return 0
	}
	known := &c.unclosed[0]
	if fence[0] == '~' {
		known = &c.unclosed[1]
	}
	if ln.start < known.until && len(fence) >= known.n {
		return 0
	}
	at := ln.next
	for at < len(c.src) {
		l := lineAt(c.src, at)
		s := c.src[l.start:l.end]
		if closesFence(s, fence) {
			return l.next
		}
		if c.endsFence(s, at) {
			break
		}
		at = l.next
	}
	c.openFence = true
	*known = unclosedFence{n: len(fence), until: at}
	return 0
}

// endsFence reports a line that no fence reaches over.
func (c *cutter) endsFence(s string, at int) bool {
	if !strings.HasPrefix(s, "<") {
		return false
	}
	_, ok := stampOf(s)
	return ok || at == c.region.Start && c.region.Len() > 0
}

// comment takes a comment; a stamp dates what follows it.
func (c *cutter) comment(ln line) {
	c.dropStamp()
	if st, ok := stampOf(c.src[ln.start:ln.end]); ok && !st.handoff {
		c.stamp, c.stampAt, c.stampTo, c.fresh = st, ln.start, ln.next, true
	}
}

func (c *cutter) dropStamp() { c.stamp, c.stampAt, c.fresh = stamp{}, -1, false }

// heading takes a heading. It ends the reach of a stamp, except of one directly
// above it: then the heading is part of what was stamped.
func (c *cutter) heading(ln line) {
	if !c.fresh || c.stampTo != ln.start {
		c.dropStamp()
	}
	level, text := headingOf(c.src[ln.start:ln.end])
	text, _ = trimMarks(text)
	if level == 1 && c.title == "" {
		c.title = text
	}
	for len(c.headings) < level {
		c.headings = append(c.headings, "")
	}
	c.headings = append(c.headings[:level-1], text)
	c.path = joinHeadings(c.headings)
	c.kind = c.headingKind()
	c.heads = append(c.heads, head{path: c.path, end: ln.next, first: len(c.entries)})
}

func joinHeadings(headings []string) string {
	var named []string
	for _, h := range headings {
		if h != "" {
			named = append(named, h)
		}
	}
	return strings.Join(named, " > ")
}

// headingKind is the kind of an entry here that names none: what the nearest
// telling heading says, else the page.
func (c *cutter) headingKind() pimento.Kind {
	if c.dialect == Log {
		return pimento.KindNote
	}
	for i := len(c.headings) - 1; i >= 0; i-- {
		if k := headingKind(c.headings[i]); k != "" {
			return k
		}
	}
	if k := topicKind(c.rel); k != "" {
		return k
	}
	return pimento.KindFact
}

// bullet takes a bullet with its continuation lines and returns where the next
// construct starts.
func (c *cutter) bullet(ln line) int {
	end := c.bulletEnd(ln)
	s := c.src[ln.start:ln.end]
	b, _ := bulletOf(s)
	e := cut{own: ln.start, text: ln.start + b.text, box: -1, indent: b.hang, form: itemForm}
	if b.text == len(s) { // the text starts on a line below
		e.text = end - len(strings.TrimLeft(c.src[e.text:end], " \t\r\n"))
	}
	kind := c.kind
	var done bool
	if n, ticked, ok := boxOf(s[b.text:]); ok {
		e.box, done, kind = e.text+1, ticked, pimento.KindTask
		e.text += n
	}
	if k, n := categoryOf(c.src[min(e.text, ln.end):ln.end]); n > 0 {
		kind = k
		e.text += n
	}
	c.add(e, end, kind, done)
	return end
}

// bulletEnd is where a bullet ends: after the last line that is indented below
// it, or that runs on from it without a blank line between. On a checklist a
// line that is not indented is somebody's own and outlives the item above it.
func (c *cutter) bulletEnd(ln line) int {
	b, _ := bulletOf(c.src[ln.start:ln.end])
	end, blank := ln.next, b.text == ln.end-ln.start // nothing runs on from nothing
	for at := ln.next; at < len(c.src); {
		l := lineAt(c.src, at)
		s := c.src[at:l.end]
		in, off := indentOf(s)
		switch {
		case off == len(s):
			blank = true
			at = l.next
			continue
		case in >= b.indent+2:
			at = l.next
		case blank:
			return end
		default:
			kind, next := c.classify(l)
			if kind != textLine && kind != fenceLine || c.dialect == Checklist {
				return end
			}
			at = next
		}
		end, blank = at, false
	}
	return end
}

// paragraph takes a run of lines up to a blank line or other structure; a
// fence belongs to the run it touches.
func (c *cutter) paragraph(ln line) int {
	end := ln.start
	for end < len(c.src) {
		l := lineAt(c.src, end)
		kind, next := c.classify(l)
		if kind == bulletLine && l.start > ln.start {
			if b, _ := bulletOf(c.src[l.start:l.end]); !b.first {
				kind = textLine
			}
		}
		if kind != textLine && kind != fenceLine {
			break
		}
		end = next
	}
	c.add(cut{own: ln.start, text: ln.start, box: -1, form: plainForm}, end, c.kind, false)
	return end
}

// add makes an entry of a cut that ends at end. A cut without text is opaque.
func (c *cutter) add(e cut, end int, kind pimento.Kind, done bool) {
	e.stamp = c.stampAt
	start := e.own
	if e.stamp >= 0 && c.stampTo == e.own {
		start = e.stamp
	}
	c.count(e.own)
	c.keep(e, pimento.Entry{
		Kind: kind, Heading: c.path, Span: pimento.Span{Start: start, End: end}, Line: c.lines,
		Done: done, Stamp: c.date(), Session: c.stamp.session,
	})
	c.fresh = false
	if c.dialect == Checklist {
		c.dropStamp()
	}
}

// date is the time of the live stamp; a raw note is dated by its front matter.
func (c *cutter) date() time.Time {
	if c.stampAt < 0 && c.dialect == Log {
		return c.meta.Date
	}
	return c.stamp.time
}

// count moves the line count on to at.
func (c *cutter) count(at int) {
	c.lines += strings.Count(c.src[c.seen:at], "\n")
	c.seen = at
}

// reserve makes room for about n entries; of many small pages, too much for each
// would be most of their memory.
func (p *Page) reserve(n int) {
	p.entries = slices.Grow(p.entries, n)
	p.cuts = slices.Grow(p.cuts, n)
}

// keep reads an entry's text and keeps the entry, unless it says nothing.
func (p *Page) keep(e cut, entry pimento.Entry) {
	text, m := e.form.decode(p.src[e.text:entry.Span.End], e.indent)
	if text == "" {
		return
	}
	entry.Page, entry.Text = p.rel, text
	entry.Task = e.box >= 0
	if e.form == itemForm {
		entry.Number = numberOf(p.src[e.own:e.text])
	}
	entry.Pinned, entry.Anchor = m.pinned, m.anchor
	p.entries = append(p.entries, entry)
	p.cuts = append(p.cuts, e)
}

// numberOf is the marker that a bullet of a numbered list begins with, "" of
// another's.
func numberOf(s string) string {
	s = strings.TrimLeft(s, " \t")
	n := strings.IndexAny(s, ".)")
	if n < 1 || s[0] < '0' || s[0] > '9' {
		return ""
	}
	return s[:n+1]
}
