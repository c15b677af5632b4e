//go:build !unix

package regular

import "os"

// Open is [os.OpenFile].
func Open(name string, flag int, perm os.FileMode) (*os.File, error) {
	return os.OpenFile(name, flag, perm)
}

// Read is [os.ReadFile].
func Read(name string) ([]byte, error) { return os.ReadFile(name) }
