//go:build !unix

package segment

import "os"

// mapFile reads a whole file where there is no mmap.
func mapFile(path string) (data []byte, free func(), err error) {
	data, err = os.ReadFile(path)
	return data, func() {}, err
}
