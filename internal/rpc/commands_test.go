package rpc_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento/internal/profile"
)

// configured is a machine whose user has a configuration.
func configured(t *testing.T, config string) machine {
	t.Helper()
	m := newMachine(t)
	path := filepath.Join(m.home, ".config", "pimento", "config.json")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestOnWhereAConfigurationSaysOff: /memory on does not say what is not so.
func TestOnWhereAConfigurationSaysOff(t *testing.T) {
	c := start(t, configured(t, `{"enabled": false}`).open)
	c.send(`{"id":1,"op":"hello","v":1,"session":"s1"}`)
	c.receive()
	c.send(`{"id":2,"op":"command","v":1,"args":"on"}`)
	if got := c.receive(); strings.Contains(got, "Memory is on.") || !strings.Contains(got, `"level":"warning"`) {
		t.Errorf("%s", got)
	}
}

// TestProfileCommands: the commands of a profile that are verbs of /memory are
// offered by their own names; one that is not is left out.
func TestProfileCommands(t *testing.T) {
	names := profile.Names(nil)
	if len(names) < 5 {
		t.Fatal(names)
	}
	offered := func(t *testing.T, config string) []string {
		c := start(t, configured(t, config).open)
		c.send(`{"id":1,"op":"hello","v":1}`)
		var r struct{ Commands []string }
		if err := json.Unmarshal([]byte(c.receive()), &r); err != nil {
			t.Fatal(err)
		}
		return r.Commands
	}
	seen := 0
	for _, name := range names {
		p, _, err := profile.Load(name, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := offered(t, `{"profile": "`+name+`"}`)
		if !slices.Equal(got, p.Commands) {
			t.Errorf("%s offers %q and has %q; each must be a verb", name, got, p.Commands)
		}
		seen += len(got)
	}
	if seen == 0 {
		t.Error("no profile has a command")
	}
	if got := offered(t, `{"overrides": {"commands": ["frobnicate", "remember"]}}`); !slices.Equal(got, []string{"remember"}) {
		t.Errorf("%q", got)
	}
}
