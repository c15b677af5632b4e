//go:build linux || darwin

package vault

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/pimento-memory/pimento"
)

// dir walks one open directory. Reading the system's records ourselves was
// measured: it halves the allocations and saves no time, which is the stats'.
func (s *sweeper) dir(f *os.File, prefix string, depth int) error {
	fd := int(f.Fd())
	st, err := stampOf(f)
	if err != nil {
		return err
	}
	sealed := false
	for {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		entries, err := f.ReadDir(256)
		for _, e := range entries {
			if err := s.entry(f, fd, prefix+e.Name(), e.Name(), e.Type(), depth); err != nil {
				if prefix != "" && unix.Fstatat(fd, ".", new(unix.Stat_t), 0) != nil {
					return err // one may list it, and look at nothing in it
				}
				s.unread(prefix+e.Name(), err)
				st = pimento.Stamp{} // to be listed again
			}
			sealed = sealed || Sealed(e.Name())
		}
		if err == io.EOF {
			s.listed(strings.TrimSuffix(prefix, "/"), st, sealed)
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// entry decides on one name in the directory f. Files are looked at relative
// to the open directory, which saves the kernel the walk from / and cannot be
// led astray by a directory that is exchanged for a link meanwhile. mode is
// the type as the directory tells it. The error is of a page or directory that is
// there and cannot be looked at.
func (s *sweeper) entry(f *os.File, fd int, rel, name string, mode fs.FileMode, depth int) error {
	var st unix.Stat_t
	if mode == 0 && s.isPage(name) {
		if err := unix.Fstatat(fd, name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
			if errors.Is(err, unix.ENOENT) {
				return nil
			}
			return err
		}
		mode = modeFrom(&st)
	}
	switch {
	case mode == fs.ModeDir:
		if s.into(rel[:len(rel)-len(name)], name, depth) {
			return s.down(f, rel, name, depth)
		}
	case mode == fs.ModeSymlink && name[0] != '.':
		s.skip(rel, "a symbolic link")
	case s.isPage(name):
		s.take(rel, mode, stampFrom(&st))
	case s.misnamed(name):
		s.skip(rel, noPage)
	}
	return nil
}

// down walks a directory of the open one. Its handle carries the full path,
// because [os.File.ReadDir] asks by path where directories hold no types.
func (s *sweeper) down(dir *os.File, rel, name string, depth int) error {
	sub, err := unix.Openat(int(dir.Fd()), name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err == nil {
		f := os.NewFile(uintptr(sub), filepath.Join(dir.Name(), name))
		err = s.dir(f, rel+"/", depth+1)
		f.Close()
	}
	if err == nil || s.ctx.Err() != nil || errors.Is(err, unix.ENOENT) {
		return nil
	}
	s.listed(rel, pimento.Stamp{}, true)
	return err
}

// modeFrom is as much of the mode as a sweep asks for.
func modeFrom(st *unix.Stat_t) fs.FileMode {
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		return 0
	case unix.S_IFLNK:
		return fs.ModeSymlink
	case unix.S_IFDIR:
		return fs.ModeDir
	default:
		return fs.ModeNamedPipe // or a socket or device: no page
	}
}
