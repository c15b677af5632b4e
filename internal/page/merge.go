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

// changesOf compares a side with the base.
func changesOf(base, side []piece) (c changes, ok bool) {
	at, ok := common(base, side)
	if !ok {
		return c, false
	}
	c = changes{kept: make([]*piece, len(base)), added: map[int][]piece{}}
	last, next := -1, 0
	for i := 0; i <= len(base); i++ {
		until := len(side)
		switch {
		case i < len(base) && at[i] < 0:
			continue
		case i < len(base):
			c.kept[i], until = &side[at[i]], at[i]
		}
		if next < until {
			c.added[last] = side[next:until]
		}
		last, next = i, until+1
	}
	return c, true
}

// common finds the longest common subsequence of two pages: for each piece of a its
// place in b, or -1. It gives up where that would take long: pages of thousands of
// entries of which hardly one is the same.
func common(a, b []piece) (at []int, ok bool) {
	at = slices.Repeat([]int{-1}, len(a))
	head, tail := 0, 0
	for ; head < min(len(a), len(b)) && a[head].text == b[head].text; head++ {
		at[head] = head
	}
	for ; tail < min(len(a), len(b))-head && a[len(a)-1-tail].text == b[len(b)-1-tail].text; tail++ {
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
			if x[i].text == y[j].text {
				most[i*width+j] = most[(i+1)*width+j+1] + 1
			} else {
				most[i*width+j] = max(most[(i+1)*width+j], most[i*width+j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(x) && j < len(y); {
		switch {
		case x[i].text == y[j].text:
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
	have := map[string]int{} // the entries that we added, wherever: the same of theirs are the same
	for _, added := range ours.added {
		for _, p := range added {
			if p.entry != nil {
				have[p.text]++
			}
		}
	}
	for i := -1; i < len(base); i++ {
		if i >= 0 && ours.kept[i] != nil && theirs.kept[i] != nil {
			out = append(out, *ours.kept[i])
		}
		out = append(out, together(ours.added[i], theirs.added[i], have)...)
	}
	return out
}

// together is what two sides added at one place, what both did once: a new heading with
// an entry of each below it.
func together(ours, theirs []piece, have map[string]int) (out []piece) {
	at, ok := common(ours, theirs)
	next := 0
	gap := func(from, to, until int) {
		fresh := slices.DeleteFunc(slices.Clone(theirs[next:until]), func(p piece) bool {
			if p.entry == nil || have[p.text] == 0 {
				return false
			}
			have[p.text]--
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
			have[ours[i].text]--
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
