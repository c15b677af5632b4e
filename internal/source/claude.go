package source

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
)

// A Note is one memory of another system.
type Note struct {
	File string
	Text string       // on one line
	Kind pimento.Kind // "" when nothing says
	// Personal says that it is about its user, and not about a project.
	Personal bool
}

// wholeNote is the longest body, in runes, that is one note; a longer one is
// taken apart into its bullets and paragraphs.
const wholeNote = 600

// ClaudeNotes reads the folder of Claude Code's auto-memory: an index, MEMORY.md,
// and notes with front matter (type: user, feedback, project or reference), one
// a file. Lines of the index that only point at a file are no notes.
func ClaudeNotes(files map[string][]byte) (notes []Note) {
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if name == "MEMORY.md" {
			notes = append(notes, indexNotes(name, files)...)
		} else {
			notes = append(notes, typedNotes(name, files[name])...)
		}
	}
	return notes
}

func indexNotes(name string, files map[string][]byte) (notes []Note) {
	for _, en := range page.Parse(name, files[name]).Entries() {
		points := slices.ContainsFunc(en.Links, func(to string) bool {
			to = path.Clean(to)
			return files[to] != nil || files[to+".md"] != nil
		})
		if text := oneLine(en.Text); text != "" && !points {
			notes = append(notes, Note{File: name, Text: text})
		}
	}
	return notes
}

func typedNotes(name string, b []byte) (notes []Note) {
	p := page.Parse(name, b)
	meta, _ := p.Meta()
	n := Note{File: name}
	switch strings.ToLower(meta.Type) {
	case "user", "feedback":
		n.Kind, n.Personal = pimento.KindPreference, true
	case "project", "reference":
		n.Kind = pimento.KindFact
	}
	body := string(b[p.Body():])
	if n.Text = oneLine(body); n.Text != "" && utf8.RuneCountInString(n.Text) <= wholeNote {
		return []Note{n}
	}
	for _, en := range page.Parse("MEMORY.md", []byte(body)).Entries() {
		if n.Text = oneLine(en.Text); n.Text != "" {
			notes = append(notes, n)
		}
	}
	return notes
}

// oneLine leaves out headings and the marks of bullets, and folds the rest.
func oneLine(s string) string {
	var words []string
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") {
			continue
		}
		if rest, ok := strings.CutPrefix(line, "- "); ok {
			line = rest
		}
		words = append(words, strings.Fields(line)...)
	}
	return strings.Join(words, " ")
}
