package vault

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/pimento-memory/pimento"
)

// excludeLine is what keeps the local page out of commits.
const excludeLine = "/.pi/memory/" + localPage

// ExcludeLocal makes git ignore the project's MEMORY.local.md through the
// repository's own info/exclude, so that no file of the team changes. It adds
// one line, once. Without git there is nothing to do.
func ExcludeLocal(ctx context.Context, p Project) error {
	const op = "vault.exclude"
	if err := ctx.Err(); err != nil || !p.Git {
		return fail(op, p.Dir, err)
	}
	if p.GitDir == "" {
		return refuse(op, p.Dir, pimento.KindUnavailable, "the repository does not name this work tree",
			"run `git worktree repair` there, or add "+excludeLine+" to its info/exclude")
	}
	common, err := os.OpenRoot(p.Common)
	if err != nil {
		return fail(op, p.Common, err)
	}
	defer common.Close()
	return fail(op, p.Common, excludeIn(common))
}

func excludeIn(common *os.Root) error {
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
	defer f.Close()
	if err := holdFile(f); err != nil {
		return err
	}
	b, err := io.ReadAll(io.LimitReader(f, 1<<20))
	if err != nil || excludes(string(b)) {
		return err
	}
	line := excludeLine + "\n"
	if len(b) > 0 && b[len(b)-1] != '\n' {
		line = "\n" + line
	}
	_, err = f.WriteString(line)
	return err
}

// excludes tells whether the local page is ignored already, in the ways in
// which a person would write it.
func excludes(text string) bool {
	for line := range strings.Lines(text) {
		switch strings.TrimSpace(line) {
		case excludeLine, excludeLine[1:], localPage:
			return true
		}
	}
	return false
}
