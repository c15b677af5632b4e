package source

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/codeblock"
	"github.com/pimento-memory/pimento/internal/page"
)

// A Note is one memory of another system.
type Note struct {
	File string
	Text string       // on one line, but for code, lists and tables
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
		if text := noteText(en.Text); text != "" && !points {
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
	if n.Text = noteText(body); n.Text != "" && !isBullet(n.Text) && utf8.RuneCountInString(n.Text) <= wholeNote {
		return []Note{n}
	}
	for _, en := range page.Parse("MEMORY.md", []byte(body)).Entries() {
		if n.Text = noteText(en.Text); n.Text != "" {
			notes = append(notes, n)
		}
	}
	return notes
}

// noteText leaves out headings and folds the rest into one line, unless it holds
// code, a list or a table, which say nothing without their lines.
func noteText(s string) string {
	var lines []string
	folds := true
	var fence codeblock.Fence
	for line := range strings.Lines(s) {
		line = strings.TrimRight(line, " \t\r\n")
		bare := strings.TrimSpace(line)
		if fence == "" && isHeading(bare) {
			continue
		}
		fence = fence.After(line)
		folds = folds && fence == "" && !isItem(bare) && !strings.HasPrefix(bare, "|")
		lines = append(lines, line)
	}
	text := strings.TrimSpace(strings.Join(lines, "\n"))
	if folds {
		return strings.Join(strings.Fields(text), " ")
	}
	return text
}

func isHeading(line string) bool {
	rest := strings.TrimLeft(line, "#")
	return rest != line && (rest == "" || rest[0] == ' ' || rest[0] == '\t')
}

func isBullet(line string) bool {
	return len(line) > 1 && strings.Contains("-*+", line[:1]) && line[1] == ' '
}

// isItem says whether a line begins an item of a list, with a bullet or a number.
func isItem(line string) bool {
	rest := strings.TrimLeft(line, "0123456789")
	return isBullet(line) || rest != line && (strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, ") "))
}
