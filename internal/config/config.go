// Package config reads and edits config.json, in which a user, or a project, says how
// memory is to behave. A [Config] holds the values of one file, with defaults where the
// file is silent, and [Config.Over] lays a narrower file over a wider one. [MindOf] reads
// the pi-mind-config.json of another memory system. [Set] makes the edit that changes one
// key and leaves every other byte of the file as it is.
//
// Mistakes do not stop anything: a key that cannot be used is a fault, and its default
// holds. So is a key that only the user may set, in a project's file.
//
// The package is pure, apart from [Load] and [Read]: whoever may touch the files of a root
// hands over their bytes.
package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"

	"github.com/pimento-memory/pimento"
)

// Name is the configuration file of a root and of the user.
const Name = "config.json"

// maxBytes is the size above which a configuration is not read.
const maxBytes = 1 << 20

// A Config is what one config.json says; where it is silent, the defaults
// hold. Its JSON may contain // and /* */ comments.
type Config struct {
	Profile            string // "" for the default profile
	Enabled            bool   // default true
	MaxInjectLines     int    // default 200
	MaxInjectBytes     int    // default 8192
	PageTableInjection bool   // default true
	MaxMemoryTokens    int    // default 4096
	TraceEnabled       bool   // default true
	StrictWriteback    bool   // default true

	// Overrides is the object of the key "overrides", with the keys "budgets"
	// and "sections" of the file laid over it; nil when there is none.
	Overrides json.RawMessage

	// Own holds the keys that only the user's own file may set, as they stand.
	Own map[string]json.RawMessage

	set map[string]bool
}

// defaults are what holds where no file says anything.
func defaults() Config {
	return Config{Enabled: true, MaxInjectLines: 200, MaxInjectBytes: 8192, PageTableInjection: true,
		MaxMemoryTokens: 4096, TraceEnabled: true, StrictWriteback: true}
}

// Has tells whether the file itself set a key.
func (c Config) Has(key string) bool { return c.set[key] }

// Over is this configuration laid over a wider one: each key that this one
// sets wins, Overrides as a whole.
func (c Config) Over(wider Config) Config {
	out := wider
	out.set = maps.Clone(wider.set)
	out.Own = maps.Clone(wider.Own)
	for key := range c.set {
		if out.set == nil {
			out.set = map[string]bool{}
		}
		out.set[key] = true
		if from, into := c.field(key), out.field(key); into != nil {
			copyField(into, from)
		}
	}
	if c.Overrides != nil {
		out.Overrides = c.Overrides
	}
	for key, raw := range c.Own {
		if out.Own == nil {
			out.Own = map[string]json.RawMessage{}
		}
		out.Own[key] = raw
	}
	return out
}

// field is where a plain key's value is kept, nil for any other key.
func (c *Config) field(key string) any {
	switch key {
	case "profile":
		return &c.Profile
	case "enabled":
		return &c.Enabled
	case "maxInjectLines":
		return &c.MaxInjectLines
	case "maxInjectBytes":
		return &c.MaxInjectBytes
	case "pageTableInjection":
		return &c.PageTableInjection
	case "maxMemoryTokens":
		return &c.MaxMemoryTokens
	case "traceEnabled":
		return &c.TraceEnabled
	case "strictWriteback":
		return &c.StrictWriteback
	default:
		return nil
	}
}

func copyField(into, from any) {
	switch into := into.(type) {
	case *string:
		*into = *from.(*string)
	case *bool:
		*into = *from.(*bool)
	case *int:
		*into = *from.(*int)
	}
}

// Load reads a config.json: the user's own (own) or a scope's, as [Of] says it. A
// scope's file that is a symbolic link is not read; where the way to it is a
// stranger's as well, the vault reads it.
func Load(path string, own bool) (Config, []pimento.Fault) {
	b, err := Read(path, own)
	return Of(b, err, path, own)
}

// Read is what stands in a config.json that [Load] takes.
func Read(path string, own bool) ([]byte, error) {
	look := os.Lstat
	if own {
		look = os.Stat
	}
	info, err := look(path)
	switch {
	case err != nil:
		return nil, err
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, errors.New("a symbolic link inside a memory root")
	case !info.Mode().IsRegular():
		return nil, errors.New("not a regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err == nil && len(b) > maxBytes {
		err = errors.New("larger than 1 MB")
	}
	return b, err
}

// Of is what a file says, of which err is what went wrong in reading it. It never
// fails: what is wrong is left at its default and told in a fault of kind "config"
// that names file, line and column. In a scope's file, keys that only the user's
// own may set are ignored, and named in a fault. A file that does not exist sets
// nothing.
func Of(b []byte, err error, path string, own bool) (Config, []pimento.Fault) {
	switch {
	case err == nil:
		return parse(b, path, own)
	case errors.Is(err, fs.ErrNotExist):
		return defaults(), nil
	}
	return defaults(), []pimento.Fault{{Kind: "config", Detail: fmt.Sprintf("%s: %v; defaults are used", path, err)}}
}

// parse takes every key that it can.
func parse(b []byte, path string, own bool) (Config, []pimento.Fault) {
	c := defaults()
	found, err := members(b)
	if err != nil {
		return c, []pimento.Fault{{Kind: "config", Detail: path + ":" + err.Error() + "; defaults are used"}}
	}
	var faults []pimento.Fault
	layers := map[string]json.RawMessage{}
	for _, m := range found {
		if what := c.take(m, own, layers); what != "" {
			faults = append(faults, pimento.Fault{Kind: "config", Detail: fmt.Sprintf("%s:%s: %s", path, lineCol(b, m.key), what)})
		}
	}
	c.Overrides = mergeOverrides(layers)
	return c, faults
}

// take puts one key's value where it belongs, and says what is wrong with it.
func (c *Config) take(m member, own bool, layers map[string]json.RawMessage) string {
	isOwn := slices.Contains(ownKeys(), m.name)
	switch {
	case c.set[m.name]:
		return fmt.Sprintf("key %q is repeated; the first one holds", m.name)
	case isOwn && !own:
		return fmt.Sprintf("key %q is ignored: only your own config.json may set it", m.name)
	case isOwn:
		if c.Own == nil {
			c.Own = map[string]json.RawMessage{}
		}
		c.Own[m.name] = m.raw
	case m.name == "overrides" || m.name == "budgets" || m.name == "sections":
		if m.raw[0] != '{' && (m.name != "sections" || m.raw[0] != '[') {
			return fmt.Sprintf("key %q is ignored: it must be an object", m.name)
		}
		layers[m.name] = m.raw
	case c.field(m.name) != nil:
		if what := c.decode(m); what != "" {
			return what
		}
	default:
		return fmt.Sprintf("unknown key %q is ignored; %s", m.name, meant(m.name, own))
	}
	if c.set == nil {
		c.set = map[string]bool{}
	}
	c.set[m.name] = true
	return ""
}

// decode reads a plain value; a wrong one leaves the default.
func (c *Config) decode(m member) string {
	wrong := func(want string) string {
		return fmt.Sprintf("key %q is ignored: it must be %s", m.name, want)
	}
	switch into := c.field(m.name).(type) {
	case *string:
		var v *string
		if json.Unmarshal(m.raw, &v) != nil || v == nil {
			return wrong("a string")
		}
		*into = *v
	case *bool:
		var v *bool
		if json.Unmarshal(m.raw, &v) != nil || v == nil {
			return wrong("true or false")
		}
		*into = *v
	case *int:
		var v *int
		if json.Unmarshal(m.raw, &v) != nil || v == nil || *v < 0 {
			return wrong("a whole number of 0 or more")
		}
		*into = *v
	}
	return ""
}

// mergeOverrides lays "budgets" and "sections" over "overrides".
func mergeOverrides(layers map[string]json.RawMessage) json.RawMessage {
	if len(layers) == 0 {
		return nil
	}
	out := map[string]json.RawMessage{}
	if raw := layers["overrides"]; raw != nil {
		_ = json.Unmarshal(raw, &out) // it was parsed before
	}
	for _, key := range []string{"budgets", "sections"} {
		if raw := layers[key]; raw != nil {
			out[key] = raw
		}
	}
	b, _ := json.Marshal(out)
	return b
}
