// Package stage builds a machine of its own for what is shown or measured: a home, a
// repository in it, and a clock that only the owner of the [Stage] moves. Engines that are
// opened on it ([Stage.Open]) do what a user's engine does, and see nothing that belongs to
// the user.
package stage

import (
	"os"
	"path/filepath"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/vault"
)

// A Stage is such a machine.
type Stage struct {
	Dirs vault.Dirs
	Repo string
	Now  time.Time // what the engines' clocks show
}

// New sets the stage in a directory, with a repository of the given name. The
// error is of KindUnavailable.
func New(dir, repo string, now time.Time) (*Stage, error) {
	dir, err := filepath.EvalSymlinks(dir) // a project is known by its real path
	if err != nil {
		return nil, unavailable(err)
	}
	home := filepath.Join(dir, "home")
	s := &Stage{Dirs: vault.DirsFrom(home, func(string) string { return "" }), Repo: filepath.Join(home, repo), Now: now}
	// As much of a repository as it takes to be one; git itself is not needed.
	for _, d := range []string{".git/objects", ".git/refs", ".git/info"} {
		if err := os.MkdirAll(filepath.Join(s.Repo, d), 0o755); err != nil {
			return nil, unavailable(err)
		}
	}
	if err := os.WriteFile(filepath.Join(s.Repo, ".git", "HEAD"), []byte("ref: refs/heads/main\n"), 0o644); err != nil {
		return nil, unavailable(err)
	}
	return s, nil
}

// Open makes an engine that works in the repository; opt says the rest.
func (s *Stage) Open(opt engine.Options) (*engine.Engine, error) {
	opt.Dirs, opt.Dir = s.Dirs, s.Repo
	opt.Now = func() time.Time { return s.Now }
	return engine.Open(opt)
}

func unavailable(err error) error {
	return &pimento.Error{Op: "stage", Kind: pimento.KindUnavailable, Err: err}
}
