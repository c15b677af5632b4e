package inject

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
)

// fillPaged lays the curated pages as a resident set: as they stand when there
// is room for all of them, else entry by entry, each in the best shape that the
// budget has room for.
func (b *build) fillPaged(w *filler, sec *pimento.Section) {
	room := w.room
	w.room = w.room.least(roomOf(b.p.Resident))
	kept := w.room
	defer func() { w.room = room.minus(kept.minus(w.room)) }()
	s := b.newResidentSet(sec)
	if b.textsFit(w.room, sec) {
		b.fillTexts(w, sec)
		s.traceStanding()
		return
	}
	if len(s.items) == 0 {
		return
	}
	s.choose(w.room)
	s.write(w)
	b.missing("required", s.required, s.short, s.gone)
}

// textsFit says whether the texts of a section fit as they stand.
func (b *build) textsFit(room size, sec *pimento.Section) bool {
	for i := range b.f.Texts[sec.Pick] {
		t := &b.f.Texts[sec.Pick][i]
		p, ok := b.bodyOf(sec, t)
		if !ok || !ofScopes(sec, t.Scope) {
			continue
		}
		room = room.minus(measure("\n" + b.headingOf(sec, t)))
		lines, whole := p.forward(room)
		if !whole {
			return false
		}
		for _, l := range lines {
			room = room.minus(l.size)
		}
		room = room.minus(p.codeReserve())
	}
	return (size{}).within(room)
}

func ofScopes(sec *pimento.Section, scope pimento.Scope) bool {
	return len(sec.Scopes) == 0 || slices.Contains(sec.Scopes, scope)
}

// A residentSet is the entries of a paged section on their way.
type residentSet struct {
	b      *build
	sec    *pimento.Section
	items  []*Item
	shapes []*Shapes // parallel to items
	cs     []candidate
	headed bool // entries stand under their page's headings

	required, short, gone int
	left                  int // entries of pages of which nothing stands, not even a heading
}

func (b *build) newResidentSet(sec *pimento.Section) *residentSet {
	s := &residentSet{b: b, sec: sec}
	items := b.f.Items[sec.Pick]
	best := map[string]*Item{} // of those that say the same, the one that demands most
	for i := range items {
		it := &items[i]
		id := string(it.Entry.Statement)
		if !ofScopes(sec, it.Entry.Scope) || b.shown[id] {
			continue
		}
		if was := best[id]; was == nil || demands(&it.Entry, &was.Entry) > 0 {
			best[id] = it
		}
	}
	for i := range items {
		if best[string(items[i].Entry.Statement)] == &items[i] {
			s.items = append(s.items, &items[i])
		}
	}
	return s
}

// demands compares how much of two entries must stand.
func demands(x, y *pimento.Entry) int {
	if c := cmp.Compare(floorOf(x), floorOf(y)); c != 0 || x.Pinned == y.Pinned {
		return c
	}
	if x.Pinned {
		return 1
	}
	return -1
}

// traceStanding names what had to stand of pages that stand as they are, so that
// it can be told when a later block comes without it.
func (s *residentSet) traceStanding() {
	for _, it := range s.items {
		if id := string(it.Entry.Statement); floorOf(&it.Entry) > atPointer && s.b.shown[id] {
			s.b.decide(id, it.Entry.Page, atFull.String(), s.sec.Name+", "+classWord(&it.Entry))
		}
	}
}

// classWord is an entry's class for the record. Of a preference it also says that a
// pin makes it stand; what else is pinned has a class that stands anyway.
func classWord(e *pimento.Entry) string {
	c := classOf(e)
	if c == Preference && e.Pinned {
		return string(c) + ", pinned"
	}
	return string(c)
}

// shape takes what each entry can be shown as, or makes it: the full shape only
// of those that the room could hold.
func (s *residentSet) shape(room size) {
	s.shapes = make([]*Shapes, len(s.items))
	for i, it := range s.items {
		if s.shapes[i] = it.Shapes; it.Shapes != nil {
			continue
		}
		made := shorter(&it.Entry)
		if rough(len(it.Entry.Text)).within(room) {
			made.full = fullShape(&it.Entry)
		}
		s.shapes[i] = &made
	}
}

// choose decides at what level each entry stands. Headings and notes are set
// aside first; when they leave too little for the least set, the headings
// within the pages go, and then pages of which nothing must stand.
func (s *residentSet) choose(room size) {
	for !s.fits(room) && s.leaveOut() {
	}
	for i := range s.cs {
		switch c := &s.cs[i]; {
		case c.floor == atNothing:
			continue
		case c.at == atNothing:
			s.gone++
		case c.short():
			s.short++
		}
		s.required++
	}
}

// fits chooses with headings within the pages or without, and says whether the least
// set fits.
func (s *residentSet) fits(room size) bool {
	for _, s.headed = range [...]bool{true, false} {
		s.shape(room)
		s.offer(room)
		if s.whole(room) || choose(s.cs, room.minus(s.frame())) {
			return true
		}
	}
	return false
}

// whole lets each entry stand in full if there is room, which leaves nothing to note.
func (s *residentSet) whole(room size) bool {
	for i := range s.cs {
		if !s.cs[i].can(atFull) {
			return false
		}
		room = room.minus(measure(s.before(i, s.previous(i)))).minus(s.cs[i].cost[atFull])
	}
	if !(size{}).within(room) {
		return false
	}
	for i := range s.cs {
		s.cs[i].at = atFull
	}
	return true
}

// leaveOut takes out the pages of which nothing must stand, if there are others.
func (s *residentSet) leaveOut() bool {
	var kept []*Item
	for from := 0; from < len(s.items); {
		to := from + 1
		for !s.ends(to - 1) {
			to++
		}
		page := s.items[from:to]
		if slices.ContainsFunc(page, func(it *Item) bool { return floorOf(&it.Entry) > atNothing }) {
			kept = append(kept, page...)
		}
		from = to
	}
	if len(kept) == 0 || len(kept) == len(s.items) {
		return false
	}
	s.left = len(s.items) - len(kept)
	s.items = kept
	return true
}

// offer lays out what each entry can be shown as.
func (s *residentSet) offer(room size) {
	s.cs = make([]candidate, len(s.items))
	for i, it := range s.items {
		c := &s.cs[i]
		c.floor, c.weight = floorOf(&it.Entry), weigh(&it.Entry, i, len(s.items))
		for l := atPointer; l <= atFull; l++ {
			if l < atFull || rough(len(it.Entry.Text)).within(room) {
				c.offer(l, s.shapes[i].at(l, s.headed).size)
			}
		}
	}
}

// frame is what headings and notes take at most.
func (s *residentSet) frame() size {
	var out size
	for i := range s.items {
		out = out.plus(measure(s.before(i, s.previous(i))))
		if s.ends(i) {
			out = out.plus(measure(s.note(s.items[i], len(s.items), len(s.items))))
		}
	}
	return out
}

func (s *residentSet) previous(i int) *Item {
	if i == 0 {
		return nil
	}
	return s.items[i-1]
}

// ends says whether an entry is the last of its page.
func (s *residentSet) ends(i int) bool {
	return i+1 == len(s.items) || !samePage(s.items[i], s.items[i+1])
}

func samePage(a, b *Item) bool {
	return a.Entry.Scope == b.Entry.Scope && a.Entry.Page == b.Entry.Page
}

// before is what must stand between two entries: the heading of a new page, and
// that of a new part of it.
func (s *residentSet) before(i int, last *Item) string {
	it, out := s.items[i], ""
	if last == nil || !samePage(last, it) {
		out = s.opening(it, last)
	} else if it.Entry.Heading == last.Entry.Heading {
		return ""
	}
	if h := lastHeading(it.Entry.Heading); s.headed && h != "" {
		out += strings.Repeat("#", 2+ourLevels) + " " + h + "\n"
	}
	return out
}

// opening is the heading of a page.
func (s *residentSet) opening(it, last *Item) string {
	h := s.b.headingOf(s.sec, &Text{Scope: it.Entry.Scope, Page: it.Entry.Page})
	if last != nil {
		h = "\n" + h
	}
	return h
}

// note counts what of a page is not shown, or not in full.
func (s *residentSet) note(it *Item, gone, cut int) string {
	said := fmt.Sprintf("%d more", gone)
	switch {
	case gone == 0 && cut == 0:
		return ""
	case gone == 0:
		said = fmt.Sprintf("%d shortened", cut)
	case cut > 0:
		said += fmt.Sprintf(", %d shortened", cut)
	}
	return "[... " + said + "; all of it: " + inline(s.b.f.file(it.Entry.Scope, it.Entry.Page)) + "]\n"
}

// write lays what was chosen and traces it.
func (s *residentSet) write(w *filler) {
	var last *Item
	gone, cut, all := 0, 0, 0
	for i, it := range s.items {
		c := &s.cs[i]
		id := string(it.Entry.Statement)
		switch {
		case c.at == atNothing && c.floor > atNothing:
			s.b.decide(id, it.Entry.Page, "dropped", string(classOf(&it.Entry))+", but there is "+noRoom)
			gone++
		case c.at == atNothing:
			gone, all = gone+1, all+1
		default:
			w.add(s.before(i, last) + s.shapes[i].at(c.at, s.headed).text)
			last = it
			s.b.decide(id, it.Entry.Page, c.at.String(), s.sec.Name+", "+classWord(&it.Entry))
			if c.at == atFull {
				s.b.shown[id] = true
				w.ids = append(w.ids, id)
			} else {
				cut++
			}
		}
		if s.ends(i) {
			if note := s.note(it, gone, cut); last != nil && samePage(last, it) {
				w.add(note)
			} else if w.add(s.opening(it, last) + note) {
				last = it
			}
			gone, cut = 0, 0
		}
	}
	s.b.count(s.sec.Name, noRoom, all+s.left)
}
