package vault

import (
	"os"

	"golang.org/x/sys/unix"
)

// birth is a path's device, inode and birth time in nanoseconds since the epoch.
func birth(path string) (dev, ino uint64, btime int64, err error) {
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		return 0, 0, 0, &os.PathError{Op: "stat", Path: path, Err: err}
	}
	return uint64(st.Dev), st.Ino, st.Btim.Nano(), nil
}
