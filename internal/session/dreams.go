package session

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/regular"
)

// Dreams is the folder of what dreams leave behind: the lock that lets one run
// at a time, and for each project a record of the last one.
type Dreams struct{ dir string }

// NewDreams does no I/O; the folder is made by the first dream.
func NewDreams(dir string) Dreams { return Dreams{dir} }

const lockName = "lock"

// beginWait is how long a dream waits for the lock: somebody who looks whether
// one runs holds it for an instant.
const beginWait = 200 * time.Millisecond

// Begin says that a dream runs, until end is called or the process dies. The
// error is of KindConflict when another one runs.
func (d Dreams) Begin(ctx context.Context, now time.Time) (end func(), err error) {
	path := filepath.Join(d.dir, lockName)
	if err := os.MkdirAll(d.dir, 0o700); err != nil {
		return nil, unavailable("dream", d.dir, err)
	}
	l := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
	wait, cancel := context.WithTimeout(ctx, beginWait)
	defer cancel()
	ok, err := l.TryLockContext(wait, 5*time.Millisecond)
	if !ok {
		_ = l.Close()
		if ctx.Err() == nil && (err == nil || errors.Is(err, context.DeadlineExceeded)) {
			return nil, &pimento.Error{Op: "dream", Kind: pimento.KindConflict, Err: errors.New("another dream is running"),
				Hint: "wait for it to end; it leaves what it found in the inbox"}
		}
		return nil, unavailable("dream", path, cmp.Or(err, ctx.Err()))
	}
	_ = os.Chtimes(path, now, now) // since when
	return func() { _ = l.Close() }, nil
}

// Running says since when a dream runs, and whether one does. Where none ever
// ran it costs one look at a name.
func (d Dreams) Running() (since time.Time, running bool) {
	path := filepath.Join(d.dir, lockName)
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}, false
	}
	l := flock.New(path, flock.SetFlag(os.O_RDONLY))
	ok, err := l.TryRLock()
	_ = l.Close()
	return info.ModTime(), err == nil && !ok
}

// Mark notes that a dream of a session goes through a project, until Unmark says
// that it came to its end, or that somebody was told that it did not.
func (d Dreams) Mark(project string) error {
	if err := regular.Write(d.mark(project), nil); err != nil {
		return unavailable("dream", d.mark(project), err)
	}
	return nil
}

func (d Dreams) Unmark(project string) { _ = os.Remove(d.mark(project)) }

// Broken says since when a dream has been marked that does not run any more.
func (d Dreams) Broken(project string) (since time.Time, broken bool) {
	info, err := os.Stat(d.mark(project))
	if err != nil {
		return time.Time{}, false
	}
	_, running := d.Running()
	return info.ModTime(), !running
}

func (d Dreams) mark(project string) string { return filepath.Join(d.dir, project+".begun") }

// Keep stores the record of a project's last dream.
func (d Dreams) Keep(project string, record any) error {
	b, err := json.Marshal(record)
	if err != nil {
		return err
	}
	if err := regular.Write(d.file(project), append(b, '\n')); err != nil {
		return unavailable("dream", d.file(project), err)
	}
	return nil
}

// Last reads the record of a project's last dream into what into points to; ok
// is false when there is none.
func (d Dreams) Last(project string, into any) (ok bool, err error) {
	b, err := os.ReadFile(d.file(project))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err == nil {
		err = json.Unmarshal(b, into)
	}
	if err != nil {
		return false, unavailable("dream", d.file(project), err)
	}
	return true, nil
}

// Forget removes the records of last dreams that hold a text, for a purge, and
// says whether there were any.
func (d Dreams) Forget(holds func(record []byte) bool) (gone bool, err error) {
	names, err := filepath.Glob(filepath.Join(d.dir, "*.json"))
	for _, name := range names {
		b, rerr := os.ReadFile(name)
		if rerr != nil || !holds(b) {
			continue
		}
		gone = true
		if rerr := os.Remove(name); rerr != nil {
			err = unavailable("dream", name, rerr)
		}
	}
	return gone, err
}

func (d Dreams) file(project string) string { return filepath.Join(d.dir, project+".json") }
