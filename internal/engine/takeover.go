package engine

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/source"
)

// A TakeOver is what another system's memory of this project says, and what is
// taken over of it. Its JSON form is the contract of docs/FORMATS.md.
type TakeOver struct {
	Applied bool            `json:"applied"`
	Dir     string          `json:"dir"`
	Notes   []TakenNote     `json:"notes"`
	Faults  []pimento.Fault `json:"faults"`
}

// A TakenNote is one of its notes.
type TakenNote struct {
	File   string            `json:"file"`
	Text   string            `json:"text"`
	Kind   pimento.Kind      `json:"kind,omitempty"`
	Scope  pimento.Scope     `json:"scope"`
	Act    string            `json:"act"`              // write, or skip
	Reason string            `json:"reason,omitempty"` // why it is skipped
	ID     pimento.Statement `json:"id,omitempty"`     // once it is written
}

// What becomes of a note.
const (
	TakeWrite = "write"
	TakeSkip  = "skip"
)

// Bounds of what is read: more is no memory of one project.
const (
	takenFiles = 500
	takenBytes = 256 << 10
)

// ClaudeMemory is where Claude Code keeps its memory of this project, below its own
// folder, "" if there is none. Claude Code names a project by its path, with a dash
// for every character that is no letter or digit.
func (e *Engine) ClaudeMemory(ctx context.Context, base string) string {
	v := e.look(ctx)
	dirs := []string{e.opt.Dir}
	if v.hasProject {
		dirs = []string{v.project.Dir, filepath.Dir(v.project.Common), e.opt.Dir}
	}
	for _, dir := range dirs {
		memory := filepath.Join(base, "projects", claudeSlug(dir), "memory")
		if st, err := os.Stat(memory); err == nil && st.IsDir() {
			return memory
		}
	}
	return ""
}

func claudeSlug(dir string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, dir)
}

// TakeNotes reads Claude Code's memory in a folder and, with apply, writes its
// notes as memories of ours: what is about the user into the global memory, the
// rest into scope ("" for the user's own notes on this project). The folder is
// only read. What stands in memory already, was forgotten, or must never be
// written is skipped, so that it can be done again.
func (e *Engine) TakeNotes(ctx context.Context, dir string, scope pimento.Scope, apply bool, by Actor) (TakeOver, error) {
	v := e.lookSynced(ctx)
	out := TakeOver{Applied: apply, Dir: dir, Notes: []TakenNote{}, Faults: []pimento.Fault{}}
	files, err := markdownIn(dir)
	if err != nil {
		return out, &pimento.Error{Op: "import", Path: dir, Kind: pimento.KindNotFound, Err: err, Hint: "name the folder that holds its MEMORY.md"}
	}
	if scope == "" {
		scope = pimento.Local
	}
	if !v.hasProject {
		scope = pimento.Global
	}
	seen := map[pimento.Statement]bool{}
	for _, n := range source.ClaudeNotes(files) {
		t := TakenNote{File: n.File, Text: n.Text, Kind: n.Kind, Scope: scope, Act: TakeWrite}
		if n.Personal {
			t.Scope = pimento.Global
		}
		if t.Reason, _, err = e.refusesProposal(ctx, v, pimento.Proposal{Text: t.Text, Kind: t.Kind, Scope: t.Scope}); err != nil {
			return out, err
		}
		if id := pimento.StatementOf(t.Text); seen[id] && t.Reason == "" {
			t.Reason = "another note says the same"
		} else {
			seen[id] = true
		}
		if t.Reason != "" {
			t.Act = TakeSkip
		}
		out.Notes = append(out.Notes, t)
	}
	out.Faults = append(out.Faults, v.faults...)
	if !apply {
		return out, nil
	}
	return out, e.takeAll(ctx, out.Notes, by)
}

// takeAll writes what is to be written; the first error ends it, and what is
// written by then stays.
func (e *Engine) takeAll(ctx context.Context, notes []TakenNote, by Actor) error {
	for i := range notes {
		t := &notes[i]
		if t.Act != TakeWrite {
			continue
		}
		r, err := e.Remember(ctx, Note{Text: t.Text, Kind: t.Kind, Scope: t.Scope, Actor: by.Name, Session: by.Session})
		if err != nil {
			return err
		}
		if t.ID = r.ID; r.Action == pimento.Refuse {
			t.Act, t.Reason = TakeSkip, r.Reason
		}
	}
	return nil
}

// markdownIn reads the markdown files of a folder of somebody else's; a link is
// not followed out of it.
func markdownIn(dir string) (map[string][]byte, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	d, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	defer d.Close()
	entries, err := d.ReadDir(-1)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, en := range entries {
		if !en.Type().IsRegular() || !strings.HasSuffix(en.Name(), ".md") || len(files) == takenFiles {
			continue
		}
		f, err := root.Open(en.Name())
		if err != nil {
			return nil, err
		}
		b, err := io.ReadAll(io.LimitReader(f, takenBytes))
		if err = errors.Join(err, f.Close()); err != nil {
			return nil, err
		}
		files[en.Name()] = b
	}
	return files, nil
}
