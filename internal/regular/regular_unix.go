//go:build unix

package regular

import (
	"os"

	"golang.org/x/sys/unix"
)

// Open is [os.OpenFile] for what is a regular file, or a directory.
func Open(name string, flag int, perm os.FileMode) (*os.File, error) {
	fd, err := open(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), name), nil
}

// Read is [os.ReadFile].
func Read(name string) ([]byte, error) {
	fd, err := open(name, unix.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return nil, &os.PathError{Op: "stat", Path: name, Err: err}
	}
	b := make([]byte, 0, max(st.Size, 0)+1)
	for { // a short read may be no end before the size that the file had
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
		n, err := unix.Read(fd, b[len(b):cap(b)])
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return nil, &os.PathError{Op: "read", Path: name, Err: err}
		}
		if b = b[:len(b)+n]; n == 0 || len(b) < cap(b) && int64(len(b)) >= st.Size {
			return b, nil
		}
	}
}

func open(name string, flag int, perm os.FileMode) (fd int, err error) {
	for {
		fd, err = unix.Open(name, flag|unix.O_CLOEXEC, uint32(perm.Perm()))
		if err != unix.EINTR {
			break
		}
	}
	if err != nil {
		return -1, &os.PathError{Op: "open", Path: name, Err: err}
	}
	return fd, nil
}
