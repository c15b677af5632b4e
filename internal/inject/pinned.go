package inject

import (
	"fmt"
	"slices"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/fault"
)

// fillPinned lists the pinned entries. They have no budget of their own: all
// the room of the zone is theirs. Each must stand; see residency for how much
// of each.
func (b *build) fillPinned(w *filler, sec *pimento.Section, zone pimento.Zone) {
	items := b.f.Items[sec.Pick]
	l := b.newListing(w, sec, zone)
	var pins []*Item
	taken := map[pimento.Statement]bool{} // one of equal pins is enough
	for i := range b.order(sec, items, l) {
		it, st := &items[i], items[i].Entry.Statement
		if taken[st] || b.shown[string(st)] || zone == pimento.Tail && b.f.InContext[string(st)] {
			l.drop(it, standsHere)
			continue
		}
		taken[st] = true
		pins = append(pins, it)
	}
	if len(pins) > 0 && l.head != "" {
		w.add(l.head)
	}
	l.head = ""
	l.placePins(pins)
	l.finish()
	if l.n == 0 { // no heading with nothing under it
		*w = filler{}
	}
}

// placePins writes each pin whole, or when that is too much at the level that is chosen
// for it.
func (l *listing) placePins(pins []*Item) {
	if l.placeWhole(pins) {
		return
	}
	cs := make([]candidate, len(pins))
	for i, it := range pins {
		cs[i].floor, cs[i].weight = floorOf(&it.Entry), weigh(&it.Entry, i, len(pins))
		l.offer(&cs[i], it)
	}
	choose(cs, l.w.room)
	short, gone := 0, 0
	for i, it := range pins {
		c := &cs[i]
		if c.at > atNothing {
			l.w.take(l.render(it, c.at.String()), c.cost[c.at])
			l.placed(it, c.at.String())
		} else {
			l.b.decide(string(it.Entry.Statement), it.Entry.Page, "dropped", "pinned, but there is "+noRoom)
		}
		switch {
		case c.at == atNothing:
			gone++
		case c.short():
			short++
		}
	}
	l.b.missing("pinned", len(pins), short, gone)
}

// placeWhole writes all pins in full if there is room, which there mostly is.
func (l *listing) placeWhole(pins []*Item) bool {
	full := atFull.String()
	if len(l.sec.Shapes) > 0 && !slices.Contains(l.sec.Shapes, full) {
		return false
	}
	pieces, room := make([]string, len(pins)), l.w.room
	for i, it := range pins {
		if !rough(len(it.Entry.Text)).within(room) {
			return false
		}
		pieces[i] = l.render(it, full)
		if room = room.minus(measure(pieces[i])); !(size{}).within(room) {
			return false
		}
	}
	for i, it := range pins {
		l.w.add(pieces[i])
		l.placed(it, full)
	}
	return true
}

// offer measures the shapes that the section allows. A text that cannot fit in
// full is not even rendered.
func (l *listing) offer(c *candidate, it *Item) {
	shapes := l.sec.Shapes
	if len(shapes) == 0 {
		shapes = onlyFull
	}
	for _, shape := range shapes {
		if shape == "full" && !rough(len(it.Entry.Text)).within(l.w.room) {
			continue
		}
		c.offer(levelOf(shape), measure(l.render(it, shape)))
	}
}

// missing is the fault of entries that must stand and do not, or not as far as
// their class demands.
func (b *build) missing(what string, of, short, gone int) {
	if short+gone > 0 {
		b.fault(string(fault.PinnedMiss), fmt.Sprintf(
			"of %d %s entries %d are shown too short and %d not at all: the budget is too small for them", of, what, short, gone))
	}
}
