package setup

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/vault"
)

// A Step is one file of a plan.
type Step struct {
	Action  string   `json:"action"` // write, update, remove, keep, rename; run
	Path    string   `json:"path"`   // of run the harness's program
	Command []string `json:"command,omitempty"`
	Note    string   `json:"note,omitempty"`

	name string // below Dir, with slashes
	data []byte // of write and update
}

// A Plan is what an installation or removal will do.
type Plan struct {
	Dir    string   `json:"dir"`
	Remove bool     `json:"remove"`
	Steps  []Step   `json:"steps"`
	Notes  []string `json:"notes,omitempty"`

	job Job
}

// installation plans a first install or an upgrade in place.
func (p *Plan) installation(old manifest) error {
	fresh := manifest{V: 1, Version: p.job.Version, Program: p.job.Program, Files: map[string]string{}}
	if _, err := os.Stat(p.Dir); p.job.Shared {
		fresh.Made = old.Made || errors.Is(err, fs.ErrNotExist)
	}
	if fresh.Above = old.Above; old.V == 0 {
		fresh.Above = missingAbove(p.Dir)
	}
	for name, raw := range p.job.Files {
		fresh.Files[name] = string(pimento.DigestOf(raw))
	}
	for _, name := range p.inOrder(fresh.Files) {
		if err := p.install(name, p.job.Files[name], fresh.Files[name], old); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(old.Files)) {
		if _, still := fresh.Files[name]; !still {
			if err := p.retire(name, old); err != nil {
				return err
			}
		}
	}
	deeds := len(p.Steps)
	if err := p.manifest(fresh); err != nil {
		return err
	}
	return p.deeds(deeds)
}

// missingAbove counts the folders above one that are not there yet.
func missingAbove(dir string) (n int) {
	for up := filepath.Dir(dir); up != dir; dir, up = up, filepath.Dir(up) {
		if _, err := os.Lstat(up); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		n++
	}
	return n
}

func (p *Plan) install(name string, data []byte, want string, old manifest) error {
	path := p.path(name)
	st, have, err := old.state(path, name)
	switch {
	case err != nil:
		return err
	case st == absent:
		p.step("write", name, "", data)
	case have == want: // up to date
	case st == ours:
		p.step("update", name, "", data)
	default:
		return conflict(path, "was changed by somebody else, so it is not replaced", "move your version away, then run this again")
	}
	return nil
}

func (p *Plan) step(action, name, note string, data []byte) {
	p.Steps = append(p.Steps, Step{Action: action, Path: p.path(name), Note: note, name: name, data: data})
}

// retire removes a file of ours that is needed no longer, unless it was
// changed.
func (p *Plan) retire(name string, old manifest) error {
	path := p.path(name)
	st, _, err := old.state(path, name)
	switch {
	case err != nil:
		return err
	case st == ours:
		p.step("remove", name, "", nil)
	case st == foreign && p.Remove && name == p.job.Entry:
		p.step("rename", name, "changed by you; kept as "+filepath.Base(spare(path)), nil)
	case st == foreign:
		p.step("keep", name, "changed by you", nil)
	}
	return nil
}

// inOrder are the names of files as they are written, or else removed. The entry
// is there only as long as all that it loads is, whenever one is killed at it: pi would
// not start at all with an entry that misses the files beside it. For the same reason
// one that somebody changed must not stay under its name.
func (p *Plan) inOrder(files map[string]string) []string {
	names := slices.Sorted(maps.Keys(files))
	i := slices.Index(names, p.job.Entry)
	if i < 0 {
		return names
	}
	names = slices.Delete(names, i, i+1)
	if p.Remove {
		return slices.Insert(names, 0, p.job.Entry)
	}
	return append(names, p.job.Entry)
}

// spare is a free name beside a file, one that no harness loads.
func spare(path string) string {
	for i := 1; ; i++ {
		name := path + ".yours"
		if i > 1 {
			name += strconv.Itoa(i)
		}
		if _, err := os.Lstat(name); err != nil {
			return name
		}
	}
}

// manifest comes last: as long as it is not written, nothing else counts as
// installed.
func (p *Plan) manifest(m manifest) error {
	raw, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	raw = append(raw, '\n')
	path := p.path(ManifestName)
	have, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		p.step("write", ManifestName, "which program to start: "+m.Program, raw)
	case err != nil:
		return unavailable(path, err)
	case !bytes.Equal(have, raw):
		p.step("update", ManifestName, "which program to start: "+m.Program, raw)
	}
	return nil
}

func (p *Plan) removal(old manifest) error {
	if err := p.deeds(0); err != nil {
		return err
	}
	for _, name := range p.inOrder(old.Files) {
		if err := p.retire(name, old); err != nil {
			return err
		}
	}
	if old.V > 0 {
		p.step("remove", ManifestName, "", nil)
	}
	return nil
}

// Empty says that there is nothing to do.
func (p *Plan) Empty() bool {
	for _, s := range p.Steps {
		if s.Action != "keep" {
			return false
		}
	}
	return true
}

// Text shows the plan.
func (p *Plan) Text() string {
	var b strings.Builder
	for _, s := range p.Steps {
		fmt.Fprintf(&b, "  %-7s %s", s.Action, strings.Join(append([]string{s.Path}, s.Command...), " "))
		if s.Note != "" {
			b.WriteString("  (" + s.Note + ")")
		}
		b.WriteString("\n")
	}
	switch {
	case p.Empty() && p.Remove:
		return b.String() + "Nothing of Pimento is installed in " + p.Dir + "\n"
	case p.Empty():
		return b.String() + "Already installed and up to date: " + p.Dir + "\n"
	case p.Remove:
		return "This takes Pimento out of " + p.job.Harness + " (your memories stay):\n" + b.String()
	}
	for _, note := range p.Notes {
		b.WriteString(note + "\n")
	}
	return "This installs Pimento into " + p.job.Harness + ":\n" + b.String()
}

// Writable says why the plan could not be carried out: a folder of it cannot be written to.
func (p *Plan) Writable() error {
	for _, s := range p.Steps {
		if s.Action == "keep" || s.Action == "run" {
			continue
		}
		if dir := filepath.Dir(s.Path); vault.MayMake(dir) != nil {
			return unavailable(dir, vault.MayMake(dir))
		}
	}
	return nil
}

// Done is what to say after Apply.
func (p *Plan) Done() string {
	left := ""
	if p.job.Tool == "" && slices.ContainsFunc(p.Steps, func(s Step) bool { return s.Action == "run" }) {
		left = "What " + p.job.Name + " has to do is left to you, see above. "
	}
	if p.Remove {
		return left + "Removed. Your memories and settings are untouched.\n"
	}
	return left + "Installed. " + p.job.Next + "\n"
}

// Apply does what the plan says, checking again that every file to be replaced
// or removed is still the one that was planned for.
func (p *Plan) Apply(ctx context.Context) error {
	old, err := readManifest(p.Dir)
	if err != nil {
		return err
	}
	if p.Remove {
		old = p.unrecorded(old)
	}
	for _, s := range p.Steps {
		if err := p.apply(ctx, s, old); err != nil {
			return err
		}
	}
	if p.Remove {
		for _, dir := range append(p.folders(old), p.Dir) {
			left, _ := filepath.Glob(filepath.Join(dir, tempNames)) // by a process that was killed
			for _, path := range left {
				_ = os.Remove(path)
			}
			if dir != p.Dir || !p.job.Shared || old.Made {
				_ = os.Remove(dir) // only when nothing is left in it
			}
		}
		for dir, n := filepath.Dir(p.Dir), old.Above; n > 0 && os.Remove(dir) == nil; n-- {
			dir = filepath.Dir(dir)
		}
	}
	return nil
}

func (p *Plan) apply(ctx context.Context, s Step, old manifest) error {
	switch s.Action {
	case "keep":
		return nil
	case "run":
		return p.perform(ctx, s)
	case "rename":
		if err := os.Rename(s.Path, spare(s.Path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return unavailable(s.Path, err)
		}
		return nil
	}
	if s.name != ManifestName {
		st, _, err := old.state(s.Path, s.name)
		if err != nil {
			return err
		}
		if st == foreign {
			return conflict(s.Path, "was changed meanwhile", "run this again")
		}
	}
	if s.Action == "remove" {
		if err := os.Remove(s.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return unavailable(s.Path, err)
		}
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(s.Path), 0o755); err != nil {
		return unavailable(filepath.Dir(s.Path), err)
	}
	if err := replace(s.Path, s.data); err != nil {
		return unavailable(s.Path, err)
	}
	return nil
}

// tempNames are the names of files that are being written.
const tempNames = ".pimento-*"

// replace writes a whole file beside the old one and puts it in its place.
func replace(path string, data []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), tempNames)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close())
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
