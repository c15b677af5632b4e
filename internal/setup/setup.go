// Package setup installs Pimento into a harness and takes it out again.
//
// An installation is a folder of files that this program carries, and beside
// them a manifest with the digest of each file as it was written. The manifest
// is what makes leaving safe: a file whose digest still fits is ours, any other
// belongs to whoever changed it and is neither replaced nor removed. Nothing
// outside that folder is written; where a harness must be told of it, that is done
// by the harness's own program.
//
// A plan is made first, shown, and applied when the person agrees.
package setup

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
)

// ManifestName is the file beside the others that says what was written, and where
// the program is: {"v","version","program","files":{name: sha256},"made","above"}.
const ManifestName = "pimento.json"

// A Job is an installation into one harness, or its removal.
type Job struct {
	Harness string            // as a person calls it
	Name    string            // as its program is called
	Home    string            // its own folder, absolute
	Dir     string            // where the files are written, below Home
	Shared  bool              // others' files lie there, too
	Files   map[string][]byte // what is written, by its path below Dir, with slashes
	Entry   string            // the file by which the harness finds the others
	Program string            // this program, absolute; the harness starts it
	Version string
	Next    string // what to do once it is installed, a line or more
	Remove  bool

	Tool     string // the harness's own program, for deeds; "" if it was not found
	Moved    string // the variable that tells it of Home
	Settings string // the file in which it keeps what was done
	Deeds    []Deed
}

// manifest is the content of ManifestName.
type manifest struct {
	V       int               `json:"v"`
	Version string            `json:"version"`
	Program string            `json:"program"`
	Files   map[string]string `json:"files"`
	Made    bool              `json:"made,omitempty"`  // the folder that others may share, by us
	Above   int               `json:"above,omitempty"` // so many folders above it, by us
}

// Plan looks at what is there and decides what to do; it changes nothing. A
// file that somebody changed makes an installation a conflict, and a removal
// leave it in place, or beside it under another name if it is the entry.
func (j Job) Plan() (*Plan, error) {
	if err := plainFolder(j.Dir); err != nil && !j.Shared {
		return nil, err
	}
	old, err := readManifest(j.Dir)
	if err != nil {
		return nil, err
	}
	plan := &Plan{Dir: j.Dir, Remove: j.Remove, Steps: []Step{}, job: j}
	for _, folder := range plan.folders(old) {
		if err := plainFolder(folder); err != nil {
			return nil, err
		}
	}
	if _, err := os.Stat(j.Home); err != nil && !j.Remove {
		plan.Notes = append(plan.Notes, "There is no "+j.Home+" yet: "+j.Harness+" has not run here so far.")
	}
	if j.Remove {
		return plan, plan.removal(plan.unrecorded(old))
	}
	return plan, plan.installation(old)
}

// folders are those below Dir that files of ours lie in, inner ones first.
func (p *Plan) folders(m manifest) []string {
	found := map[string]bool{}
	for _, names := range [][]string{slices.Collect(maps.Keys(p.job.Files)), slices.Collect(maps.Keys(m.Files))} {
		for _, name := range names {
			for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
				found[p.path(dir)] = true
			}
		}
	}
	sorted := slices.Sorted(maps.Keys(found))
	slices.Reverse(sorted)
	return sorted
}

// path is that of a file or folder below Dir.
func (p *Plan) path(name string) string { return filepath.Join(p.Dir, filepath.FromSlash(name)) }

// unrecorded adds the files that are what this program writes: a setup that was
// killed has written them, and no manifest.
func (p *Plan) unrecorded(m manifest) manifest {
	m.Files = maps.Clone(m.Files)
	for name, raw := range p.job.Files {
		if _, have, err := m.state(p.path(name), name); err == nil && have == string(pimento.DigestOf(raw)) {
			if m.Files == nil {
				m.Files = map[string]string{}
			}
			m.Files[name] = have
		}
	}
	return m
}

// plainFolder refuses a folder that is a link to somewhere else: writing
// through it would change files that are not the harness's, a checkout for example.
func plainFolder(dir string) error {
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return unavailable(dir, err)
	case info.Mode()&fs.ModeSymlink != 0:
		return conflict(dir, "is a symbolic link, so it was installed in another way", "remove the link, then run this again")
	case !info.IsDir():
		return conflict(dir, "is in the way and not a directory", aside)
	}
	return nil
}

const aside = "move it away, then run this again"

// readManifest returns a manifest without files when there is none. One that
// cannot be read is an error: without it, nothing is known to be ours.
func readManifest(dir string) (manifest, error) {
	m := manifest{}
	file := filepath.Join(dir, ManifestName)
	raw, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return m, unavailable(file, err)
	}
	if err := json.Unmarshal(raw, &m); err != nil {
		return m, conflict(file, "is damaged: "+err.Error(), aside)
	}
	if m.V != 1 {
		return m, conflict(file, "is not what this program writes", aside)
	}
	for name := range m.Files {
		if name == "." || name != path.Clean(name) || !filepath.IsLocal(filepath.FromSlash(name)) || strings.Contains(name, `\`) {
			return m, conflict(file, fmt.Sprintf("names a file outside its folder: %q", name), aside)
		}
	}
	return m, nil
}

// state is what became of a file that we may have written.
type state int

const (
	absent  state = iota
	ours          // as the manifest says
	foreign       // changed, or never ours
)

func (m manifest) state(path, name string) (state, string, error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return absent, "", nil
	}
	if err != nil {
		return foreign, "", unavailable(path, err)
	}
	if !info.Mode().IsRegular() {
		return foreign, "", nil
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return foreign, "", unavailable(path, err)
	}
	d := string(pimento.DigestOf(raw))
	if m.Files[name] == d {
		return ours, d, nil
	}
	return foreign, d, nil
}

func conflict(path, what, hint string) error {
	return &pimento.Error{Op: "setup", Path: path, Kind: pimento.KindConflict, Err: errors.New(what), Hint: hint}
}

func unavailable(path string, err error) error {
	return &pimento.Error{Op: "setup", Path: path, Kind: pimento.KindUnavailable, Err: err,
		Hint: "may you write there, and is there room? `pimento setup HARNESS --help` says which variable names another folder"}
}
