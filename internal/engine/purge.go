package engine

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/remember"
)

// A PurgeReport lists what a purge reached and what it cannot reach.
type PurgeReport struct {
	ID        string   `json:"id"`
	Removed   []string `json:"removed"`
	Untouched []string `json:"untouched"`
}

// Purge removes an entry for good: from its page (if it still stands there),
// from recovery, from the text that journals, traces and sessions keep, and
// from the index. The journal keeps only its digest. id may be an entry's or a
// recovery's.
func (e *Engine) Purge(ctx context.Context, id string, by Actor) (PurgeReport, error) {
	rep := PurgeReport{ID: id, Untouched: []string{"the history of git and its remotes", "the transcripts that agents keep of their sessions", "backups"}}
	statement, err := e.purgePage(ctx, id, by, &rep)
	if err != nil {
		return rep, err
	}
	v := e.look(ctx)
	for _, st := range v.stores {
		n := 0
		err := st.journal.Rewrite(ctx, func(ev *pimento.Event) bool {
			if ev.Statement == statement || ev.From == statement {
				if ev.Text != "" || len(ev.Data) > 0 {
					n++
				}
				ev.Text, ev.Data = "", nil
			}
			if ev.Type == pimento.Staged && strings.Contains(string(ev.Data), string(statement)) {
				ev.Data = nil
				n++
			}
			return true
		})
		if err != nil {
			return rep, err
		}
		if n > 0 {
			rep.Removed = append(rep.Removed, "text in the journal of "+string(st.scope))
		}
	}
	for _, dir := range []string{"traces", "sessions"} {
		if err := os.RemoveAll(filepath.Join(e.opt.Dirs.State, dir)); err != nil {
			return rep, err
		}
	}
	rep.Removed = append(rep.Removed, "all traces", "all sessions' frozen prefixes (each takes a new one on its next prompt)")
	return rep, nil
}

// purgePage takes the entry out of its page and out of recovery.
func (e *Engine) purgePage(ctx context.Context, id string, by Actor, rep *PurgeReport) (pimento.Statement, error) {
	r, st, err := e.onEntry(ctx, "purge", id, e.resolve, by, func(t remember.Target, o pimento.Occurrence, b remember.By) (pimento.Plan, error) {
		p, _, err := remember.Forget(t, o, b)
		p.Verb = "purge"
		for i := range p.Events {
			p.Events[i].Type = pimento.Purged
		}
		return p, err
	})
	statement := r.ID
	switch {
	case err == nil:
		rep.Removed = append(rep.Removed, string(r.Scope)+":"+r.Page)
		if err := e.bumpForget(st); err != nil {
			return "", err
		}
	case pimento.KindOf(err) != pimento.KindNotFound && pimento.KindOf(err) != pimento.KindUsage:
		return "", err
	}
	found, rerr := e.purgeRecovery(ctx, id, statement)
	if rerr != nil {
		return "", rerr
	}
	if found != "" {
		statement = found
		rep.Removed = append(rep.Removed, "the recovery copy")
	} else if err != nil {
		return "", err
	}
	return statement, nil
}

// purgeRecovery deletes the recovery payloads of a recovery id or a statement,
// and returns the statement.
func (e *Engine) purgeRecovery(ctx context.Context, id string, statement pimento.Statement) (pimento.Statement, error) {
	ids, err := e.recovery.List(ctx)
	if err != nil {
		return "", err
	}
	var found pimento.Statement
	for _, rid := range ids {
		var rec remember.Payload
		if err := e.recovery.Get(ctx, rid, &rec); err != nil && rid != id {
			continue // damaged; it goes when it is named
		}
		st := pimento.StatementOf(rec.Text)
		if rid != id && st != statement && !(len(id) >= idDigits && strings.HasPrefix(string(st), id)) {
			continue
		}
		if err := e.recovery.Delete(ctx, rid); err != nil {
			return found, err
		}
		found = st
	}
	return found, nil
}
