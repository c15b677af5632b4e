//go:build !unix

package mapped

import "os"

// Open reads a whole file where there is no mmap. The error may be ErrSize.
func Open(path string) (data []byte, free func(), err error) {
	data, err = os.ReadFile(path)
	if err == nil && len(data) == 0 {
		err = &os.PathError{Op: "read", Path: path, Err: ErrSize}
	}
	return data, func() {}, err
}
