package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"

	"github.com/pimento-memory/pimento/internal/regular"
)

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
