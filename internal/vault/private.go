package vault

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// writePrivate replaces a file of private state (0600, in directories 0700)
// whole: after a crash, the old or the new bytes stand.
func writePrivate(path string, b []byte) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".pimento-*.tmp")
	if err != nil {
		return err
	}
	temp := f.Name()
	_, err = f.Write(b)
	if err == nil {
		err = f.Sync()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(temp, path)
	}
	if err != nil {
		_ = os.Remove(temp)
		return err
	}
	return syncPath(dir)
}

// removePrivate removes a file of private state; one that is not there is fine.
func removePrivate(path string) error {
	if err := os.Remove(path); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	return syncPath(filepath.Dir(path))
}

func syncPath(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	return syncDir(f)
}
