package vault

import (
	"context"
	"os/exec"
	"strings"

	"github.com/pimento-memory/pimento"
)

// RootCommit is the id of the commit that the repository's history began with,
// "" when that cannot be known: no git, no commit yet, a shallow clone. It runs
// git, which walks the whole history, so it is for trust and doctor only.
func RootCommit(ctx context.Context, p Project) (string, error) {
	if p.GitDir == "" {
		return "", nil
	}
	if shallow, err := git(ctx, p, "rev-parse", "--is-shallow-repository"); err != nil || shallow == "true" {
		return "", err
	}
	if _, err := git(ctx, p, "rev-parse", "--verify", "--quiet", "HEAD"); err != nil {
		return "", ctx.Err()
	}
	roots, err := git(ctx, p, "rev-list", "--max-parents=0", "HEAD")
	if err != nil {
		return "", err
	}
	return roots[strings.LastIndexByte(roots, '\n')+1:], nil
}

// hasCommit tells whether the repository holds a commit; it says yes when git
// cannot be asked.
func hasCommit(ctx context.Context, p Project, id string) bool {
	if _, err := git(ctx, p, "rev-parse", "--git-dir"); err != nil {
		return true
	}
	_, err := git(ctx, p, "cat-file", "-e", id+"^{commit}")
	return err == nil || ctx.Err() != nil
}

// git runs git on a project's own git directory. It gets a bare environment,
// so that no GIT_DIR leads it elsewhere, and may neither run what a
// repository's configuration names nor use the network.
func git(ctx context.Context, p Project, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"--no-pager", "--git-dir=" + p.GitDir,
		"-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "protocol.allow=never"}, args...)...)
	cmd.Dir = p.Dir
	cmd.Env = []string{"LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1"}
	out, err := cmd.Output()
	if err != nil {
		return "", &pimento.Error{Op: "vault.git", Path: p.Dir, Kind: pimento.KindUnavailable,
			Hint: "is git installed and the repository whole?", Err: err}
	}
	return strings.TrimSpace(string(out)), nil
}
