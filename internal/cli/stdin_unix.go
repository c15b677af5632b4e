//go:build unix

package cli

import (
	"io"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// parked makes reads of a pipe or socket wait as goroutines do. Else each of them
// keeps a thread and, for a moment, a processor, and what a request begins waits
// until that is taken away. undo must be called when all is read: whoever
// started us may read on.
func parked(in io.Reader) (r io.Reader, undo func()) {
	nothing := func() {}
	f, ok := in.(*os.File)
	if !ok {
		return in, nothing
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) == 0 {
		return in, nothing
	}
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return in, nothing
	}
	if unix.SetNonblock(fd, true) != nil {
		_ = unix.Close(fd)
		return in, nothing
	}
	own := os.NewFile(uintptr(fd), f.Name())
	return own, func() {
		_ = own.Close()
		_ = unix.SetNonblock(int(f.Fd()), false)
	}
}
