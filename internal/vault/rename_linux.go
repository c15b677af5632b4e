package vault

import (
	"os"

	"golang.org/x/sys/unix"
)

func renameAt(fd int, how How, from, to string) error {
	flags := uint(unix.RENAME_NOREPLACE)
	if how == Exchange {
		flags = unix.RENAME_EXCHANGE
	}
	return unix.Renameat2(fd, from, fd, to, flags)
}

// openElsewhere tells whether somebody has the file open for writing. A read
// lease is granted only on a file that nobody has; where leases are not to be
// had (network file systems, another owner) the answer is no.
func openElsewhere(f *os.File) bool {
	_, err := unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_RDLCK)
	if err == nil {
		_, _ = unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_UNLCK)
	}
	return err == unix.EAGAIN
}
