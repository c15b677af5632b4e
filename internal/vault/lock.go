package vault

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/pimento-memory/pimento"
)

// lockRetry is how long a writer sleeps between two tries for a lock. Locks
// are held for about the time of two fsyncs.
const lockRetry = 2 * time.Millisecond

// Lock takes the root's writer lock, which excludes other processes and other
// goroutines, and waits for it until ctx is done (KindUnavailable). The lock
// file lies in private state, so that a lock needs no root and leaves nothing
// in a repository. Who changes a page reads, plans and applies under it. The
// lock does not bind editors; [Root.Apply] detects those.
func (r *Root) Lock(ctx context.Context) (unlock func(), err error) {
	if r.state == "" {
		return nil, r.readOnly("vault.lock")
	}
	unlock, err = lockFile(ctx, filepath.Join(r.state, "locks", keyOf(r.dir)+".lock"))
	return unlock, fail("vault.lock", r.dir, err)
}

// readOnly is the error of a root that was opened without private state.
func (r *Root) readOnly(op string) error {
	return refuse(op, r.dir, pimento.KindUsage, "this root was opened without private state, for reading only",
		"set HOME or PIMENTO_STATE_DIR to an absolute path")
}

// lockFile locks a file of private state, making it if needed. The file stays:
// removing it would let two processes hold "the" lock.
func lockFile(ctx context.Context, path string) (func(), error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	lock := flock.New(path)
	if _, err := lock.TryLockContext(ctx, lockRetry); err != nil {
		_ = lock.Close()
		return nil, err
	}
	return func() { _ = lock.Close() }, nil
}
