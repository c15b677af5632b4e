package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento/internal/embed"
	"github.com/pimento-memory/pimento/internal/text"
)

// question and memory are lines of the evaluation corpus.
type question struct {
	ID, Type, Text, Split string
	Gold                  []string
}

type memory struct {
	ID, Text string
	Tags     []string
}

// project is one project's memories and the questions about them.
type project struct {
	memories  []memory
	questions []question
}

func readProject(dir string) (project, error) {
	var p project
	for _, name := range []string{"facts.jsonl", "daily.jsonl"} {
		m, err := readLines[memory](filepath.Join(dir, name))
		if err != nil {
			return p, err
		}
		p.memories = append(p.memories, m...)
	}
	var err error
	p.questions, err = readLines[question](filepath.Join(dir, "questions.jsonl"))
	return p, err
}

func readLines[T any](file string) ([]T, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []T
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, maxFile)
	for sc.Scan() {
		var one T
		if err := json.Unmarshal(sc.Bytes(), &one); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		out = append(out, one)
	}
	return out, sc.Err()
}

// tally is the figures of one type of question.
type tally struct {
	n                        int
	vec1, vec5, vec10        float64
	bm1, bm5                 float64
	mix1, mix5, mrr, logRank float64
}

// evaluate ranks the memories of each project below dir by cosine alone, by
// BM25 alone, and by both, and prints recall for each type of question. rank is
// the geometric mean of the first right memory's place by cosine, which says
// more than recall where questions are few.
func evaluate(out io.Writer, e embed.Embedder, dir string) error {
	sum := map[string]*tally{}
	dirs, err := filepath.Glob(filepath.Join(dir, "*", "questions.jsonl"))
	if err != nil || len(dirs) == 0 {
		return fmt.Errorf("no projects in %s: %w", dir, os.ErrNotExist)
	}
	for _, d := range dirs {
		p, err := readProject(filepath.Dir(d))
		if err != nil {
			return err
		}
		if err := p.ask(e, sum); err != nil {
			return err
		}
	}
	types := make([]string, 0, len(sum))
	for t := range sum {
		types = append(types, t)
	}
	slices.Sort(types)
	fmt.Fprintf(out, "%-12s %4s  %6s %6s %6s %6s %6s  %6s %6s  %6s %6s\n", "type", "n", "vec@1", "vec@5", "vec@10", "mrr", "rank", "bm@1", "bm@5", "both@1", "both@5")
	for _, name := range types {
		t := sum[name]
		f := 100 / float64(t.n)
		fmt.Fprintf(out, "%-12s %4d  %6.1f %6.1f %6.1f %6.1f %6.1f  %6.1f %6.1f  %6.1f %6.1f\n", name, t.n,
			t.vec1*f, t.vec5*f, t.vec10*f, t.mrr*f, math.Exp(t.logRank/float64(t.n)), t.bm1*f, t.bm5*f, t.mix1*f, t.mix5*f)
	}
	return nil
}

// split is the part of the questions that settings are chosen on.
const split = "dev"

func (p project) ask(e embed.Embedder, sum map[string]*tally) error {
	texts := make([]string, len(p.memories))
	for i, m := range p.memories {
		texts[i] = m.Text
		if len(m.Tags) > 0 {
			texts[i] += " " + strings.Join(m.Tags, " ")
		}
	}
	vectors, err := e.Embed(context.Background(), texts)
	if err != nil {
		return err
	}
	words := newKeywords(texts)
	for _, q := range p.questions {
		if len(q.Gold) == 0 || q.Split != split {
			continue
		}
		v, err := e.Embed(context.Background(), []string{q.Text})
		if err != nil {
			return err
		}
		cos := make([]float64, len(texts))
		for i := range texts {
			cos[i] = dot(v[0], vectors[i])
		}
		key, coverage := words.score(q.Text)
		mix := make([]float64, len(texts))
		gate := gate(slices.Max(coverage))
		for i := range mix {
			mix[i] = key[i] + gate*max(0, cos[i])
		}
		t := sum[q.Type]
		if t == nil {
			t = &tally{}
			sum[q.Type] = t
		}
		t.n++
		t.vec1 += p.recall(cos, q.Gold, 1)
		t.vec5 += p.recall(cos, q.Gold, 5)
		t.vec10 += p.recall(cos, q.Gold, 10)
		t.bm1 += p.recall(key, q.Gold, 1)
		t.bm5 += p.recall(key, q.Gold, 5)
		t.mix1 += p.recall(mix, q.Gold, 1)
		t.mix5 += p.recall(mix, q.Gold, 5)
		t.mrr += 1 / p.firstRank(cos, q.Gold)
		t.logRank += math.Log(p.firstRank(cos, q.Gold))
	}
	return nil
}

// gate is how much the vectors have to say when the best memory holds that
// share of the question's words: all below 0.3, where keywords only guess,
// nothing from 0.6 on, where they know.
func gate(coverage float64) float64 {
	return max(0, min(1, (0.6-coverage)/0.3))
}

// rank is the place of memory i, from 1; of equals, the average.
func rank(score []float64, i int) float64 {
	better, equal := 0, 0
	for j, s := range score {
		if s > score[i] {
			better++
		} else if s == score[i] && j != i {
			equal++
		}
	}
	return 1 + float64(better) + float64(equal)/2
}

func (p project) firstRank(score []float64, gold []string) float64 {
	best := math.Inf(1)
	for i, m := range p.memories {
		if slices.Contains(gold, m.ID) {
			best = min(best, rank(score, i))
		}
	}
	return best
}

// recall is the share of gold among the first k.
func (p project) recall(score []float64, gold []string, k int) float64 {
	found := 0
	for i, m := range p.memories {
		if slices.Contains(gold, m.ID) && rank(score, i) <= float64(k) {
			found++
		}
	}
	return float64(found) / float64(len(gold))
}

func dot(a, b []float32) float64 {
	if a == nil || b == nil {
		return 0
	}
	sum := 0.0
	for i, x := range a {
		sum += float64(x) * float64(b[i])
	}
	return sum
}

// keywords is a small BM25, to see what vectors add to one. It is not the
// ranking of the product, which has more steps.
type keywords struct {
	docs   []map[string]float64
	length []float64
	mean   float64
	df     map[string]float64
}

func newKeywords(texts []string) *keywords {
	k := &keywords{df: map[string]float64{}}
	for _, t := range texts {
		d := map[string]float64{}
		n := 0.0
		text.Analyze(t, func(field byte, term string) {
			d[text.Key(field, term)]++
			if field == text.Word {
				n++
			}
		})
		for term := range d {
			k.df[term]++
		}
		k.docs, k.length = append(k.docs, d), append(k.length, n)
		k.mean += n / float64(len(texts))
	}
	return k
}

// score returns, for each text, its BM25 as a share of the best that any text
// could reach, and the share of the question's idf that it covers.
func (k *keywords) score(q string) (score, coverage []float64) {
	score, coverage = make([]float64, len(k.docs)), make([]float64, len(k.docs))
	const k1, b = 0.9, 0.4
	terms := text.QueryTerms(q, text.English, 0)
	best := 0.0
	mass := map[int]float64{}
	for _, t := range terms {
		idf := k.idf(t.Key())
		best += idf * float64(t.Weight) * (k1 + 1)
		mass[t.Group] = max(mass[t.Group], idf)
	}
	groups := make([]int, 0, len(mass))
	whole := 0.0
	for g := range len(terms) {
		if m, ok := mass[g]; ok {
			groups = append(groups, g)
			whole += m
		}
	}
	for i, d := range k.docs {
		covered := map[int]bool{}
		for _, t := range terms {
			tf := d[t.Key()]
			if tf == 0 {
				continue
			}
			covered[t.Group] = true
			score[i] += k.idf(t.Key()) * float64(t.Weight) * tf * (k1 + 1) / (tf + k1*(1-b+b*k.length[i]/k.mean))
		}
		if best > 0 {
			score[i] /= best
		}
		for _, g := range groups {
			if covered[g] {
				coverage[i] += mass[g] / whole
			}
		}
	}
	return score, coverage
}

func (k *keywords) idf(term string) float64 {
	n := float64(len(k.docs))
	return math.Log(1 + (n-k.df[term]+0.5)/(k.df[term]+0.5))
}
