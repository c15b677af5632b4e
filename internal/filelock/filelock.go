// Package filelock keeps processes, and goroutines of one, from doing the same
// thing at once, by a lock on a file of private state. The file stays when the
// lock is given back: removing it would let two processes hold "the" lock.
package filelock

import "errors"

// ErrHeld means that somebody else holds the lock.
var ErrHeld = errors.New("another process holds the lock")
