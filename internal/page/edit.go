package page

import (
	"strings"

	"github.com/pimento-memory/pimento"
)

// Replace returns the splices that give an entry another text. Bullet, box,
// category, stamp, pin, anchor and line endings stay. It is nil when the page
// has no such entry, when nothing would change, and when the text is blank or
// cannot stand there without changing another entry.
func (p *Page) Replace(e pimento.Entry, text string) []pimento.Splice {
	i := p.locate(e.Statement, e.N)
	if text = Clean(text); i < 0 || text == "" || text == p.entries[i].Text {
		return nil
	}
	old, own := p.cuts[i], p.own(i)
	_, m := old.form.decode(p.src[own.Start:own.End], old.indent)
	eol := p.eolOf(i)
	want := func(e pimento.Entry) bool { return e.Text == text && sameState(&e, &p.entries[i]) }
	for _, body := range rewritings(old.form, text, old.indent, eol) {
		splice := []pimento.Splice{{Off: own.Start, Del: own.Len(), Ins: []byte(withMarks(body, m, old.indent, eol))}}
		if p.attempt(splice, i, 1, want) {
			return splice
		}
	}
	return nil
}

// rewritings lists the ways to write a text in a form, best first. A paragraph
// that cannot be one becomes a bullet, indented if it must be so that what is
// indented below it does not become part of it.
func rewritings(f form, text string, hang int, eol string) []string {
	switch f {
	case plainForm:
		list := []string{f.encode(text, 0, eol, strict)}
		for _, pad := range [...]string{"", "   "} {
			list = append(list, pad+"- "+itemForm.encode(text, len(pad)+2, eol, strict))
		}
		return list
	case articleForm:
		return []string{f.encode(text, 0, eol, calm), f.encode(text, 0, eol, wary), f.encode(text, 0, eol, strict)}
	}
	return []string{f.encode(text, hang, eol, strict)}
}

// own is the span of an entry's text with its marks, without white space at
// its end.
func (p *Page) own(i int) pimento.Span {
	start, end := p.cuts[i].text, p.entries[i].Span.End
	return pimento.Span{Start: start, End: start + len(strings.TrimRight(p.src[start:end], " \t\r\n"))}
}

// eolOf is the line ending that an entry uses.
func (p *Page) eolOf(i int) string {
	ln := lineAt(p.src, p.cuts[i].own)
	switch end := p.src[ln.end:ln.next]; {
	case end == "\n":
		return end
	case strings.HasSuffix(end, "\r\n"):
		return "\r\n"
	}
	return p.eol
}

// Remove returns the splices that take out an entry's own lines, its stamp line
// when that dates nothing else, and one blank line when there would be two. It
// is nil when the page has no such entry or when the entries around it would
// run into each other.
func (p *Page) Remove(e pimento.Entry) []pimento.Splice {
	i := p.locate(e.Statement, e.N)
	if i < 0 {
		return nil
	}
	span := p.entries[i].Span
	if p.sharesStamp(i) {
		span.Start = p.cuts[i].own
	}
	for _, splice := range [...]pimento.Splice{
		p.Tidied(span),
		{Off: span.Start, Del: span.Len()},
		{Off: span.Start, Del: span.Len(), Ins: []byte(p.eolOf(i))},
	} {
		if splices := []pimento.Splice{splice}; p.attempt(splices, i, 1, nil) {
			return splices
		}
	}
	return nil
}

// sharesStamp reports whether the stamp of the i-th entry dates its neighbour,
// too.
func (p *Page) sharesStamp(i int) bool {
	at := p.cuts[i].stamp
	return at >= 0 && (i > 0 && p.cuts[i-1].stamp == at || i+1 < len(p.cuts) && p.cuts[i+1].stamp == at)
}

// Tidied removes a span of lines together with the blank line above it, or at
// the top of the page below it, when blank lines or an end of the page would
// meet.
func (p *Page) Tidied(span pimento.Span) pimento.Splice {
	above := p.lineBefore(span.Start)
	switch {
	case !isBlankAt(p.src, span.End):
	case above.start < span.Start && isBlank(p.src[above.start:above.end]):
		span.Start = above.start
	case above.start == span.Start && span.End < len(p.src):
		span.End = lineAt(p.src, span.End).next
	}
	return pimento.Splice{Off: span.Start, Del: span.Len()}
}

// lineBefore is the line above the line start at; it starts at at when there
// is none in the body.
func (p *Page) lineBefore(at int) line {
	if at <= p.body {
		return line{at, at, at}
	}
	start := p.body + strings.LastIndexByte(p.src[p.body:at-1], '\n') + 1
	return lineAt(p.src, start)
}

// SetDone returns the splice that ticks or clears an entry's box, nil when it
// has none or it is so already.
func (p *Page) SetDone(e pimento.Entry, done bool) []pimento.Splice {
	i := p.locate(e.Statement, e.N)
	if i < 0 || p.cuts[i].box < 0 || p.entries[i].Done == done {
		return nil
	}
	mark := " "
	if done {
		mark = "x"
	}
	return []pimento.Splice{{Off: p.cuts[i].box, Del: 1, Ins: []byte(mark)}}
}

// SetPinned returns the splices that put " *(pinned)*" at the end of an entry's
// last line (on a line below it where that line would mean something else), or
// take every pin off it. It is nil when the page has no such entry or it is so
// already.
func (p *Page) SetPinned(e pimento.Entry, on bool) []pimento.Splice {
	i := p.locate(e.Statement, e.N)
	if i < 0 || p.entries[i].Pinned == on {
		return nil
	}
	tries := [][]pimento.Splice{p.unpinned(i)}
	if on {
		own := p.own(i)
		below := p.eolOf(i) + strings.Repeat(" ", p.cuts[i].indent) + pinMark
		tries = [][]pimento.Splice{{p.pinned(i)}, {{Off: own.End, Ins: []byte(below)}}}
	}
	want := p.entries[i]
	want.Pinned = on
	same := func(got pimento.Entry) bool { return got.Text == want.Text && sameState(&got, &want) }
	for _, splices := range tries {
		if p.attempt(splices, i, 1, same) {
			return splices
		}
	}
	return nil
}

// pinned is the splice that writes a pin behind the text of the last line, in
// front of other marks.
func (p *Page) pinned(i int) pimento.Splice {
	own, hang := p.own(i), p.cuts[i].indent
	last := max(own.Start, strings.LastIndexByte(p.src[:own.End], '\n')+1)
	s := p.src[last:own.End]
	rest, m := trimMarks(s)
	if isBlank(rest) { // the marks have a line of their own
		_, off := indentOf(s)
		return pimento.Splice{Off: last + off, Ins: []byte(pinMark + " ")}
	}
	gap := " "
	if !m.any() {
		gap = markGap(p.src[own.Start:own.End], hang, p.eolOf(i))
	}
	return pimento.Splice{Off: last + len(rest), Ins: []byte(gap + pinMark)}
}

// unpinned are the splices that take the pins off an entry's first line and off
// its last ones.
func (p *Page) unpinned(i int) (splices []pimento.Splice) {
	own := p.own(i)
	for end := own.End; ; {
		start := max(own.Start, strings.LastIndexByte(p.src[:end], '\n')+1)
		cuts, bare := p.unpinLine(start, end, start > own.Start)
		if start > own.Start || !bare {
			splices = append(cuts, splices...)
		}
		if start == own.Start {
			break
		}
		if end = p.lineBefore(start).end; !bare {
			end = lineAt(p.src, own.Start).end
		}
	}
	return splices
}

// unpinLine removes the pins at the end of a line, each with the white space
// before it, and the line with them when nothing else is on it. bare reports
// that the line holds marks only.
func (p *Page) unpinLine(start, end int, whole bool) (splices []pimento.Splice, bare bool) {
	s := p.src[start:end]
	rest, m := trimMarks(strings.TrimRight(s, "\r"))
	bare = isBlank(rest)
	if whole && bare && m == (marks{pinned: true}) {
		above := p.lineBefore(start)
		return []pimento.Splice{{Off: above.end, Del: end - above.end}}, true
	}
	for r := strings.TrimRight(s, " \t\r"); len(r) > len(rest); {
		at := markAtEnd(r)
		if at < 0 {
			break
		}
		left := strings.TrimRight(r[:at], " \t")
		if r[at:] == pinMark {
			splices = append([]pimento.Splice{{Off: start + len(left), Del: len(r) - len(left)}}, splices...)
		}
		r = left
	}
	return splices, bare
}
