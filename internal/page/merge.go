package page

import (
	"bytes"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
)

// Merge puts together what two sides made of a page: every entry that either has added
// stands, what either has taken out or changed is gone. Entries are compared whole, so that two sides which
// each add one at the same place are not in each other's way, as they are to a merge of
// lines. It says no where both changed the same entry or line in different ways, where
// the result would not read back as meant, for articles, whose text is better
// merged by lines, for pages with an open conflict or fence, and where their line
// endings differ. What both have keeps our bytes.
func Merge(rel string, base, ours, theirs []byte) (merged []byte, ok bool) {
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
	if o.eol != t.eol {
		return nil, false
	}
	from := b.pieces()
	left, ok := changesOf(from, o.pieces())
	right, ok2 := changesOf(from, t.pieces())
	if !ok || !ok2 || clash(from, left, right) {
		return nil, false
	}
	out := woven(from, left, right)
	merged = joined(out, o.eol)
	return merged, slices.Equal(said(Parse(rel, merged).pieces()), said(out))
}

// A piece of a page is an entry, or a line of what stands between entries.
type piece struct {
	raw   string
	text  string // without the end of its last line
	entry *pimento.Entry
}

func pieceOf(raw string, e *pimento.Entry) piece {
	return piece{raw, strings.TrimRight(raw, "\r\n"), e}
}

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
	added map[int][]piece // after which piece of the base, -1 for the top
}

// changesOf finds the longest common subsequence of two pages. It gives up where that
// would take long: pages of thousands of entries of which hardly one is the same.
func changesOf(base, side []piece) (c changes, ok bool) {
	c = changes{kept: make([]*piece, len(base)), added: map[int][]piece{}}
	head, tail := 0, 0
	for head < min(len(base), len(side)) && base[head].text == side[head].text {
		c.kept[head] = &side[head]
		head++
	}
	for tail < min(len(base), len(side))-head && base[len(base)-1-tail].text == side[len(side)-1-tail].text {
		c.kept[len(base)-1-tail] = &side[len(side)-1-tail]
		tail++
	}
	x, y := base[head:len(base)-tail], side[head:len(side)-tail]
	if len(x) > 0 && len(y) > (4<<20)/len(x) {
		return c, false
	}
	width := len(y) + 1
	most := make([]int32, (len(x)+1)*width) // of x[i:] and y[j:]
	for i := len(x) - 1; i >= 0; i-- {
		for j := len(y) - 1; j >= 0; j-- {
			if x[i].text == y[j].text {
				most[i*width+j] = most[(i+1)*width+j+1] + 1
			} else {
				most[i*width+j] = max(most[(i+1)*width+j], most[i*width+j+1])
			}
		}
	}
	last := head - 1 // the piece of the base that both have and that was met last
	for i, j := 0, 0; i < len(x) || j < len(y); {
		switch {
		case i < len(x) && j < len(y) && x[i].text == y[j].text:
			last = head + i
			c.kept[last] = &y[j]
			i, j = i+1, j+1
		case j < len(y) && (i == len(x) || most[i*width+j+1] >= most[(i+1)*width+j]):
			c.added[last] = append(c.added[last], y[j])
			j++
		default:
			i++
		}
	}
	return c, true
}

// clash says whether both sides took the same piece out, and put different ones there.
func clash(base []piece, a, b changes) bool {
	place := func(c changes, i int) []piece { // what stands where the i-th was
		for i--; i >= 0 && c.kept[i] == nil; i-- {
		}
		return c.added[i]
	}
	for i := range base {
		if a.kept[i] == nil && b.kept[i] == nil && !base[i].blank() &&
			!slices.EqualFunc(place(a, i), place(b, i), func(p, q piece) bool { return p.text == q.text }) {
			return true
		}
	}
	return false
}

// woven are the pieces of the merged page in their order.
func woven(base []piece, ours, theirs changes) (out []piece) {
	have := map[string]int{} // what we added, wherever: the same of theirs is the same
	for _, added := range ours.added {
		for _, p := range added {
			have[p.text]++
		}
	}
	for i := -1; i < len(base); i++ {
		if i >= 0 && ours.kept[i] != nil && theirs.kept[i] != nil {
			out = append(out, *ours.kept[i])
		}
		fresh := slices.DeleteFunc(slices.Clone(theirs.added[i]), func(p piece) bool {
			if p.blank() || have[p.text] == 0 {
				return false
			}
			have[p.text]--
			return true
		})
		if slices.ContainsFunc(fresh, func(p piece) bool { return !p.blank() }) {
			out = append(out, interleaved(chunks(ours.added[i]), chunks(fresh))...)
		} else {
			out = append(out, ours.added[i]...)
		}
	}
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

// said is what the entries among the pieces say, sorted.
func said(ps []piece) (out []pimento.Statement) {
	for _, p := range ps {
		if p.entry != nil {
			out = append(out, p.entry.Statement)
		}
	}
	slices.Sort(out)
	return out
}
