package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pimento-memory/pimento/internal/regular"
)

// The bound of a file of rows: over MaxRowBytes, the last KeptRows stay, as far as
// they leave some room; else each row that is added would have all written anew.
const (
	MaxRowBytes = 512_000
	KeptRows    = 200
)

// Rows is a file of small JSON objects, one a line, oldest first: figures about
// turns, which may be lost. It is never synced.
type Rows struct{ lineFile }

// NewRows returns the rows in a file, which need not exist.
func NewRows(path string) *Rows { return &Rows{lineFile{path}} }

// Add appends a row. The error is of pimento.KindUnavailable.
func (r *Rows) Add(ctx context.Context, row any) error {
	line, err := json.Marshal(row)
	if err != nil {
		return err
	}
	unlock, err := r.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	size, err := r.write(append(line, '\n'))
	if err == nil && size > MaxRowBytes {
		err = r.cut()
	}
	if err != nil {
		return unavailable("session.rows", r.path, err)
	}
	return nil
}

// cut keeps the last rows.
func (r *Rows) cut() error {
	b, err := os.ReadFile(r.path)
	if err != nil {
		return err
	}
	lines := bytes.SplitAfter(b, []byte("\n"))
	if n := len(lines) - 1; n >= 0 && len(lines[n]) == 0 {
		lines = lines[:n]
	}
	at, size := len(lines), 0
	for at > max(0, len(lines)-KeptRows) && size+len(lines[at-1]) <= MaxRowBytes*9/10 {
		at--
		size += len(lines[at])
	}
	return regular.Write(r.path, bytes.Join(lines[at:], nil))
}

// Each calls visit for every row that is JSON, oldest first.
func (r *Rows) Each(visit func(line []byte)) error {
	b, err := os.ReadFile(r.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return unavailable("session.rows", filepath.Base(r.path), err)
	}
	for line := range bytes.Lines(b) {
		if line = bytes.TrimSpace(line); json.Valid(line) {
			visit(line)
		}
	}
	return nil
}
