package main

import (
	"bufio"
	"math"
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A lexicon is the set of Chinese words by which a run of characters is cut,
// always the longest that fits, and the English phrases of two words.
type lexicon struct {
	words   map[string]bool
	phrases map[string]map[string]bool // by the stems of the first and second word
}

// newLexicon takes the Chinese words and English phrases of the thesaurus.
func newLexicon(groups [][]string) *lexicon {
	l := &lexicon{words: map[string]bool{}, phrases: map[string]map[string]bool{}}
	z := newTokenizer(l)
	for _, g := range groups {
		for _, w := range g {
			switch n := utf8.RuneCountInString(w); {
			case han(w) && n <= longestWord:
				l.words[w] = true
			case !han(w) && len(strings.FieldsFunc(w, joined)) == 2:
				var parts []string
				z.tokens(w, func(t string) { parts = append(parts, t) })
				if len(parts) != 2 {
					continue
				}
				if l.phrases[parts[0]] == nil {
					l.phrases[parts[0]] = map[string]bool{}
				}
				l.phrases[parts[0]][parts[1]] = true
			}
		}
	}
	return l
}

// joined tells whether the rune stands between the words of a phrase.
func joined(r rune) bool { return r == ' ' || r == '-' }

// longestWord is the length of the longest Chinese word, in characters.
const longestWord = 4

// cut calls emit for the words of a run of Han characters; characters in no
// word are left out.
func (l *lexicon) cut(run string, emit func(word string)) {
	for i := 0; i < len(run); {
		n := l.match(run[i:])
		if n == 0 {
			_, n = utf8.DecodeRuneInString(run[i:])
		} else {
			emit(run[i : i+n])
		}
		i += n
	}
}

// match is the length in bytes of the longest word at the start of run.
func (l *lexicon) match(run string) int {
	best, chars := 0, 0
	for i, r := range run {
		if chars++; chars > longestWord {
			break
		}
		if end := i + utf8.RuneLen(r); l.words[run[:end]] {
			best = end
		}
	}
	return best
}

// mine adds the words that the texts are made of: character sequences that
// occur often, hold together better than chance would have it, and have many
// different neighbours on both sides.
func (l *lexicon) mine(files []string, least int) error {
	grams := map[string]*gram{}
	total := 0
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			return err
		}
		sc := bufio.NewScanner(f)
		sc.Buffer(nil, maxFile)
		for sc.Scan() {
			hanRuns(sc.Text(), func(run []rune) { total += countGrams(grams, run) })
		}
		f.Close()
	}
	for w, g := range grams {
		if utf8.RuneCountInString(w) < 2 || g.count < least || strings.ContainsAny(w, functional) {
			continue
		}
		if g.freedom() > leastFreedom && cohesion(grams, w, g.count, total) > leastCohesion {
			l.words[w] = true
		}
	}
	return nil
}

// What a sequence of characters must have to be a word, both in nats, chosen by
// looking at what came out; and characters that stand between words.
const (
	leastFreedom  = 1.2
	leastCohesion = 4
	functional    = "的了是在和与或及请该为将被把可会"
)

// gram is what is counted of one character sequence.
type gram struct {
	count       int
	left, right map[rune]int
}

// freedom is the smaller entropy of its neighbours, in nats: a part of a word
// always has the same ones.
func (g *gram) freedom() float64 {
	return min(entropy(g.left), entropy(g.right))
}

func entropy(m map[rune]int) float64 {
	total := 0
	counts := make([]int, 0, len(m))
	for _, n := range m {
		total += n
		counts = append(counts, n)
	}
	slices.Sort(counts) // the sum must not hang on the order of the map
	h := 0.0
	for _, n := range counts {
		p := float64(n) / float64(total)
		h -= p * math.Log(p)
	}
	return h
}

// cohesion is the least pointwise mutual information, in nats, of the two
// parts over all places where the word can be cut.
func cohesion(grams map[string]*gram, w string, count, total int) float64 {
	least := math.Inf(1)
	for i := range w {
		if i == 0 {
			continue
		}
		a, b := grams[w[:i]], grams[w[i:]]
		if a == nil || b == nil {
			continue
		}
		least = min(least, math.Log(float64(count)*float64(total)/(float64(a.count)*float64(b.count))))
	}
	return least
}

func hanRuns(s string, visit func(run []rune)) {
	var run []rune
	for _, r := range s {
		if unicode.Is(unicode.Han, r) {
			run = append(run, r)
			continue
		}
		if len(run) > 1 {
			visit(run)
		}
		run = run[:0]
	}
	if len(run) > 1 {
		visit(run)
	}
}

func countGrams(grams map[string]*gram, run []rune) int {
	for i := range run {
		for n := 1; n <= longestWord && i+n <= len(run); n++ {
			w := string(run[i : i+n])
			g := grams[w]
			if g == nil {
				g = &gram{}
				grams[w] = g
			}
			g.count++
			if n == 1 || g.count < 5 { // most sequences are rare, and need no maps
				continue
			}
			if g.left == nil {
				g.left, g.right = map[rune]int{}, map[rune]int{}
			}
			l, r := rune(-1-g.count%1000), rune(-1-g.count%1000) // an end of the run is always new
			if i > 0 {
				l = run[i-1]
			}
			if i+n < len(run) {
				r = run[i+n]
			}
			g.left[l]++
			g.right[r]++
		}
	}
	return len(run)
}
