package remember

import (
	"slices"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
)

// WithIndex completes a plan that writes a root: the generated index of its
// memory page names the given topic pages afterwards, sorted paths. memory is
// that page as it is now; the plan may change it, too. Without markers, begin
// starts an index, and by says who did. A page whose markers are at fault, or
// with an open git conflict outside of them, stays as it is.
func WithIndex(p pimento.Plan, memory Target, rels []string, begin bool, by By) pimento.Plan {
	before := memory.Page.Bytes()
	at := slices.IndexFunc(p.Changes, func(c pimento.Change) bool { return c.Page == memory.Rel })
	now := memory.Page
	if at >= 0 {
		after, ok := pimento.ApplySplices(before, p.Changes[at].Splices)
		if !ok || p.Changes[at].After == "" {
			return p
		}
		now = page.Parse(memory.Rel, after)
	}
	if now.Conflicted() {
		return p
	}
	after, ok := pimento.ApplySplices(now.Bytes(), now.SetIndex(rels, begin))
	if !ok || string(after) == string(now.Bytes()) {
		return p
	}
	c := pimento.Change{Scope: memory.Scope, Page: memory.Rel, Before: memory.Digest, After: pimento.DigestOf(after),
		Splices: difference(before, after)}
	if at >= 0 {
		p.Changes[at] = c
	} else {
		p.Changes = append(p.Changes, c)
	}
	if _, had := now.Generated(); !had {
		p.Events = append(p.Events, by.event(pimento.Indexed, pimento.Entry{Occurrence: pimento.Occurrence{Scope: memory.Scope, Page: memory.Rel}}))
	}
	return p
}
