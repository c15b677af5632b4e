//go:build unix

package bert

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// mapFile maps a whole file, read-only: several processes share one copy, and
// only what is used is read. free unmaps it.
func mapFile(path string) (data []byte, free func(), err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	if size := info.Size(); !info.Mode().IsRegular() || size == 0 || int64(int(size)) != size {
		return nil, nil, &os.PathError{Op: "mmap", Path: path, Err: errors.New("not a file of a possible size")}
	}
	data, err = unix.Mmap(int(f.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, nil, &os.PathError{Op: "mmap", Path: path, Err: err}
	}
	return data, func() { _ = unix.Munmap(data) }, nil
}
