package main

import (
	"embed"
	"io/fs"
	"strings"
	"unicode"

	"github.com/pimento-memory/pimento/internal/text"
)

//go:embed thesaurus/*.txt
var thesaurus embed.FS

//go:embed associations/*.txt
var associations embed.FS

// together joins the files of a directory of word lists.
func together(files fs.FS) (string, error) {
	var b strings.Builder
	err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, path)
		b.Write(text)
		b.WriteByte('\n')
		return err
	})
	return b.String(), err
}

// readThesaurus parses groups of words: one a line, separated by commas; # begins a comment.
func readThesaurus(s string) [][]string {
	var out [][]string
	for line := range strings.Lines(s) {
		line, _, _ = strings.Cut(line, "#")
		var g []string
		for w := range strings.SplitSeq(line, ",") {
			if w = strings.TrimSpace(w); w != "" {
				g = append(g, w)
			}
		}
		if len(g) > 1 {
			out = append(out, g)
		}
	}
	return out
}

// An association is a word and others by which people speak of the same matter.
type association struct {
	head  string
	words []string
}

// readAssociations parses lines of a word, a colon and others; # begins a comment.
func readAssociations(s string) []association {
	var out []association
	for line := range strings.Lines(s) {
		line, _, _ = strings.Cut(line, "#")
		head, rest, ok := strings.Cut(line, ":")
		if g := readThesaurus(head + "," + rest); ok && len(g) == 1 {
			out = append(out, association{g[0][0], g[0][1:]})
		}
	}
	return out
}

// linked makes a group of each word of an association and its head. A phrase
// that is no word of the vocabulary counts by its parts, each a share of it.
func linked(as []association, number map[string]int, z *tokenizer, weight float64) []group {
	var out []group
	for _, a := range as {
		head, ok := numberOf(a.head, number, z)
		if !ok {
			continue
		}
		for _, w := range a.words {
			of := []int{}
			if n, ok := numberOf(w, number, z); ok {
				of = append(of, n)
			} else {
				z.tokens(w, func(t string) {
					if n, ok := number[t]; ok && !text.Weak(t) {
						of = append(of, n)
					}
				})
			}
			for _, n := range of {
				if n != head {
					out = append(out, group{words: []int{head, n}, share: []float64{1, 1}, weight: weight / float64(len(of))})
				}
			}
		}
	}
	return out
}

// numberOf is the number of a word of the thesaurus.
func numberOf(w string, number map[string]int, z *tokenizer) (n int, ok bool) {
	var parts []string
	z.tokens(w, func(t string) { parts = append(parts, t) })
	t, ok := whole(w, parts)
	if ok {
		n, ok = number[t]
	}
	return n, ok
}

// han tells whether the word is Chinese.
func han(w string) bool {
	for _, r := range w {
		return unicode.Is(unicode.Han, r)
	}
	return false
}

// numbered turns groups of words into groups of numbers. A word counts by its
// stem; what is not exactly one word of the vocabulary is left out.
func numbered(words [][]string, number map[string]int, z *tokenizer, weight float64) []group {
	var out []group
	for _, g := range words {
		one := group{weight: weight}
		seen := map[int]bool{}
		for _, w := range g {
			if n, ok := numberOf(w, number, z); ok && !seen[n] {
				seen[n] = true
				one.words, one.share = append(one.words, n), append(one.share, 1)
			}
		}
		if len(one.words) > 1 {
			out = append(out, one)
		}
	}
	return out
}

// whole is the token of the table that a word of the thesaurus is: the word
// itself, a name whose first token is the whole of it, or a phrase, which
// comes last. There may be none.
func whole(w string, parts []string) (token string, ok bool) {
	switch {
	case len(parts) == 0:
		return "", false
	case han(w):
		return w, len(parts) == 1 && parts[0] == w
	case strings.ContainsAny(w, " -_/."):
		last := parts[len(parts)-1]
		return last, len(parts) == 3 && strings.Contains(last, " ")
	}
	return parts[0], true
}
