package inject

import (
	"fmt"

	"github.com/pimento-memory/pimento"
)

// fillPinned lists the pinned entries. They have no budget of their own: all
// the room of the zone is theirs. When they do not fit in full, room for a
// pointer to each of the rest is kept free, so that none goes missing unseen.
func (b *build) fillPinned(w *filler, sec *pimento.Section, zone pimento.Zone) {
	items := b.f.Items[sec.Pick]
	l := b.newListing(w, sec, zone)
	var pins []*Item
	next := b.order(sec, items, l)
	for i, ok := next(); ok; i, ok = next() {
		it := &items[i]
		if id := string(it.Entry.Statement); b.shown[id] || zone == pimento.Tail && b.f.InContext[id] {
			l.drop(it, standsHere)
			continue
		}
		b.shown[string(it.Entry.Statement)] = true // one of equal pins is enough
		pins = append(pins, it)
	}
	for _, it := range pins {
		delete(b.shown, string(it.Entry.Statement))
	}
	head := l.head
	if l.head = ""; len(pins) > 0 && head != "" && w.add(head) {
		defer func() {
			if l.n == 0 { // a heading with nothing under it
				*w = filler{}
			}
		}()
	}
	l.placePins(pins)
	l.finish()
}

// placePins gives each pin the best shape that leaves room for the rest.
func (l *listing) placePins(pins []*Item) {
	kept := make([]size, len(pins)+1) // kept[i] is what pointers to pins[i:] take
	for i := len(pins) - 1; i >= 0; i-- {
		kept[i] = kept[i+1].plus(measure(pointer(pins[i])))
	}
	short, gone := 0, 0
	for i, it := range pins {
		rest := l.w.room.minus(kept[i+1])
		if !(size{}).within(rest) {
			rest = l.w.room
		}
		l.note = l.w.room.minus(rest)
		before := len(l.b.out.Trace)
		switch {
		case !l.place(it, l.w.room):
			gone++
			l.b.decide(string(it.Entry.Statement), it.Entry.Page, "dropped", "pinned, but there is "+noRoom)
		case l.b.out.Trace[before].Decision != "full":
			short++
		}
	}
	l.note = size{}
	if short+gone > 0 {
		l.b.fault("pinned-miss", fmt.Sprintf(
			"of %d pinned entries %d are shown shorter and %d not at all: the budget is too small for them", len(pins), short, gone))
	}
}
