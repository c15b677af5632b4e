package vault

import (
	"path/filepath"
	"strings"

	"github.com/pimento-memory/pimento"
)

// Dirs are where everything of this user lives. All are absolute or, when
// unknown, ""; none needs to exist.
type Dirs struct {
	Home   string // the user's home directory, "" when unknown
	Global string // the global scope's root
	State  string // private: journal, sessions, consent, recovery, locks
	Cache  string // the index; deletable at any time
	Config string // the user's own config.json
	Data   string // what was installed: embedding models
	Mind   string // the memory of whatever project one works in; "" where each has its own
}

// DirsFrom finds the directories from the home directory and the environment.
// The first of each row that is set wins; a leading "~" means home, and a
// relative value is ignored as if it were not set:
//
//	Global  $PIMENTO_GLOBAL_DIR  $PI_MEMORY_DIR  $PI_CODING_AGENT_DIR/memory  ~/.pi/agent/memory
//	State   $PIMENTO_STATE_DIR   $XDG_STATE_HOME/pimento    ~/.local/state/pimento
//	Cache   $PIMENTO_CACHE_DIR   $XDG_CACHE_HOME/pimento    ~/.cache/pimento
//	Config  $PIMENTO_CONFIG_DIR  $XDG_CONFIG_HOME/pimento   ~/.config/pimento
//	Data    $PIMENTO_DATA_DIR    $XDG_DATA_HOME/pimento     ~/.local/share/pimento
//	Mind    $PI_MIND_DIR
//
// Without a home directory, cache, config and data lie below the state.
func DirsFrom(home string, getenv func(string) string) Dirs {
	if !filepath.IsAbs(home) {
		home = ""
	}
	env := func(name string, below ...string) string {
		dir := expand(home, getenv(name))
		if dir == "" {
			return ""
		}
		return filepath.Join(append([]string{dir}, below...)...)
	}
	pick := func(dirs ...string) string {
		for _, dir := range dirs {
			if dir != "" {
				return dir
			}
		}
		return ""
	}
	below := func(names ...string) string {
		if home == "" {
			return ""
		}
		return filepath.Join(append([]string{home}, names...)...)
	}
	state := pick(env("PIMENTO_STATE_DIR"), env("XDG_STATE_HOME", "pimento"), below(".local", "state", "pimento"))
	inState := func(name string) string {
		if state == "" {
			return ""
		}
		return filepath.Join(state, name)
	}
	return Dirs{
		Home: home,
		Global: pick(env("PIMENTO_GLOBAL_DIR"), env("PI_MEMORY_DIR"),
			env("PI_CODING_AGENT_DIR", "memory"), below(".pi", "agent", "memory")),
		Mind:   env("PI_MIND_DIR"),
		State:  state,
		Cache:  pick(env("PIMENTO_CACHE_DIR"), env("XDG_CACHE_HOME", "pimento"), below(".cache", "pimento"), inState("cache")),
		Config: pick(env("PIMENTO_CONFIG_DIR"), env("XDG_CONFIG_HOME", "pimento"), below(".config", "pimento"), inState("config")),
		Data:   pick(env("PIMENTO_DATA_DIR"), env("XDG_DATA_HOME", "pimento"), below(".local", "share", "pimento"), inState("data")),
	}
}

// expand makes an environment value an absolute, clean path, or "".
func expand(home, value string) string {
	if value == "~" || strings.HasPrefix(value, "~/") {
		if home == "" {
			return ""
		}
		value = filepath.Join(home, value[1:])
	}
	if !filepath.IsAbs(value) || strings.ContainsRune(value, 0) {
		return ""
	}
	return filepath.Clean(value)
}

// OpenRoot opens a memory root that can be written: its locks and whatever a
// write has to save live in d.State. See the function [OpenRoot].
func (d Dirs) OpenRoot(scope pimento.Scope, dir string, disk Disk) (*Root, error) {
	r, err := OpenRoot(scope, dir, disk)
	if err != nil {
		return nil, err
	}
	r.state = d.State
	return r, nil
}
