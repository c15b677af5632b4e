package journal

import (
	"context"
	"errors"
	"time"

	"github.com/pimento-memory/pimento/internal/filelock"
)

// noteWait is how long a note waits for the lock before it goes to the spool.
const noteWait = 5 * time.Millisecond

// lock takes the writers' lock, waiting as long as ctx allows.
func (j *Journal) lock(ctx context.Context) (unlock func(), err error) {
	return j.lockFile(ctx, "lock", time.Millisecond)
}

// tryLock takes the writers' lock if it is free within noteWait.
func (j *Journal) tryLock(ctx context.Context) (unlock func(), err error) {
	if unlock, err = j.lockNow("lock"); err == nil || !errors.Is(err, filelock.ErrHeld) {
		return unlock, err
	}
	ctx, cancel := context.WithTimeout(ctx, noteWait)
	defer cancel()
	return j.lockFile(ctx, "lock", noteWait/10)
}

// lockFile polls a lock file until it gets it or ctx is done.
func (j *Journal) lockFile(ctx context.Context, name string, every time.Duration) (unlock func(), err error) {
	return filelock.Take(ctx, j.path(name), every)
}

// lockNow takes a lock file if it is free.
func (j *Journal) lockNow(name string) (unlock func(), err error) {
	return filelock.Try(j.path(name))
}
