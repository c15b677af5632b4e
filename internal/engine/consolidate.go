package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/guard"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/score"
	"github.com/pimento-memory/pimento/internal/upkeep"
)

// A Told is an entry as reports name it. Its JSON form is the contract of
// docs/FORMATS.md.
type Told struct {
	ID     pimento.Statement `json:"id"`
	Scope  pimento.Scope     `json:"scope"`
	Page   string            `json:"page"`
	Line   int               `json:"line"`
	Text   string            `json:"text"`
	Pinned bool              `json:"pinned,omitempty"`
	Said   time.Time         `json:"said,omitzero"` // last
	at     pimento.Occurrence
}

// told is an entry for a report, which is shown and kept: without its secrets.
func told(k upkeep.Known) Told {
	return Told{ID: k.Statement, Scope: k.Scope, Page: k.Page, Line: k.Line, Text: guard.Hide(k.Text), Pinned: k.Pinned, Said: k.Said(), at: k.Occurrence}
}

// A Consolidation lists entries that say the same or contradict each other, and
// what becomes of them.
type Consolidation struct {
	Applied bool            `json:"applied"`
	Pairs   []Twins         `json:"pairs"`
	Cold    []Move          `json:"cold"`  // topics that go to the archive, where the profile says so
	Stale   []Told          `json:"stale"` // shown; what fades is nobody's to take away here
	Faults  []pimento.Fault `json:"faults"`
}

// Twins are two entries and what is to be done about them.
type Twins struct {
	Relation upkeep.Relation `json:"relation"`
	Alike    float64         `json:"alike"`
	Reason   string          `json:"reason"`
	Keep     Told            `json:"keep"`
	Drop     Told            `json:"drop"`
	Act      string          `json:"act"` // "archive", "forget" (a scope without archive), "decide" (a person must)
	Recovery string          `json:"recovery,omitempty"`
}

// The acts of [Twins].
const (
	ActArchive = "archive"
	ActForget  = "forget"
	ActDecide  = "decide"
)

// Moves is how many entries and topics the plan takes away.
func (c Consolidation) Moves() int {
	n := len(c.Cold)
	for _, t := range c.Pairs {
		if t.Act != ActDecide {
			n++
		}
	}
	return n
}

// Consolidate looks for duplicates, near duplicates, superseded entries and
// contradictions in every readable scope, and for stale entries. With apply the
// entry of each pair that is to be dropped goes to the archive, restorable, and so
// do topics that have gone cold, where the profile's scoring says so. What
// contradicts without a date to tell which holds, and what is pinned, is left to
// a person. What was done is returned with an error, too.
func (e *Engine) Consolidate(ctx context.Context, apply bool, by Actor) (Consolidation, error) {
	v := e.look(ctx)
	c := Consolidation{Applied: apply, Pairs: []Twins{}, Cold: []Move{}, Stale: []Told{}}
	e.syncAll(ctx, v)
	known := e.known(ctx, v)
	for _, p := range upkeep.Pairs(known) {
		c.Pairs = append(c.Pairs, twins(p))
	}
	for _, k := range upkeep.Stale(known, score.Policy(v.profile.Scoring), e.Now()) {
		c.Stale = append(c.Stale, told(k))
	}
	c.Faults = append([]pimento.Fault{}, v.faults...)
	var err error
	if apply {
		err = e.consolidate(ctx, v, c.Pairs, by)
	}
	if err == nil {
		c.Cold, err = e.archiveCold(ctx, v, apply, by)
	}
	return c, err
}

// twins is a pair with what becomes of it.
func twins(p upkeep.Pair) Twins {
	t := Twins{Relation: p.Relation, Alike: p.Alike, Reason: guard.Hide(p.Reason), Keep: told(p.Keep), Drop: told(p.Drop), Act: ActArchive}
	switch {
	case p.Relation == upkeep.Contradiction || p.Drop.Pinned:
		t.Act = ActDecide
	case p.Drop.Scope == pimento.Local:
		t.Act = ActForget
	}
	return t
}

// known are all entries that can be alike, root by root: not tasks, logs and
// handoffs, which say what happened.
func (e *Engine) known(ctx context.Context, v *view) []upkeep.Known {
	scored := e.allScored(ctx, v)
	out := make([]upkeep.Known, 0, len(scored))
	for _, s := range scored {
		if page.DialectOf(s.Entry.Page) != page.Log {
			out = append(out, upkeep.Known{Entry: s.Entry, Standing: s.Standing})
		}
	}
	return out
}

// ofScope are those of known that belong to one scope. They stand together, so
// none has to be copied.
func ofScope(known []upkeep.Known, scope pimento.Scope) []upkeep.Known {
	first := slices.IndexFunc(known, func(k upkeep.Known) bool { return k.Scope == scope })
	if first < 0 {
		return nil
	}
	known = known[first:]
	if n := slices.IndexFunc(known, func(k upkeep.Known) bool { return k.Scope != scope }); n >= 0 {
		known = known[:n]
	}
	return known
}

// consolidate takes away what is to be dropped. Of equal lines the last goes
// first, so that the others keep their number.
func (e *Engine) consolidate(ctx context.Context, v *view, pairs []Twins, by Actor) error {
	order := make([]*Twins, len(pairs))
	for i := range pairs {
		order[i] = &pairs[i]
	}
	slices.SortStableFunc(order, func(a, b *Twins) int { return cmp.Compare(b.Drop.at.N, a.Drop.at.N) })
	for _, t := range order {
		reason := fmt.Sprintf("%s of %s", t.Relation, t.Keep.ID)
		if t.Relation == upkeep.Superseded {
			reason = fmt.Sprintf("superseded by %s", t.Keep.ID)
		}
		switch t.Act {
		case ActForget:
			r, err := e.Forget(ctx, t.Drop.at.String(), by)
			if err != nil {
				return err
			}
			t.Recovery = r.Recovery
		case ActArchive:
			m, err := e.move(ctx, moving{v.store(t.Drop.Scope), t.Drop.Page, &t.Drop.at, t.Drop.Text}, reason, true, by)
			if err != nil {
				return err
			}
			t.Recovery = m.Recovery
		}
	}
	return nil
}
