package vault

import (
	"os"

	"golang.org/x/sys/unix"
)

// birth is a path's device, inode and birth time in nanoseconds since the
// epoch, 0 where the file system keeps none.
func birth(path string) (dev, ino uint64, btime int64, err error) {
	var st unix.Statx_t
	err = unix.Statx(unix.AT_FDCWD, path, 0, unix.STATX_INO|unix.STATX_BTIME, &st)
	if err != nil {
		return statBirth(path)
	}
	if st.Mask&unix.STATX_BTIME != 0 {
		btime = st.Btime.Sec*1e9 + int64(st.Btime.Nsec)
	}
	return unix.Mkdev(st.Dev_major, st.Dev_minor), st.Ino, btime, nil
}

// statBirth is birth for kernels (and sandboxes) without statx.
func statBirth(path string) (dev, ino uint64, btime int64, err error) {
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		return 0, 0, 0, &os.PathError{Op: "stat", Path: path, Err: err}
	}
	return uint64(st.Dev), st.Ino, 0, nil
}
