package main

import "math"

// company is which words come together, and how often.
type company struct {
	together map[[2]int32]float64
	each     map[int32]float64
	all      float64
}

// meet counts each word of one text with each other one of another.
func (c *company) meet(xs, ys []int32) {
	for _, x := range xs {
		for _, y := range ys {
			if x == y {
				continue
			}
			for _, at := range [][2]int32{{x, y}, {y, x}} {
				c.together[at]++
				c.each[at[0]]++
				c.all++
			}
		}
	}
}

// meetings is how often two words must come together to be more than chance.
const meetings = 2

// answered is what words of questions have in common with words of what answers them,
// and with those of other questions for the same: how much more often than chance
// would have it they come together in our pairs, in nats times o.answered, o.told at
// most. Statements that are kept back count for nothing.
func (v *vocabulary) answered(o options) (out []triple) {
	c := company{together: map[[2]int32]float64{}, each: map[int32]float64{}}
	z := newTokenizer(v.lexicon)
	for _, file := range v.pairs {
		for _, st := range file {
			if keptBack(st) {
				continue
			}
			texts := [][]int32{v.distinct(z, st.text)}
			for _, q := range st.questions {
				words := v.distinct(z, q)
				for _, t := range texts {
					c.meet(words, t)
				}
				texts = append(texts, words)
			}
		}
	}
	for at, n := range c.together {
		if x := o.answered * math.Log(n*c.all/(c.each[at[0]]*c.each[at[1]])); n >= meetings && x > 0 {
			out = append(out, triple{at[0], at[1], float32(min(x, o.told))})
		}
	}
	return out
}

// distinct is the words of a text, each once.
func (v *vocabulary) distinct(z *tokenizer, s string) (out []int32) {
	seen := map[int]bool{}
	z.tokens(s, func(w string) {
		if n, ok := v.number[w]; ok && !seen[n] {
			seen[n] = true
			out = append(out, int32(n))
		}
	})
	return out
}
