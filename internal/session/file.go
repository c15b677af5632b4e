package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"

	"github.com/pimento-memory/pimento/internal/regular"
)

// WriteFile replaces a file of private state as a whole, creating its directory:
// whoever reads it finds the old bytes or the new ones. It does not sync, because
// a turn must not wait for the disk.
func WriteFile(name string, b []byte) error {
	tmp, err := writeTemp(filepath.Dir(name), b)
	if err != nil {
		return err
	}
	if err = os.Rename(tmp, name); err != nil {
		os.Remove(tmp)
	}
	return err
}

// writeTemp stores b under a name of its own in dir, which it creates.
func writeTemp(dir string, b []byte) (name string, err error) {
	f, err := os.CreateTemp(dir, "*"+tempExt)
	if errors.Is(err, os.ErrNotExist) {
		if err = os.MkdirAll(dir, 0o700); err == nil {
			f, err = os.CreateTemp(dir, "*"+tempExt)
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

// overwrite makes b the content of a file in place. Creating files, renaming
// one over another and truncating to nothing make some file systems allocate
// or flush at once, which costs milliseconds; this does none of them.
func overwrite(name string, b []byte) error {
	f, err := regular.Open(name, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(b, 0)
	if err == nil {
		err = f.Truncate(int64(len(b)))
	}
	return errors.Join(err, f.Close())
}

// seal puts a line with the sha256 of b before it.
func seal(b []byte) []byte {
	sum := sha256.Sum256(b)
	return append(append(hex.AppendEncode(nil, sum[:]), '\n'), b...)
}

// unseal is what was sealed; it reports false if a byte of it is not so any more.
func unseal(b []byte) ([]byte, bool) {
	sum, body, _ := bytes.Cut(b, []byte{'\n'})
	want := sha256.Sum256(body)
	return body, string(sum) == hex.EncodeToString(want[:])
}

// tempExt ends the names of files that are being written.
const tempExt = ".tmp"
