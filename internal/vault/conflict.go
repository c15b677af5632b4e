package vault

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/pimento-memory/pimento"
)

const (
	whatChanged = "the page was changed by somebody else"
	whatOpen    = "another program has the page open for writing"
	whatExists  = "the page exists already"
	whatGone    = "the page does not exist any more"
)

// conflict is the error of a page that is not what the change was made for.
// recovered are ids in recovery of texts that may be on no page now.
func (w *writer) conflict(what string, recovered ...string) error {
	hint := "read the page again and repeat the change"
	if len(recovered) > 0 {
		hint += "; a text that was displaced is kept in recovery: " + recovered[0]
	}
	return &pimento.Error{Op: opApply, Path: w.c.Page, Kind: pimento.KindConflict, Hint: hint, Err: errors.New(what)}
}

// inspect reads a displaced file and tells why it must not be unlinked, or "".
// Nobody new can open it, since its name is our own; so once nobody has it
// open for writing, what is read stays.
func (w *writer) inspect(name string) (b []byte, what string, err error) {
	f, err := openIn(w.dir, name, os.O_RDONLY)
	if err != nil {
		return nil, whatChanged, err
	}
	defer f.Close()
	if openElsewhere(f) {
		what = whatOpen
	}
	info, err := f.Stat()
	if err != nil {
		return nil, whatChanged, err
	}
	b, err = readAll(f, info.Size())
	if err != nil || pimento.DigestOf(b) != w.c.Before {
		what = whatChanged
	}
	return b, what, err
}

// undo puts a displaced file (now named temp) back after an exchange and
// returns the conflict. If the page has meanwhile been replaced once more, the
// newest text stays on the page and the older goes to recovery. A copy of a
// foreign text goes there in any case: who has read the page while ours stood
// on it may save over theirs.
func (w *writer) undo(temp string, theirs []byte, what string) error {
	var copied []string
	if theirs != nil && pimento.DigestOf(theirs) != w.c.Before {
		copied = w.keep(theirs, w.c.Page)
	}
	if w.isOurs(w.name) {
		back, err := w.exchange(temp)
		switch {
		case err != nil:
		case w.isOurs(back) && w.untouched():
			_ = w.r.disk.Rename(w.dir, Unlink, back, "")
			return w.conflict(what, copied...)
		case w.isOurs(back):
			temp = back
		default:
			if again, err := w.exchange(back); err == nil {
				back = again
			}
			temp = back
		}
	}
	return w.conflict(what, slices.Compact(append(copied, w.save(temp)...))...)
}

// isOurs tells whether a name stands for the file that we wrote.
func (w *writer) isOurs(name string) bool {
	info, err := w.dir.Lstat(name)
	if err != nil {
		return false
	}
	ours, err := w.ours.Stat()
	return err == nil && os.SameFile(info, ours)
}

// untouched tells whether the file that we wrote still holds what we wrote.
func (w *writer) untouched() bool {
	_, ok := w.verified(w.ours)
	return ok && !openElsewhere(w.ours)
}

// save moves a file that is on no page to recovery and returns the id. When
// that fails, or somebody is still writing to it, the file stays beside the
// page, where [writer.tidy] of a later write finds it.
func (w *writer) save(name string) []string { return w.saveAs(name, w.c.Page) }

func (w *writer) saveAs(name, page string) []string {
	b, what, err := w.inspect(name)
	if err != nil {
		return nil
	}
	ids := w.keep(b, page)
	if ids != nil && what != whatOpen {
		_ = w.r.disk.Rename(w.dir, Unlink, name, "")
	}
	return ids
}

// keep puts a text into recovery and returns its id, nil if that failed.
func (w *writer) keep(b []byte, page string) []string {
	if w.r.state == "" {
		return nil
	}
	digest := pimento.DigestOf(b)
	id := "displaced-" + string(digest[:16])
	payload := Displaced{Scope: w.r.scope, Root: w.r.dir, Page: page, Digest: digest, Bytes: b}
	if w.r.recovery().Put(context.WithoutCancel(w.ctx), id, payload) != nil {
		return nil
	}
	return []string{id}
}

func (r *Root) recovery() *Recovery { return newRecovery(filepath.Join(r.state, "recovery")) }

// absent is the conflict of a page that should be there.
func (w *writer) absent(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return w.conflict(whatGone)
	}
	return err
}
