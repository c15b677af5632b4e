package vault

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"syscall"

	"github.com/pimento-memory/pimento"
)

// fail wraps what the system said as the house's error: a missing file is not
// found, a full or read-only disk and missing rights are unavailable with a
// hint that says what to do. An error that is one of ours already is kept.
func fail(op, path string, err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*pimento.Error](err); ok {
		return err
	}
	kind, hint := Classify(err)
	return &pimento.Error{Op: op, Path: path, Kind: kind, Hint: hint, Err: err}
}

// fail is the same for a page. Who has no right to it is told which file it is, and
// not on which step towards it we failed.
func (r *Root) fail(op, rel string, err error) error {
	if cause, ok := err.(*fs.PathError); ok && errors.Is(err, fs.ErrPermission) {
		return &pimento.Error{Op: op, Path: rel, Kind: pimento.KindUnavailable, Err: cause.Err,
			Hint: "check the owner and mode of " + filepath.Join(r.dir, rel) + " and of its folder"}
	}
	return fail(op, rel, err)
}

// Classify returns the kind of an error of the operating system, and a hint on what
// can be done.
func Classify(err error) (pimento.ErrorKind, string) {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return pimento.KindNotFound, ""
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, errQuota):
		return pimento.KindUnavailable, "the disk or quota is full: free some space and try again"
	case errors.Is(err, syscall.EROFS):
		return pimento.KindUnavailable, "the file system is read-only: remount it writable, or move the memory with PIMENTO_GLOBAL_DIR or PIMENTO_STATE_DIR"
	case errors.Is(err, syscall.ENOTDIR):
		return pimento.KindUnavailable, "a file stands where a folder has to be: move it out of the way, or name another folder"
	case errors.Is(err, syscall.EEXIST), errors.Is(err, syscall.EISDIR), errors.Is(err, syscall.ELOOP):
		return pimento.KindUnavailable, "something else stands there, a folder or a symbolic link: move it out of the way"
	case errors.Is(err, fs.ErrPermission):
		return pimento.KindUnavailable, "you have no right to do this here: check the owner and mode of the file and its directory"
	case errors.Is(err, context.Canceled):
		return pimento.KindUnavailable, ""
	case errors.Is(err, context.DeadlineExceeded):
		return pimento.KindUnavailable, "it took too long: try again"
	case errors.Is(err, syscall.EIO), errors.Is(err, errors.ErrUnsupported):
		return pimento.KindUnavailable, "the disk reports an error: check the file system"
	default:
		return pimento.KindInternal, ""
	}
}

// refuse is an error of a kind with a hint, for what the system did not say
// but we found.
func refuse(op, path string, kind pimento.ErrorKind, what, hint string) error {
	return &pimento.Error{Op: op, Path: path, Kind: kind, Hint: hint, Err: errors.New(what)}
}
