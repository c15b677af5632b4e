package vault

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/pimento-memory/pimento"
)

// Tracked tells whether git tracks a file of the project, named relative to
// the project's Dir with slashes; letter case is ignored, as some file systems
// do. It reads .git/index (versions 2 to 4, see git's index-format
// documentation) no further than it must. When it cannot tell, it says false
// with an error of KindUnavailable: a file that may be tracked is not private.
func Tracked(ctx context.Context, p Project, rel string) (bool, error) {
	const op = "vault.tracked"
	if rel == "" {
		return false, refuse(op, rel, pimento.KindUsage, "the path is empty", "")
	}
	found := false
	err := withIndex(ctx, op, p, rel, func(in *bufio.Reader, oid int) (err error) {
		found, err = inIndex(ctx, in, oid, rel)
		return err
	})
	return found, err
}

// TrackedConversations are the files with conversations (raw/sessions and
// raw/compaction of a memory below the project's Dir) that git tracks. If neither
// folder exists, git is not asked.
func TrackedConversations(ctx context.Context, p Project) (paths []string, err error) {
	base, err := filepath.Rel(p.Dir, p.Memory)
	if err != nil || !filepath.IsLocal(base) {
		return nil, nil
	}
	for _, name := range []string{"raw/compaction", "raw/sessions"} {
		if !exists(filepath.Join(p.Memory, name)) {
			continue
		}
		below := filepath.ToSlash(base) + "/" + name + "/"
		err := withIndex(ctx, "vault.tracked", p, below, func(in *bufio.Reader, oid int) error {
			return eachEntry(ctx, in, oid, func(r *indexReader) (bool, error) {
				if strings.HasPrefix(string(r.path), below) {
					paths = append(paths, string(r.path))
				}
				return string(r.path) > below && !strings.HasPrefix(string(r.path), below), nil
			})
		})
		if err != nil {
			return paths, err
		}
	}
	return paths, nil
}

// LeftOut says whether git tracks pages of a project's memory that a sparse
// checkout leaves out of this work tree. A write there would be committed in their
// place. If it cannot tell, it says no.
func LeftOut(ctx context.Context, p Project) (out bool) {
	base, err := filepath.Rel(p.Dir, p.Memory)
	if err != nil || !filepath.IsLocal(base) {
		return false
	}
	below := filepath.ToSlash(base) + "/"
	_ = withIndex(ctx, "vault.leftout", p, below, func(in *bufio.Reader, oid int) error {
		return eachEntry(ctx, in, oid, func(r *indexReader) (bool, error) {
			at := string(r.path)
			in := strings.HasPrefix(at, below) || r.sparse() && strings.HasPrefix(below, at)
			out = in && r.skipped
			return out || at > below && !in, nil
		})
	})
	return out
}

// withIndex opens the project's index for a look at a path.
func withIndex(ctx context.Context, op string, p Project, rel string, look func(in *bufio.Reader, oid int) error) error {
	if err := ctx.Err(); err != nil || !p.Git {
		return fail(op, rel, err)
	}
	cannotTell := func(err error) error {
		return &pimento.Error{Op: op, Path: rel, Kind: pimento.KindUnavailable,
			Hint: "ask git itself: git ls-files --error-unmatch " + rel, Err: err}
	}
	if p.GitDir == "" {
		return cannotTell(errors.New("the repository does not name this work tree"))
	}
	if split, _ := filepath.Glob(globSafe(p.GitDir) + "/sharedindex.*"); len(split) > 0 {
		return cannotTell(errors.New("the index is split"))
	}
	f, err := os.Open(filepath.Join(p.GitDir, "index"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // nothing was ever added
	}
	if err != nil {
		return cannotTell(err)
	}
	defer f.Close()
	oid := 20
	if strings.EqualFold(gitConfig(p.Common, "extensions", "objectformat"), "sha256") {
		oid = 32
	}
	if err := look(bufio.NewReaderSize(f, 64<<10), oid); err != nil {
		return cannotTell(err)
	}
	return nil
}

// globSafe escapes what filepath.Glob would take for a pattern.
func globSafe(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

var errIndex = errors.New("the index is damaged or of an unknown version")

// An indexReader reads the entries of an index one by one.
type indexReader struct {
	*bufio.Reader
	version uint32
	oid     int    // bytes of an object id
	path    []byte // of the entry just read
	mode    uint32
	skipped bool // it is not in the work tree
	fixed   [40 + 32 + 2]byte
}

// inIndex looks for a path. Entries are sorted by path, so it stops behind the
// last first byte that could match.
func inIndex(ctx context.Context, in *bufio.Reader, oid int, rel string) (found bool, err error) {
	last := strings.ToLower(rel)[0]
	err = eachEntry(ctx, in, oid, func(r *indexReader) (bool, error) {
		switch {
		case len(r.path) == len(rel) && strings.EqualFold(string(r.path), rel):
			found = true
			return true, nil
		case r.sparse() && len(r.path) < len(rel) && strings.EqualFold(string(r.path), rel[:len(r.path)]):
			return true, errors.New("the index is sparse there")
		}
		return r.path[0] > last, nil
	})
	return found, err
}

// eachEntry visits the entries of an index in order, until visit has enough.
func eachEntry(ctx context.Context, in *bufio.Reader, oid int, visit func(*indexReader) (enough bool, err error)) error {
	var head [12]byte
	if _, err := io.ReadFull(in, head[:]); err != nil {
		return errIndex
	}
	r := indexReader{Reader: in, version: binary.BigEndian.Uint32(head[4:]), oid: oid}
	if string(head[:4]) != "DIRC" || r.version < 2 || r.version > 4 {
		return errIndex
	}
	for n := binary.BigEndian.Uint32(head[8:]); n > 0; n-- {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := r.entry(); err != nil {
			return err
		}
		if enough, err := visit(&r); enough || err != nil {
			return err
		}
	}
	return nil
}

// sparse tells whether the entry stands for a whole directory.
func (r *indexReader) sparse() bool {
	return r.mode == 0o040000 && bytes.HasSuffix(r.path, []byte("/"))
}

// entry reads the next entry: ten words of stat data (the seventh is the
// mode), the object id, flags, in version 3 and up perhaps more flags, and the
// path, padded with NULs to a multiple of eight bytes, or in version 4 without
// padding and without what it shares with the path before.
func (r *indexReader) entry() error {
	fixed := r.fixed[:40+r.oid+2]
	if _, err := io.ReadFull(r, fixed); err != nil {
		return errIndex
	}
	r.mode = binary.BigEndian.Uint32(fixed[24:])
	size := len(fixed)
	r.skipped = false
	if flags := binary.BigEndian.Uint16(fixed[40+r.oid:]); flags&0x4000 != 0 {
		if r.version < 3 {
			return errIndex
		}
		more, err := r.Peek(2)
		if err != nil {
			return errIndex
		}
		r.skipped = more[0]&0x40 != 0
		_, _ = r.Discard(2)
		size += 2
	}
	keep := 0
	if r.version == 4 {
		drop, err := r.offset()
		if err != nil || drop > len(r.path) {
			return errIndex
		}
		keep = len(r.path) - drop
	}
	name, err := r.ReadSlice(0)
	if err != nil || keep+len(name) < 2 { // 64 KB is far above any path
		return errIndex
	}
	r.path = append(r.path[:keep], name[:len(name)-1]...)
	if r.version < 4 {
		size += len(name) // one NUL is read, the padding goes on to eight
		if _, err := r.Discard((8 - size%8) % 8); err != nil {
			return errIndex
		}
	}
	return nil
}

// offset reads a number as git's pack format writes offsets.
func (r *indexReader) offset() (int, error) {
	b, err := r.ReadByte()
	if err != nil {
		return 0, err
	}
	n := int(b & 0x7f)
	for b&0x80 != 0 {
		if b, err = r.ReadByte(); err != nil || n > 1<<24 {
			return 0, errIndex
		}
		n = (n+1)<<7 | int(b&0x7f)
	}
	return n, nil
}
