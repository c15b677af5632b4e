package vault

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/filelock"
)

// Grant stores the user's yes to a project as it is now. rootCommit may be ""
// (see [RootCommit]).
func (c *Consents) Grant(ctx context.Context, p Project, rootCommit string, now time.Time) error {
	const op = "consent.grant"
	unlock, err := c.lock(ctx)
	if err != nil {
		return fail(op, p.Dir, err)
	}
	defer unlock()
	return fail(op, p.Dir, c.write(p, rootCommit, now))
}

// Revoke takes the yes back, which is remembered; it is fine if there was none.
// Where there is no memory either, it is a no to making one.
func (c *Consents) Revoke(ctx context.Context, p Project) error {
	const op = "consent.revoke"
	unlock, err := c.lock(ctx)
	if err != nil {
		return fail(op, p.Dir, err)
	}
	defer unlock()
	_, given := os.Lstat(c.file(p.ID))
	_, there := os.Lstat(p.Memory)
	if given == nil || errors.Is(there, fs.ErrNotExist) {
		if err := writePrivate(c.taken(p.ID), nil); err != nil {
			return fail(op, p.Dir, err)
		}
	}
	return fail(op, p.Dir, removePrivate(c.file(p.ID)))
}

// Adopt moves the consent that was given to the project at the path old (its
// directory or git directory, absolute) to the project p, and returns the ID
// under which journal and sessions were kept. KindNotFound if there is none,
// KindConflict if that project is still there: then p is a copy of it.
func (c *Consents) Adopt(ctx context.Context, old string, p Project, now time.Time) (oldID string, err error) {
	const op = "consent.adopt"
	unlock, err := c.lock(ctx)
	if err != nil {
		return "", fail(op, old, err)
	}
	defer unlock()
	got, ok := c.at(old)
	if !ok {
		return "", refuse(op, old, pimento.KindNotFound, "there is no consent to a project at this path", "look at the project's memory, then: pimento trust")
	}
	oldID = keyOf(got.Common)
	if oldID == p.ID {
		return oldID, fail(op, old, c.write(p, got.RootCommit, now))
	}
	if got.Common != p.Dir && got.stands() { // else it is the folder that git was begun in
		return "", refuse(op, old, pimento.KindConflict, "that project is still there", "to trust this one as well: pimento trust")
	}
	if err := c.write(p, got.RootCommit, now); err != nil {
		return "", fail(op, old, err)
	}
	return oldID, fail(op, old, removePrivate(c.file(oldID)))
}

// at finds the consent to a path. The path may be gone, so it is compared as
// it was stored and as far as it can still be resolved.
func (c *Consents) at(old string) (consent, bool) {
	old = filepath.Clean(old)
	if real, err := realPath(old); err == nil {
		old = real
	}
	for _, got := range c.all() {
		if got.Dir == old || got.Common == old {
			return got, true
		}
	}
	return consent{}, false
}

// GrantIfCreating lets a command of ours make a project's memory: under the
// private lock it writes the consent and then calls create, which makes the
// folder (see [Root.Create]). If the folder is there already it looks again,
// under the lock, for the consent of whoever made it: so of several first
// writers at once all succeed, and the memory that somebody else committed is
// KindDenied, as is one to which the user said no. If create fails, the consent is
// taken back.
func (c *Consents) GrantIfCreating(ctx context.Context, p Project, now time.Time, create func() error) error {
	const op = "consent.create"
	unlock, err := c.lock(ctx)
	if err != nil {
		return fail(op, p.Dir, err)
	}
	defer unlock()
	state := c.look(p)
	if _, err := os.Lstat(p.Memory); err == nil {
		return state.Err(p)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return fail(op, p.Memory, err)
	}
	if state.Status == Granted {
		return fail(op, p.Memory, create())
	}
	if state.Taken {
		return state.Err(p)
	}
	if err := c.write(p, "", now); err != nil {
		return fail(op, p.Dir, err)
	}
	if err := create(); err != nil {
		_ = removePrivate(c.file(p.ID))
		return fail(op, p.Memory, err)
	}
	return nil
}

func (c *Consents) lock(ctx context.Context) (func(), error) {
	return filelock.Take(ctx, filepath.Join(c.dir, ".lock"), lockRetry)
}

func (c *Consents) write(p Project, rootCommit string, now time.Time) error {
	had, err := readConsent(c.file(p.ID)) // a yes to what lies in the repository covers the other one
	elsewhere := p.Elsewhere && (err != nil || had.Elsewhere || had.mismatch(p) != "")
	b, err := json.Marshal(consent{V: 1, Time: now.UTC(), Dir: p.Dir, Common: p.Common,
		Dev: p.Dev, Ino: p.Ino, Btime: p.Btime, RootCommit: rootCommit, Elsewhere: elsewhere})
	if err != nil {
		return err
	}
	if err := writePrivate(c.file(p.ID), append(b, '\n')); err != nil {
		return err
	}
	_ = os.Remove(c.taken(p.ID))
	return nil
}
