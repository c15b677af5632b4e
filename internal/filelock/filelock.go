// Package filelock is a lock that is a file of private state: it keeps processes, and the
// goroutines of one process, from doing the same thing at once. [Take] waits for the lock,
// [Try] does not.
//
// The file stays when the lock is given back. If it were removed, two processes could each
// hold "the" lock: one on the file that is gone, one on the file that took its name. The
// system releases the lock of a process that dies.
package filelock

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// ErrHeld means that somebody else holds the lock.
var ErrHeld = errors.New("another process holds the lock")

// Take locks a file, which it makes if needed, and waits for it until ctx is
// done, looking again every so often; the error is then that of ctx.
func Take(ctx context.Context, path string, every time.Duration) (unlock func(), err error) {
	return lock(path, func(l *flock.Flock) (bool, error) { return l.TryLockContext(ctx, every) })
}

// Try is Take without waiting; the error may be ErrHeld.
func Try(path string) (unlock func(), err error) {
	return lock(path, (*flock.Flock).TryLock)
}

func lock(path string, take func(*flock.Flock) (bool, error)) (func(), error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	l := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
	ok, err := take(l)
	if err == nil && !ok {
		err = ErrHeld
	}
	if err != nil {
		_ = l.Close()
		return nil, err
	}
	return func() { _ = l.Close() }, nil
}
