package score

import (
	"cmp"
	"slices"

	"github.com/pimento-memory/pimento"
)

// Cap holds the number of active statements to the policy's caps, by changing
// the lifecycles of standings, which belong to the kinds at the same index. Of
// the active ones of each kind the best stay, as many as its cap; of all that
// are over, the best Overflow of any kind become provisional and the rest
// candidates. Then the total is held the same way, over all kinds. Pinned
// statements stay and take no place; what is provisional by its own score is
// not counted. Equal scores keep the order in which they stand.
func Cap(standings []pimento.Standing, kinds []pimento.Kind, p Policy) {
	active := make([]int, 0, len(standings))
	for i, s := range standings {
		if s.Lifecycle == Active && s.Score < PinnedScore {
			active = append(active, i)
		}
	}
	slices.SortStableFunc(active, func(a, b int) int { return cmp.Compare(standings[b].Score, standings[a].Score) })
	taken, total := map[pimento.Kind]int{}, 0
	pool := p.Overflow
	for _, i := range active {
		limit, capped := p.Caps[kinds[i]]
		if (!capped || taken[kinds[i]] < limit) && (p.Total <= 0 || total < p.Total) {
			taken[kinds[i]]++
			total++
			continue
		}
		standings[i].Lifecycle = Candidate
		if pool > 0 {
			pool--
			standings[i].Lifecycle = Provisional
		}
	}
}

// rank orders the lifecycles, best first.
func rank(lifecycle string) int {
	return slices.Index([]string{Active, Provisional, Candidate, Dropped}, lifecycle)
}

// AtLeast reports whether a lifecycle is as good as another one or better. A
// word that is no lifecycle is worse than all.
func AtLeast(lifecycle, least string) bool {
	r := rank(lifecycle)
	return r >= 0 && r <= rank(least)
}
