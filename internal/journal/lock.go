package journal

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// noteWait is how long a note waits for the lock before it goes to the spool.
const noteWait = 5 * time.Millisecond

// errLocked says that somebody else is writing.
var errLocked = errors.New("another process is writing")

// lock takes the writers' lock, waiting as long as ctx allows.
func (j *Journal) lock(ctx context.Context) (unlock func(), err error) {
	return j.lockFile(ctx, "lock", time.Millisecond)
}

// tryLock takes the writers' lock if it is free within noteWait.
func (j *Journal) tryLock(ctx context.Context) (unlock func(), err error) {
	if unlock, err = j.lockNow("lock"); err == nil || !errors.Is(err, errLocked) {
		return unlock, err
	}
	ctx, cancel := context.WithTimeout(ctx, noteWait)
	defer cancel()
	return j.lockFile(ctx, "lock", noteWait/10)
}

// lockFile polls a lock file until it gets it or ctx is done.
func (j *Journal) lockFile(ctx context.Context, name string, every time.Duration) (unlock func(), err error) {
	l := j.flock(name)
	ok, err := l.TryLockContext(ctx, every)
	return locked(l, ok, err)
}

// lockNow takes a lock file if it is free.
func (j *Journal) lockNow(name string) (unlock func(), err error) {
	l := j.flock(name)
	ok, err := l.TryLock()
	return locked(l, ok, err)
}

func (j *Journal) flock(name string) *flock.Flock {
	return flock.New(j.path(name), flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
}

func locked(l *flock.Flock, ok bool, err error) (func(), error) {
	if err == nil && !ok {
		err = errLocked
	}
	if err != nil {
		l.Close()
		return nil, err
	}
	return func() { l.Close() }, nil
}
