package vault

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
)

// A Project is what a working directory belongs to. All paths are real paths.
type Project struct {
	Dir    string // root of the work tree, or the chosen directory without git
	Memory string // Dir/.pi/memory, whether it exists or not; or another folder, see [Dirs.Project] and memoryOf
	Common string // git's common directory, shared by all worktrees; Dir where it cannot be trusted or there is none
	GitDir string // this work tree's own git directory, "" where Common is Dir
	ID     string // 16 hex digits for Common: key of journal, consent and sessions
	Dev    uint64 // device, inode and birth time (nanoseconds since the epoch,
	Ino    uint64 // 0 where the file system has none) of Common: another clone
	Btime  int64  // at the same path is another project
	Git    bool   // Dir is a git work tree

	// Mind says that Memory is a folder in which pi-mind kept a memory, or would.
	Mind bool
	// Elsewhere says that Memory lies outside of Dir because the user's environment
	// says so. Several projects may share it.
	Elsewhere bool
}

// FindProject finds the project that an absolute directory belongs to. It reads
// .git files and never runs git; no environment variable influences it. Without git
// it is the nearest ancestor below home that has .pi/memory or .pi-mind, else dir
// itself. It reports false where no project can be: in a home directory, an
// ancestor of one, the root of the file system, or inside a repository's own
// directory.
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
	home = realHome(home, filepath.Clean(dir), real)
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

// realHome is the real path of a home directory, "" for none. On the way to a
// directory without links, whose real path is known, there are none to follow.
func realHome(home, dir, real string) string {
	if !filepath.IsAbs(home) {
		return ""
	}
	home = filepath.Clean(home)
	if real == dir && strings.HasPrefix(dir, home+string(filepath.Separator)) {
		return home
	}
	if h, err := filepath.EvalSymlinks(home); err == nil {
		return h
	}
	return home
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
			if slices.ContainsFunc(MemoryDirs(at), isRealDir) {
				return Project{Dir: at, Common: at}
			}
		}
	}
	return Project{Dir: dir, Common: dir}
}

// identify fills in what follows from Dir and Common.
func identify(op string, p Project) (Project, bool, error) {
	p.Memory, p.Mind = memoryOf(p)
	p.ID = keyOf(p.Common)
	var err error
	p.Dev, p.Ino, p.Btime, err = birth(p.Common)
	if err != nil {
		return Project{}, false, fail(op, p.Common, err)
	}
	return p, true, nil
}

// MindDir is the folder in which pi-mind keeps a project's memory.
const MindDir = ".pi-mind"

// MemoryDirs are the folders of a directory that may hold a project's memory, in
// order of precedence.
func MemoryDirs(dir string) []string {
	return []string{filepath.Join(dir, ".pi", "memory"), filepath.Join(dir, MindDir)}
}

// memoryOf chooses the folder of a project's memory: .pi/memory where it is
// there; else a .pi-mind, of this work tree or of the main one, which linked
// work trees share; else .pi/memory, which the first write makes.
func memoryOf(p Project) (dir string, mind bool) {
	own := MemoryDirs(p.Dir)[0]
	if exists(own) {
		return own, false
	}
	places := []string{filepath.Join(p.Dir, MindDir)}
	if filepath.Base(p.Common) == ".git" {
		places = append(places, filepath.Join(filepath.Dir(p.Common), MindDir))
	}
	for _, dir := range places {
		if isRealDir(dir) {
			return dir, true
		}
	}
	return own, false
}

// isRealDir tells whether a directory, and no link to one, stands there.
func isRealDir(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}

// Project is [FindProject] with the user's environment heard: $PI_MIND_DIR names
// the memory of whatever project dir belongs to.
func (d Dirs) Project(ctx context.Context, dir string) (Project, bool, error) {
	p, ok, err := FindProject(ctx, dir, d.Home)
	if err != nil || !ok || d.Mind == "" {
		return p, ok, err
	}
	if p.Memory, err = realPath(d.Mind); err != nil {
		return Project{}, false, fail("vault.project", d.Mind, err)
	}
	p.Mind, p.Elsewhere = true, !within(p.Memory, p.Dir)
	return p, true, nil
}

// LocalPage is the page of the local scope, relative to the project's Dir with
// slashes; ok is false where the memory lies outside of it, so that no work tree
// could commit it.
func (p Project) LocalPage() (rel string, ok bool) {
	rel, err := filepath.Rel(p.Dir, filepath.Join(p.Memory, page.LocalMemory))
	return filepath.ToSlash(rel), err == nil && filepath.IsLocal(rel)
}
