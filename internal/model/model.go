// Package model keeps embedding models on disk: it downloads or copies them
// into a private directory, verifies them, and lists and removes them. It opens
// none for use; package embed does.
//
// The store is a directory with one directory for each model:
//
//	NAME/config.json, vocab.txt, model.safetensors, ...   as their authors publish them
//	NAME/pimento.json                                     where they came from, and their digests
//	.part-NAME/                                           a pull under way, or interrupted
//	.lock
//
// A model appears under its name in one step, when all of it is there, has the
// right digests and can be opened.
package model

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/filelock"
)

// A Store is the directory of models.
type Store struct{ dir string }

// OpenStore does no I/O. The directory is made by the first pull.
func OpenStore(dir string) *Store { return &Store{dir} }

// Dir is where the models lie.
func (s *Store) Dir() string { return s.dir }

// A Model is an installed model.
type Model struct {
	V           int             `json:"v"`
	Name        string          `json:"name"`
	Source      string          `json:"source"` // the address or directory it came from
	Dim         int             `json:"dim"`
	Fingerprint string          `json:"fingerprint"`
	Files       map[string]File `json:"files"` // by path below the model's directory, with slashes
}

// A File is one file of a model.
type File struct {
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
}

// Bytes is the size of all files.
func (m Model) Bytes() (n int64) {
	for _, f := range m.Files {
		n += f.Bytes
	}
	return n
}

const (
	manifestName = "pimento.json"
	partPrefix   = ".part-"
	oldPrefix    = ".old-"
	maxManifest  = 1 << 20
)

// List returns the installed models by name. A directory without a readable
// manifest is one that somebody put there; it has a name and nothing else.
func (s *Store) List(ctx context.Context) ([]Model, error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fail("model.list", s.dir, err)
	}
	models := []Model{}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || !e.IsDir() {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, fail("model.list", s.dir, err)
		}
		m, err := s.manifest(e.Name())
		if err != nil {
			m = Model{Name: e.Name(), Files: map[string]File{}}
		}
		models = append(models, m)
	}
	return models, nil
}

// Installed is nil for a model that is; else an error of KindNotFound, with those
// that there are in the hint.
func (s *Store) Installed(ctx context.Context, name string) error {
	models, err := s.List(ctx)
	if err != nil {
		return err
	}
	var names []string
	for _, m := range models {
		if m.Name == name {
			return nil
		}
		names = append(names, m.Name)
	}
	hint := "install it: pimento model pull " + name
	if _, ok := known()[name]; !ok {
		hint += " ADDRESS-OR-DIRECTORY"
	}
	if len(names) > 0 {
		hint += "; installed: " + strings.Join(names, ", ")
	}
	return &pimento.Error{Op: "model", Path: name, Kind: pimento.KindNotFound, Hint: hint, Err: errors.New("no such model is installed")}
}

// Remove takes an installed model off the disk, and what an interrupted pull
// of it left. Processes that have it open keep their map of it.
func (s *Store) Remove(ctx context.Context, name string) error {
	const op = "model.remove"
	if !goodName(name) {
		return misnamed(op, name)
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return fail(op, s.dir, err)
	}
	defer unlock()
	_, part := os.Stat(s.path(partPrefix + name))
	if _, err := os.Lstat(s.path(name)); errors.Is(err, fs.ErrNotExist) && part != nil {
		return s.Installed(ctx, name)
	}
	for _, n := range []string{name, partPrefix + name, oldPrefix + name} {
		if err := os.RemoveAll(s.path(n)); err != nil {
			return fail(op, s.path(n), err)
		}
	}
	return nil
}

func (s *Store) path(name string) string { return filepath.Join(s.dir, name) }

func (s *Store) manifest(name string) (m Model, err error) {
	f, err := os.Open(filepath.Join(s.path(name), manifestName))
	if err != nil {
		return m, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return m, err
	}
	if info.Size() > maxManifest {
		return m, errors.New("larger than 1 MB")
	}
	if err := json.NewDecoder(f).Decode(&m); err != nil {
		return m, err
	}
	m.Name = name // the directory's, whatever the file says
	return m, nil
}

// lockWait is how long a command waits for another one; a pull may hold the
// lock for minutes, and is not waited for.
const lockWait = 500 * time.Millisecond

var errBusy = errors.New("another process is working on the models")

func (s *Store) lock(ctx context.Context) (func(), error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	// A machine that is busy for so long holds nobody up where nobody else is at work.
	if unlock, err := filelock.Try(s.path(".lock")); !errors.Is(err, filelock.ErrHeld) {
		return unlock, err
	}
	waiting, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	unlock, err := filelock.Take(waiting, s.path(".lock"), 10*time.Millisecond)
	if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		err = errBusy
	}
	return unlock, err
}

// goodName tells whether a model may be called so. It names a directory, and
// is a word that embed.GoodName takes, but for those that mean something else.
func goodName(name string) bool {
	for i, r := range name {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		if !letter && (i == 0 || r != '.' && r != '-' && r != '_') {
			return false
		}
	}
	return name != "" && len(name) <= 100 && name != "none" && name != "static"
}

func misnamed(op, name string) error {
	return &pimento.Error{Op: op, Path: name, Kind: pimento.KindUsage, Hint: "letters, digits, dots, dashes and underscores; not none or static",
		Err: errors.New("no name for a model")}
}

func fail(op, path string, err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*pimento.Error](err); ok {
		return err
	}
	e := &pimento.Error{Op: op, Path: path, Kind: pimento.KindUnavailable, Hint: "look at the disk: is there room, and may you write there?", Err: err}
	switch {
	case errors.Is(err, errBusy):
		e.Kind, e.Hint = pimento.KindConflict, "wait until it is done"
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		e.Hint = "run it again to go on"
	case errors.Is(err, fs.ErrNotExist):
		e.Kind, e.Hint = pimento.KindNotFound, ""
	}
	return e
}
