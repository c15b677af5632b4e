package setup

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// An Installation is what there is of an installation.
type Installation struct {
	Version string
	Program string   // what the harness starts
	Gone    []string // files of ours that are not there, or the program
	Changed []string // files that somebody changed
	Undone  []string // commands of the harness's that its settings do not hold
}

// Installed looks at it; ok is false where there is none.
func (j Job) Installed() (s Installation, ok bool, err error) {
	m, err := readManifest(j.Dir)
	if err != nil || m.V == 0 {
		return s, false, err
	}
	s.Version, s.Program = m.Version, m.Program
	for _, name := range slices.Sorted(maps.Keys(m.Files)) {
		file := filepath.Join(j.Dir, filepath.FromSlash(name))
		switch st, _, err := m.state(file, name); {
		case err != nil:
			return s, true, err
		case st == absent:
			s.Gone = append(s.Gone, file)
		case st == foreign:
			s.Changed = append(s.Changed, file)
		}
	}
	if info, err := os.Stat(m.Program); err != nil || !info.Mode().IsRegular() {
		s.Gone = append(s.Gone, m.Program)
	}
	settings, err := j.settings()
	for _, d := range j.Deeds {
		if !d.done(settings) {
			s.Undone = append(s.Undone, j.Name+" "+strings.Join(d.Do, " "))
		}
	}
	return s, true, err
}

// String says what there is, in one line.
func (s Installation) String() string {
	text := "starts " + s.Program
	if s.Version != "" {
		text += ", version " + s.Version
	}
	if len(s.Gone) > 0 {
		text += "; gone: " + strings.Join(s.Gone, ", ")
	}
	if len(s.Changed) > 0 {
		text += "; changed by you: " + strings.Join(s.Changed, ", ")
	}
	if len(s.Undone) > 0 {
		text += "; not done: " + strings.Join(s.Undone, ", ")
	}
	return text
}
