package vault

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
)

// ExcludeLocal makes git ignore the project's MEMORY.local.md through the
// repository's own info/exclude, so that no file of the team changes. It adds
// one line, once. Without git it leaves a .gitignore beside the page: git may be
// begun later, and would be told to add everything.
func ExcludeLocal(ctx context.Context, p Project) error {
	const op = "vault.exclude"
	rel, inside := p.LocalPage()
	if err := ctx.Err(); err != nil || !inside {
		return fail(op, p.Dir, err)
	}
	if !p.Git {
		return fail(op, p.Memory, ignoreIn(p.Memory))
	}
	line := "/" + globSafe(rel)
	if p.GitDir == "" {
		return refuse(op, p.Dir, pimento.KindUnavailable, "the repository does not name this work tree",
			"run `git worktree repair` there, or add "+line+" to its info/exclude")
	}
	common, err := os.OpenRoot(p.Common)
	if err != nil {
		return fail(op, p.Common, err)
	}
	defer common.Close()
	return fail(op, p.Common, excludeIn(common, line))
}

// ignoreIn makes the .gitignore of a memory outside of git, unless one is there.
func ignoreIn(memory string) error {
	dir, err := os.OpenRoot(memory)
	if err != nil {
		return err
	}
	defer dir.Close()
	f, err := dir.OpenFile(".gitignore", os.O_WRONLY|os.O_CREATE|os.O_EXCL|openFlags, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString("/" + page.LocalMemory + "\n")
	return errors.Join(err, f.Close())
}

func excludeIn(common *os.Root, line string) error {
	for _, name := range []string{"info", "info/exclude"} {
		if info, err := common.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return refuse("vault.exclude", name, pimento.KindDenied, "a symbolic link in the git directory",
				"replace it by a real file")
		}
	}
	if err := common.Mkdir("info", 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	f, err := common.OpenFile("info/exclude", os.O_RDWR|os.O_APPEND|os.O_CREATE|openFlags, 0o644)
	if err != nil {
		return err
	}
	return errors.Join(appendLine(f, line), f.Close())
}

// appendLine ends an exclude file with a line, unless it has one that says the same.
func appendLine(f *os.File, line string) error {
	if err := holdFile(f); err != nil {
		return err
	}
	b, err := io.ReadAll(io.LimitReader(f, 1<<20))
	if err != nil || excludes(string(b), line) {
		return err
	}
	text := line + "\n"
	if len(b) > 0 && b[len(b)-1] != '\n' {
		text = "\n" + text
	}
	_, err = f.WriteString(text)
	return err
}

// excludes tells whether the local page is ignored already, in the ways in
// which a person would write it.
func excludes(all, line string) bool {
	for have := range strings.Lines(all) {
		switch strings.TrimSpace(have) {
		case line, line[1:], page.LocalMemory:
			return true
		}
	}
	return false
}
