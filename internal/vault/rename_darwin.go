package vault

import (
	"os"

	"golang.org/x/sys/unix"
)

func renameAt(fd int, how How, from, to string) error {
	flags := uint32(unix.RENAME_EXCL)
	if how == Exchange {
		flags = unix.RENAME_SWAP
	}
	return unix.RenameatxNp(fd, from, fd, to, flags)
}

// openElsewhere cannot be known here.
func openElsewhere(*os.File) bool { return false }
