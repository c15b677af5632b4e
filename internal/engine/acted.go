package engine

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
)

// acted is the event of what the agent did since the prompt; none where no
// record is kept.
func (t *turn) acted() []pimento.Event {
	if t.Event != pimento.TurnEnd || t.silent() || !t.v.traces || len(t.Tools)+len(t.Edited) == 0 {
		return nil
	}
	a := pimento.Deed{Tools: slices.Clone(t.Tools), Edited: t.editedPaths()}
	for i := range a.Tools {
		a.Tools[i].Command = "" // may hold anything; the digest is enough to tell two calls apart
		a.Tools[i].Path = t.inProject(a.Tools[i].Path)
	}
	for _, c := range t.habits() {
		a.Ran = append(a.Ran, digestOf(c.Line))
	}
	data, err := json.Marshal(a)
	if err != nil {
		return nil
	}
	return []pimento.Event{{ID: t.e.newID(), Time: t.e.Now(), Type: pimento.Acted,
		Actor: "agent", Session: t.Session, Project: t.v.project.ID, Data: data}}
}

// editedPaths are the files that the agent wrote, as seen from the project.
func (t *turn) editedPaths() []string {
	var out []string
	for _, p := range t.Edited {
		if p = t.inProject(p); p != "" && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// inProject is a path as seen from the project's directory, with slashes; one
// outside of it stays as it is.
func (t *turn) inProject(path string) string {
	if path == "" {
		return ""
	}
	abs := path
	if !filepath.IsAbs(abs) {
		abs = filepath.Join(t.e.opt.Dir, path)
	}
	base := t.e.opt.Dir
	if t.v.hasProject {
		base = t.v.project.Dir
	}
	rel, err := filepath.Rel(base, abs)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return filepath.ToSlash(path)
	}
	return filepath.ToSlash(rel)
}
