//go:build !linux && !darwin

package vault

import (
	"os"
	"syscall"

	"github.com/pimento-memory/pimento"
)

const (
	errQuota  = syscall.ENOSPC
	openFlags = 0
)

// stampOf is the stamp of an open file: size and time of change, because
// nothing more is to be had everywhere.
func stampOf(f *os.File) (pimento.Stamp, error) {
	info, err := f.Stat()
	if err != nil {
		return pimento.Stamp{}, err
	}
	return stampFrom(info), nil
}

func stampFrom(info os.FileInfo) pimento.Stamp {
	t := info.ModTime().UnixNano()
	return pimento.Stamp{Size: info.Size(), Mtime: t, Ctime: t}
}

// mayWrite cannot tell before one has tried.
func mayWrite(string) error { return nil }

// holdFile does nothing where there is no advisory lock on an open file; what
// it guards is then at worst done twice.
func holdFile(*os.File) error { return nil }
