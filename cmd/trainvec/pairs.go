package main

import (
	"bufio"
	"embed"
	"io/fs"
	"os"
	"slices"
	"strings"
)

//go:embed pairs/*.tsv
var ownPairs embed.FS

// A pair is a question, or what may stand for one, and what answers it. Pairs
// of one statement have the same passage.
type pair struct {
	query, passage string
}

// Kinds of pairs that documents hold by themselves.
const (
	titled   = iota // a title and the paragraph below it
	named           // the name of a thing and what its comment says
	begun           // the first sentence of a paragraph and the rest of it
	followed        // a paragraph and the next one of the same text
	kinds
)

// pairShare bounds how many pairs of one kind a source may bring.
const pairShare = 6000

// naturalPairs reads the pairs of one source from its prose, in its order.
func naturalPairs(file string) ([kinds][]pair, error) {
	var out [kinds][]pair
	f, err := os.Open(file)
	if err != nil {
		return out, err
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, maxFile)
	var r pairing
	for sc.Scan() {
		r.line(sc.Text())
	}
	for kind, ps := range r.out {
		out[kind] = sampled(unrepeated(ps), pairShare)
	}
	return out, sc.Err()
}

// pairing makes pairs of the parts of a source.
type pairing struct {
	out         [kinds][]pair
	name, title string
	before      string // the paragraph before, in the same text
}

func (r *pairing) line(line string) {
	if line == "" {
		return
	}
	said := line[1:]
	switch line[0] {
	case nameKind:
		r.name, r.title, r.before = said, "", ""
	case titleKind:
		r.title, r.before = said, ""
	case paragraphKind:
		ss := strings.Split(said, sentenceMark)
		whole := strings.Join(ss, " ")
		r.add(titled, r.title, whole)
		r.add(named, r.name, whole)
		r.add(followed, r.before, whole)
		if len(ss) > 1 {
			r.add(begun, ss[0], strings.Join(ss[1:], " "))
		}
		r.name, r.title, r.before = "", "", whole
	}
}

func (r *pairing) add(kind int, query, passage string) {
	if query != "" && passage != "" {
		r.out[kind] = append(r.out[kind], pair{query, passage})
	}
}

// often is how many passages a query may have in one source: "Parameters" says
// nothing about the paragraph below it.
const often = 3

// unrepeated leaves out the pairs whose query comes too often.
func unrepeated(ps []pair) []pair {
	count := map[string]int{}
	for _, p := range ps {
		count[strings.ToLower(p.query)]++
	}
	return slices.DeleteFunc(ps, func(p pair) bool { return count[strings.ToLower(p.query)] > often })
}

// sampled is at most n of the pairs in their order, those with the smallest
// fingerprints.
func sampled(ps []pair, n int) []pair {
	if len(ps) <= n {
		return ps
	}
	prints := make([]uint64, len(ps))
	for i, p := range ps {
		prints[i] = fingerprint(p.query + p.passage)
	}
	sorted := slices.Sorted(slices.Values(prints))
	least := sorted[n]
	out := ps[:0]
	for i, p := range ps {
		if prints[i] < least {
			out = append(out, p)
		}
	}
	return out
}

// glossPairs are words and what they mean, and definitions and examples.
func glossPairs(sets []synset) []pair {
	var out []pair
	for _, s := range sets {
		parts := strings.Split(s.gloss, "\"")
		meaning := strings.TrimRight(parts[0], "; ")
		words := strings.Join(s.words, ", ")
		out = append(out, pair{words, meaning})
		for i := 1; i < len(parts); i += 2 {
			out = append(out, pair{meaning, parts[i]})
		}
	}
	return out
}

// A statement is one of our own with questions about it, in other words.
type statement struct {
	text      string
	questions []string
}

// readPairs reads our own statements, the files in order of their names: a
// statement a line, with questions behind it, tabs between; # begins a comment.
func readPairs(files fs.FS) (out [][]statement, err error) {
	names, err := fs.Glob(files, "pairs/*.tsv") // sorted
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		body, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		var one []statement
		for line := range strings.Lines(string(body)) {
			if f := strings.Split(strings.TrimSpace(line), "\t"); len(f) > 1 && !strings.HasPrefix(line, "#") {
				one = append(one, statement{f[0], f[1:]})
			}
		}
		out = append(out, one)
	}
	return out, nil
}
