// Package setup installs Pimento into a harness and takes it out again.
//
// An installation is a folder of files that this program carries, and beside
// them a manifest with the digest of each file as it was written. The manifest
// is what makes leaving safe: a file whose digest still fits is ours, any other
// belongs to whoever changed it and is neither replaced nor removed. Nothing
// outside that folder is touched.
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
	"path/filepath"
	"strings"

	"github.com/pimento-memory/pimento"
	piext "github.com/pimento-memory/pimento/extensions/pi"
)

// ManifestName is the file beside the extension that says what was written,
// and where the program is: {"v","version","program","files":{name: sha256}}.
const ManifestName = "pimento.json"

// Pi is an installation into pi, or its removal.
type Pi struct {
	AgentDir string // pi's own directory, absolute
	Program  string // this program, absolute; the extension starts it
	Version  string
	Remove   bool
	Files    fs.FS // the extension; nil means the embedded one
}

// manifest is the content of ManifestName.
type manifest struct {
	V       int               `json:"v"`
	Version string            `json:"version"`
	Program string            `json:"program"`
	Files   map[string]string `json:"files"`
}

// Plan looks at what is there and decides what to do; it changes nothing. A
// file that somebody changed makes an installation a conflict, and a removal
// leave it in place, or beside it under another name if pi would load it.
func (p Pi) Plan() (*Plan, error) {
	dir := filepath.Join(p.AgentDir, "extensions", "pimento")
	if err := plainFolder(dir); err != nil {
		return nil, err
	}
	old, err := readManifest(dir)
	if err != nil {
		return nil, err
	}
	files := p.Files
	if files == nil {
		files = piext.Files
	}
	plan := &Plan{Dir: dir, Remove: p.Remove, Steps: []Step{}, files: files}
	if p.Remove {
		return plan, plan.removal(plan.unrecorded(old))
	}
	return plan, plan.installation(p, files, old)
}

// unrecorded adds the files that are what this program writes: a setup that was
// killed has written them, and no manifest.
func (p *Plan) unrecorded(m manifest) manifest {
	m.Files = maps.Clone(m.Files)
	names, _ := fs.ReadDir(p.files, ".") // it is in the program
	for _, f := range names {
		raw, err := fs.ReadFile(p.files, f.Name())
		if _, have, serr := m.state(p.Dir, f.Name()); err == nil && serr == nil && have == string(pimento.DigestOf(raw)) {
			if m.Files == nil {
				m.Files = map[string]string{}
			}
			m.Files[f.Name()] = have
		}
	}
	return m
}

// plainFolder refuses a folder that is a link to somewhere else: writing
// through it would change files that are not pi's, a checkout for example.
func plainFolder(dir string) error {
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return unavailable(dir, err)
	case info.Mode()&fs.ModeSymlink != 0:
		return conflict(dir, "is a symbolic link, so the extension was installed in another way", "remove the link, then run this again")
	case !info.IsDir():
		return conflict(dir, "is in the way and not a directory", "move it away, then run this again")
	}
	return nil
}

// readManifest returns a manifest without files when there is none. One that
// cannot be read is an error: without it, nothing is known to be ours.
func readManifest(dir string) (manifest, error) {
	m := manifest{}
	path := filepath.Join(dir, ManifestName)
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return m, unavailable(path, err)
	}
	if err := json.Unmarshal(raw, &m); err != nil {
		return m, conflict(path, "is damaged: "+err.Error(), "remove the folder by hand, then run this again")
	}
	for name := range m.Files {
		if name != filepath.Base(name) || name == "." || name == ".." || strings.ContainsAny(name, `/\`) {
			return m, conflict(path, fmt.Sprintf("names a file outside its folder: %q", name), "remove the folder by hand, then run this again")
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

func (m manifest) state(dir, name string) (state, string, error) {
	path := filepath.Join(dir, name)
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
		Hint: "may you write there, and is there room? Another folder of pi's is named by PI_CODING_AGENT_DIR"}
}
