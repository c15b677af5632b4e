package vault

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/pimento-memory/pimento"
)

// A Project is what a working directory belongs to. All paths are real paths.
type Project struct {
	Dir    string // root of the work tree, or the chosen directory without git
	Memory string // Dir/.pi/memory, whether it exists or not
	Common string // git's common directory, shared by all worktrees; Dir where it cannot be trusted or there is none
	GitDir string // this work tree's own git directory, "" where Common is Dir
	ID     string // 16 hex digits for Common: key of journal, consent and sessions
	Dev    uint64 // device, inode and birth time (nanoseconds since the epoch,
	Ino    uint64 // 0 where the file system has none) of Common: another clone
	Btime  int64  // at the same path is another project
	Git    bool   // Dir is a git work tree
}

// FindProject finds the project that a directory (absolute) belongs to, by
// reading .git files and never by running git; no environment variable has a
// say. Without git it is the nearest ancestor below home that has .pi/memory,
// else dir itself. It reports false where no project can be: in a home
// directory, an ancestor of one, the root of the file system, or inside a
// repository's own directory.
//
// Every worktree of a repository shares Common; a submodule has its own. A
// .git file or link is followed only if the repository names this work tree in
// return, else anybody could ship a directory that poses as a trusted project.
// Where .git is broken, the search goes on as if it were not there.
func FindProject(ctx context.Context, dir, home string) (Project, bool, error) {
	const op = "vault.project"
	if !filepath.IsAbs(dir) || strings.ContainsRune(dir, 0) {
		return Project{}, false, refuse(op, dir, pimento.KindUsage, "a working directory is an absolute path", "")
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return Project{}, false, fail(op, dir, err)
	}
	info, err := os.Stat(real)
	if err != nil {
		return Project{}, false, fail(op, dir, err)
	}
	if !info.IsDir() {
		return Project{}, false, refuse(op, dir, pimento.KindUsage, "not a directory", "")
	}
	if filepath.IsAbs(home) {
		if h, err := filepath.EvalSymlinks(home); err == nil {
			home = h
		}
	} else {
		home = ""
	}
	p, ok := Project{}, false
	for at := real; !isHome(at, home); at = filepath.Dir(at) {
		if err := ctx.Err(); err != nil {
			return Project{}, false, fail(op, dir, err)
		}
		if p, ok = gitProject(at); ok {
			break
		}
		if isGitDir(at) {
			return Project{}, false, nil
		}
	}
	if !ok {
		if isHome(real, home) {
			return Project{}, false, nil
		}
		p = plainProject(real, home)
	}
	return identify(op, p)
}

// isHome tells whether dir is a home directory, an ancestor of it, or the root.
func isHome(dir, home string) bool {
	return filepath.Dir(dir) == dir || home != "" && within(home, dir)
}

// within tells whether path is dir or below it.
func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// plainProject chooses the project's directory where there is no git.
func plainProject(dir, home string) Project {
	if home != "" && within(dir, home) {
		for at := dir; !isHome(at, home); at = filepath.Dir(at) {
			if info, err := os.Lstat(filepath.Join(at, ".pi", "memory")); err == nil && info.IsDir() {
				return Project{Dir: at, Common: at}
			}
		}
	}
	return Project{Dir: dir, Common: dir}
}

// identify fills in what follows from Dir and Common.
func identify(op string, p Project) (Project, bool, error) {
	p.Memory = filepath.Join(p.Dir, ".pi", "memory")
	p.ID = keyOf(p.Common)
	var err error
	p.Dev, p.Ino, p.Btime, err = birth(p.Common)
	if err != nil {
		return Project{}, false, fail(op, p.Common, err)
	}
	return p, true, nil
}
