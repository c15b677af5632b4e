package inject

import (
	"math"
	"strconv"
	"strings"

	"github.com/pimento-memory/pimento"
)

// CapacityID is the id, among those of what is in a context, of the signal that
// memory fills its room.
const CapacityID = "~capacity"

// budget is what the report may take, in tokens; 0 means no limit.
func (b *build) budget() int {
	n := b.prefixRoom().tokens
	if n >= unlimited || n <= 0 {
		return 0
	}
	return n
}

// capacity is the header for so many tokens used, with the warning from the
// profile's percentage on. The percentage is rounded down.
func (b *build) capacity(used int) (text string, full bool) {
	c, budget := b.p.Capacity, b.budget()
	if c.Header == "" || budget == 0 {
		return "", false
	}
	percent := used * 100 / budget
	text = strings.NewReplacer("{percent}", strconv.Itoa(percent), "{used}", grouped(used), "{budget}", grouped(budget)).Replace(c.Header) + "\n\n"
	if full = c.From > 0 && percent >= c.From; full && c.Warning != "" {
		text += strings.TrimSpace(c.Warning) + "\n\n"
	}
	return text, full
}

// reserve is the longest that the header can become.
func (b *build) reserve() string {
	budget := b.budget()
	if b.p.Capacity.Header == "" || budget == 0 {
		return ""
	}
	text, _ := b.capacity(min(budget, math.MaxInt/100))
	return text
}

// header is the report's header for what it has taken with the longest header
// in its place. The warning counts only where it is shown.
func (b *build) header(taken int, fr frame) string {
	short, _ := b.capacity(0)
	if text, full := b.capacity(taken - tokens(fr.header) + tokens(short)); !full {
		return text
	}
	text, _ := b.capacity(taken)
	return text
}

// capacitySlot is the signal of a block whose prefix is frozen: it stands first
// in the tail, once, from the profile's percentage on.
func (b *build) capacitySlot(room size) slot {
	text, full := b.capacity(b.used)
	if !full || b.f.InContext[CapacityID] {
		return slot{}
	}
	m := measure(text)
	if !m.within(room) {
		return slot{}
	}
	b.decide("capacity", "", "full", "the report takes "+strconv.Itoa(b.used)+" of "+strconv.Itoa(b.budget())+" tokens")
	return slot{sec: &pimento.Section{Name: "capacity", Zone: pimento.Tail}, text: strings.TrimSuffix(text, "\n\n"), ids: []string{CapacityID}, size: m}
}

// grouped writes 1224 as 1,224.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
