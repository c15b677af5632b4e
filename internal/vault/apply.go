package vault

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/pimento-memory/pimento"
)

const opApply = "vault.write"

// Apply makes one change to a page and returns the page's stamp. It is durable
// when Apply returns nil. The caller holds [Root.Lock].
//
// The page must have the digest c.Before, and the result the digest c.After; else
// nothing is changed and the error is KindConflict. The same happens when an editor
// changes the page meanwhile. A full or read-only disk and missing rights are
// KindUnavailable, and the old bytes stand. A zero stamp means that the change was
// made and the page was changed again by somebody else since.
//
// A page is replaced as a whole, keeping its mode. With c.Append it is appended to
// in place; if somebody else appends at the same moment, both texts stand.
func (r *Root) Apply(ctx context.Context, c pimento.Change) (pimento.Stamp, error) {
	w := &writer{r: r, ctx: ctx, c: c}
	if err := w.check(); err != nil {
		return pimento.Stamp{}, err
	}
	if c.Before == "" {
		if err := w.plan(nil); err != nil {
			return pimento.Stamp{}, err
		}
	}
	dir, name, err := r.dirOf(c.Page, c.Before == "")
	if err != nil {
		return pimento.Stamp{}, r.fail(opApply, c.Page, w.absent(err))
	}
	defer dir.Close()
	w.dir, w.name = dir, name
	st, err := w.write()
	return st, r.fail(opApply, c.Page, err)
}

// Replay makes a change that may or may not have been made before a crash. If the
// page has the digest c.After, it is done; if it has c.Before, it is made now; a
// torn append (the old page and a part of ours) is completed. Anything else is a
// conflict for the user.
func (r *Root) Replay(ctx context.Context, c pimento.Change) (pimento.Stamp, error) {
	b, st, err := r.Read(ctx, c.Page)
	switch {
	case err != nil && pimento.KindOf(err) != pimento.KindNotFound:
		return pimento.Stamp{}, err
	case err != nil && c.After == "":
		return pimento.Stamp{}, nil
	case err == nil && pimento.DigestOf(b) == c.After:
		return st, nil
	}
	if rest, ok := torn(c, b); ok {
		c.Before = pimento.DigestOf(b)
		c.Splices = []pimento.Splice{{Off: len(b), Ins: rest}}
	}
	return r.Apply(ctx, c)
}

// torn tells whether b is the page before an append and a beginning of what
// was appended, and returns what is missing.
func torn(c pimento.Change, b []byte) ([]byte, bool) {
	if !c.Append || c.Before == "" || len(c.Splices) != 1 {
		return nil, false
	}
	s := c.Splices[0]
	if s.Off < 0 || len(b) <= s.Off || len(b) >= s.Off+len(s.Ins) || pimento.DigestOf(b[:s.Off]) != c.Before {
		return nil, false
	}
	have := len(b) - s.Off
	return s.Ins[have:], string(s.Ins[:have]) == string(b[s.Off:])
}

// A writer is one Apply.
type writer struct {
	r    *Root
	ctx  context.Context
	c    pimento.Change
	dir  *os.Root // the page's directory
	name string   // the page's name in it

	found pimento.Stamp // of the page before it was read
	next  []byte        // the page afterwards
	ours  *os.File      // the file that we wrote, open for reading
}

// check refuses a change that could not be made to any page.
func (w *writer) check() error {
	if err := w.r.checkPage(opApply, w.c.Page); err != nil {
		return err
	}
	usage := func(what string) error { return refuse(opApply, w.c.Page, pimento.KindUsage, what, "") }
	switch {
	case w.r.state == "":
		return w.r.readOnly(opApply)
	case w.c.Scope != "" && w.c.Scope != w.r.scope:
		return usage("the change is for another scope")
	case w.c.Before == "" && w.c.After == "":
		return usage("the change neither finds nor leaves a page")
	case w.c.Append && (len(w.c.Splices) != 1 || w.c.Splices[0].Del != 0):
		return usage("an append is one splice that deletes nothing")
	case w.c.Before == "":
		if what := faultOfNewPath(w.c.Page); what != "" {
			return refuse(opApply, w.c.Page, pimento.KindUsage, what, "name it like topics/deploy.md")
		}
	}
	return fail(opApply, w.c.Page, w.ctx.Err())
}

// plan computes the page afterwards from the page now.
func (w *writer) plan(now []byte) error {
	if w.c.Before != "" && pimento.DigestOf(now) != w.c.Before {
		return w.conflict(whatChanged)
	}
	if w.c.After == "" {
		return nil
	}
	next, ok := pimento.ApplySplices(now, w.c.Splices)
	if !ok || pimento.DigestOf(next) != w.c.After || w.c.Append && w.c.Splices[0].Off != len(now) {
		return w.conflict("the change does not fit the page")
	}
	if len(next) > MaxPage {
		return refuse(opApply, w.c.Page, pimento.KindRefused, "the page would become too large", "split it into several pages")
	}
	w.next = next
	return nil
}

// write reads the page and chooses how to change it.
func (w *writer) write() (pimento.Stamp, error) {
	if w.c.Before == "" {
		return w.create()
	}
	flag := os.O_RDONLY
	if w.c.Append {
		flag = os.O_RDWR | os.O_APPEND
	}
	f, err := openIn(w.dir, w.name, flag)
	if err != nil {
		return pimento.Stamp{}, w.absent(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return pimento.Stamp{}, err
	}
	if w.found, err = stampOf(f); err != nil {
		return pimento.Stamp{}, err
	}
	now, err := readAll(f, info.Size())
	if err != nil {
		return pimento.Stamp{}, err
	}
	if err := w.plan(now); err != nil {
		return pimento.Stamp{}, err
	}
	switch {
	case w.c.After == "":
		return pimento.Stamp{}, w.remove()
	case w.c.Append:
		return w.append(f)
	default:
		return w.replace(f, info.Mode().Perm())
	}
}

// create gives a new page its name, unless somebody was faster.
func (w *writer) create() (pimento.Stamp, error) {
	if _, err := w.dir.Lstat(w.name); err == nil {
		return pimento.Stamp{}, w.exists()
	}
	temp, err := w.prepare(w.r.fileMode())
	if err != nil {
		return pimento.Stamp{}, err
	}
	defer w.ours.Close()
	if err := w.r.disk.Rename(w.dir, NoReplace, temp, w.name); err != nil {
		_ = w.r.disk.Rename(w.dir, Unlink, temp, "")
		if errors.Is(err, fs.ErrExist) {
			err = w.exists()
		}
		return pimento.Stamp{}, err
	}
	return w.done()
}

func (w *writer) exists() error {
	_, _, err := readIn(w.dir, w.name)
	if err != nil && pimento.KindOf(err) == pimento.KindDenied {
		return err
	}
	return w.conflict(whatExists)
}

// prepare writes the new text beside the page and opens it.
func (w *writer) prepare(mode fs.FileMode) (temp string, err error) {
	temp = w.tempName()
	if err := w.r.disk.Create(w.dir, temp, w.next, mode); err != nil {
		return "", err
	}
	w.ours, err = openIn(w.dir, temp, os.O_RDONLY)
	if err != nil {
		_ = w.r.disk.Rename(w.dir, Unlink, temp, "")
		return "", err
	}
	return temp, nil
}

// done makes the new name durable and stamps what we wrote.
func (w *writer) done() (pimento.Stamp, error) {
	if err := w.r.disk.Sync(w.dir); err != nil {
		return pimento.Stamp{}, err
	}
	w.tidy()
	st, _ := w.verified(w.ours)
	return st, nil
}

// verified is the stamp of an open file if it holds what the page should hold.
func (w *writer) verified(f *os.File) (pimento.Stamp, bool) {
	before, err := stampOf(f)
	if err != nil || before.Size != int64(len(w.next)) {
		return pimento.Stamp{}, false
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return pimento.Stamp{}, false
	}
	b, err := readAll(f, before.Size)
	if err != nil || pimento.DigestOf(b) != w.c.After {
		return pimento.Stamp{}, false
	}
	after, err := stampOf(f)
	if err != nil || after != before {
		return pimento.Stamp{}, false
	}
	return after, true
}

// replace exchanges the page with the new text and looks at what it displaced.
// Writing took a while, so it looks whether page is still the same before: an
// exchange that is undone shows our text for a moment.
func (w *writer) replace(page *os.File, mode fs.FileMode) (pimento.Stamp, error) {
	temp, err := w.prepare(mode)
	if err != nil {
		return pimento.Stamp{}, err
	}
	defer w.ours.Close()
	if what := w.moved(page); what != "" {
		_ = w.r.disk.Rename(w.dir, Unlink, temp, "")
		return pimento.Stamp{}, w.conflict(what)
	}
	displaced, err := w.exchange(temp)
	if err != nil {
		_ = w.r.disk.Rename(w.dir, Unlink, temp, "")
		return pimento.Stamp{}, w.absent(err)
	}
	if theirs, what, err := w.inspect(displaced); err != nil || what != "" {
		return pimento.Stamp{}, w.undo(displaced, theirs, what)
	}
	_ = w.r.disk.Rename(w.dir, Unlink, displaced, "")
	return w.done()
}

// moved tells what has become of the page since we opened it, or "".
func (w *writer) moved(page *os.File) string {
	info, err := w.dir.Lstat(w.name)
	if err != nil {
		return whatGone
	}
	held, err := page.Stat()
	if err != nil || !os.SameFile(info, held) {
		return whatChanged
	}
	if openElsewhere(page) {
		return whatOpen
	}
	if st, err := stampOf(page); err != nil || st != w.found {
		return whatChanged
	}
	return ""
}

// exchange swaps a temporary file with the page and returns the name that the
// page's old file has then. Where the system cannot swap, the old file gets a
// second name first, so that it outlives the rename; an editor that renames its
// own file over the page between the two calls (some microseconds) is the one
// case that is not seen then.
func (w *writer) exchange(temp string) (displaced string, err error) {
	err = w.r.disk.Rename(w.dir, Exchange, temp, w.name)
	if !errors.Is(err, errors.ErrUnsupported) {
		return temp, err
	}
	old := w.tempName()
	if err := w.r.disk.Rename(w.dir, Link, w.name, old); err != nil {
		return "", err
	}
	if err := w.r.disk.Rename(w.dir, Replace, temp, w.name); err != nil {
		_ = w.r.disk.Rename(w.dir, Unlink, old, "")
		return "", err
	}
	return old, nil
}

// remove takes the page's name away, looks at the file, and unlinks it.
func (w *writer) remove() error {
	temp := w.tempName()
	if err := w.r.disk.Rename(w.dir, NoReplace, w.name, temp); err != nil {
		return w.absent(err)
	}
	if _, what, err := w.inspect(temp); err != nil || what != "" {
		if w.r.disk.Rename(w.dir, NoReplace, temp, w.name) == nil {
			return w.conflict(what)
		}
		return w.conflict(what, w.save(temp)...)
	}
	if err := w.r.disk.Rename(w.dir, Unlink, temp, ""); err != nil {
		_ = w.r.disk.Rename(w.dir, NoReplace, temp, w.name)
		return err
	}
	return w.r.disk.Sync(w.dir)
}
