package qmd

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"strings"

	"github.com/pimento-memory/pimento"
)

// A Hit is a place in the folder.
type Hit struct {
	Path  string // relative to the folder, with slashes, as qmd spells it: perhaps in small letters
	Line  int    // where the text begins, from 1; 0 when qmd does not say
	Lines int    // how many lines it has, 0 likewise
	Text  string
	Score float64
}

// record is a hit in the words of any version of qmd.
type record struct {
	Path    string  `json:"path"`
	File    string  `json:"file"`
	Content string  `json:"content"`
	Chunk   string  `json:"chunk"`
	Snippet string  `json:"snippet"`
	Body    string  `json:"body"`
	Line    int     `json:"line"`
	Score   float64 `json:"score"`
}

// parseHits reads an answer: a list, or an object that holds one, behind
// whatever the program's libraries have printed.
func parseHits(out []byte, dir string) ([]Hit, error) {
	s := plain(string(out))
	err := errors.New("no JSON in its answer")
	for raw := range openings(s) {
		var list []record
		var object struct{ Results, Hits []record }
		// One value is read; what follows it is no concern of ours.
		dec := json.NewDecoder(strings.NewReader(raw))
		if raw[0] == '[' {
			err = dec.Decode(&list)
		} else {
			err = dec.Decode(&object)
		}
		if err == nil {
			return hitsOf(append(append(list, object.Results...), object.Hits...), dir), nil
		}
	}
	if strings.TrimSpace(s) == "" || strings.Contains(s, "No results found") {
		return nil, nil
	}
	return nil, unreadable(err)
}

func hitsOf(list []record, dir string) (hits []Hit) {
	for _, r := range list {
		if h, ok := r.hit(dir); ok {
			hits = append(hits, h)
		}
	}
	return hits
}

func unreadable(err error) error {
	return &pimento.Error{Op: "qmd", Kind: pimento.KindUnavailable, Err: fmt.Errorf("qmd's answer cannot be read: %w", err),
		Hint: "bring qmd up to date: npm install -g @tobilu/qmd"}
}

func (r record) hit(dir string) (Hit, bool) {
	h := Hit{Path: relative(cmp.Or(r.Path, r.File), dir), Line: r.Line, Score: r.Score}
	h.Text = cmp.Or(r.Content, r.Chunk, r.Snippet, r.Body)
	// A snippet begins with where it stands: "@@ -12,4 @@ (11 before, 3 after)".
	if head, rest, ok := strings.Cut(h.Text, "\n"); ok && strings.HasPrefix(head, "@@ -") {
		if _, err := fmt.Sscanf(head, "@@ -%d,%d @@", &h.Line, &h.Lines); err == nil {
			h.Text = rest
		}
	}
	return h, h.Path != ""
}

// relative is a hit's path in the folder: qmd writes "qmd://pi-memory/a.md",
// "pi-memory/a.md", the whole path, or "a.md".
func relative(path, dir string) string {
	if rest, ok := strings.CutPrefix(path, "qmd://"); ok {
		_, path, _ = strings.Cut(rest, "/")
	} else if filepath.IsAbs(path) {
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return ""
		}
		path = filepath.ToSlash(rel)
	}
	return strings.TrimPrefix(path, Collection+"/")
}

// openings are the rests of a text from each line on that opens a list or an
// object. A line of a log may look like one.
func openings(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for at := 0; at < len(s); {
			rest := strings.TrimLeft(s[at:], " \t\r")
			if rest != "" && (rest[0] == '[' || rest[0] == '{') && !yield(rest) {
				return
			}
			end := strings.IndexByte(s[at:], '\n') + 1
			if end == 0 {
				return
			}
			at += end
		}
	}
}

// plain is text without the colours and cursor movements of a terminal.
func plain(s string) string {
	if !strings.Contains(s, "\x1b") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != 0x1b {
			b.WriteByte(s[i])
			continue
		}
		if i++; i < len(s) && s[i] == '[' { // up to its final byte
			for i++; i < len(s) && (s[i] < 0x40 || s[i] > 0x7e); i++ {
			}
		}
	}
	return b.String()
}

// lists says whether a list of collections holds a name: JSON (of strings or of
// objects with a name), else lines that begin with it. Another collection whose
// name merely contains it is another collection.
func lists(out []byte, name string) bool {
	s := plain(string(out))
	for raw := range openings(s) {
		var all []json.RawMessage
		if json.NewDecoder(strings.NewReader(raw)).Decode(&all) != nil {
			continue
		}
		for _, one := range all {
			var object struct{ Name string }
			var own string
			if json.Unmarshal(one, &own) == nil && own == name || json.Unmarshal(one, &object) == nil && object.Name == name {
				return true
			}
		}
		return false
	}
	for line := range strings.Lines(s) {
		if first := strings.Fields(strings.TrimLeft(line, " \t-*•")); len(first) > 0 && first[0] == name {
			return true
		}
	}
	return false
}
