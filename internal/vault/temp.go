package vault

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
)

// Temporary files are called .pimento-BEFORE-AFTER-RANDOM.tmp, with 16 hex
// digits of either digest of the change that they belong to. So a later writer
// can tell, whatever a crash left behind, whether the bytes are the ones that
// the change knew, or somebody else's.
const (
	tempPrefix = ".pimento-"
	tempSuffix = ".tmp"
	tempAge    = 10 * time.Minute // no write takes as long, and somebody may commit what lies there
)

// tempName invents a name in the page's directory.
func (w *writer) tempName() string {
	var random [8]byte
	_, _ = rand.Read(random[:]) // never fails
	return tempPrefix + short(w.c.Before) + "-" + short(w.c.After) + "-" + hex.EncodeToString(random[:]) + tempSuffix
}

// short is the beginning of a digest, zeros for no page.
func short(d pimento.Digest) string {
	if len(d) < 16 {
		return "0000000000000000"
	}
	return string(d[:16])
}

func isTemp(name string) bool {
	return strings.HasPrefix(name, tempPrefix) && strings.HasSuffix(name, tempSuffix)
}

// Discard unlinks the temporary files below the root, of whatever age, for whose
// bytes unwanted returns true, and counts them. The caller holds the root's lock,
// so that no writer is at work.
func (r *Root) Discard(ctx context.Context, unwanted func(b []byte) bool) (n int, err error) {
	base, err := r.base()
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer base.Close()
	err = fs.WalkDir(base.FS(), ".", func(rel string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil || !d.Type().IsRegular() || !isTemp(d.Name()):
			return nil // no writer of ours was where we cannot read
		}
		b, err := base.ReadFile(rel)
		if err != nil || !unwanted(b) {
			return err
		}
		n++
		return base.Remove(rel)
	})
	return n, fail("vault.discard", r.dir, err)
}

// tidy clears away what crashed writers left in the page's directory well
// before we wrote our own file: known bytes are unlinked, all others go
// to recovery. It fails silently; the next writer tries again.
func (w *writer) tidy() {
	now, err := stampOf(w.ours)
	if err != nil {
		return
	}
	f, err := w.dir.Open(".")
	if err != nil {
		return
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	if err != nil {
		return
	}
	for _, name := range names {
		if isTemp(name) {
			w.tidyOne(name, now)
		}
	}
}

func (w *writer) tidyOne(name string, now pimento.Stamp) {
	f, err := openIn(w.dir, name, os.O_RDONLY)
	if err != nil {
		return
	}
	defer f.Close()
	st, err := stampOf(f)
	if err != nil || now.Mtime-max(st.Mtime, st.Ctime) < int64(tempAge) {
		return
	}
	b, err := readAll(f, st.Size)
	if err != nil {
		return
	}
	known := short(pimento.DigestOf(b))
	if parts := strings.Split(name, "-"); len(parts) == 4 && (parts[1] == known || parts[2] == known) {
		_ = w.r.disk.Rename(w.dir, Unlink, name, "")
		return
	}
	w.saveAs(name, path.Join(path.Dir(w.c.Page), name))
}
