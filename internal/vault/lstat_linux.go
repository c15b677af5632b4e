//go:build amd64 || arm64

package vault

import (
	"runtime"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A nameBuffer holds a file's name as the system takes it.
type nameBuffer [256]byte

// quietly says whether a call of the system may be made without telling the
// scheduler: with one processor, one that hangs, as a network's may, would hold up
// the clock that gives up on it.
func quietly() bool { return runtime.GOMAXPROCS(0) > 1 }

// lstat is fstatat without following a link. It is called for every page of a memory
// on every prompt of a one-shot process, so it allocates nothing and does not
// tell the scheduler, whose watchman otherwise wakes every twenty microseconds.
func (p *Probe) lstat(name string, st *unix.Stat_t) bool {
	if !p.quiet || len(name) >= len(p.name) || strings.IndexByte(name, 0) >= 0 {
		return unix.Fstatat(p.dir, name, st, unix.AT_SYMLINK_NOFOLLOW) == nil
	}
	p.name[copy(p.name[:], name)] = 0
	_, _, e := unix.RawSyscall6(unix.SYS_NEWFSTATAT, uintptr(p.dir), uintptr(unsafe.Pointer(&p.name)),
		uintptr(unsafe.Pointer(st)), unix.AT_SYMLINK_NOFOLLOW, 0, 0)
	return e == 0
}
