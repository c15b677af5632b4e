package upkeep

import (
	"cmp"
	"time"

	"github.com/pimento-memory/pimento/internal/score"
)

// coldAfter is how many times the days of its kind an entry rests before it is
// stale, where the policy does not say: twice, as published.
const coldAfter = 2

// Stale picks the entries that nothing speaks for any more: they have faded
// below all thresholds, for longer than the policy calls cold, and are neither
// pinned, nor a prohibition, nor of a kind that does not fade. An entry of which
// it is not known when it was said is not stale.
func Stale(entries []Known, p score.Policy, now time.Time) []Known {
	var out []Known
	for _, k := range entries {
		days := p.Days[k.Kind]
		if k.Pinned || days <= 0 || k.Said().IsZero() || k.Standing.Lifecycle != score.Dropped || score.Prohibits(k.Text) {
			continue
		}
		if age := now.Sub(k.Said()).Hours() / 24; age > days*cmp.Or(p.ColdAfter, coldAfter) {
			out = append(out, k)
		}
	}
	return out
}
