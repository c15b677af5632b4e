// Package cite tells whether the files that a memory names are still as they were. A
// memory says "the parser is in internal/parse.go"; if that file is gone, or was changed
// after the memory was last said, the memory is worth another look. [Paths] finds the
// names in a text, [Check] makes a [Finding] of each file that is not as it was.
//
// A name counts as a file's only where a file could stand: a path with a slash whose
// first folder exists, or a name with an extension that stands in the project's own
// directory. So "and/or", "v3.12.4" and "example.com" name nothing.
//
// The package looks at names and times and never at what a file says: a changed file does
// not prove that a memory is wrong. What a name leads to outside of the project is never
// looked at.
package cite

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"
)

// maxPaths bounds the names that one text is looked through for.
const maxPaths = 16

// Paths lists what in a text may be the path of a file, relative to the
// project, in the order of the text and once each. A line number behind it is
// left out.
func Paths(text string) []string {
	var out []string
	for _, word := range strings.FieldsFunc(text, splits) {
		p := strings.TrimSuffix(strings.Trim(word, ".,:;!?*_"), "/")
		if strings.HasPrefix(word, "./") || strings.HasPrefix(word, ".") && strings.Contains(word, "/") {
			p = strings.TrimRight(word, ".,:;!?*_/") // ./x.go, .github/x.yml
		}
		if at := strings.IndexByte(p, ':'); at > 0 && strings.Trim(p[at+1:], "0123456789:-") == "" {
			p = p[:at]
		}
		p = path.Clean(strings.TrimPrefix(p, "./"))
		if len(out) < maxPaths && isPath(p) && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

func splits(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune("`'\"()[]{}<>,;|=\\，。；、（）「」", r)
}

// isPath says whether a word looks like a file's: with a slash or an extension
// of letters, and nothing that a path in a project does not have.
func isPath(s string) bool {
	if s == "" || s == "." || path.IsAbs(s) || strings.HasPrefix(s, "..") || strings.Contains(s, "://") || strings.ContainsAny(s, "*?$~@#&%+:") {
		return false
	}
	if strings.Contains(s, "/") {
		return true
	}
	ext := strings.TrimPrefix(path.Ext(s), ".")
	if len(ext) == 1 && !strings.Contains("chr", ext) { // "e.g", "i.e"
		return false
	}
	return ext != "" && len(ext) <= 5 && len(ext) < len(s)-1 && !strings.ContainsFunc(ext, func(r rune) bool { return r < 'a' || r > 'z' })
}

// A Finding is a file that a text names and that is not as it was.
type Finding struct {
	Path    string    `json:"path"`
	Gone    bool      `json:"gone"`             // it does not exist any more
	Changed time.Time `json:"changed,omitzero"` // when it was last changed, if after since
}

// Check looks at the files of a project that a text names and returns those
// that are gone or were changed after since. A name that cannot be looked at
// says nothing.
func Check(project, text string, since time.Time) []Finding {
	paths := Paths(text)
	if len(paths) == 0 {
		return nil
	}
	root, err := os.OpenRoot(project)
	if err != nil {
		return nil
	}
	defer root.Close()
	var out []Finding
	for _, p := range paths {
		info, err := root.Stat(p)
		switch {
		case errors.Is(err, fs.ErrNotExist) && stood(root, p):
			out = append(out, Finding{Path: p, Gone: true})
		case err == nil && info.Mode().IsRegular() && !since.IsZero() && info.ModTime().After(since):
			out = append(out, Finding{Path: p, Changed: info.ModTime()})
		}
	}
	return out
}

// stood says whether a missing file can have stood in the project: the name has
// an extension and its first folder is there. A bare name may be a file's
// anywhere, so it tells nothing.
func stood(root *os.Root, p string) bool {
	top, _, nested := strings.Cut(p, "/")
	if !nested || path.Ext(p) == "" {
		return false
	}
	info, err := root.Stat(top)
	return err == nil && info.IsDir()
}
