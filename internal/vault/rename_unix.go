//go:build linux || darwin

package vault

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// rename is NoReplace and Exchange.
func rename(dir *os.Root, how How, from, to string) error {
	f, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer f.Close()
	err = renameAt(int(f.Fd()), how, from, to)
	if !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.ENOSYS) && !errors.Is(err, unix.ENOTSUP) {
		return linkError(from, to, err)
	}
	if how == NoReplace {
		return moveByLink(dir, from, to)
	}
	return linkError(from, to, errors.ErrUnsupported)
}

func linkError(from, to string, err error) error {
	if err == nil {
		return nil
	}
	return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
}

// syncDir syncs an open directory. Some file systems cannot and say EINVAL.
func syncDir(f *os.File) error {
	if err := f.Sync(); err != nil && !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.ENOTSUP) {
		return err
	}
	return nil
}
