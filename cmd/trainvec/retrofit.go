package main

import (
	"math"
	"strings"
	"unicode"
)

// A group is words of nearly the same meaning, by number, and how much it is
// to be believed.
type group struct {
	words  []int
	weight float64
}

// retrofit moves the vectors of words that stand in groups towards the middle
// of their groups and keeps them near where the texts put them (after Faruqui
// et al. 2015). A word in many groups is pulled less by each: it has many
// meanings. trust says how much the text's own vector of each word counts; 0
// gives a word its group's vector altogether. Vectors have length 1 before and
// after.
//
// It starts from the texts' vectors each round, so that words that share no
// group stay where they are and nothing can collapse.
func retrofit(v *dense, groups []group, trust []float64, rounds int) {
	member := make([]float64, v.rows)
	for _, g := range groups {
		for _, w := range g.words {
			member[w] += g.weight
		}
	}
	original := append([]float32(nil), v.data...)
	sum := make([]float64, v.cols)
	for range rounds {
		pull := make([]float64, len(v.data))
		for _, g := range groups {
			clear(sum)
			for _, w := range g.words {
				for j, x := range v.row(w) {
					sum[j] += float64(x)
				}
			}
			for _, w := range g.words {
				f := g.weight / math.Sqrt(member[w]) / float64(len(g.words)-1)
				p := pull[w*v.cols : (w+1)*v.cols]
				for j, x := range v.row(w) {
					p[j] += f * (sum[j] - float64(x))
				}
			}
		}
		for w := range v.rows {
			if member[w] == 0 {
				continue
			}
			row := v.row(w)
			for j := range row {
				row[j] = float32(trust[w]*float64(original[w*v.cols+j]) + pull[w*v.cols+j])
			}
			unit(row)
		}
	}
}

// unit gives v the length 1, unless it is nothing.
func unit(v []float32) {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 {
		return
	}
	f := float32(1 / math.Sqrt(sum))
	for i := range v {
		v[i] *= f
	}
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
			var parts []string
			z.tokens(w, func(t string) { parts = append(parts, t) })
			if !single(w, parts) {
				continue
			}
			if n, ok := number[parts[0]]; ok && !seen[n] {
				seen[n] = true
				one.words = append(one.words, n)
			}
		}
		if len(one.words) > 1 {
			out = append(out, one)
		}
	}
	return out
}

// single tells whether a word of the thesaurus is one word of the table: no
// phrase, or a name whose first token is the whole of it.
func single(w string, parts []string) bool {
	if len(parts) == 0 || strings.ContainsAny(w, " -_/.") {
		return false
	}
	if han(w) {
		return len(parts) == 1 && parts[0] == w
	}
	return true
}
