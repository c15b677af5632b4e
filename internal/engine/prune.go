package engine

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/regular"
	"github.com/pimento-memory/pimento/internal/upkeep"
	"github.com/pimento-memory/pimento/internal/vault"
)

// A PruneReport lists what is older than the profile keeps it, and what was done
// about it. Its JSON form is the contract of docs/FORMATS.md.
type PruneReport struct {
	Applied bool            `json:"applied"`
	Expired []upkeep.Expiry `json:"expired"`
	Moves   []Move          `json:"moves"`   // what went to the archive, with the way back
	Deleted []string        `json:"deleted"` // files that are gone for good
	Every   int             `json:"every"`   // after how many writes it runs by itself, 0 for never
	Writes  int             `json:"writes"`  // how many there were since it ran
	Faults  []pimento.Fault `json:"faults"`
	keeps   pimento.Retention
}

// Keeps is the policy by which the report was made.
func (r PruneReport) Keeps() pimento.Retention { return r.keeps }

// Prune finds what is older than the profile keeps it. With apply, pages go to
// the archive, and files of raw/ are deleted; a failure stops it, and the report
// says what was done.
func (e *Engine) Prune(ctx context.Context, apply bool, by Actor) (PruneReport, error) {
	v := e.lookSynced(ctx)
	rep := PruneReport{Expired: []upkeep.Expiry{}, Moves: []Move{}, Deleted: []string{}, Every: v.profile.Retention.Every, keeps: v.profile.Retention}
	var err error
	for _, st := range v.stores {
		rep.Writes += e.loadWrites(st).Writes
		if err == nil {
			err = e.pruneStore(ctx, v, st, apply, by, &rep)
		}
	}
	rep.Applied = apply && len(rep.Moves)+len(rep.Deleted) > 0
	rep.Faults = append([]pimento.Fault{}, v.faults...)
	return rep, err
}

// pruneStore prunes one root.
func (e *Engine) pruneStore(ctx context.Context, v *view, st *store, apply bool, by Actor, rep *PruneReport) error {
	expired, files, err := e.expired(ctx, v, st)
	rep.Expired = append(rep.Expired, expired...)
	if err != nil || !apply {
		return err
	}
	for _, x := range expired {
		if x.Delete {
			gone, err := e.deleteRaw(ctx, st, x, files[x.Page], by)
			if gone {
				rep.Deleted = append(rep.Deleted, st.path(x.Page))
			}
			if err != nil {
				return err
			}
			continue
		}
		m := moving{st: st, rel: x.Page}
		if p, _, err := st.Parsed(ctx, x.Page); err == nil {
			m.text = p.Title()
		}
		move, err := e.move(ctx, m, x.Reason(), true, by)
		if err != nil {
			return err
		}
		rep.Moves = append(rep.Moves, move)
	}
	return e.saveWrites(st, written{Ran: e.Now()})
}

// deleteRaw deletes a file of raw/. What stood on it went by our hand: the journal says
// so, and the index knows before the next sync could take it for somebody else's edit.
func (e *Engine) deleteRaw(ctx context.Context, st *store, x upkeep.Expiry, f vault.RawFile, by Actor) (bool, error) {
	var lost []pimento.Entry
	if p, _, err := st.Parsed(ctx, x.Page); err == nil && strings.HasSuffix(x.Page, ".md") {
		lost = st.Entries(p)
	}
	gone, err := st.root.RemoveRaw(ctx, f)
	if err != nil || !gone || len(lost) == 0 {
		return gone, err
	}
	plan := pimento.Plan{}
	for _, en := range lost {
		plan.Events = append(plan.Events, pimento.Event{Type: pimento.Vanished, Page: en.Page, Statement: en.Statement, N: en.N,
			Actor: by.Name, Session: by.Session, Reason: x.Reason()})
	}
	e.complete(ctx, st, &plan)
	err = st.journal.Append(ctx, plan.Events)
	e.takeUp(ctx, st, x.Page, plan)
	return true, err
}

// expired lists what of a root is older than it is kept, with the files as they
// were found.
func (e *Engine) expired(ctx context.Context, v *view, st *store) ([]upkeep.Expiry, map[string]vault.RawFile, error) {
	policy := v.profile.Retention
	if len(policy.Types)+len(policy.Raw) == 0 {
		return nil, nil, nil
	}
	facts, _, err := e.lintFacts(ctx, v, st)
	if err != nil {
		return nil, nil, err
	}
	out := upkeep.Expired(policy, st.scope, facts.Pages, e.Now())
	files := map[string]vault.RawFile{}
	if st.scope == pimento.Local {
		return out, files, nil
	}
	for folder := range policy.Raw {
		list, err := st.root.RawFiles(ctx, folder)
		v.faultErr("retention", err) // a folder that is a link is not ours to empty
		for _, f := range list {
			if x, ok := upkeep.ExpiredFile(policy, st.scope, folder, f.Rel, f.Changed, e.Now()); ok {
				out, files[f.Rel] = append(out, x), f
			}
		}
	}
	slices.SortFunc(out, func(a, b upkeep.Expiry) int { return strings.Compare(a.Page, b.Page) })
	return out, files, nil
}

// A written is how much was written to a root since its retention was acted on.
type written struct {
	Writes int       `json:"writes"`
	Ran    time.Time `json:"ran,omitzero"`
}

func (e *Engine) writesFile(st *store) string {
	return filepath.Join(e.opt.Dirs.State, "retention", st.root.Key()+".json")
}

// loadWrites reads the counter; one that is missing or damaged starts at 0.
func (e *Engine) loadWrites(st *store) (w written) {
	b, err := os.ReadFile(e.writesFile(st))
	if err != nil || json.Unmarshal(b, &w) != nil {
		return written{}
	}
	return w
}

func (e *Engine) saveWrites(st *store, w written) error {
	b, err := json.Marshal(w)
	if err != nil {
		return err
	}
	return regular.Write(e.writesFile(st), b)
}

// countWrite counts a write, and acts on the retention when the profile says
// that it is time. The write stands whatever becomes of that. A profile that a
// project chose takes nothing of the user's own away.
func (e *Engine) countWrite(ctx context.Context, v *view, st *store, by Actor) {
	every := v.profile.Retention.Every
	if every <= 0 || v.shared && st.scope == pimento.Global {
		return
	}
	unlock, err := st.root.Lock(ctx)
	if err != nil {
		return // somebody else's write counts
	}
	w := e.loadWrites(st)
	w.Writes++
	due := w.Writes >= every
	if due {
		w = written{Ran: e.Now()}
	}
	err = e.saveWrites(st, w)
	unlock()
	if err == nil && due {
		var rep PruneReport
		_ = e.pruneStore(ctx, v, st, true, by, &rep) // what it could not do, the next run does
	}
}
