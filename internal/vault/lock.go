package vault

import (
	"context"
	"path/filepath"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/filelock"
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
	unlock, err = filelock.Take(ctx, filepath.Join(r.state, "locks", keyOf(r.dir)+".lock"), lockRetry)
	return unlock, fail("vault.lock", r.dir, err)
}

// readOnly is the error of a root that was opened without private state.
func (r *Root) readOnly(op string) error {
	return refuse(op, r.dir, pimento.KindUsage, "this root was opened without private state, for reading only",
		"set HOME or PIMENTO_STATE_DIR to an absolute path")
}
