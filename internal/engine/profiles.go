package engine

import (
	"context"
	"path/filepath"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/config"
	"github.com/pimento-memory/pimento/internal/profile"
)

// Profile is the active profile, with the faults that occurred in finding it.
func (e *Engine) Profile(ctx context.Context) (pimento.Profile, []pimento.Fault) {
	v := e.look(ctx)
	return v.profile, v.faults
}

// Profiles names the profiles that can be used: ours and the user's own.
func (e *Engine) Profiles() []string {
	return profile.Names(e.userProfiles())
}

// LoadProfile loads a profile by name, without any configuration over it.
func (e *Engine) LoadProfile(name string) (pimento.Profile, error) {
	p, _, err := profile.Load(name, e.userProfiles(), nil)
	return p, err
}

// ProfileSource is a profile as somebody wrote it, comments included.
func (e *Engine) ProfileSource(name string) (string, error) {
	return profile.Source(name, e.userProfiles())
}

// ProfileUse chooses a profile for the project, or for the user everywhere, by
// one key of a config.json. It returns that file's path.
func (e *Engine) ProfileUse(ctx context.Context, name string, global bool) (string, error) {
	if _, err := e.LoadProfile(name); err != nil {
		return "", err
	}
	if global {
		return e.configFile(), e.setOwn(ctx, "profile", name)
	}
	v := e.look(ctx)
	if !v.hasProject {
		return "", errNoProject("profile use", "--global")
	}
	st, err := e.writable(ctx, v, "profile use", pimento.Project)
	if err != nil {
		return "", err
	}
	unlock, err := st.root.Lock(ctx)
	if err != nil {
		return "", err
	}
	defer unlock()
	path := filepath.Join(st.root.Dir(), config.Name)
	return path, st.root.EditSmall(ctx, config.Name, config.Set(path, false, "profile", name))
}
