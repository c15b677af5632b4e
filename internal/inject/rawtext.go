package inject

import (
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/codeblock"
)

// A body is the text of a page on its way into a raw section, without the
// blank lines around it.
type body struct {
	text string // Text.Body up to the end of the last line that counts
	from int    // where the first line starts
	skip []pimento.Span
	code bool                   // holds what may open or close a code block
	note func(lines int) string // stands where so many are left out
	lead string
}

// A kept line of a body.
type keptLine struct {
	text string // fenced, ends with \n
	size size
	at   int // offset in the body
	end  int
}

// layBody puts a page's text into w under the lead, cut to the room there is.
// It returns how many lines were left out, and whether anything stands.
func (b *build) layBody(w *filler, lead string, sec *pimento.Section, t *Text) (left int, stands bool) {
	p, ok := b.bodyOf(sec, t)
	if sec.Pick == pimento.PickHandoff && len(t.IDs) > 0 {
		b.handedOff[t.IDs[0]] = true
	}
	if !ok {
		return 0, false
	}
	p.lead = lead
	room := w.room.minus(measure(lead))
	head, whole := p.forward(room)
	if whole && p.place(w, head, nil, "") {
		b.claim(w, t, 0, len(t.Body), true)
		return 0, true
	}
	p.note = func(lines int) string { return b.cutNote(t, lines) }
	return p.cut(w, room, sec.Trim, head, func(from, to int) { b.claim(w, t, from, to, false) })
}

// bodyOf trims a text and finds the lines that already stand in the block.
func (b *build) bodyOf(sec *pimento.Section, t *Text) (body, bool) {
	text := strings.TrimRight(t.Body, " \t\r\n")
	from := 0
	for i := 0; i < len(text) && strings.IndexByte(" \t\r\n\ufeff", text[i]) >= 0; i++ {
		if text[i] == '\n' {
			from = i + 1
		}
	}
	p := body{text: text, from: from}
	if len(t.Spans) == len(t.IDs) {
		for i, id := range t.IDs {
			if b.shown[id] || b.handedOff[id] {
				p.skip = append(p.skip, t.Spans[i])
			}
		}
	}
	if sec.Pick == pimento.PickHandoff && b.p.SectionOf(pimento.PickTasks) != nil {
		p.skipTasks()
	}
	p.skipGaps()
	p.code = mayHoldCode(text)
	if len(p.skip) == 0 {
		return p, from < len(text)
	}
	for at := from; at < len(text); {
		end := p.lineEnd(at)
		if !p.skipped(at) && strings.TrimSpace(text[at:end]) != "" {
			return p, true
		}
		at = end
	}
	return p, false
}

// skipTasks leaves out the tasks that were open when a handoff was written, and
// the line that announces them. What is still open stands in its own section;
// what was finished since must not be asserted as open.
func (p *body) skipTasks() {
	task := false // its further lines are indented
	for at := p.from; at < len(p.text); {
		end := p.lineEnd(at)
		line := p.text[at:end]
		task = strings.HasPrefix(strings.TrimSpace(line), "- [ ] ") || task && strings.HasPrefix(line, "  ")
		if task || strings.TrimSpace(line) == "**Open scratchpad items:**" {
			p.skip = append(p.skip, pimento.Span{Start: at, End: end})
		}
		at = end
	}
}

// skipGaps leaves out the blank lines below what is left out, if there are some above
// it, too, and at the end of the text those above it.
func (p *body) skipGaps() {
	slices.SortFunc(p.skip, func(x, y pimento.Span) int { return x.Start - y.Start })
	runs := p.skip[:0]
	for _, s := range p.skip {
		if n := len(runs); n > 0 && s.Start <= runs[n-1].End {
			runs[n-1].End = max(runs[n-1].End, s.End)
		} else {
			runs = append(runs, s)
		}
	}
	p.skip = runs
	rest := len(p.text) // what is left out reaches from here to the end
	for i := range slices.Backward(p.skip) {
		s := &p.skip[i]
		end := s.End
		for end < rest && p.blank(end) {
			end = p.lineEnd(end)
		}
		if above, ok := p.blankAbove(s.Start); end >= rest {
			for s.End = end; ok; above, ok = p.blankAbove(s.Start) {
				s.Start = above
			}
			rest = s.Start
		} else if ok || s.Start <= p.from {
			s.End = end
		}
	}
}

// blankAbove is where the line above a place starts; ok tells that there is one and
// that it is blank.
func (p *body) blankAbove(at int) (above int, ok bool) {
	if at <= p.from {
		return at, false
	}
	above = strings.LastIndexByte(p.text[:at-1], '\n') + 1
	return above, above >= p.from && p.blank(above)
}

func (p *body) blank(at int) bool { return strings.TrimSpace(p.text[at:p.lineEnd(at)]) == "" }

// lineEnd is the offset after the line that starts at.
func (p *body) lineEnd(at int) int {
	if i := strings.IndexByte(p.text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(p.text)
}

func (p *body) skipped(at int) bool {
	return slices.ContainsFunc(p.skip, func(s pimento.Span) bool { return at >= s.Start && at < s.End })
}

// lines counts the lines that could stand.
func (p *body) lines() int {
	n := strings.Count(p.text[p.from:], "\n") + 1
	for _, s := range p.skip {
		from, to := max(s.Start, p.from), min(s.End, len(p.text))
		if from < to {
			n -= strings.Count(p.text[from:to], "\n")
			if to == len(p.text) {
				n--
			}
		}
	}
	return n
}

// line fences the line at [at, end).
func (p *body) line(at, end int) keptLine {
	as := strings.TrimRight(p.text[at:end], "\r\n")
	s := fenceLines(as, true)
	if s == as && len(as) == end-at-1 {
		s = p.text[at:end] // as it is, line break included
	} else {
		s += "\n"
	}
	return keptLine{s, measure(s), at, end}
}

// forward collects lines from the top as long as they fit, and says whether
// they are all there are.
func (p *body) forward(room size) (lines []keptLine, whole bool) {
	lines = make([]keptLine, 0, min(len(p.text)/32+1, 64))
	for at := p.from; at < len(p.text); {
		end := p.lineEnd(at)
		if !p.skipped(at) {
			if !rough(end - at).within(room) {
				return lines, false
			}
			l := p.line(at, end)
			if !l.size.within(room) {
				return lines, false
			}
			room = room.minus(l.size)
			lines = append(lines, l)
		}
		at = end
	}
	return lines, true
}

// backward collects lines from the bottom, down to the offset limit.
func (p *body) backward(room size, limit int) (lines []keptLine) {
	for end := len(p.text); end > limit; {
		at := strings.LastIndexByte(p.text[:end-1], '\n') + 1
		at = max(at, p.from)
		if !p.skipped(at) {
			if !rough(end - at).within(room) {
				break
			}
			l := p.line(at, end)
			if !l.size.within(room) {
				break
			}
			room = room.minus(l.size)
			lines = append(lines, l)
		}
		end = at
	}
	slices.Reverse(lines)
	return lines
}

// cut places the part of the body that its section wants to survive. head is
// what fits from the top when nothing is reserved.
func (p *body) cut(w *filler, room size, trim string, fitting []keptLine, claim func(from, to int)) (left int, stands bool) {
	total, whole := p.lines(), room
	room = room.minus(p.codeReserve())
	head, tail := p.ends(trim, fitting, room.minus(measure(p.note(total))))
	noted := len(head)+len(tail) > 0
	if !noted { // the note is not worth the only line
		head, tail = p.ends(trim, fitting, room)
	}
	if len(head)+len(tail) == 0 {
		return total, p.clip(w, whole, trim)
	}
	left = total - len(head) - len(tail)
	note := ""
	if noted {
		note = p.note(left)
	}
	if !p.place(w, head, tail, note) {
		return total, false
	}
	for _, part := range [][]keptLine{head, tail} {
		if len(part) > 0 {
			claim(part[0].at, part[len(part)-1].end)
		}
	}
	return left, true
}

// ends chooses the lines that survive. In the middle mode the head gets half
// of the room, rounded up, and the tail what is left.
func (p *body) ends(trim string, fitting []keptLine, room size) (head, tail []keptLine) {
	switch trim {
	case "end":
		return nil, p.backward(room, p.from)
	case "middle":
		head = fit(fitting, room.half())
		limit := p.from
		for _, l := range head {
			room, limit = room.minus(l.size), l.end
		}
		return head, p.backward(room, limit)
	}
	return fit(fitting, room), nil
}

// fit is the longest beginning of lines that fits the room.
func fit(lines []keptLine, room size) []keptLine {
	for i, l := range lines {
		if room = room.minus(l.size); !(size{}).within(room) {
			return lines[:i]
		}
	}
	return lines
}

// codeReserve is what it costs to open and close code blocks around a cut.
func (p *body) codeReserve() size {
	if !p.code {
		return size{}
	}
	one := measure(strings.Repeat("`", maxFenceRun) + "\n")
	return one.plus(one).plus(one)
}

// place writes the lead, head, note and tail, with every code block in them
// closed, if it all fits.
func (p *body) place(w *filler, head, tail []keptLine, note string) bool {
	reopen, closeHead, closeTail := p.closers(head, tail)
	frame := [...]string{p.lead, closeHead, note, reopen, closeTail}
	var all size
	for _, s := range frame {
		all = all.plus(measure(s))
	}
	for _, part := range [][]keptLine{head, tail} {
		for i := range part {
			all = all.plus(part[i].size)
		}
	}
	if !all.within(w.room) {
		return false
	}
	w.write(p.lead)
	w.writeLines(head)
	w.write(closeHead)
	w.write(note)
	w.write(reopen)
	w.writeLines(tail)
	w.write(closeTail)
	w.charge(all)
	return true
}

func (w *filler) writeLines(lines []keptLine) {
	for i := range lines {
		w.write(lines[i].text)
	}
}

// closers are the lines that keep code blocks whole around a cut: one closes
// what the head leaves open, one opens again what the tail starts within, and
// one closes what is open at the end.
func (p *body) closers(head, tail []keptLine) (reopen, closeHead, closeTail string) {
	line := func(f codeblock.Fence) string {
		if f == "" {
			return ""
		}
		return string(f) + "\n"
	}
	end := func(lines []keptLine, f codeblock.Fence) string {
		for i := range lines {
			f = fenceAfter(f, lines[i].text)
		}
		return line(f)
	}
	var open codeblock.Fence // where the tail begins
	if p.code && len(tail) > 0 {
		open = p.openAt(tail[0].at)
	}
	return line(open), end(head, ""), end(tail, open)
}

// openAt is the fence that is open at an offset.
func (p *body) openAt(offset int) (f codeblock.Fence) {
	for at := p.from; at < offset; {
		end := p.lineEnd(at)
		if !p.skipped(at) {
			f = fenceAfter(f, p.text[at:end])
		}
		at = end
	}
	return f
}

// clip places a part of one line, when not even one line fits.
func (p *body) clip(w *filler, room size, trim string) bool {
	line := ""
	for at := p.from; at < len(p.text); at = p.lineEnd(at) {
		if end := p.lineEnd(at); !p.skipped(at) {
			if line = strings.TrimRight(p.text[at:end], "\r\n"); trim != "end" {
				break
			}
		}
	}
	if s, ok := clipTo(line, room, trim == "end"); ok {
		return w.add(p.lead + s)
	}
	return false
}
