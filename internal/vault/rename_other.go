//go:build !linux && !darwin

package vault

import (
	"errors"
	"os"
)

// rename is NoReplace and Exchange; the latter is not to be had.
func rename(dir *os.Root, how How, from, to string) error {
	if how == NoReplace {
		return moveByLink(dir, from, to)
	}
	return &os.LinkError{Op: "rename", Old: from, New: to, Err: errors.ErrUnsupported}
}

// syncDir does nothing: where a directory cannot be synced as a file, the
// system orders names itself.
func syncDir(*os.File) error { return nil }

// openElsewhere cannot be known here.
func openElsewhere(*os.File) bool { return false }
