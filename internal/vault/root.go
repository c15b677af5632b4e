package vault

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
)

// A Root is one memory root: a directory of pages that belongs to one scope.
// It may not exist yet. All methods may be called from several goroutines.
type Root struct {
	scope pimento.Scope
	dir   string // real path, but for a part that does not exist
	disk  Disk
	state string // private state; "" makes the root read-only
}

// OpenRoot opens the root of a scope at an absolute path for reading;
// [Dirs.OpenRoot] opens one that can be written as well. The global root may
// be a symbolic link, which is resolved once, here. The last two components of
// a project's root (".pi/memory") must not be links: that is KindDenied, now or
// whenever the root is used. A root that does not exist is fine: it has no
// pages, and the first write makes it.
func OpenRoot(scope pimento.Scope, dir string, disk Disk) (*Root, error) {
	const op = "vault.open"
	if scope.Specificity() < 0 {
		return nil, refuse(op, string(scope), pimento.KindUsage, "unknown scope", "")
	}
	if !filepath.IsAbs(dir) || strings.ContainsRune(dir, 0) {
		return nil, refuse(op, dir, pimento.KindUsage, "a memory root is an absolute path", "")
	}
	if disk == nil {
		disk = OSDisk{}
	}
	r := &Root{scope: scope, disk: disk}
	if scope == pimento.Global {
		real, err := realPath(dir)
		if err != nil {
			return nil, fail(op, dir, err)
		}
		if info, err := os.Stat(real); err == nil && !info.IsDir() {
			return nil, refuse(op, dir, pimento.KindUnavailable, "not a directory", "move the file out of the way, or name another folder: PIMENTO_GLOBAL_DIR")
		}
		r.dir = real
		return r, nil
	}
	above, err := realPath(filepath.Dir(filepath.Dir(dir)))
	if err != nil {
		return nil, fail(op, dir, err)
	}
	r.dir = filepath.Join(above, filepath.Base(filepath.Dir(dir)), filepath.Base(dir))
	base, err := r.base()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fail(op, dir, err)
	}
	if base != nil {
		base.Close()
	}
	return r, nil
}

// realPath resolves the symbolic links of the part of dir that exists.
func realPath(dir string) (string, error) {
	dir = filepath.Clean(dir)
	real, err := filepath.EvalSymlinks(dir)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return real, err
	}
	if _, err := os.Lstat(dir); err == nil {
		return "", refuse("vault.open", dir, pimento.KindUnavailable,
			"a symbolic link that leads nowhere", "make the directory that it names, or remove the link")
	}
	parent := filepath.Dir(dir)
	if parent == dir {
		return dir, nil
	}
	real, err = realPath(parent)
	return filepath.Join(real, filepath.Base(dir)), err
}

// Dir is the real path of the root, for messages.
func (r *Root) Dir() string { return r.dir }

// Key is 16 hex digits for the root's real path; index, locks and plans are
// kept under it. The local scope shares the project's directory but not its
// key, because each has an index of its own.
func (r *Root) Key() string {
	if r.scope == pimento.Local {
		return keyOf(r.dir + "\x00local")
	}
	return keyOf(r.dir)
}

// keyOf is the first 16 hex digits of the sha256 of a path.
func keyOf(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:8])
}

// Exists tells whether the root is there; for the local scope, whether its
// page is. A root that is refused (a link) does not exist.
func (r *Root) Exists() bool {
	base, err := r.base()
	if err != nil {
		return false
	}
	defer base.Close()
	if r.scope != pimento.Local {
		return true
	}
	info, err := base.Lstat(page.LocalMemory)
	return err == nil && info.Mode().IsRegular()
}

// Create makes the root's directory, 0700 for the global scope and 0755 for a
// project, if it is not there. Writes do that themselves; Create is for
// [Consents.GrantIfCreating].
func (r *Root) Create(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fail("vault.create", r.dir, err)
	}
	base, err := r.makeBase()
	if err != nil {
		return fail("vault.create", r.dir, err)
	}
	return fail("vault.create", r.dir, base.Close())
}

// Writable says why no page could be written in a folder of the root, "." for the
// root itself, or why a folder that is not there yet could not be made. It writes nothing.
func (r *Root) Writable(folder string) error { return MayMake(filepath.Join(r.dir, folder)) }

// MayMake says why no file could be made in a directory, or why the directory could
// not be made where it is not there yet. It writes nothing.
func MayMake(dir string) error {
	for {
		up := filepath.Dir(dir)
		if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) || up == dir {
			return mayWrite(dir)
		}
		dir = up
	}
}

// base opens the root's directory. The links are looked for after opening:
// then the directory that we hold is the one whose path had none.
func (r *Root) base() (*os.Root, error) {
	base, err := os.OpenRoot(r.dir)
	if err != nil {
		return nil, r.whyNot(err)
	}
	if err := r.checkLinks(func() (fs.FileInfo, error) { return base.Stat(".") }); err != nil {
		base.Close()
		return nil, err
	}
	return base, nil
}

// whyNot is the error of a root whose directory could not be opened.
func (r *Root) whyNot(err error) error {
	if linked := r.checkLinks(nil); linked != nil && !errors.Is(linked, fs.ErrNotExist) {
		return linked
	}
	return err
}

// checkLinks refuses a project's root that is, or lies below, a symbolic link
// of the repository, and one that is not the open directory of which held tells.
func (r *Root) checkLinks(held func() (fs.FileInfo, error)) error {
	if r.scope == pimento.Global {
		return nil
	}
	var last fs.FileInfo
	for _, dir := range []string{filepath.Dir(r.dir), r.dir} {
		info, err := os.Lstat(dir)
		if err != nil {
			return err
		}
		if err := checkDir(dir, info); err != nil {
			return err
		}
		last = info
	}
	if held == nil {
		return nil
	}
	return checkSame(held, r.dir, last)
}

// checkDir refuses what is not a real directory.
func checkDir(path string, info fs.FileInfo) error {
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return refuse("vault.open", path, pimento.KindDenied, "a symbolic link inside a memory root",
			"replace the link by a real directory or file")
	case !info.IsDir():
		return refuse("vault.open", path, pimento.KindRefused, "not a directory", "move the file out of the way")
	default:
		return nil
	}
}

// checkSame makes sure that the open directory is the one that info describes.
func checkSame(held func() (fs.FileInfo, error), path string, info fs.FileInfo) error {
	is, err := held()
	if err != nil {
		return err
	}
	if !os.SameFile(is, info) {
		return refuse("vault.open", path, pimento.KindConflict, "the directory was replaced while it was opened", "try again")
	}
	return nil
}

// makeBase opens the root's directory and makes what is missing of it.
func (r *Root) makeBase() (*os.Root, error) {
	base, err := r.base()
	if !errors.Is(err, fs.ErrNotExist) {
		return base, err
	}
	missing := []string{}
	dir := r.dir
	for {
		if _, err := os.Lstat(dir); err == nil || filepath.Dir(dir) == dir {
			break
		}
		missing = append(missing, filepath.Base(dir))
		dir = filepath.Dir(dir)
	}
	held, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	for i := len(missing) - 1; i >= 0; i-- {
		next, err := r.subdir(held, missing[i], true)
		held.Close()
		if err != nil {
			return nil, err
		}
		held = next
	}
	held.Close()
	return r.base()
}

// subdir opens a directory inside an open one, or makes it. Links are refused.
func (r *Root) subdir(dir *os.Root, name string, create bool) (*os.Root, error) {
	info, err := dir.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) && create {
		if err := r.disk.Mkdir(dir, name, r.dirMode()); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		if err := r.disk.Sync(dir); err != nil {
			return nil, err
		}
		info, err = dir.Lstat(name)
	}
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir.Name(), name)
	if err := checkDir(path, info); err != nil {
		return nil, err
	}
	sub, err := dir.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	if err := checkSame(func() (fs.FileInfo, error) { return sub.Stat(".") }, path, info); err != nil {
		sub.Close()
		return nil, err
	}
	return sub, nil
}

// dirOf opens the directory of a page, making it if asked to, and returns it
// with the page's name in it.
func (r *Root) dirOf(rel string, create bool) (*os.Root, string, error) {
	dir, err := r.base()
	if create && errors.Is(err, fs.ErrNotExist) {
		dir, err = r.makeBase()
	}
	if err != nil {
		return nil, "", err
	}
	for {
		name, rest, more := strings.Cut(rel, "/")
		if !more {
			return dir, rel, nil
		}
		sub, err := r.subdir(dir, name, create)
		dir.Close()
		if err != nil {
			return nil, "", err
		}
		dir, rel = sub, rest
	}
}

func (r *Root) dirMode() fs.FileMode {
	if r.scope == pimento.Global {
		return 0o700
	}
	return 0o755
}

func (r *Root) fileMode() fs.FileMode {
	if r.scope == pimento.Project {
		return 0o644
	}
	return 0o600
}
