package vault

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
)

// RawDir holds what happened, as it was recorded: notes, transcripts, logs. It
// may belong to other programs, each in a folder of its own.
const RawDir = "raw"

// A RawFile is a page or a .jsonl file below raw/.
type RawFile struct {
	Rel     string // relative to the root, with slashes
	Bytes   int64
	Changed time.Time
}

// RawFiles lists the pages and .jsonl files below raw/ or a folder of it, by path. No
// link is followed. A folder that does not exist has none.
func (r *Root) RawFiles(ctx context.Context, folder string) ([]RawFile, error) {
	const op = "vault.raw"
	if folder != RawDir && !isRaw(folder) || r.scope == pimento.Local {
		return nil, refuse(op, folder, pimento.KindUsage, "not a folder of "+RawDir+"/", "name one like raw/sessions")
	}
	var out []RawFile
	dir, _, err := r.dirOf(folder+"/x", false)
	if err == nil {
		defer dir.Close()
		err = r.listRaw(ctx, dir, folder, 0, &out)
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return out, fail(op, folder, err)
}

// isRaw says whether a path is that of something below raw/.
func isRaw(rel string) bool {
	return strings.HasPrefix(rel, RawDir+"/") && path.Clean(rel) == rel && len(rel) > len(RawDir)+1
}

// listRaw collects the files of an open directory.
func (r *Root) listRaw(ctx context.Context, dir *os.Root, at string, depth int, out *[]RawFile) error {
	if err := ctx.Err(); err != nil || depth > maxDepth {
		return err
	}
	entries, err := fs.ReadDir(dir.FS(), ".")
	if err != nil {
		return err
	}
	for _, e := range entries {
		rel := at + "/" + e.Name()
		switch {
		case e.IsDir() && e.Name()[0] != '.':
			sub, err := r.subdir(dir, e.Name(), false)
			if err != nil {
				return err
			}
			err = r.listRaw(ctx, sub, rel, depth+1, out)
			sub.Close()
			if err != nil {
				return err
			}
		case e.Type().IsRegular() && (strings.HasSuffix(rel, ".md") || strings.HasSuffix(rel, ".jsonl")):
			if info, err := e.Info(); err == nil {
				*out = append(*out, RawFile{rel, info.Size(), info.ModTime()})
			}
		}
	}
	return nil
}

// RemoveRaw deletes a file for good, and, upwards, the folders that this leaves
// empty, but none above the third level (raw/sessions stays). It deletes nothing if
// the file was changed since it was listed, or is gone.
func (r *Root) RemoveRaw(ctx context.Context, f RawFile) (removed bool, err error) {
	const op = "vault.raw"
	if !isRaw(f.Rel) || !strings.HasSuffix(f.Rel, ".md") && !strings.HasSuffix(f.Rel, ".jsonl") {
		return false, refuse(op, f.Rel, pimento.KindUsage, "not a file of "+RawDir+"/", "")
	}
	dir, name, err := r.dirOf(f.Rel, false)
	if err != nil {
		return false, fail(op, f.Rel, err)
	}
	defer dir.Close()
	info, err := dir.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, fail(op, f.Rel, err)
	case !info.Mode().IsRegular() || info.Size() != f.Bytes || !info.ModTime().Equal(f.Changed):
		return false, nil
	}
	if err := dir.Remove(name); err != nil {
		return false, fail(op, f.Rel, err)
	}
	for at := path.Dir(f.Rel); strings.Count(at, "/") > 1; at = path.Dir(at) {
		up, name, err := r.dirOf(at, false)
		if err == nil {
			err = up.Remove(name) // fails while something is in it
			up.Close()
		}
		if err != nil {
			break
		}
	}
	return true, ctx.Err()
}
