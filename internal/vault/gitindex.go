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
	if err := ctx.Err(); err != nil || !p.Git {
		return false, fail(op, rel, err)
	}
	if rel == "" {
		return false, refuse(op, rel, pimento.KindUsage, "the path is empty", "")
	}
	cannotTell := func(err error) error {
		return &pimento.Error{Op: op, Path: rel, Kind: pimento.KindUnavailable,
			Hint: "ask git itself: git ls-files --error-unmatch " + rel, Err: err}
	}
	if p.GitDir == "" {
		return false, cannotTell(errors.New("the repository does not name this work tree"))
	}
	if split, _ := filepath.Glob(globSafe(p.GitDir) + "/sharedindex.*"); len(split) > 0 {
		return false, cannotTell(errors.New("the index is split"))
	}
	f, err := os.Open(filepath.Join(p.GitDir, "index"))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil // nothing was ever added
	}
	if err != nil {
		return false, cannotTell(err)
	}
	defer f.Close()
	oid := 20
	if strings.EqualFold(gitConfig(p.Common, "extensions", "objectformat"), "sha256") {
		oid = 32
	}
	found, err := inIndex(ctx, bufio.NewReaderSize(f, 64<<10), oid, rel)
	if err != nil {
		return false, cannotTell(err)
	}
	return found, nil
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
	fixed   [40 + 32 + 2]byte
}

// inIndex looks for a path. Entries are sorted by path, so it stops behind the
// last first byte that could match.
func inIndex(ctx context.Context, in *bufio.Reader, oid int, rel string) (bool, error) {
	var head [12]byte
	if _, err := io.ReadFull(in, head[:]); err != nil {
		return false, errIndex
	}
	r := indexReader{Reader: in, version: binary.BigEndian.Uint32(head[4:]), oid: oid}
	if string(head[:4]) != "DIRC" || r.version < 2 || r.version > 4 {
		return false, errIndex
	}
	last := strings.ToLower(rel)[0]
	for n := binary.BigEndian.Uint32(head[8:]); n > 0; n-- {
		if n%4096 == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		if err := r.entry(); err != nil {
			return false, err
		}
		switch {
		case len(r.path) == len(rel) && strings.EqualFold(string(r.path), rel):
			return true, nil
		case r.sparse() && len(r.path) < len(rel) && strings.EqualFold(string(r.path), rel[:len(r.path)]):
			return false, errors.New("the index is sparse there")
		case r.path[0] > last:
			return false, nil
		}
	}
	return false, nil
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
	if flags := binary.BigEndian.Uint16(fixed[40+r.oid:]); flags&0x4000 != 0 {
		if r.version < 3 {
			return errIndex
		}
		if _, err := r.Discard(2); err != nil {
			return errIndex
		}
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
