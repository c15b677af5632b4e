package inject

import (
	"cmp"
	"container/heap"
	"slices"

	"github.com/pimento-memory/pimento"
)

// Residency decides how much of each entry stands when not all of all can. It
// is the selection of ClawVM (arXiv 2604.10352, section 4): first every entry
// gets the least shape that its class allows; then all ways of showing more of
// one are taken in the order of what a token of them gains, as long as they
// fit. Ties go to the entry that comes first, so that equal facts give equal
// bytes. When not even the least set fits, the entries that weigh most get it,
// and the rest is a fault: nothing that must stand goes missing unsaid.

// A level is how much of an entry stands. The ladder of shapes, upside down.
type level uint8

const (
	atNothing level = iota
	atPointer
	atStructured
	atBrief
	atFull
	levels
)

// shapeNames are the words of a profile for the levels.
var shapeNames = [levels]string{"dropped", "pointer", "structured", "brief", "full"}

func (l level) String() string { return shapeNames[l] }

func levelOf(shape string) level {
	return level(max(slices.Index(shapeNames[:], shape), 0))
}

// worth is what a level gives of an entry's weight. That a pointer is better
// than nothing and the first clause better than half matters; by how much does
// not: the paper tried 84 settings, with equal faults.
var worth = [levels]float64{0, .25, .55, .8, 1}

// A candidate is one entry on its way into the resident set.
type candidate struct {
	cost   [levels]size // of the levels in has
	has    uint8        // a bit for each level at which it can stand
	floor  level
	weight float64

	at level   // what was decided
	to level   // the next upgrade
	by float64 // what a token of it gains
}

func (c *candidate) can(l level) bool { return c.has&(1<<l) != 0 }

func (c *candidate) offer(l level, cost size) {
	c.has |= 1 << l
	c.cost[l] = cost
}

// prune takes out levels that cost no less than a better one.
func (c *candidate) prune() {
	for low := atPointer; low < atFull; low++ {
		for high := low + 1; high <= atFull && c.can(low); high++ {
			if c.can(high) && c.cost[high].within(c.cost[low]) {
				c.has &^= 1 << low
			}
		}
	}
}

// least is the lowest level that the floor allows, or the highest there is.
func (c *candidate) least() level {
	for l := c.floor; l <= atFull; l++ {
		if l == atNothing || c.can(l) {
			return l
		}
	}
	for l := atFull; l > atNothing; l-- {
		if c.can(l) {
			return l
		}
	}
	return atNothing
}

// lowest is the lowest level at which anything of it stands.
func (c *candidate) lowest() level {
	for l := atPointer; l <= atFull; l++ {
		if c.can(l) {
			return l
		}
	}
	return atNothing
}

// short says whether less stands than must.
func (c *candidate) short() bool { return c.at < c.floor && c.at < c.least() }

// next finds the upgrade that gains most for a token.
func (c *candidate) next() bool {
	c.by = 0
	for l := c.at + 1; l <= atFull; l++ {
		if !c.can(l) {
			continue
		}
		dearer := max(c.cost[l].tokens-c.cost[c.at].tokens, 1)
		if by := c.weight * (worth[l] - worth[c.at]) / float64(dearer); by >= c.by {
			c.to, c.by = l, by
		}
	}
	return c.by > 0
}

// choose sets at what level each candidate stands within the room, and says
// whether the least set fits.
func choose(cs []candidate, room size) (fits bool) {
	left := room
	for i := range cs {
		c := &cs[i]
		c.prune()
		c.at = c.least()
		left = left.minus(c.cost[c.at])
	}
	if !(size{}).within(left) {
		squeeze(cs, room)
		return false
	}
	upgrade(cs, left)
	return true
}

// upgrade takes the best upgrade that there is room for, again and again. One
// that does not fit is tried shorter, and its entry is done: room only shrinks.
func upgrade(cs []candidate, left size) {
	q := upgrades{cs: cs, at: make([]int32, 0, len(cs))}
	for i := range cs {
		if cs[i].next() {
			q.at = append(q.at, int32(i))
		}
	}
	heap.Init(&q)
	for len(q.at) > 0 && left.tokens > 0 {
		c := &cs[q.at[0]]
		to, more := c.to, true
		for to > c.at && !(c.can(to) && c.cost[to].minus(c.cost[c.at]).within(left)) {
			to, more = to-1, false
		}
		left = left.minus(c.cost[to].minus(c.cost[c.at]))
		c.at = to
		if more && c.next() {
			heap.Fix(&q, 0)
		} else {
			heap.Pop(&q)
		}
	}
}

// squeeze shares out a room that is too small for the least set: first as many
// as possible at their lowest, then, by weight, up to what they must have.
func squeeze(cs []candidate, room size) {
	order := make([]int, len(cs))
	for i := range cs {
		order[i] = i
		cs[i].at = atNothing
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(cs[j].weight, cs[i].weight) })
	raise := func(c *candidate, to level) {
		if more := c.cost[to].minus(c.cost[c.at]); c.floor > atNothing && to > c.at && more.within(room) {
			room = room.minus(more)
			c.at = to
		}
	}
	for _, i := range order {
		raise(&cs[i], cs[i].lowest())
	}
	for _, i := range order {
		raise(&cs[i], cs[i].least())
	}
}

// upgrades is a heap of candidates, the best upgrade on top.
type upgrades struct {
	cs []candidate
	at []int32
}

func (q *upgrades) Len() int      { return len(q.at) }
func (q *upgrades) Swap(i, j int) { q.at[i], q.at[j] = q.at[j], q.at[i] }
func (q *upgrades) Less(i, j int) bool {
	a, b := &q.cs[q.at[i]], &q.cs[q.at[j]]
	return a.by > b.by || a.by == b.by && q.at[i] < q.at[j]
}
func (q *upgrades) Push(x any) { q.at = append(q.at, x.(int32)) }
func (q *upgrades) Pop() any {
	x := q.at[len(q.at)-1]
	q.at = q.at[:len(q.at)-1]
	return x
}

// Weights of the parts of an entry's utility, as the paper sets them: a hard
// pin 2.0, what its class makes required 0.6, recency 0.6, what it costs to get
// it back 0.4. A narrower scope is worth a little more.
const (
	wPin, wRequired, wPlan, wRecent, wRefetch, wScope = 2.0, 0.6, 1.0, 0.6, 0.4, 0.2
)

// weigh is an entry's utility when it stands in full: the i-th of n, later ones
// being newer. It knows no clock and no counter, because a prefix must not
// change by them.
func weigh(e *pimento.Entry, i, n int) float64 {
	w := wRecent*float64(i+1)/float64(n) + wScope*float64(max(e.Scope.Specificity(), 0))
	if e.Pinned {
		w += wPin
	}
	switch c := classOf(e); {
	case c == Plan:
		w += wPlan
	case c.floor() > atNothing:
		w += wRequired
	}
	if len(e.Links) == 0 { // with a link, the rest is one read away
		w += wRefetch
	}
	return w
}
