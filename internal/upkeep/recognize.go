package upkeep

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
)

// A FolderFile is one file of a folder that may be a memory.
type FolderFile struct {
	Rel  string // with slashes
	Head string // the beginning of a text file that a sign asks about
}

// A Likeness is how much a folder looks like one that a profile's system kept.
type Likeness struct {
	Profile string  `json:"profile"`
	Score   int     `json:"score"` // the weights of its signs
	Signs   []Found `json:"signs"`
}

// Found is a sign with the files that are it.
type Found struct {
	What   string `json:"what"`
	Files  int    `json:"files"`
	Unread bool   `json:"unread,omitempty"` // they are left where they are
}

// enough is the score from which a folder is taken for one of a system: two
// signs that others may have, or one that is nobody else's.
const enough = 3

// Recognize looks for the signs of profiles among the files of a folder. The
// likeliest profile comes first, of equals the one that stands first; those with
// too little to show are left out.
func Recognize(files []FolderFile, profiles []pimento.Profile) (out []Likeness) {
	for _, p := range profiles {
		l := Likeness{Profile: p.Name}
		for _, s := range p.Signs {
			if n := countSign(files, s); n > 0 {
				l.Score += s.Weight
				l.Signs = append(l.Signs, Found{s.What, n, s.Unread})
			}
		}
		if l.Score >= enough {
			out = append(out, l)
		}
	}
	slices.SortStableFunc(out, func(a, b Likeness) int { return cmp.Compare(b.Score, a.Score) })
	return out
}

// countSign is the number of files that are a sign.
func countSign(files []FolderFile, s pimento.Sign) (n int) {
	for _, f := range files {
		if ok, _ := path.Match(s.Files, f.Rel); ok && (s.Holds == "" || hasLine(f.Head, s.Holds)) {
			n++
		}
	}
	return n
}

// hasLine reports whether a line of a text starts so.
func hasLine(text, start string) bool {
	return strings.HasPrefix(strings.TrimPrefix(text, "\ufeff"), start) || strings.Contains(text, "\n"+start)
}
