package recall

import (
	"context"
	"slices"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
)

// Times are when something was first and last said, zero where that is not known.
type Times struct{ First, Last time.Time }

// A stretch is the same by the clock on the asker's wall, in seconds since the epoch, 0
// where it is not known.
type stretch struct{ first, last int64 }

// date looks up when matches were said of which the index does not know.
func (a *asking) date(scope pimento.Scope, ms []index.Match) {
	var sts []pimento.Statement
	for _, m := range ms {
		if _, ok := a.said[m.Doc.Statement]; !ok && m.Doc.Date == 0 {
			sts = append(sts, m.Doc.Statement)
		}
	}
	if len(sts) == 0 {
		return
	}
	if a.said == nil {
		a.said = make(map[pimento.Statement]stretch, len(sts))
	}
	seconds := func(t time.Time) int64 {
		if t.IsZero() {
			return 0
		}
		return wallClock(t.In(a.q.Now.Location())).Unix()
	}
	times := a.opts.Said(scope, sts)
	for _, st := range sts {
		a.said[st] = stretch{seconds(times[st].First), seconds(times[st].Last)}
	}
}

// when is the time of a match.
func (a *asking) when(m *index.Match) stretch {
	if d := m.Doc.Date; d != 0 {
		return stretch{d, d}
	}
	return a.said[m.Doc.Statement]
}

// inTime tells whether an entry is of the time that the question asks for.
func (a *asking) inTime(m *index.Match) bool {
	if a.window == nil {
		return false
	}
	first := a.when(m).first
	return first != 0 && a.window.Holds(time.Unix(first, 0).UTC())
}

// then are the entries of a root that were said in the time that is asked for, where no
// more than one word beside it says something ("what did we decide last week?"): words do
// not find those whose page tells no time.
func (a *asking) then(ctx context.Context, r *Source, found []*candidate) []*candidate {
	if a.window == nil || a.opts.SaidWithin == nil {
		return nil
	}
	say := 0
	for _, u := range a.words.units {
		if u.weak >= 1 && !u.date {
			say++
		}
	}
	if say > 1 {
		return nil
	}
	from, to := instant(a.window.From, a.q.Now.Location()), instant(a.window.To, a.q.Now.Location())
	sts := slices.DeleteFunc(a.opts.SaidWithin(ctx, r.Scope, from, to), func(st pimento.Statement) bool {
		return slices.ContainsFunc(found, func(c *candidate) bool { return c.match.Doc.Statement == st })
	})
	return a.find(ctx, r, sts)
}
