//go:build linux || darwin

package vault

import (
	"os"

	"golang.org/x/sys/unix"

	"github.com/pimento-memory/pimento"
)

// errQuota is what a full quota looks like.
const errQuota = unix.EDQUOT

// openFlags keep a read of something that turned into a pipe from hanging, and
// a link from being followed.
const openFlags = unix.O_NONBLOCK | unix.O_NOFOLLOW

// stampOf is the stamp of an open file.
func stampOf(f *os.File) (pimento.Stamp, error) {
	var st unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &st); err != nil {
		return pimento.Stamp{}, &os.PathError{Op: "fstat", Path: f.Name(), Err: err}
	}
	return stampFrom(&st), nil
}

func stampFrom(st *unix.Stat_t) pimento.Stamp {
	return pimento.Stamp{
		Dev: uint64(st.Dev), Ino: uint64(st.Ino), Size: st.Size,
		Mtime: st.Mtim.Nano(), Ctime: st.Ctim.Nano(),
	}
}

// mayWrite says why nobody like us could make a file in a directory.
func mayWrite(dir string) error {
	return unix.Faccessat(unix.AT_FDCWD, dir, unix.W_OK|unix.X_OK, unix.AT_EACCESS)
}

// holdFile takes an exclusive advisory lock that lasts until f is closed.
func holdFile(f *os.File) error {
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX)
		if err != unix.EINTR {
			return err
		}
	}
}
