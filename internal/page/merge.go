package page

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
)

// Merge puts together what two sides made of a page: every entry that either has added
// stands, what either has taken out or changed is gone, and what both say stays. Entries
// are compared whole, so that two sides which each add one at the same place are not in
// each other's way, as they are to a merge of lines. It says no where both changed the
// same entry or line in different ways, where the result would not read back as meant,
// each entry with its heading and date, for articles, whose text is better merged by
// lines, and for pages with an open conflict or fence. What both have keeps our bytes, but
// for the ends of its lines where their editor changed all of them.
func Merge(rel string, base, ours, theirs []byte) (merged []byte, ok bool) {
	if lineEnding(string(ours)) != lineEnding(string(theirs)) {
		if base, ours, theirs, ok = endedAlike(base, ours, theirs); !ok {
			return nil, false
		}
	}
	switch {
	case bytes.Equal(ours, theirs), bytes.Equal(base, theirs):
		return ours, true
	case bytes.Equal(base, ours):
		return theirs, true
	}
	b, o, t := Parse(rel, base), Parse(rel, ours), Parse(rel, theirs)
	for _, p := range []*Page{b, o, t} {
		if p.dialect == Article || len(p.conflicts) > 0 || p.openFence {
			return nil, false
		}
	}
	from := b.pieces()
	left, ok := changesOf(from, o.pieces())
	right, ok2 := changesOf(from, t.pieces())
	if !ok || !ok2 || clash(from, left, right) {
		return nil, false
	}
	out := woven(from, left, right, nil)
	if lost := missing(out, o, t); len(lost) > 0 {
		out = woven(from, left, right, lost)
	}
	merged = joined(out, o.eol)
	top := o.top()
	if top == b.top() {
		top = t.top()
	}
	m := Parse(rel, merged)
	return merged, m.top() == top && m.reads(out)
}

// endedAlike are the versions of a page with the line endings of the side that changed
// them. It says no where one of them mixes its own.
func endedAlike(base, ours, theirs []byte) (b, o, t []byte, ok bool) {
	eol := lineEnding(string(base))
	for _, side := range [][]byte{theirs, ours} {
		if end := lineEnding(string(side)); end != lineEnding(string(base)) && bytes.IndexByte(side, '\n') >= 0 {
			eol = end
		}
	}
	sides := [3][]byte{base, ours, theirs}
	for i, side := range sides {
		plain := bytes.ReplaceAll(side, []byte("\r\n"), []byte("\n"))
		turned := len(side) - len(plain)
		if turned > 0 && turned != bytes.Count(side, []byte("\n")) || bytes.Contains(plain, []byte("\r\n")) {
			return nil, nil, nil, false
		}
		sides[i] = bytes.ReplaceAll(plain, []byte("\n"), []byte(eol))
	}
	return sides[0], sides[1], sides[2], true
}

// top is what stands in front of the body.
func (p *Page) top() string { return p.src[:p.body] }

// reads says whether the page's entries are those among the pieces.
func (p *Page) reads(ps []piece) bool {
	left := p.entries
	for _, q := range ps {
		if q.entry == nil {
			continue
		}
		if len(left) == 0 || !p.same(&left[0], q.entry) && (q.too == nil || !p.same(&left[0], q.too)) {
			return false
		}
		left = left[1:]
	}
	return len(left) == 0
}

// A piece of a page is an entry, or a line of what stands between entries.
type piece struct {
	raw   string
	text  string // without the end of its last line
	entry *pimento.Entry
	too   *pimento.Entry // what it is on the other side's page, where both kept it
}

func pieceOf(raw string, e *pimento.Entry) piece {
	return piece{raw: raw, text: strings.TrimRight(raw, "\r\n"), entry: e}
}

func sameText(p, q piece) bool { return p.text == q.text }

// An addition is what tells one from another: an entry says something else under another heading.
type addition struct{ text, heading string }

func (p piece) addition() addition {
	if p.entry == nil {
		return addition{text: p.text}
	}
	return addition{p.text, p.entry.Heading}
}

func sameAddition(p, q piece) bool { return p.addition() == q.addition() }

func (p piece) blank() bool { return p.entry == nil && isBlank(p.text) }

// pieces are the whole page.
func (p *Page) pieces() (out []piece) {
	at := 0
	between := func(end int) {
		for line := range strings.Lines(string(p.raw[at:end])) {
			out = append(out, pieceOf(line, nil))
		}
	}
	for i := range p.entries {
		e := &p.entries[i]
		between(e.Span.Start)
		out = append(out, pieceOf(string(p.raw[e.Span.Start:e.Span.End]), e))
		at = e.Span.End
	}
	between(len(p.raw))
	return out
}

// changes are what one side made of the base.
type changes struct {
	kept  []*piece        // as what each piece of the base stands there, nil if it does not
	added map[int][]piece // at 2i in front of the i-th piece of the base, at 2i+1 in the place of it and of what is gone with it
}

// changesOf compares a side with the base.
func changesOf(base, side []piece) (c changes, ok bool) {
	at, ok := common(base, side, sameText)
	if !ok {
		return c, false
	}
	c = changes{kept: make([]*piece, len(base)), added: map[int][]piece{}}
	slot, next := 0, 0 // of what the side has from there on
	for i := 0; i <= len(base); i++ {
		until := len(side)
		switch {
		case i < len(base) && at[i] < 0:
			slot |= 1
			continue
		case i < len(base):
			c.kept[i], until = &side[at[i]], at[i]
		}
		if next < until {
			c.added[slot] = side[next:until]
		}
		slot, next = 2*i+2, until+1
	}
	return c, true
}

// common finds the longest common subsequence of two pages: for each piece of a its
// place in b, or -1. It gives up where that would take long: pages of thousands of
// entries of which hardly one is the same.
func common(a, b []piece, same func(p, q piece) bool) (at []int, ok bool) {
	at = slices.Repeat([]int{-1}, len(a))
	head, tail := 0, 0
	for ; head < min(len(a), len(b)) && same(a[head], b[head]); head++ {
		at[head] = head
	}
	for ; tail < min(len(a), len(b))-head && same(a[len(a)-1-tail], b[len(b)-1-tail]); tail++ {
		at[len(a)-1-tail] = len(b) - 1 - tail
	}
	x, y := a[head:len(a)-tail], b[head:len(b)-tail]
	if len(x) > 0 && len(y) > (4<<20)/len(x) {
		return nil, false
	}
	width := len(y) + 1
	most := make([]int32, (len(x)+1)*width) // of x[i:] and y[j:]
	for i := len(x) - 1; i >= 0; i-- {
		for j := len(y) - 1; j >= 0; j-- {
			if same(x[i], y[j]) {
				most[i*width+j] = most[(i+1)*width+j+1] + 1
			} else {
				most[i*width+j] = max(most[(i+1)*width+j], most[i*width+j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(x) && j < len(y); {
		switch {
		case same(x[i], y[j]):
			at[head+i] = head + j
			i, j = i+1, j+1
		case most[i*width+j+1] >= most[(i+1)*width+j]:
			j++
		default:
			i++
		}
	}
	return at, true
}

// clash says whether both sides took the same piece out, and put different ones there.
func clash(base []piece, a, b changes) bool {
	place := func(c changes, i int, before []piece) []piece { // what stands where the i-th was
		if i > 0 && c.kept[i-1] == nil {
			return before
		}
		return c.added[2*i+1]
	}
	var x, y []piece
	for i := range base {
		x, y = place(a, i, x), place(b, i, y)
		if a.kept[i] == nil && b.kept[i] == nil && !base[i].blank() && !slices.EqualFunc(x, y, sameText) {
			return true
		}
	}
	return false
}

// missing is what two pages both say and the pieces do not: of two entries that say the
// same each side took out another.
func missing(ps []piece, a, b *Page) map[pimento.Statement]bool {
	says := map[pimento.Statement]bool{}
	for _, p := range ps {
		if p.entry != nil {
			says[p.entry.Statement] = true
		}
	}
	lost := map[pimento.Statement]bool{}
	for i := range a.entries {
		if id := a.entries[i].Statement; !says[id] && b.locate(id, 0) >= 0 {
			lost[id] = true
		}
	}
	return lost
}

// woven are the pieces of the merged page in their order. Of what should stay nothing is
// gone that only one side took out.
func woven(base []piece, ours, theirs changes, stay map[pimento.Statement]bool) (out []piece) {
	have := map[addition]int{} // the entries that we added, wherever: the same of theirs are the same
	for _, added := range ours.added {
		for _, p := range added {
			if p.entry != nil {
				have[p.addition()]++
			}
		}
	}
	for slot := range 2*len(base) + 1 {
		if slot%2 == 1 {
			x, y := ours.kept[slot/2], theirs.kept[slot/2]
			switch e := base[slot/2].entry; {
			case x != nil && y != nil:
				both := *x
				both.too = y.entry
				out = append(out, both)
			case e != nil && stay[e.Statement] && cmp.Or(x, y) != nil:
				out = append(out, *cmp.Or(x, y))
			}
		}
		out = append(out, together(ours.added[slot], theirs.added[slot], have)...)
	}
	return out
}

// together is what two sides added at one place, what both did once: a new heading with
// an entry of each below it.
func together(ours, theirs []piece, have map[addition]int) (out []piece) {
	at, ok := common(ours, theirs, sameAddition)
	next := 0
	gap := func(from, to, until int) {
		fresh := slices.DeleteFunc(slices.Clone(theirs[next:until]), func(p piece) bool {
			if p.entry == nil || have[p.addition()] == 0 {
				return false
			}
			have[p.addition()]--
			return true
		})
		if !slices.ContainsFunc(fresh, func(p piece) bool { return !p.blank() }) {
			fresh = nil
		}
		out = append(out, interleaved(chunks(ours[from:to]), chunks(fresh))...)
	}
	from := 0
	for i := range ours {
		if ok && at[i] >= 0 && !ours[i].blank() {
			gap(from, i, at[i])
			out = append(out, ours[i])
			have[ours[i].addition()]--
			for from, next = i+1, at[i]+1; from < len(ours) && next < len(theirs) && ours[from].blank() && theirs[next].blank(); from, next = from+1, next+1 {
				out = append(out, ours[from])
			}
		}
	}
	gap(from, len(ours), len(theirs))
	return out
}

// A chunk is an entry with what stands above it.
type chunk []piece

func chunks(ps []piece) (out []chunk) {
	for from, i := 0, 0; i < len(ps); i++ {
		if ps[i].entry != nil || i == len(ps)-1 {
			out = append(out, ps[from:i+1])
			from = i + 1
		}
	}
	return out
}

// interleaved are two sides' chunks for one place: by their stamps where they have some,
// else ours first. What stands under no new heading comes before one.
func interleaved(a, b []chunk) (out []piece) {
	for len(a) > 0 && len(b) > 0 {
		if before(b[0], a[0]) {
			out, b = append(out, b[0]...), b[1:]
		} else {
			out, a = append(out, a[0]...), a[1:]
		}
	}
	for _, c := range append(a, b...) {
		out = append(out, c...)
	}
	return out
}

func before(b, a chunk) bool {
	heads := func(c chunk) bool {
		return slices.ContainsFunc(c, func(p piece) bool { return p.entry == nil && !p.blank() })
	}
	if heads(a) != heads(b) {
		return heads(a)
	}
	x, y := b[len(b)-1].entry, a[len(a)-1].entry
	return x != nil && y != nil && !x.Stamp.IsZero() && !y.Stamp.IsZero() && x.Stamp.Before(y.Stamp)
}

// joined are the bytes of a page with these pieces.
func joined(ps []piece, eol string) []byte {
	var b []byte
	for _, p := range ps {
		if len(b) > 0 && b[len(b)-1] != '\n' {
			b = append(b, eol...)
		}
		b = append(b, p.raw...)
	}
	return b
}
