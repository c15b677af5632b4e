package profile

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/profile/builtin"
	"github.com/pimento-memory/pimento/internal/score"
)

// maxExtends is how long a chain of profiles that extend each other may be.
const maxExtends = 8

// maxText is the largest preamble or tool text in bytes.
const maxText = 64 << 10

// A Layer is a set of overrides from one config file.
type Layer struct {
	Source string // the file, for messages
	JSON   []byte // an object in the shape of profile.json
	Line   int    // the line of Source on which JSON starts, 0 if it is the whole file

	// Shared marks a file that comes with a repository. It may set budgets and
	// tune sections, and nothing that puts words before a model or chooses its
	// tools; other keys are left out, with a fault that names them.
	Shared bool
}

// Load reads the named profile and lays the layers over it, in order. user
// holds the user's own profiles, one directory each, and may be nil; a built-in
// name always means the built-in profile. A layer that cannot be used is left
// out and is a fault of kind "config". The error is of KindUsage.
func Load(name string, user fs.FS, layers []Layer) (pimento.Profile, []pimento.Fault, error) {
	p, err := load(name, user, nil)
	if err != nil {
		return pimento.Profile{}, nil, err
	}
	var faults []pimento.Fault
	for _, l := range layers {
		next, notes, err := override(p, l)
		for _, n := range notes {
			faults = append(faults, pimento.Fault{Kind: "config", Detail: n})
		}
		if err != nil {
			faults = append(faults, pimento.Fault{Kind: "config", Detail: err.Error()})
			continue
		}
		p = next
	}
	return p, faults, nil
}

// Names lists the built-in profiles and the user's, each group in alphabetical
// order. user may be nil.
func Names(user fs.FS) []string {
	names := directories(builtin.FS)
	if user != nil {
		for _, n := range directories(user) {
			if isName(n) && !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	return names
}

func directories(f fs.FS) (names []string) {
	entries, _ := fs.ReadDir(f, ".") // sorted; what cannot be read names nothing
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names
}

// isName keeps a name from being a path.
func isName(s string) bool {
	for _, r := range s {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '_' {
			return false
		}
	}
	return s != ""
}

// load is parse for what is not compiled in: taking the JSON of a profile of ours
// apart, and reading its texts, would cost every process more than half a millisecond.
func load(name string, user fs.FS, from []string) (pimento.Profile, error) {
	if p, _, ok := compiled(name); ok {
		return p, nil
	}
	return parse(name, user, from)
}

// parse reads a profile and what it extends. from lists the profiles that led
// here.
func parse(name string, user fs.FS, from []string) (pimento.Profile, error) {
	if slices.Contains(from, name) || len(from) >= maxExtends {
		return pimento.Profile{}, usage(name, "extends itself", "its chain is "+strings.Join(append(from, name), " -> "))
	}
	dir := find(name, user)
	if dir == nil {
		return pimento.Profile{}, unknown(name, user)
	}
	raw, err := fs.ReadFile(dir, path.Join(name, "profile.json"))
	if err != nil {
		return pimento.Profile{}, usage(name, "cannot read profile.json: "+err.Error(), "")
	}
	d := newDecoder(path.Join(name, "profile.json"), raw, 0)
	base, err := d.base()
	if err != nil {
		return pimento.Profile{}, wrap(name, err)
	}
	p := pimento.Profile{Scoring: pimento.Scoring(score.Default())}
	if base != "" {
		if p, err = load(base, user, append(from, name)); err != nil {
			return pimento.Profile{}, err
		}
	}
	p.Name, p.Extends = name, base
	if err := d.into(&p); err != nil {
		return pimento.Profile{}, wrap(name, err)
	}
	if p.Name != name {
		return pimento.Profile{}, usage(name, fmt.Sprintf("key name: %q is not the name of its directory", p.Name), "")
	}
	if err := readTexts(dir, &p); err != nil {
		return pimento.Profile{}, wrap(name, err)
	}
	if err := check(&p); err != nil {
		return pimento.Profile{}, wrap(name, err)
	}
	return p, nil
}

// find is the file system that holds the named profile, nil if there is none.
func find(name string, user fs.FS) fs.FS {
	if !isName(name) {
		return nil
	}
	for _, f := range []fs.FS{builtin.FS, user} {
		if f == nil {
			continue
		}
		if _, err := fs.Stat(f, path.Join(name, "profile.json")); err == nil {
			return f
		}
	}
	return nil
}

// readTexts reads the preamble and the texts of the profile's tools. What the
// directory does not have is left as it was inherited.
func readTexts(dir fs.FS, p *pimento.Profile) error {
	s, ok, err := readText(dir, path.Join(p.Name, "preamble.md"))
	if err != nil {
		return err
	}
	if ok {
		p.Preamble = s
	}
	texts := make(map[string]string, len(p.Tools))
	for _, tool := range p.Tools {
		texts[tool] = p.ToolTexts[tool]
		if !isName(tool) {
			continue // check says so
		}
		s, ok, err := readText(dir, path.Join(p.Name, "tools", tool+".md"))
		if err != nil {
			return err
		}
		if ok {
			texts[tool] = s
		}
	}
	p.ToolTexts = texts
	return nil
}

func readText(dir fs.FS, name string) (string, bool, error) {
	b, err := fs.ReadFile(dir, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", false, nil
	case err != nil:
		return "", false, err
	case len(b) > maxText:
		return "", false, fmt.Errorf("%s: %d bytes are more than the %d allowed", name, len(b), maxText)
	}
	return strings.TrimSpace(strings.ReplaceAll(string(b), "\r\n", "\n")), true, nil
}

// override lays one layer over a profile, without touching p.
func override(p pimento.Profile, l Layer) (next pimento.Profile, notes []string, err error) {
	d := newDecoder(l.Source, l.JSON, l.Line)
	if l.Shared {
		if notes, err = d.restrict(); err != nil {
			return p, nil, err
		}
	}
	next = clone(p)
	if err := d.into(&next); err != nil {
		return p, notes, err
	}
	if next.Name != p.Name || next.Extends != p.Extends {
		return p, notes, fmt.Errorf("%s: keys name and extends belong to a profile, not to overrides", l.Source)
	}
	for _, tool := range next.Tools {
		if _, ok := next.ToolTexts[tool]; !ok {
			return p, notes, fmt.Errorf("%s: key tools: profile %s has no text for %q; it has: %s",
				l.Source, p.Name, tool, strings.Join(p.Tools, ", "))
		}
	}
	if err := check(&next); err != nil {
		return p, notes, fmt.Errorf("%s: %w", l.Source, err)
	}
	return next, notes, nil
}

// clone copies what a decode would write through.
func clone(p pimento.Profile) pimento.Profile {
	p.Tools, p.Signs = slices.Clone(p.Tools), slices.Clone(p.Signs)
	p.Recall.Closers, p.Recall.Weights, p.Recall.Tags = slices.Clone(p.Recall.Closers), maps.Clone(p.Recall.Weights), maps.Clone(p.Recall.Tags)
	p.Scoring.Days, p.Scoring.Cues, p.Scoring.Caps = maps.Clone(p.Scoring.Days), maps.Clone(p.Scoring.Cues), maps.Clone(p.Scoring.Caps)
	p.Writes.Pages = maps.Clone(p.Writes.Pages)
	p.Retention.Types, p.Retention.Raw = maps.Clone(p.Retention.Types), maps.Clone(p.Retention.Raw)
	o := &p.Overhear
	o.Ask, o.Commit, o.Propose, o.Personal = slices.Clone(o.Ask), slices.Clone(o.Commit), slices.Clone(o.Propose), slices.Clone(o.Personal)
	p.Recall.Classes = slices.Clone(p.Recall.Classes)
	for i := range p.Recall.Classes {
		c := &p.Recall.Classes[i]
		c.Words, c.Kinds = slices.Clone(c.Words), slices.Clone(c.Kinds)
	}
	p.Sections = slices.Clone(p.Sections)
	for i := range p.Sections {
		s := &p.Sections[i]
		s.Kinds, s.Scopes, s.Shapes = slices.Clone(s.Kinds), slices.Clone(s.Scopes), slices.Clone(s.Shapes)
	}
	return p
}

func usage(name, what, hint string) error {
	return &pimento.Error{Op: "profile", Path: name, Kind: pimento.KindUsage, Hint: hint, Err: errors.New(what)}
}

func unknown(name string, user fs.FS) error {
	return usage(name, "unknown profile", "use one of: "+strings.Join(Names(user), ", "))
}

func wrap(name string, err error) error {
	return &pimento.Error{Op: "profile", Path: name, Kind: pimento.KindUsage, Err: err,
		Hint: "correct it, or choose another profile"}
}
