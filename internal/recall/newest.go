package recall

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/text"
)

// newestMost is from how many entries of all kinds a question for what is newest is answered.
const newestMost = 60

// newest are the newest entries, of the kind that is asked for if there is one among them; none
// that is so much older than the first that nobody would call it new.
func (a *asking) newest(ctx context.Context) []*candidate {
	var cs []*candidate
	for i := range a.roots {
		cs = append(cs, a.newestOf(ctx, &a.roots[i])...)
	}
	first := func(c *candidate) int64 { return a.when(&c.match).newest() }
	cs = slices.DeleteFunc(oneEach(cs), func(c *candidate) bool { return first(c) == 0 })
	slices.SortStableFunc(cs, func(x, y *candidate) int { return cmp.Compare(first(y), first(x)) })
	if len(cs) == 0 {
		return nil
	}
	cs = cs[:min(len(cs), newestMost)]
	other := func(c *candidate) bool { return c.match.Doc.Kind != a.kind }
	if a.kind != "" && !slices.ContainsFunc(cs, func(c *candidate) bool { return !other(c) }) {
		a.kind = ""
	}
	cs = slices.DeleteFunc(cs, func(c *candidate) bool { return a.kind != "" && other(c) })
	latest := first(cs[0])
	return slices.DeleteFunc(cs, func(c *candidate) bool { return latest-first(c) > newFor*month })
}

// newFor is how many times as old as what counts half a note may be to be called new.
const newFor = 3

// newestOf are entries of a root, its newest among them: those whose pages are dated, and
// what the journal tells last.
func (a *asking) newestOf(ctx context.Context, r *Source) []*candidate {
	var ms []index.Match
	latest := wallClock(a.q.Now).AddDate(0, 0, 1).Unix()
	for _, k := range pimento.EntryKinds() {
		err := r.Reader.With(ctx, text.FlagKind(k), func(page string, d index.Doc) bool {
			if d.Date != 0 && d.Date < latest && d.Flags&index.More == 0 && a.wants(page, d) {
				ms = append(ms, index.Match{Page: strings.Clone(page), Doc: d})
			}
			if len(ms) == 8*newestMost {
				ms = newer(ms)
			}
			return true
		})
		if err != nil {
			a.failed(ctx, string(r.Scope), err)
			return nil
		}
	}
	out := candidatesOf(r, a.shown(r, newer(ms)))
	if a.opts.SaidWithin == nil {
		return out
	}
	var said []pimento.Statement
	for _, days := range []int{14, 90, 400, 0} { // the journal is long
		var from time.Time
		if days > 0 {
			from = a.q.Now.AddDate(0, 0, -days)
		}
		if said = a.opts.SaidWithin(ctx, r.Scope, from, time.Time{}); len(said) >= newestMost/2 {
			break
		}
	}
	return append(out, a.find(ctx, r, said)...)
}

// newer are the newest of some matches.
func newer(ms []index.Match) []index.Match {
	slices.SortStableFunc(ms, func(x, y index.Match) int { return cmp.Compare(y.Doc.Date, x.Doc.Date) })
	return ms[:min(len(ms), newestMost)]
}
