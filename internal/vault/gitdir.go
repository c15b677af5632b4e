package vault

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// gitProject is the work tree whose root is dir, if it is one.
func gitProject(dir string) (Project, bool) {
	dotGit := filepath.Join(dir, ".git")
	info, err := os.Lstat(dotGit)
	if err != nil {
		return Project{}, false
	}
	if info.IsDir() {
		if !isGitDir(dotGit) {
			return Project{}, false
		}
		return Project{Dir: dir, Common: dotGit, GitDir: dotGit, Git: true}, true
	}
	gitDir, ok := gitDirBehind(dotGit, info)
	if !ok {
		return Project{}, false
	}
	if common, ok := commonOf(gitDir, dir); ok {
		return Project{Dir: dir, Common: common, GitDir: gitDir, Git: true}, true
	}
	return Project{Dir: dir, Common: dir, Git: true}, true
}

// gitDirBehind is the git directory that a .git file or link leads to.
func gitDirBehind(dotGit string, info os.FileInfo) (string, bool) {
	target := dotGit
	if info.Mode().IsRegular() {
		line, ok := strings.CutPrefix(firstLine(dotGit), "gitdir:")
		if target = strings.TrimSpace(line); !ok || target == "" {
			return "", false
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(dotGit), target)
		}
	}
	real, err := filepath.EvalSymlinks(target)
	if err != nil || !exists(filepath.Join(real, "HEAD")) {
		return "", false
	}
	return real, true
}

// commonOf is the common directory of a git directory that a .git file of the
// work tree dir leads to. It must name dir in return: a linked worktree's
// directory lies in COMMON/worktrees and its file gitdir names dir/.git; a
// submodule's configuration names dir as core.worktree.
func commonOf(gitDir, dir string) (string, bool) {
	if line := firstLine(filepath.Join(gitDir, "commondir")); line != "" {
		common := line
		if !filepath.IsAbs(common) {
			common = filepath.Join(gitDir, common)
		}
		common, err := filepath.EvalSymlinks(common)
		if err != nil || filepath.Dir(gitDir) != filepath.Join(common, "worktrees") || !isGitDir(common) {
			return "", false
		}
		back := firstLine(filepath.Join(gitDir, "gitdir"))
		return common, filepath.Base(back) == ".git" && sameDir(filepath.Dir(back), gitDir, dir)
	}
	back := gitConfig(gitDir, "core", "worktree")
	return gitDir, back != "" && isGitDir(gitDir) && sameDir(back, gitDir, dir)
}

// sameDir tells whether path, relative to base or absolute, is the directory
// with the real path dir.
func sameDir(path, base, dir string) bool {
	if !filepath.IsAbs(path) {
		path = filepath.Join(base, path)
	}
	real, err := filepath.EvalSymlinks(path)
	return err == nil && real == dir
}

// isGitDir tells whether a directory is a repository's own (bare or .git).
func isGitDir(dir string) bool {
	return exists(filepath.Join(dir, "HEAD")) && exists(filepath.Join(dir, "objects")) && exists(filepath.Join(dir, "refs"))
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// smallFile reads a regular file of git's of at most 64 KB; "" is all that is
// said about any other.
func smallFile(path string) []byte {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, 64<<10))
	if err != nil {
		return nil
	}
	return b
}

func firstLine(path string) string {
	line, _, _ := strings.Cut(string(smallFile(path)), "\n")
	return strings.TrimSpace(line)
}

// gitConfig is the last value of a plain key in a git directory's config; a
// section with a subsection, and includes, are not looked at.
func gitConfig(gitDir, section, key string) string {
	in, value := false, ""
	lines := bufio.NewScanner(bytes.NewReader(smallFile(filepath.Join(gitDir, "config"))))
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if rest, ok := strings.CutPrefix(line, "["); ok {
			name, _, _ := strings.Cut(rest, "]")
			in = strings.EqualFold(strings.TrimSpace(name), section)
			continue
		}
		k, v, ok := strings.Cut(line, "=")
		if ok && in && strings.EqualFold(strings.TrimSpace(k), key) {
			value = unquote(strings.TrimSpace(v))
		}
	}
	return value
}

// unquote takes the quotes and escapes off a value as git writes it.
func unquote(v string) string {
	if len(v) < 2 || v[0] != '"' || v[len(v)-1] != '"' {
		return v
	}
	return strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(v[1 : len(v)-1])
}
