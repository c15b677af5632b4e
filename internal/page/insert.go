package page

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/pimento-memory/pimento"
)

// New is an entry to be written.
type New struct {
	Text    string
	Kind    pimento.Kind // "" or a kind that the page has no words for: whatever the place gives
	Heading string       // where a list shall take it up: a heading, or headings joined by " > "
	Pinned  bool
	Task    bool // always so on a checklist
	Done    bool
	Stamp   time.Time // zero: no stamp line
	AsIs    bool      // a list takes a text below a stamp as it is, however many entries that makes
	Session string    // for the stamp line, cut to 8 characters
	Front   *Meta     // what the front matter of a page that this entry begins says; nil for what its kind and pin tell
}

// Insert returns the splices that add an entry at the right place for the
// dialect, and nil when the text is blank. No other entry changes.
//
// A list takes an entry with a stamp at its end, under its stamp line; without
// one as a bullet after the last bullet under Heading, else after the last
// bullet of its kind, else after the last bullet, else at its end. A checklist
// takes it there or after its last box. A log takes one splice at its end; there an
// entry without a stamp becomes part of the block above it. An article that is
// not blank grows: by a section when Heading names a new one, else by a
// paragraph, at the end of that section or of the page.
func (p *Page) Insert(n New) []pimento.Splice {
	n.Text = Clean(n.Text)
	if n.Text == "" {
		return nil
	}
	if _, ok := wallClock(n.Stamp.Format(stampLayout)[:len(stampLayout)]); !ok {
		n.Stamp = time.Time{}
	}
	switch p.dialect {
	case Log:
		if n.Front != nil && p.isBlank() {
			return p.newArticle(n)
		}
		return p.appendLog(n)
	case Article:
		return p.growArticle(n)
	case Checklist:
		n.Task = true
	}
	if n.AsIs {
		if splices := p.insertBlock(n); splices != nil {
			return splices
		}
	}
	if splices := p.insertAs(n, n.is); splices != nil || !n.Stamp.IsZero() {
		return splices
	}
	return p.insertAs(n, n.says) // below a stamp that nothing has taken up yet
}

// insertAs tries the places and renderings of a list until one gives an entry
// that fits.
func (p *Page) insertAs(n New, fits func(pimento.Entry) bool) []pimento.Splice {
	for _, at := range p.places(n) {
		for _, body := range p.renderings(n) {
			for _, gap := range [...]string{"", p.eol} { // a blank line, if it must be
				splice := at.splice(gap + body)
				if p.attempt(splice, p.indexAt(at.off), 0, fits) {
					return splice
				}
			}
		}
	}
	return nil
}

// is reports whether an entry of a list is what n asked for.
func (n New) is(e pimento.Entry) bool {
	if n.Stamp.IsZero() {
		return n.says(e) && e.Stamp.IsZero()
	}
	t, _ := wallClock(n.Stamp.Format(stampLayout))
	return n.says(e) && e.Stamp.Equal(t) && e.Session == shortSession(n.Session)
}

// says is is without the stamp.
func (n New) says(e pimento.Entry) bool {
	return e.Text == n.Text && e.Pinned == n.Pinned && e.Task == n.Task && e.Done == (n.Task && n.Done) &&
		(!isCategory(n.Kind) || e.Kind == n.Kind)
}

// A place is where an entry can go: an offset at a line start, and what must
// stand around the new lines.
type place struct {
	off           int
	before, after string
}

func (at place) splice(body string) []pimento.Splice {
	return []pimento.Splice{{Off: at.off, Ins: []byte(at.before + body + at.after)}}
}

// indexAt is the number of entries that lie before an offset.
func (p *Page) indexAt(off int) int {
	n := 0
	for n < len(p.entries) && p.entries[n].Span.Start < off {
		n++
	}
	return n
}

// places lists where an entry could go, best first. The end of the page always
// comes last.
func (p *Page) places(n New) []place {
	end := place{off: len(p.src), before: p.endGap()}
	var list []place
	if at, ok := p.under(n.Heading); ok && (p.dialect == Checklist || n.Stamp.IsZero()) {
		list = append(list, at)
	}
	if p.dialect == Checklist {
		if i := p.lastItem(0, len(p.entries), func(e pimento.Entry) bool { return e.Task }); i >= 0 {
			list = append(list, p.after(i))
		}
		return append(list, end)
	}
	if !n.Stamp.IsZero() {
		return []place{end}
	}
	all := len(p.entries)
	if i := p.lastItem(0, all, func(e pimento.Entry) bool { return e.Kind == n.Kind && e.Task == n.Task }); i >= 0 {
		list = append(list, p.after(i))
	}
	if i := p.lastItem(0, all, func(pimento.Entry) bool { return true }); i >= 0 {
		list = append(list, p.after(i))
	}
	return append(list, end)
}

// lastItem is the index of the last bullet in entries[from:to] that fits, -1
// for none.
func (p *Page) lastItem(from, to int, fits func(pimento.Entry) bool) int {
	for i := to - 1; i >= from; i-- {
		if p.cuts[i].form == itemForm && fits(p.entries[i]) {
			return i
		}
	}
	return -1
}

// after is the place below the i-th entry.
func (p *Page) after(i int) place {
	at := place{off: p.entries[i].Span.End}
	if p.src[at.off-1] != '\n' {
		at.before = p.eol
	}
	return at
}

// under is the place below a heading: after the last bullet there, else after
// the last paragraph, else at once.
func (p *Page) under(heading string) (place, bool) {
	h := p.findHead(heading)
	if h < 0 {
		return place{}, false
	}
	from, to := p.heads[h].first, len(p.entries)
	if h+1 < len(p.heads) {
		to = p.heads[h+1].first
	}
	if i := p.lastItem(from, to, func(pimento.Entry) bool { return true }); i >= 0 {
		return p.after(i), true
	}
	var at place
	if to > from {
		at = p.after(to - 1)
		at.before += p.eol
	} else {
		at = place{off: p.heads[h].end}
		if p.src[at.off-1] != '\n' {
			at.before = p.eol
		}
		if at.off < len(p.src) && isBlankAt(p.src, at.off) {
			at.off = lineAt(p.src, at.off).next
		} else {
			at.before += p.eol
		}
	}
	if !isBlankAt(p.src, at.off) {
		at.after = p.eol
	}
	return at, true
}

// Below is the best place below a heading for lines that are an entry, and what must stand
// around them. Above all headings the heading is "".
func (p *Page) Below(heading string) (off int, before, after string, ok bool) {
	at, ok := p.under(heading)
	if heading == "" {
		at, ok = p.above(), true
	}
	return at.off, at.before, at.after, ok
}

// above is the place before the first heading: after the last bullet there, else after the
// last paragraph, else where the page begins.
func (p *Page) above() place {
	to := len(p.entries)
	if len(p.heads) > 0 {
		to = p.heads[0].first
	}
	if i := p.lastItem(0, to, func(pimento.Entry) bool { return true }); i >= 0 {
		return p.after(i)
	}
	at := place{off: p.body}
	if to > 0 {
		at = p.after(to - 1)
		at.before += p.eol
	}
	if !isBlankAt(p.src, at.off) {
		at.after = p.eol
	}
	return at
}

// findHead is the index of the heading with the given path, else of the first
// one whose own text it is, else -1.
func (p *Page) findHead(heading string) int {
	if heading == "" {
		return -1
	}
	own := -1
	for i, h := range p.heads {
		if h.path == heading {
			return i
		}
		if own < 0 && strings.HasSuffix(h.path, " > "+heading) {
			own = i
		}
	}
	return own
}

// endGap is what must stand between the page and lines appended to it, so that
// a blank line does: nothing when the page is blank or has one.
func (p *Page) endGap() string {
	switch s := p.src[p.bom():]; {
	case s == "" || strings.HasSuffix(s, "\n\n") || strings.HasSuffix(s, "\n\r\n"):
		return ""
	case strings.TrimSpace(s) == "" && strings.HasSuffix(s, "\n"):
		return ""
	case strings.HasSuffix(s, "\n") || strings.TrimSpace(s) == "":
		return p.eol
	default:
		return p.eol + p.eol
	}
}

// bom is the length of the byte order mark.
func (p *Page) bom() int {
	if strings.HasPrefix(p.src, byteOrderMark) {
		return len(byteOrderMark)
	}
	return 0
}

func (p *Page) isBlank() bool { return strings.TrimSpace(p.src[p.bom():]) == "" }

// renderings lists the ways in which a list can hold an entry, best first, each
// with its line ending.
func (p *Page) renderings(n New) (list []string) {
	lead := p.opening()
	if !n.Stamp.IsZero() {
		lead += StampLine(n.Stamp, n.Session) + p.eol
		if !n.Task && !isTopic(p.rel) && p.dialect == List {
			list = append(list, lead+p.written(plainForm, "", 0, n))
		}
	}
	mark := n.mark()
	const hang = 2
	plain, category := lead+p.written(itemForm, mark, hang, n), lead+p.written(itemForm, mark+"["+string(n.Kind)+"] ", hang, n)
	switch {
	case !isCategory(n.Kind):
		return append(list, plain)
	case isTopic(p.rel) && n.Kind != pimento.KindFact:
		return append(list, category)
	}
	return append(list, plain, category)
}

// mark is what a bullet begins with.
func (n New) mark() string {
	switch {
	case n.Task && n.Done:
		return "- [x] "
	case n.Task:
		return "- [ ] "
	}
	return "- "
}

// written is an entry's own lines.
func (p *Page) written(f form, mark string, hang int, n New) string {
	return withMarks(mark+f.encode(n.Text, hang, p.eol, strict), marks{pinned: n.Pinned}, hang, p.eol) + p.eol
}

// opening is the title that a new page of the layout starts with.
func (p *Page) opening() string {
	if !p.isBlank() {
		return ""
	}
	title := ""
	switch {
	case p.dialect == Checklist:
		title = "Scratchpad"
	case isTopic(p.rel):
		topic, _ := Topic(p.rel)
		r, n := utf8.DecodeRuneInString(topic)
		title = string(unicode.ToUpper(r)) + topic[n:]
	default:
		return ""
	}
	return "# " + title + p.eol + p.eol
}

// appendLog is the one splice that adds a block to a log.
func (p *Page) appendLog(n New) []pimento.Splice {
	var b strings.Builder
	b.WriteString(p.endGap())
	switch {
	case n.Stamp.IsZero():
		b.WriteString(p.written(itemForm, "- ", 2, n))
	case n.Kind == pimento.KindHandoff && strings.HasPrefix(n.Heading, summaryHeading):
		b.WriteString(StampLine(n.Stamp, n.Session) + p.eol + "## " + firstLine(n.Heading) + p.eol + p.eol)
		b.WriteString(p.written(blockForm, "", 0, n))
	case n.Kind == pimento.KindHandoff:
		b.WriteString(handoffLine(n.Stamp, n.Session) + p.eol + "## " + handoffHeading + p.eol)
		b.WriteString(p.written(blockForm, "", 0, n))
	case n.Task:
		b.WriteString(StampLine(n.Stamp, n.Session) + p.eol)
		b.WriteString(p.written(itemForm, n.mark(), 2, n))
	default:
		b.WriteString(StampLine(n.Stamp, n.Session) + p.eol)
		b.WriteString(p.written(blockForm, "", 0, n))
	}
	return []pimento.Splice{{Off: len(p.src), Ins: []byte(b.String())}}
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return strings.TrimSpace(s)
}
