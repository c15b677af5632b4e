package main

import (
	"path"
	"strconv"
	"strings"
)

// synset is a line of one of WordNet's data files: words for one meaning, and
// what it is.
type synset struct {
	words []string
	gloss string
}

// isWordNet tells whether the file is one of WordNet's four data files.
func isWordNet(name string) bool {
	switch path.Base(name) {
	case "data.noun", "data.verb", "data.adj", "data.adv":
		return true
	}
	return false
}

// parseSynset reads a line: offset, file, type, number of words in hex, then
// word and sense number for each, pointers, and the gloss after a bar.
func parseSynset(line string) (synset, bool) {
	if strings.HasPrefix(line, " ") {
		return synset{}, false // the licence, at the head of the file
	}
	head, gloss, ok := strings.Cut(line, " | ")
	f := strings.Fields(head)
	if !ok || len(f) < 6 {
		return synset{}, false
	}
	n, err := strconv.ParseInt(f[3], 16, 32)
	if err != nil || len(f) < 4+2*int(n) {
		return synset{}, false
	}
	s := synset{gloss: strings.TrimSpace(gloss)}
	for i := range int(n) {
		w, _, _ := strings.Cut(f[4+2*i], "(") // "galore(ip)": where an adjective stands
		s.words = append(s.words, strings.ReplaceAll(w, "_", " "))
	}
	return s, true
}

// glosses emits what WordNet says about each meaning, as prose.
func glosses(body []byte, emit func(string)) {
	for line := range strings.Lines(string(body)) {
		if s, ok := parseSynset(line); ok {
			emit(strings.Join(s.words, ", ") + " is " + strings.NewReplacer("\"", "", ";", ",").Replace(s.gloss))
		}
	}
}

// synsets reads the groups of words for one meaning.
func synsets(s source, cache string) ([][]string, error) {
	var out [][]string
	if err := s.fetch(cache); err != nil {
		return nil, err
	}
	err := s.walk(cache, func(name string, body []byte) {
		if !isWordNet(name) {
			return
		}
		for line := range strings.Lines(string(body)) {
			if s, ok := parseSynset(line); ok && len(s.words) > 1 {
				out = append(out, s.words)
			}
		}
	})
	return out, err
}
