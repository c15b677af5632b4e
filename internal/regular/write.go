package regular

import (
	"errors"
	"os"
	"path/filepath"
)

// TempExt ends the names of files that are being written.
const TempExt = ".tmp"

// Write replaces a file as a whole, creating its directory: whoever reads it
// finds the old bytes or the new ones. It does not sync, because a turn must not
// wait for the disk.
func Write(name string, b []byte) error {
	tmp, err := WriteTemp(filepath.Dir(name), b)
	if err != nil {
		return err
	}
	if err = os.Rename(tmp, name); err != nil {
		os.Remove(tmp)
	}
	return err
}

// WriteTemp stores b under a name of its own in dir, which it creates.
func WriteTemp(dir string, b []byte) (name string, err error) {
	f, err := os.CreateTemp(dir, "*"+TempExt)
	if errors.Is(err, os.ErrNotExist) {
		if err = os.MkdirAll(dir, 0o700); err == nil {
			f, err = os.CreateTemp(dir, "*"+TempExt)
		}
	}
	if err != nil {
		return "", err
	}
	_, err = f.Write(b)
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(f.Name())
		return "", err
	}
	return f.Name(), nil
}
