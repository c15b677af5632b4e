package main

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// synset is a line of one of WordNet's data files: words for one meaning, and
// what it is.
type synset struct {
	id    string // part of speech and offset, as in "n00001930"
	words []string
	rank  []int    // of this meaning among those of each word: 1 is the most usual
	kin   []string // ids of meanings that are wider, similar or derived
	gloss string
}

// isData tells whether the file is one of WordNet's data files, isIndex whether
// it is an index of the meanings of each word.
func isData(name string) bool  { return wordNetPart(name, "data.") }
func isIndex(name string) bool { return wordNetPart(name, "index.") }

func wordNetPart(name, kind string) bool {
	pos, ok := strings.CutPrefix(path.Base(name), kind)
	return ok && (pos == "noun" || pos == "verb" || pos == "adj" || pos == "adv")
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
	if err != nil || len(f) < 5+2*int(n) {
		return synset{}, false
	}
	s := synset{id: partOfSpeech(f[2]) + f[0], gloss: strings.TrimSpace(gloss)}
	for i := range int(n) {
		w, _, _ := strings.Cut(f[4+2*i], "(") // "galore(ip)": where an adjective stands
		s.words = append(s.words, strings.ReplaceAll(w, "_", " "))
	}
	for p := f[5+2*n:]; len(p) >= 4; p = p[1:] {
		if (p[0] == "@" || p[0] == "&" || p[0] == "+") && len(p[1]) == 8 {
			s.kin = append(s.kin, partOfSpeech(p[2])+p[1])
		}
	}
	return s, true
}

// partOfSpeech is the letter of an id: satellites are adjectives.
func partOfSpeech(letter string) string {
	if letter == "s" {
		return "a"
	}
	return letter
}

// parseIndex reads a line of an index: word, part of speech, number of
// meanings, number of kinds of pointers, these, two more numbers, and the
// offsets of the meanings, the most usual first.
func parseIndex(line string) (word string, ids []string) {
	f := strings.Fields(line)
	if strings.HasPrefix(line, " ") || len(f) < 6 {
		return "", nil
	}
	n, err := strconv.Atoi(f[2])
	if err != nil || len(f) < n {
		return "", nil
	}
	for _, offset := range f[len(f)-n:] {
		ids = append(ids, f[1]+offset)
	}
	return strings.ReplaceAll(f[0], "_", " "), ids
}

// glosses emits what WordNet says about each meaning, as prose.
func glosses(body []byte, emit emitter) {
	for line := range strings.Lines(string(body)) {
		if s, ok := parseSynset(line); ok {
			emit(nameKind, "")
			emit(paragraphKind, strings.Join(s.words, ", ")+" is "+strings.NewReplacer("\"", "", ";", ",").Replace(s.gloss))
		}
	}
}

// synsets reads WordNet's meanings.
func synsets(s source, cache string) ([]synset, error) {
	if err := s.fetch(cache); err != nil {
		return nil, err
	}
	var out []synset
	rank := map[[2]string]int{} // by word and id
	err := s.walk(cache, func(name string, body []byte) {
		for line := range strings.Lines(string(body)) {
			if isData(name) {
				if s, ok := parseSynset(line); ok {
					out = append(out, s)
				}
			} else if isIndex(name) {
				word, ids := parseIndex(line)
				for i, id := range ids {
					rank[[2]string{word, id}] = i + 1
				}
			}
		}
	})
	for i, s := range out {
		for _, w := range s.words {
			out[i].rank = append(out[i].rank, max(1, rank[[2]string{strings.ToLower(w), s.id}]))
		}
	}
	return out, err
}

// stem is the token that a word of WordNet is, "" when it is a phrase.
func (v *vocabulary) stem(z *tokenizer, w string) string {
	var parts []string
	z.tokens(w, func(t string) { parts = append(parts, t) })
	t, _ := whole(w, parts)
	return t
}

// meanings makes a group of the words of each meaning, and one of each meaning
// with one that is kin to it. A word counts less in its rarer meanings.
func (v *vocabulary) meanings(z *tokenizer, same, kin float64) []group {
	at := map[string]int{}
	alone := make([]group, len(v.sets))
	for i, s := range v.sets {
		at[s.id] = i
		g := group{weight: same}
		for j, w := range s.words {
			if n, ok := v.number[v.stem(z, w)]; ok && !slices.Contains(g.words, n) {
				g.words = append(g.words, n)
				g.share = append(g.share, 1/float64(s.rank[j]))
			}
		}
		alone[i] = g
	}
	var out []group
	for i, s := range v.sets {
		if len(alone[i].words) > 1 {
			out = append(out, alone[i])
		}
		for _, id := range s.kin {
			j, ok := at[id]
			if !ok || kin == 0 {
				continue
			}
			g := group{weight: kin, words: slices.Clone(alone[i].words), share: slices.Clone(alone[i].share)}
			for k, n := range alone[j].words {
				if !slices.Contains(g.words, n) {
					g.words, g.share = append(g.words, n), append(g.share, alone[j].share[k])
				}
			}
			if len(g.words) > len(alone[i].words) && len(alone[i].words) > 0 {
				out = append(out, g)
			}
		}
	}
	return out
}
