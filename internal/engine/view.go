package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/crypt"
	"github.com/pimento-memory/pimento/internal/embed"
	"github.com/pimento-memory/pimento/internal/journal"
	"github.com/pimento-memory/pimento/internal/profile"
	"github.com/pimento-memory/pimento/internal/think"
	"github.com/pimento-memory/pimento/internal/vault"
)

// A view is what one call sees of the world: the project, the consent, the
// configuration, the profile, and the roots that may be read. It is made anew
// for every call, because each of them may be changed from another terminal.
type view struct {
	project    vault.Project
	hasProject bool
	consent    vault.ConsentState
	enabled    bool
	traces     bool
	strict     bool // what was captured must say where
	profile    pimento.Profile
	digest     string                                          // of the profile
	stores     []*store                                        // readable roots, widest first
	known      map[*store]map[pimento.Statement]journal.Record // what this call has asked the journals
	choice     embed.Choice                                    // of what makes vectors
	thinker    think.Choice                                    // of a language model
	capture    capture
	worth      worth
	autoDream  bool // the user wants dreams without asking for each
	encryption crypt.Choice
	shared     bool   // the profile is the project's choice, not the user's
	engine     string // of what searches global memory
	faults     []pimento.Fault
	plain      map[*store]bool // those that this call knows to hold no encrypted page
}

func (v *view) fault(kind, detail string) {
	if f := (pimento.Fault{Kind: kind, Detail: detail}); !slices.Contains(v.faults, f) { // two scopes may share a directory
		v.faults = append(v.faults, f)
	}
}

// faultErr is the one funnel from an error on the way of a turn to a fault.
func (v *view) faultErr(kind string, err error) {
	if err != nil {
		f := faultOf(kind, err)
		v.fault(f.Kind, f.Detail)
	}
}

// faultOf is an error as a fault, with what can be done about it.
func faultOf(kind string, err error) pimento.Fault {
	f := pimento.Fault{Kind: kind, Detail: err.Error()}
	if hint := pimento.HintOf(err); hint != "" {
		f.Detail += "; " + hint
	}
	return f
}

// synced notes what a sync lacked. An index that could not be stored is no
// fault: it is as right in memory.
func (v *view) synced(st *store, s synced, fault *pimento.Fault) {
	if v.plain == nil {
		v.plain = map[*store]bool{}
	}
	v.plain[st] = s.plain
	if fault != nil {
		v.faults = append(v.faults, *fault)
	}
	v.faults = append(v.faults, s.faults...)
	if s.err != nil && pimento.KindOf(s.err) != pimento.KindUnavailable {
		v.faultErr("sync", s.err)
	}
	switch {
	case s.heavy != "":
		v.fault("deadline", fmt.Sprintf("%s:%s is too large to be read while a prompt waits, and is not found until it is read; to read it now: pimento status", st.scope, s.heavy))
	case s.behind:
		v.fault("deadline", "the index is still being built; what is missing is taken up later")
	}
}

// store returns the root of a scope, nil when there is none to read.
func (v *view) store(scope pimento.Scope) *store {
	for _, st := range v.stores {
		if st.scope == scope {
			return st
		}
	}
	return nil
}

// diary is the root whose journal holds what is of the project and of no entry:
// the project's own where it may be used, else the user's. Nil when there is
// neither.
func (v *view) diary() *store {
	if st := v.store(pimento.Project); st != nil {
		return st
	}
	return v.store(pimento.Global)
}

// granted says whether the project's memory may be used.
func (v *view) granted() bool { return v.consent.Status == vault.Granted }

// consentDigest changes whenever what may be shown changes: consent, and the
// number of times something was forgotten. It is part of the prefix's key.
func (e *Engine) consentDigest(v *view) string {
	sum := sha256.New()
	for _, st := range v.stores {
		sum.Write([]byte(st.root.Key()))
		gen, _ := os.ReadFile(e.forgetFile(st)) // absent: nothing was ever forgotten
		sum.Write(gen)
		sum.Write([]byte{0})
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// look makes the view of one call. Errors become faults: a broken
// configuration never takes memory away, and never grants any.
func (e *Engine) look(ctx context.Context) *view {
	v := &view{enabled: true}
	p, ok, err := e.opt.Dirs.Project(context.WithoutCancel(ctx), e.opt.Dir)
	v.faultErr("project", err)
	v.project, v.hasProject = p, ok && err == nil
	if v.hasProject {
		v.consent = e.consents.Check(v.project)
	}
	e.openRoots(ctx, v)
	e.configure(v)
	return v
}

// openRoots opens the global root, and the project's when this user agreed.
func (e *Engine) openRoots(ctx context.Context, v *view) {
	if st, err := e.openStore(pimento.Global, e.opt.Dirs.Global, vault.Project{}); err != nil {
		v.faultErr("vault", err)
	} else {
		v.stores = append(v.stores, st)
	}
	if !v.hasProject || !v.granted() || e.untrusted {
		return
	}
	if v.project.Memory == e.opt.Dirs.Global {
		v.fault("project", "the project's memory folder is the global one; used once, as global")
		return
	}
	for _, scope := range []pimento.Scope{pimento.Project, pimento.Local} {
		st, err := e.openStore(scope, v.project.Memory, v.project)
		if err != nil {
			v.faultErr("vault", err)
			continue
		}
		if scope == pimento.Local && (!st.root.Exists() || !e.localAllowed(ctx, v)) {
			continue
		}
		v.stores = append(v.stores, st)
	}
}

// localAllowed says whether the personal page of a project may be used: one
// that git tracks came with the repository and is nobody's private note.
func (e *Engine) localAllowed(ctx context.Context, v *view) bool {
	rel, inside := v.project.LocalPage()
	if !inside {
		return v.project.Elsewhere // nobody else's work tree has it
	}
	tracked, err := vault.Tracked(ctx, v.project, rel)
	if err != nil {
		v.faultErr("local", err)
		return false
	}
	if tracked {
		v.fault("local", "MEMORY.local.md is tracked by git and therefore not used; run: git rm --cached "+rel)
	}
	return !tracked
}

// A configured is what the configuration files of one set of roots come to.
type configured struct {
	key     string // the files' stamps; a long-lived process reads them again when one changes
	enabled bool
	traces  bool // records of prompts are kept
	strict  bool
	profile pimento.Profile
	digest  string
	choice  embed.Choice // the user's own
	thinker think.Choice // likewise; none unless the user says so
	capture capture
	worth   worth
	dreams  bool   // by themselves; the user's own
	engine  string // likewise
	crypt   crypt.Choice
	shared  bool // see view
	faults  []pimento.Fault
	cached  bool // the profile is one of ours, so that the files in key are all it hangs on
}

// A configPlace is one place of configuration; shared files come with a
// repository and may set less.
type configPlace struct {
	path   string
	root   *vault.Root // nil for the user's own file, which lies in no root
	shared bool
	mind   bool // it is pi-mind's, which says less and in other words
}

func (p configPlace) load() (vault.Config, []pimento.Fault) {
	if p.root == nil {
		return vault.LoadConfig(p.path, true)
	}
	return p.root.Config(context.Background()) // half a configuration would be kept as the whole
}

// configPlaces lists the configuration files that count, widest first.
func (e *Engine) configPlaces(v *view) []configPlace {
	places := []configPlace{{path: e.configFile()}}
	for _, st := range v.stores {
		if st.scope != pimento.Local {
			places = append(places, configPlace{path: filepath.Join(st.root.Dir(), "config.json"), root: st.root, shared: st.scope == pimento.Project})
		}
		if st.scope == pimento.Project && v.project.Mind {
			places = append(places, configPlace{path: filepath.Join(st.root.Dir(), "pi-mind-config.json"), root: st.root, mind: true})
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
	v.enabled, v.traces, v.strict, v.profile, v.digest, v.choice, v.thinker = c.enabled, c.traces, c.strict, c.profile, c.digest, c.choice, c.thinker
	v.capture, v.worth, v.autoDream, v.engine, v.encryption, v.shared = c.capture, c.worth, c.dreams, c.engine, c.crypt, c.shared
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
	c := configured{enabled: true, traces: true, strict: true, choice: e.opt.Preferred, capture: capturePropose, worth: worthOff, engine: ownEngine}
	if c.choice == (embed.Choice{}) {
		c.choice = embed.NamedChoice(embed.BuiltIn)
	}
	var all vault.Config
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
	mind, faults := e.mindLayers(name, places, c.choice)
	c.faults = append(c.faults, faults...)
	layers = slices.Concat(mind, layers, e.opt.Overrides)
	p, faults, err := profile.Load(name, e.userProfiles(), layers)
	c.faults = append(c.faults, faults...)
	if err != nil {
		c.faults = append(c.faults, faultOf("profile", err))
		p, _, _ = profile.Load("default", nil, nil) // ours, and always there
	}
	if c.shared && hasRules(p) {
		c.faults = append(c.faults, e.withoutRulesOf(name, &p)...)
	}
	tune(&p, all)
	c.profile, c.digest = p, profile.Digest(p)
	c.cached = err == nil && slices.Contains(profile.Names(nil), p.Name)
	return c
}

// takeOwn reads the keys that only the user's own file may set. One that is wrong
// is a fault.
func (c *configured) takeOwn(path string, cfg vault.Config) {
	fault := func(err error) {
		detail := path + ": " + err.Error()
		if hint := pimento.HintOf(err); hint != "" {
			detail += "; " + hint
		}
		c.faults = append(c.faults, pimento.Fault{Kind: "config", Detail: detail})
	}
	var err error
	if raw, ok := cfg.Own["embedder"]; ok {
		if choice, err := embed.ParseChoice(raw); err != nil {
			fault(err)
		} else {
			c.choice = choice
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
		if json.Unmarshal(raw, &c.dreams) != nil {
			fault(errors.New(`"autoDream" is true or false`))
		}
	}
	if raw, ok := cfg.Own["encryption"]; ok {
		if c.crypt, err = crypt.ParseChoice(raw); err != nil {
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
func tune(p *pimento.Profile, cfg vault.Config) {
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

func (e *Engine) configFile() string { return filepath.Join(e.opt.Dirs.Config, "config.json") }

// userProfiles is the folder of the user's own profiles.
func (e *Engine) userProfiles() fs.FS { return os.DirFS(filepath.Join(e.opt.Dirs.Config, "profiles")) }

// strictProfile is the error of a profile name that does not exist; commands
// show it, turns only record it.
func (e *Engine) strictProfile(ctx context.Context) error {
	if e.opt.Profile == "" {
		return nil
	}
	_, err := e.LoadProfile(ctx, e.opt.Profile)
	return err
}

// defaultScope is where a write goes that names no scope.
func (v *view) defaultScope() pimento.Scope {
	if !v.hasProject {
		return pimento.Global
	}
	return v.profile.DefaultScope
}

// scopeOf is where a log or checklist is kept that names no scope. The local
// scope has room for one page only; what else is private stays with the user.
func (v *view) scopeOf(rel string) pimento.Scope {
	if scope := v.defaultScope(); scope != pimento.Local || rel == localPage {
		return scope
	}
	return pimento.Global
}

// errNoProject is what a project-scoped call gets outside a project.
func errNoProject(op, instead string) error {
	hint := "go to the project's directory"
	if instead != "" {
		hint += ", or use " + instead
	}
	return &pimento.Error{Op: op, Kind: pimento.KindUsage, Err: errors.New("not in a project"),
		Hint: hint}
}

// errNotPrivate is what a write to the local page gets where it would not stay
// the user's own.
func errNotPrivate(op string, v *view) error {
	fail := &pimento.Error{Op: op, Path: localPage, Kind: pimento.KindDenied}
	if rel, inside := v.project.LocalPage(); inside {
		fail.Err, fail.Hint = errors.New("git tracks it, so it would not stay private"), "run: git rm --cached "+rel
	} else {
		fail.Err, fail.Hint = errors.New("another work tree might commit it, so it would not stay private"), "use scope global"
	}
	return fail
}
