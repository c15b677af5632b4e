//go:build darwin || (linux && !amd64 && !arm64)

package vault

import "golang.org/x/sys/unix"

// A nameBuffer is not needed here.
type nameBuffer struct{}

func quietly() bool { return false }

// lstat is fstatat without following a link.
func (p *Probe) lstat(name string, st *unix.Stat_t) bool {
	return unix.Fstatat(p.dir, name, st, unix.AT_SYMLINK_NOFOLLOW) == nil
}
