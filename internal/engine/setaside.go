package engine

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/remember"
)

// setAside keeps what is about to be taken out, with the project that it is taken
// out of: recovery is one for all of a user's projects.
func (e *Engine) setAside(ctx context.Context, id string, p remember.Payload) error {
	if p.Scope != pimento.Global {
		at, ok, err := e.opt.Dirs.Project(context.WithoutCancel(ctx), e.opt.Dir)
		if err == nil && ok && !at.Elsewhere { // a memory that projects share takes it back in any of them
			p.Project, p.Dir = at.ID, at.Dir
		}
	}
	return e.recovery.Put(ctx, id, p)
}

// ofAnother is the error of bringing back here what was taken out of another
// project. Another work tree of the project is no other one, nor is a directory
// that is not there any more: the project may have moved.
func (v *view) ofAnother(id string, p remember.Payload) error {
	if p.Scope == pimento.Global || p.Dir == "" || p.Project == v.project.ID || p.Dir == v.project.Dir {
		return nil
	}
	if _, err := os.Stat(p.Dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return &pimento.Error{Op: "restore", Path: id, Kind: pimento.KindRefused,
		Err: errors.New("it was taken out of another project, " + p.Dir), Hint: "go there and restore it"}
}

// RecoveryID is the id by which Restore brings an entry back: the given id itself,
// or, for an entry that was taken out, the id of its recovery.
func (e *Engine) RecoveryID(ctx context.Context, id string) string {
	var p remember.Payload
	if err := e.recovery.Get(ctx, id, &p); err == nil {
		return id
	}
	q, err := parseID("restore", id)
	if err != nil {
		return id
	}
	v := e.look(ctx)
	return cmp.Or(e.takenOut(ctx, v, q), e.takenOutSince(ctx, v, q), id)
}

// takenOut finds the recovery id of an entry that was taken out here, by its own id
// or the beginning of it; "" when there is none, or several say different things. What was taken out
// more than once is brought back as it was last.
func (e *Engine) takenOut(ctx context.Context, v *view, q idQuery) string {
	ids, err := e.recovery.List(ctx)
	if err != nil {
		return ""
	}
	found, says := "", pimento.Statement("")
	for _, rid := range slices.Backward(ids) {
		var p remember.Payload
		err := e.recovery.Get(ctx, rid, &p)
		switch {
		case err != nil || p.V == 0 || p.Verb == lostVerb || !strings.HasPrefix(string(p.Statement), q.statement):
		case q.scope != "" && q.scope != p.Scope || q.page != "" && q.page != p.Page || v.ofAnother(rid, p) != nil:
		case found == "":
			found, says = rid, p.Statement
		case says != p.Statement:
			return ""
		}
	}
	return found
}
