package engine

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/cite"
	"github.com/pimento-memory/pimento/internal/score"
)

// Why an entry is on the list of what may be out of date.
const (
	StaleCites       = "cites-changed" // a file that it names is gone, or was changed since it was last said
	StaleUnconfirmed = "unconfirmed"   // it was inferred, once, and nobody has said that it holds
	StaleFaded       = "faded"         // its score is below what any section shows
)

// A Stale is an entry that may be out of date, and why.
type Stale struct {
	Scored
	Reason string
	Cites  []cite.Finding // with cites-changed
}

// A StaleReport is what may be out of date: entries, each once with its
// weightiest reason, and topics that have gone cold.
type StaleReport struct {
	Entries []Stale
	Cold    []Topic
	Faults  []pimento.Fault
}

// Stale looks for what may be out of date. Pinned entries are listed only for what
// they cite, because they neither fade nor need confirming.
func (e *Engine) Stale(ctx context.Context) StaleReport {
	v := e.lookSynced(ctx)
	var r StaleReport
	for _, s := range e.allScored(ctx, v) {
		if x, ok := e.stale(v, s); ok {
			r.Entries = append(r.Entries, x)
		}
	}
	order := []string{StaleCites, StaleUnconfirmed, StaleFaded}
	slices.SortStableFunc(r.Entries, func(a, b Stale) int {
		if c := cmp.Compare(slices.Index(order, a.Reason), slices.Index(order, b.Reason)); c != 0 {
			return c
		}
		return cmp.Compare(a.Standing.Score, b.Standing.Score)
	})
	for _, t := range e.topics(ctx, v) {
		if t.Cold {
			r.Cold = append(r.Cold, t)
		}
	}
	r.Faults = v.faults
	return r
}

func (e *Engine) stale(v *view, s Scored) (Stale, bool) {
	x := Stale{Scored: s}
	if v.hasProject {
		if x.Cites = cite.Check(v.project.Dir, s.Entry.Text, s.Standing.Last); len(x.Cites) > 0 {
			x.Reason = StaleCites
			return x, true
		}
	}
	switch {
	case s.Entry.Pinned, s.Standing.Last.IsZero(): // nothing is known of when it was said
		return x, false
	case s.Standing.Lifecycle == score.Dropped:
		x.Reason = StaleFaded
	case s.Terms.Cue != score.CueExplicit && s.Standing.Evidence <= 1 && s.Standing.Confirmed.IsZero() &&
		e.Now().Sub(s.Standing.First) > time.Duration(v.profile.Scoring.GraceDays*24*float64(time.Hour)):
		x.Reason = StaleUnconfirmed
	default:
		return x, false
	}
	return x, true
}
