package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/config"
	"github.com/pimento-memory/pimento/internal/crypt"
	"github.com/pimento-memory/pimento/internal/embed"
	"github.com/pimento-memory/pimento/internal/profile"
	"github.com/pimento-memory/pimento/internal/think"
	"github.com/pimento-memory/pimento/internal/vault"
)

// Settings are what the configuration files of one set of roots come to.
type settings struct {
	enabled bool
	traces  bool // records of prompts are kept
	strict  bool // what was captured must say where
	profile pimento.Profile
	digest  string // of the profile
	shared  bool   // the profile is the project's choice, not the user's

	// These are set by the user's own file alone.
	embedder   embed.Choice
	thinker    think.Choice // none unless the user says so
	capture    capture
	worth      worth
	autoDream  bool   // dreams without asking for each
	engine     string // what searches global memory
	encryption crypt.Choice
}

// Configured settings are kept until one of the files changes.
type configured struct {
	settings
	key    string // the files' stamps
	faults []pimento.Fault
	cached bool // the profile is one of ours, so that the files in key are all it hangs on
}

// A configPlace is one place of configuration; shared files come with a
// repository and may set less.
type configPlace struct {
	path   string
	root   *vault.Root // nil for the user's own file, which lies in no root
	shared bool
	mind   bool // it is pi-mind's, which says less and in other words
}

func (p configPlace) load() (config.Config, []pimento.Fault) {
	var b []byte
	var err error
	if p.root == nil {
		b, err = config.Read(p.path, true)
	} else {
		b, err = p.root.ReadSmall(context.Background(), config.Name) // half a configuration would be kept as the whole
	}
	c, faults := config.Of(b, err, p.path, p.root == nil)
	for i := range faults {
		_, faults[i].Hint = vault.Classify(err)
	}
	return c, faults
}

// configPlaces lists the configuration files that count, widest first.
func (e *Engine) configPlaces(v *view) []configPlace {
	places := []configPlace{{path: e.configFile()}}
	for _, st := range v.stores {
		if st.scope != pimento.Local {
			places = append(places, configPlace{path: filepath.Join(st.root.Dir(), config.Name), root: st.root, shared: st.scope == pimento.Project})
		}
		if st.scope == pimento.Project && v.project.Mind {
			places = append(places, configPlace{path: filepath.Join(st.root.Dir(), config.MindName), root: st.root, mind: true})
		}
	}
	return places
}

// configure reads the configuration and loads the profile, or takes them from
// the last call when no file changed.
func (e *Engine) configure(v *view) {
	places := e.configPlaces(v)
	key := stampsOf(places)
	e.mu.Lock()
	c := e.config
	e.mu.Unlock()
	if !c.cached || c.key != key {
		c = e.readConfig(places)
		c.key = key
		e.mu.Lock()
		e.config = c
		e.mu.Unlock()
	}
	v.settings = c.settings
	v.faults = append(v.faults, c.faults...)
}

// stampsOf tells a set of files apart from what it was.
func stampsOf(places []configPlace) string {
	var b strings.Builder
	for _, p := range places {
		b.WriteString(p.path)
		if info, err := os.Stat(p.path); err == nil {
			fmt.Fprintf(&b, "|%d|%d", info.Size(), info.ModTime().UnixNano())
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func (e *Engine) readConfig(places []configPlace) configured {
	name, layers := "default", []profile.Layer(nil)
	c := configured{settings: settings{enabled: true, traces: true, strict: true, embedder: e.opt.Preferred, capture: capturePropose, worth: worthOff, engine: ownEngine}}
	if c.embedder == (embed.Choice{}) {
		c.embedder = embed.NamedChoice(embed.BuiltIn)
	}
	var all config.Config
	for _, p := range places {
		if p.mind {
			continue // mindLayers
		}
		cfg, faults := p.load()
		all = cfg.Over(all)
		c.faults = append(c.faults, faults...)
		if cfg.Profile != "" {
			c.shared = p.shared && (c.shared || cfg.Profile != name)
			name = cfg.Profile
		}
		if cfg.Has("enabled") {
			c.enabled = cfg.Enabled
		}
		if cfg.Has("strictWriteback") {
			c.strict = cfg.StrictWriteback
		}
		if cfg.Has("traceEnabled") {
			c.traces = cfg.TraceEnabled
		}
		if p.root == nil {
			c.takeOwn(p.path, cfg)
		}
		if len(cfg.Overrides) > 0 {
			layers = append(layers, profile.Layer{Source: p.path, JSON: json.RawMessage(cfg.Overrides), Shared: p.shared})
		}
	}
	if e.opt.Profile != "" {
		name, c.shared = e.opt.Profile, false
	}
	mind, faults := e.mindLayers(name, places, c.embedder)
	c.faults = append(c.faults, faults...)
	layers = slices.Concat(mind, layers, e.opt.Overrides)
	p, faults, err := profile.Load(name, e.userProfiles(), layers)
	c.faults = append(c.faults, faults...)
	if err != nil {
		c.faults = append(c.faults, pimento.FaultOf("profile", err))
		p, _, _ = profile.Load("default", nil, nil) // ours, and always there
	}
	if c.shared && p.SectionOf(pimento.PickRules) != nil {
		c.faults = append(c.faults, e.withoutRulesOf(name, &p)...)
	}
	tune(&p, all)
	c.profile, c.digest = p, profile.Digest(p)
	c.cached = err == nil && slices.Contains(profile.Names(nil), p.Name)
	return c
}

// takeOwn reads the keys that only the user's own file may set. One that is wrong
// is a fault.
func (c *configured) takeOwn(path string, cfg config.Config) {
	fault := func(err error) {
		c.faults = append(c.faults, pimento.FaultOf("config", fmt.Errorf("%s: %w", path, err)))
	}
	var err error
	if raw, ok := cfg.Own["embedder"]; ok {
		if choice, err := embed.ParseChoice(raw); err != nil {
			fault(err)
		} else {
			c.embedder = choice
		}
	}
	if raw, ok := cfg.Own["thinker"]; ok {
		if c.thinker, err = think.ParseChoice(raw); err != nil {
			fault(err)
		}
	}
	if raw, ok := cfg.Own["capture"]; ok {
		if c.capture, err = parseCapture(raw); err != nil {
			fault(err)
		}
	}
	if raw, ok := cfg.Own["worth"]; ok {
		if c.worth, err = parseWorth(raw); err != nil {
			fault(err)
		}
	}
	if raw, ok := cfg.Own["autoDream"]; ok {
		if json.Unmarshal(raw, &c.autoDream) != nil {
			fault(errors.New(`"autoDream" is true or false`))
		}
	}
	if raw, ok := cfg.Own["encryption"]; ok {
		if c.encryption, err = crypt.ParseChoice(raw); err != nil {
			fault(err)
		}
	}
	if raw, ok := cfg.Own["engine"]; ok {
		if c.engine, err = parseEngine(raw); err != nil {
			fault(err)
		}
	}
}

// tune lays the keys that say how much of the curated pages is shown over any
// profile.
func tune(p *pimento.Profile, cfg config.Config) {
	if cfg.Has("pageTableInjection") {
		p.Paged = cfg.PageTableInjection
	}
	if cfg.Has("maxMemoryTokens") {
		p.Resident.Tokens = cfg.MaxMemoryTokens
	}
	if cfg.Has("maxInjectLines") {
		p.Index.Lines = cfg.MaxInjectLines
	}
	if cfg.Has("maxInjectBytes") {
		p.Index.Bytes = cfg.MaxInjectBytes
	}
}

func (e *Engine) configFile() string { return filepath.Join(e.opt.Dirs.Config, config.Name) }

// setOwn sets one key of the user's own configuration.
func (e *Engine) setOwn(ctx context.Context, key string, value any) error {
	return vault.EditSmall(ctx, e.configFile(), config.Set(e.configFile(), true, key, value))
}

// userProfiles is the folder of the user's own profiles.
func (e *Engine) userProfiles() fs.FS { return os.DirFS(filepath.Join(e.opt.Dirs.Config, "profiles")) }
