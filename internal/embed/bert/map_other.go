//go:build !unix

package bert

import (
	"errors"
	"os"
)

// mapFile reads a whole file where there is no mmap.
func mapFile(path string) (data []byte, free func(), err error) {
	data, err = os.ReadFile(path)
	if err == nil && len(data) == 0 {
		err = &os.PathError{Op: "read", Path: path, Err: errors.New("an empty file")}
	}
	return data, func() {}, err
}
