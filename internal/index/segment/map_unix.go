//go:build unix

package segment

import (
	"os"

	"golang.org/x/sys/unix"
)

// mapFile maps a whole file, read-only. free unmaps it.
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
	if info.Size() < headerSize || int64(int(info.Size())) != info.Size() {
		return nil, nil, damage("segment of an impossible size")
	}
	data, err = unix.Mmap(int(f.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, nil, &os.PathError{Op: "mmap", Path: path, Err: err}
	}
	return data, func() { unix.Munmap(data) }, nil
}
