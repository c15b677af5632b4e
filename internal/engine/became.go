package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
)

// missing is the error of an id that no entry has: it says what became of the
// entry that had it, as far as that is known.
func (e *Engine) missing(ctx context.Context, v *view, op, id string, q idQuery) error {
	fail := &pimento.Error{Op: op, Path: id, Kind: pimento.KindNotFound,
		Err:  errors.New("no entry has this id" + v.orUnused()),
		Hint: "find ids with: pimento recall WORDS"}
	if op == "restore" {
		fail.Hint = "list what can be brought back: pimento restore"
	}
	if rid := e.takenOut(ctx, v, q); rid != "" {
		fail.Err, fail.Hint = errors.New("this entry was taken out"), "bring it back: pimento restore "+rid
		return fail
	}
	if now := e.became(ctx, v, q); now != "" {
		fail.Hint = "it was edited or moved; its id is now: " + now
		return fail
	}
	if rid := e.takenOutSince(ctx, v, q); rid != "" {
		fail.Err, fail.Hint = errors.New("this entry was edited, and then taken out"), "bring it back as it was last: pimento restore "+rid
		return fail
	}
	if last := e.removal(ctx, q); last != "" {
		fail.Err, fail.Hint = errors.New(last), "what happened to it: pimento log "+q.statement
	} else if len(e.sealedPages(ctx, v)) > 0 {
		fail.Hint += "; what stands on an encrypted page is changed after: pimento decrypt PAGE"
	}
	return fail
}

// became is the id of the entry that an old id meant: one that was edited since,
// or that stands elsewhere now; "" when there is none, or several.
func (e *Engine) became(ctx context.Context, v *view, q idQuery) string {
	found := e.matches(ctx, v, idQuery{statement: q.statement, n: -1})
	for _, st := range v.stores {
		if len(found) > 0 {
			break
		}
		if now := st.editedTo(ctx, q.statement); now != "" {
			found = e.matches(ctx, v, idQuery{statement: now, scope: st.scope, n: -1})
		}
	}
	if len(found) != 1 {
		return ""
	}
	return found[0].Occurrence.String()
}

// takenOutSince is [Engine.takenOut] of what an id's entry was edited to.
func (e *Engine) takenOutSince(ctx context.Context, v *view, q idQuery) string {
	for _, st := range v.stores {
		if now := st.editedTo(ctx, q.statement); now != "" {
			if rid := e.takenOut(ctx, v, idQuery{statement: now, scope: st.scope, n: -1}); rid != "" {
				return rid
			}
		}
	}
	return ""
}

// editedTo is what a statement, or the beginning of one, was edited to in the end;
// "" for one that never was.
func (st *store) editedTo(ctx context.Context, statement string) string {
	edits, _ := st.aliases(ctx) // of a journal that cannot be read, nothing is known
	now := statement
	for _, ev := range edits {
		if strings.HasPrefix(string(ev.From), now) {
			now = string(ev.Statement)
		}
	}
	if now == statement {
		return ""
	}
	return now
}

// removal says how an entry went of which nothing is kept; "" where that is unknown.
func (e *Engine) removal(ctx context.Context, q idQuery) string {
	changes, _, err := e.Log(ctx, LogQuery{Of: q.statement})
	if err != nil || len(changes) == 0 {
		return ""
	}
	how, ok := map[pimento.EventType]string{pimento.Vanished: "removed in the file", pimento.Purged: "purged",
		pimento.Forgotten: "forgotten", pimento.Archived: "archived"}[changes[0].What]
	if !ok {
		return ""
	}
	return fmt.Sprintf("this entry was %s on %s", how, changes[0].Time.Format(time.DateOnly))
}
