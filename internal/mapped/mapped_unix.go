//go:build unix

package mapped

import (
	"os"

	"golang.org/x/sys/unix"
)

// Open maps a whole file, read-only; free unmaps it. The error may be ErrSize. A
// file that is cut later makes reading its bytes a fault of the memory.
func Open(path string) (data []byte, free func(), err error) {
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
		return nil, nil, &os.PathError{Op: "mmap", Path: path, Err: ErrSize}
	}
	data, err = unix.Mmap(int(f.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, nil, &os.PathError{Op: "mmap", Path: path, Err: err}
	}
	return data, func() { _ = unix.Munmap(data) }, nil
}
