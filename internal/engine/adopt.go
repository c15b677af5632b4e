package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/config"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/profile"
	"github.com/pimento-memory/pimento/internal/upkeep"
	"github.com/pimento-memory/pimento/internal/vault"
)

// An Adoption is the memories that are there already, and what it takes to use
// them as they are. Its JSON form is the contract of docs/FORMATS.md.
type Adoption struct {
	Applied bool     `json:"applied"`
	Folders []Folder `json:"folders"`
}

// A Folder is one folder of memory that was found, see [Adoption].
type Folder struct {
	Dir     string            `json:"dir"`
	Scope   pimento.Scope     `json:"scope"`   // "" for one that nothing here would read
	Profile string            `json:"profile"` // that fits: what the folder looks like most, else the one in use
	Asked   bool              `json:"asked,omitempty"`
	Likely  []upkeep.Likeness `json:"likely"`
	Files   int               `json:"files"` // of any kind
	Own     int               `json:"own"`   // of them, pages that we began: they are a sign of no other system
	Bytes   int64             `json:"bytes"`
	Notes   []string          `json:"notes"` // what else one should know
	Contents
	Steps []Step `json:"steps"`
}

// A Step is what adopting a folder writes.
type Step struct {
	Do    string `json:"do"` // "consent" or "profile"
	Path  string `json:"path"`
	Value string `json:"value,omitempty"`
}

// What a [Step] does.
const (
	StepConsent = "consent"
	StepProfile = "profile"
)

// Adopt looks at the memory of the engine's directory or, if here is set, at that
// directory itself if it is a memory. It reads what is there without consent,
// because the user has named it, and hands nothing to a model. With apply it writes
// a consent and the name of a profile, and no other byte.
func (e *Engine) Adopt(ctx context.Context, here, apply bool) (Adoption, error) {
	out := Adoption{Applied: apply, Folders: []Folder{}}
	v := e.look(ctx)
	for _, f := range e.folders(v, here) {
		if err := e.examine(ctx, v, &f); err != nil {
			return out, err
		}
		e.steps(v, &f)
		out.Folders = append(out.Folders, f)
	}
	if !apply {
		return out, nil
	}
	for _, f := range out.Folders {
		if f.Scope == "" && len(out.Folders) == 1 {
			return out, &pimento.Error{Op: "adopt", Path: f.Dir, Kind: pimento.KindUsage,
				Err: errors.New("no project and no setting makes this folder a memory"), Hint: elsewhereHint(f)}
		}
		if err := e.adopt(ctx, f); err != nil {
			return out, err
		}
	}
	return out, nil
}

func elsewhereHint(f Folder) string {
	return "to use it where it is, set PI_MEMORY_DIR=" + f.Dir + " (as your own memory) or PI_MIND_DIR=" + f.Dir + " (as a project's)"
}

// folders are the memories that are there.
func (e *Engine) folders(v *view, here bool) (out []Folder) {
	add := func(dir string, scope pimento.Scope) {
		if !isDir(dir) || slices.ContainsFunc(out, func(f Folder) bool { return f.Dir == dir }) {
			return
		}
		out = append(out, Folder{Dir: dir, Scope: scope, Notes: []string{}, Steps: []Step{}})
	}
	dir, global := realOr(e.opt.Dir), realOr(e.opt.Dirs.Global)
	if here && dir == global {
		add(dir, pimento.Global)
		return out
	}
	if v.hasProject {
		for _, d := range append([]string{v.project.Memory}, vault.MemoryDirs(v.project.Dir)...) {
			if scope := pimento.Project; !here || dir == v.project.Dir || dir == d {
				if d != v.project.Memory {
					scope = ""
				}
				add(d, scope)
			}
		}
	}
	switch {
	case here && len(out) == 0:
		for _, inside := range vault.MemoryDirs(dir) {
			add(inside, "") // of a folder that is no project of its own
		}
		if len(out) == 0 {
			add(dir, "")
		}
	case !here:
		add(global, pimento.Global)
	}
	return out
}

// realOr is the real path of a directory, or the path as it is.
func realOr(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

// examine fills in what a folder is and holds.
func (e *Engine) examine(ctx context.Context, v *view, f *Folder) error {
	files, more, err := vault.Survey(ctx, f.Dir)
	if err != nil {
		return err
	}
	begun, err := e.begun(ctx, v, f.Dir)
	if err != nil {
		return err
	}
	var seen []upkeep.FolderFile
	for _, x := range files {
		f.Bytes += x.Size
		if begun[x.Rel] {
			f.Own++
			continue
		}
		seen = append(seen, upkeep.FolderFile{Rel: x.Rel, Head: x.Head})
	}
	f.Files = len(files)
	if more {
		f.Notes = append(f.Notes, "there are more files than were looked at")
	}
	f.Likely = append([]upkeep.Likeness{}, upkeep.Recognize(seen, e.systems())...)
	_, f.Profile = e.profileOf(*f)
	if len(f.Likely) > 0 && !namesProfile(*f) {
		f.Profile = f.Likely[0].Profile
	}
	if f.Asked = e.opt.Profile != ""; f.Asked {
		f.Profile = e.opt.Profile
	}
	p, _, err := profile.Load(f.Profile, e.userProfiles(), nil)
	if err != nil {
		return err
	}
	f.Contents, err = e.contents(ctx, f.Dir, f.Scope, p)
	f.Notes = append(f.Notes, e.oddities(ctx, v, *f)...)
	return err
}

// begun are the pages that we have made in a folder that is in use, by its journal.
func (e *Engine) begun(ctx context.Context, v *view, dir string) (map[string]bool, error) {
	pages := map[string]bool{}
	for _, st := range v.stores {
		if st.root.Dir() != dir {
			continue
		}
		staged := map[string][]string{} // by transaction
		err := st.journal.Each(ctx, []pimento.EventType{pimento.Staged, pimento.Committed}, func(ev pimento.Event) {
			var p pimento.Plan
			switch {
			case ev.Type == pimento.Committed:
				for _, rel := range staged[ev.Txn] {
					pages[rel] = true
				}
			case json.Unmarshal(ev.Data, &p) == nil:
				for _, c := range p.Changes {
					if c.Before == "" {
						staged[ev.Txn] = append(staged[ev.Txn], c.Page)
					}
				}
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return pages, nil
}

// profileOf is the profile that a folder is used with, and the file that says so.
func (e *Engine) profileOf(f Folder) (path, name string) {
	// A project without a word of its own has what the user uses everywhere.
	everywhere, _ := config.Load(e.configFile(), true)
	if f.Scope != pimento.Project {
		return e.configFile(), cmp.Or(everywhere.Profile, "default")
	}
	path = filepath.Join(f.Dir, config.Name)
	cfg, _ := config.Load(path, false)
	return path, cmp.Or(cfg.Profile, everywhere.Profile, "default")
}

// namesProfile says whether a project's memory names its profile itself: somebody has
// chosen it, and what the files look like is no reason to change that.
func namesProfile(f Folder) bool {
	cfg, err := config.Load(filepath.Join(f.Dir, config.Name), false)
	return f.Scope == pimento.Project && err == nil && cfg.Profile != ""
}

// systems are the profiles that say by what one knows their folders. One that
// only inherits that is not asked.
func (e *Engine) systems() (out []pimento.Profile) {
	for _, name := range profile.Names(e.userProfiles()) {
		p, _, err := profile.Load(name, e.userProfiles(), nil)
		if err != nil || slices.ContainsFunc(out, func(q pimento.Profile) bool { return slices.Equal(p.Signs, q.Signs) }) {
			continue
		}
		out = append(out, p)
	}
	return out
}

// oddities are what is beside a folder, or in the way of using it.
func (e *Engine) oddities(ctx context.Context, v *view, f Folder) (notes []string) {
	beside := filepath.Join(filepath.Dir(f.Dir), page.Memory)
	if _, err := os.Lstat(beside); err == nil && f.Scope == pimento.Global {
		notes = append(notes, beside+" lies beside the folder and is not read; an earlier catalog generated it")
	}
	if f.Scope == pimento.Project && e.scoresWait(ctx, v) {
		notes = append(notes, "the scores that lie here count once you run pimento import; until then entries have no standing, and a report of the best holds only what is pinned")
	}
	switch {
	case f.Scope == "" && v.hasProject && filepath.Dir(f.Dir) == v.project.Dir:
		notes = append(notes, "it is not used as long as "+v.project.Memory+" is there")
	case f.Scope == "":
		notes = append(notes, elsewhereHint(f))
	}
	return notes
}

// steps are what is missing before the folder is in use as it should be.
func (e *Engine) steps(v *view, f *Folder) {
	if f.Scope == "" {
		return
	}
	if f.Scope == pimento.Project && !v.granted() {
		f.Steps = append(f.Steps, Step{Do: StepConsent, Path: v.project.Dir})
	}
	if path, used := e.profileOf(*f); used != f.Profile {
		f.Steps = append(f.Steps, Step{Do: StepProfile, Path: path, Value: f.Profile})
	}
}

// adopt makes a folder's steps.
func (e *Engine) adopt(ctx context.Context, f Folder) error {
	for _, s := range f.Steps {
		var err error
		switch s.Do {
		case StepConsent:
			_, err = e.Trust(ctx, "")
		case StepProfile:
			_, err = e.ProfileUse(ctx, s.Value, f.Scope == pimento.Global)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
