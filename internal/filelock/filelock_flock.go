//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package filelock

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// Take locks a file, which it makes if needed, and waits for it until ctx is
// done, looking again every so often; the error is then that of ctx.
func Take(ctx context.Context, path string, every time.Duration) (unlock func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return lock(path, func() error {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(every):
			return nil
		}
	})
}

// Try is Take without waiting; the error may be ErrHeld.
func Try(path string) (unlock func(), err error) {
	return lock(path, func() error { return ErrHeld })
}

// lock asks wait what to do as long as somebody else holds the lock. A turn takes
// several; through package os, each would be ten calls of the system instead of four.
func lock(path string, wait func() error) (unlock func(), err error) {
	fd, err := open(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, err
		}
		fd, err = open(path)
	}
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	for {
		err := unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB)
		if err == nil {
			return func() { giveBack(fd) }, nil
		}
		if err == unix.EWOULDBLOCK {
			err = wait()
		} else if err != unix.EINTR {
			err = &os.PathError{Op: "flock", Path: path, Err: err}
		}
		if err != nil && err != unix.EINTR {
			_ = unix.Close(fd)
			return nil, err
		}
	}
}

// giveBack does not leave it to closing: a process that is being started may have a
// copy for a moment.
func giveBack(fd int) {
	_ = unix.Flock(fd, unix.LOCK_UN)
	_ = unix.Close(fd)
}

func open(path string) (fd int, err error) {
	for err = unix.EINTR; err == unix.EINTR; {
		fd, err = unix.Open(path, unix.O_CREAT|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	}
	return fd, err
}
