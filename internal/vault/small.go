package vault

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pimento-memory/pimento"
)

// maxSmall is the size, in bytes, of the largest file of a root or of the user that
// is no page and is read all the same: a configuration.
const maxSmall = 1 << 20

// errTooLarge is the error of one that is larger.
var errTooLarge = errors.New("larger than 1 MB")

// ReadSmall reads a file of the root that is no page, 1 MB at most.
func (r *Root) ReadSmall(ctx context.Context, name string) ([]byte, error) {
	dir, err := r.base()
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f, err := openIn(dir, name, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readSmall(f)
}

func readSmall(f *os.File) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(f, maxSmall+1))
	if err == nil && len(b) > maxSmall {
		err = errTooLarge
	}
	return b, err
}

// EditSmall lets edit change a small file of the user's own, empty where there is
// none yet (it is made 0600 in directories 0700). A file or directory that is a
// symbolic link is refused; an error of edit leaves everything as it is. For a file
// of a scope, [Root.EditSmall] also looks at the way to it.
func EditSmall(ctx context.Context, path string, edit func([]byte) ([]byte, error)) error {
	const op = "vault.config"
	if err := ctx.Err(); err != nil {
		return fail(op, path, err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fail(op, path, err)
	}
	dir, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return fail(op, path, err)
	}
	defer dir.Close()
	own := &Root{scope: pimento.Global, dir: dir.Name(), disk: OSDisk{}}
	return fail(op, path, own.editSmall(ctx, dir, path, edit))
}

// EditSmall is the function of that name for a file of the root. The caller holds
// [Root.Lock].
func (r *Root) EditSmall(ctx context.Context, name string, edit func([]byte) ([]byte, error)) error {
	const op = "vault.config"
	path := filepath.Join(r.dir, name)
	if err := ctx.Err(); err != nil {
		return fail(op, path, err)
	}
	dir, err := r.makeBase()
	if err != nil {
		return fail(op, path, err)
	}
	defer dir.Close()
	return fail(op, path, r.editSmall(ctx, dir, path, edit))
}

// editSmall replaces the file as a page is replaced: its mode stays, and what an
// editor writes meanwhile is kept.
func (r *Root) editSmall(ctx context.Context, dir *os.Root, path string, edit func([]byte) ([]byte, error)) error {
	name := filepath.Base(path)
	var b []byte
	var mode fs.FileMode
	f, err := openIn(dir, name, os.O_RDONLY)
	if err == nil {
		defer f.Close()
		info, statErr := f.Stat()
		if statErr != nil {
			return statErr
		}
		mode = info.Mode().Perm()
		b, err = readSmall(f)
	}
	switch {
	case errors.Is(err, errTooLarge):
		return refuse("vault.config", path, pimento.KindRefused, errTooLarge.Error(), "")
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	next, err := edit(b)
	if err != nil {
		return err
	}
	w := &writer{r: r, ctx: ctx, dir: dir, name: name, next: next, c: pimento.Change{Page: name, After: pimento.DigestOf(next)}}
	if f == nil {
		_, err = w.create()
		return err
	}
	w.c.Before = pimento.DigestOf(b)
	if w.found, err = stampOf(f); err == nil {
		_, err = w.replace(f, mode)
	}
	return err
}
