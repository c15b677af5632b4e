package inject

import (
	"cmp"
	"iter"
	"slices"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/score"
)

// order goes through the indices of the items that belong to the section, best
// first. Hits keep recall's order, standing entries go by score, and all others by
// where they stand. Once the listing is closed, what is left is only counted.
func (b *build) order(sec *pimento.Section, items []Item, l *listing) iter.Seq[int] {
	fit := b.fitting(sec)
	for _, c := range fit.counts {
		l.counts.add(c.reason, c.n)
	}
	by := inPlace
	switch sec.Pick {
	case pimento.PickHits, pimento.PickSessions, pimento.PickRelation, pimento.PickReminder:
		return l.asGiven(fit.at)
	case pimento.PickKinds:
		by = byStanding
	case pimento.PickAlways:
		by = byDate
	}
	return l.ranked(ranking{items: items, at: slices.Clone(fit.at), by: by})
}

// asGiven goes through items in their order, of which the first are traced one by one.
func (l *listing) asGiven(at []int32) iter.Seq[int] {
	return func(yield func(int) bool) {
		for n, i := range at {
			if l.closed != "" && l.seen >= tracedHits {
				l.counts.add(l.closed, len(at)-n)
				return
			}
			if !yield(int(i)) {
				return
			}
		}
	}
}

// ranked goes through items from the best on.
func (l *listing) ranked(h ranking) iter.Seq[int] {
	return func(yield func(int) bool) {
		h.init()
		for l.closed == "" {
			i, ok := h.pop()
			if !ok || !yield(i) {
				return
			}
		}
		l.counts.add(l.closed, len(h.at))
	}
}

// A fittingSet is where the items stand that belong to a section, and why the
// others do not.
type fittingSet struct {
	at     []int32
	counts tallies
}

// fitting sorts out the items of a section, once for its heat and its listing.
func (b *build) fitting(sec *pimento.Section) fittingSet {
	if f, ok := b.fits[sec]; ok {
		return f
	}
	items, places := b.f.Items[sec.Pick], b.places(sec)
	f := fittingSet{at: make([]int32, 0, len(places))}
	for _, i := range places {
		if !belongs(sec, &items[i].Entry) {
			continue // it is another section's, which is no news
		}
		if reason := b.unfit(sec, &items[i]); reason != "" {
			f.counts.add(reason, 1)
			continue
		}
		f.at = append(f.at, i)
	}
	if b.fits == nil {
		b.fits = map[*pimento.Section]fittingSet{}
	}
	b.fits[sec] = f
	return f
}

// belongs says whether an entry is of a section's kinds and scopes.
func belongs(sec *pimento.Section, e *pimento.Entry) bool {
	return (len(sec.Kinds) == 0 || slices.Contains(sec.Kinds, e.Kind)) && (len(sec.Scopes) == 0 || slices.Contains(sec.Scopes, e.Scope))
}

// unfit says why an item of a section may not stand in it.
func (b *build) unfit(sec *pimento.Section, it *Item) string {
	switch {
	case sec.Pick == pimento.PickTasks && it.Entry.Done:
		return isDone
	case it.Replaced && sec.Pick == pimento.PickAlways: // a hit says so, and stands
		return isReplaced
	case sec.Pick != pimento.PickKinds:
	case it.Standing.Lifecycle != "" && !score.AtLeast(it.Standing.Lifecycle, cmp.Or(sec.Least, score.Candidate)):
		return notAlive
	case sec.Days > 0 && !b.f.Now.IsZero() && b.f.Now.Sub(it.Standing.Last) >= time.Duration(sec.Days)*24*time.Hour:
		return tooOld
	}
	return ""
}

// inPlace orders by scope, widest first, page and line.
func inPlace(a, b *Item) int {
	if a.Entry.Scope != b.Entry.Scope {
		return cmp.Compare(a.Entry.Scope.Specificity(), b.Entry.Scope.Specificity())
	}
	if c := cmp.Compare(a.Entry.Page, b.Entry.Page); c != 0 {
		return c
	}
	if c := cmp.Compare(a.Entry.Line, b.Entry.Line); c != 0 {
		return c
	}
	return cmp.Compare(a.Entry.Statement, b.Entry.Statement)
}

// byDate orders the newest first; what has no date is the oldest.
func byDate(a, b *Item) int {
	if c := b.Entry.Stamp.Compare(a.Entry.Stamp); c != 0 {
		return c
	}
	return inPlace(a, b)
}

// byStanding orders by stability, best first; the narrower scope wins a tie.
func byStanding(a, b *Item) int {
	if c := cmp.Compare(b.Standing.Score, a.Standing.Score); c != 0 {
		return c
	}
	if c := cmp.Compare(b.Entry.Scope.Specificity(), a.Entry.Scope.Specificity()); c != 0 {
		return c
	}
	return inPlace(a, b)
}

// A ranking is a heap of items: a block shows few of many candidates, so that
// taking the best one by one is cheaper than sorting all.
type ranking struct {
	items []Item
	at    []int32
	by    func(a, b *Item) int
}

func (r *ranking) init() {
	for i := len(r.at)/2 - 1; i >= 0; i-- {
		r.down(i)
	}
}

// pop takes the best item.
func (r *ranking) pop() (int, bool) {
	if len(r.at) == 0 {
		return 0, false
	}
	best := r.at[0]
	last := len(r.at) - 1
	r.at[0] = r.at[last]
	r.at = r.at[:last]
	r.down(0)
	return int(best), true
}

func (r *ranking) down(i int) {
	for {
		best := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(r.at); child++ {
			if r.before(child, best) {
				best = child
			}
		}
		if best == i {
			return
		}
		r.at[i], r.at[best] = r.at[best], r.at[i]
		i = best
	}
}

func (r *ranking) before(i, j int) bool {
	c := r.by(&r.items[r.at[i]], &r.items[r.at[j]])
	return c < 0 || c == 0 && r.at[i] < r.at[j]
}
