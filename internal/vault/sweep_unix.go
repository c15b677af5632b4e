//go:build linux || darwin

package vault

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// dir walks one open directory. Files are looked at relative to the open
// directory, which saves the kernel the walk from / and cannot be led astray
// by a directory that is exchanged for a link meanwhile.
func (s *sweeper) dir(f *os.File, prefix string, depth int) error {
	fd := int(f.Fd())
	for {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		entries, err := f.ReadDir(256)
		for _, e := range entries {
			s.entry(f, fd, e, prefix, depth)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (s *sweeper) entry(dir *os.File, fd int, e os.DirEntry, prefix string, depth int) {
	name := e.Name()
	switch {
	case e.Type()&fs.ModeSymlink != 0:
		if name[0] != '.' {
			s.skip(prefix+name, "a symbolic link")
		}
	case e.IsDir():
		if s.into(prefix, name, depth) {
			s.down(dir, name, prefix, depth)
		}
	case isPage(name):
		rel := prefix + name
		var st unix.Stat_t
		if err := unix.Fstatat(fd, name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
			if !errors.Is(err, unix.ENOENT) {
				s.skip(rel, err.Error())
			}
			return
		}
		s.take(rel, modeFrom(&st), stampFrom(&st))
	}
}

// down walks a directory of the open one. Its handle carries the full path,
// because [os.File.ReadDir] asks by path where directories hold no types.
func (s *sweeper) down(dir *os.File, name, prefix string, depth int) {
	sub, err := unix.Openat(int(dir.Fd()), name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err == nil {
		f := os.NewFile(uintptr(sub), filepath.Join(dir.Name(), name))
		err = s.dir(f, prefix+name+"/", depth+1)
		f.Close()
	}
	if err != nil && s.ctx.Err() == nil && !errors.Is(err, unix.ENOENT) {
		s.skip(prefix+name, err.Error())
	}
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
		return fs.ModeIrregular
	}
}
