package page

import (
	"strings"

	"github.com/pimento-memory/pimento"
)

// cutLog cuts a log: what stands above the first stamp by hand is cut as a
// list, every stamp after that opens a block that reaches to the next one.
func (p *Page) cutLog() {
	first := p.nextStamp(p.body)
	p.cutList(first)
	lines := 1 + strings.Count(p.src[:first], "\n")
	for at := first; at < len(p.src); {
		next := p.nextStamp(lineAt(p.src, at).next)
		p.block(at, next, lines)
		lines += strings.Count(p.src[at:next], "\n")
		at = next
	}
}

// nextStamp is the start of the first stamp line at or after the line start
// at, or the end of the page.
func (p *Page) nextStamp(at int) int {
	for at < len(p.src) {
		i := strings.Index(p.src[at:], "<!-- ")
		if i < 0 {
			break
		}
		at += i
		ln := lineAt(p.src, at)
		if at == p.body || p.src[at-1] == '\n' {
			if _, ok := stampOf(p.src[at:ln.end]); ok {
				return at
			}
		}
		at = ln.next
	}
	return len(p.src)
}

// block makes the entry of one stamped block.
func (p *Page) block(at, to, lines int) {
	top := lineAt(p.src, at)
	st, _ := stampOf(p.src[at:top.end])
	own, end := top.next, at+len(strings.TrimRight(p.src[at:to], " \t\r\n"))
	for own < end && isBlank(p.src[own:lineAt(p.src, own).end]) {
		own = lineAt(p.src, own).next
	}
	if own >= end {
		return
	}
	end = lineAt(p.src, end).next
	e := cut{own: own, text: own, box: -1, stamp: at, form: blockForm}
	entry := pimento.Entry{
		Kind: pimento.KindNote, Span: pimento.Span{Start: at, End: end},
		Line:  lines + strings.Count(p.src[at:own], "\n"),
		Stamp: st.time, Session: st.session,
	}
	first := lineAt(p.src, own)
	if st.handoff {
		entry.Kind = pimento.KindHandoff
	}
	if _, text := headingOf(p.src[own:first.end]); strings.HasPrefix(text, summaryHeading) || st.handoff && text == handoffHeading {
		entry.Kind = pimento.KindHandoff
		if first.next < end && strings.TrimSpace(p.src[first.next:end]) != "" {
			entry.Heading, e.text = text, first.next
		}
	} else if box, done, ok := p.boxBlock(e, end); ok && !st.handoff {
		entry.Kind, entry.Done, e = pimento.KindTask, done, box
	}
	p.keep(e, entry)
}

// boxBlock reads a block that is one bullet with a checkbox and nothing else.
func (p *Page) boxBlock(e cut, end int) (cut, bool, bool) {
	first := lineAt(p.src, e.own)
	s := p.src[e.own:first.end]
	b, ok := bulletOf(s)
	if !ok {
		return e, false, false
	}
	n, done, ok := boxOf(s[b.text:])
	c := cutter{Page: p, src: p.src[:end]}
	if !ok || c.bulletEnd(first) != end {
		return e, false, false
	}
	e.text = e.own + b.text + n
	e.box, e.indent, e.form = e.own+b.text+1, b.hang, itemForm
	return e, done, true
}
