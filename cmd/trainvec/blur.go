package main

// A question is hardly ever seen as it stands. What the vectors are for is to
// find what is said in other words, so most questions lose the words that their
// passage has; and some words of both are left out, so that a pair cannot be
// known by one rare word.

// asked is the question of an example.
func (c *contrast) asked(e example) []part {
	q := e.query
	if c.rng.Float64() < c.drop {
		q = c.without(q, e.passage)
	}
	if c.rng.Float64() < c.translate {
		q = c.translated(q)
	}
	return q
}

// without leaves out of a question the words that the passage has, if any
// remain.
func (c *contrast) without(q, passage []part) []part {
	clear(c.passage)
	for _, p := range passage {
		c.passage[p.word] = true
	}
	kept := make([]part, 0, len(q))
	for _, p := range q {
		if !c.passage[p.word] {
			kept = append(kept, p)
		}
	}
	if len(kept) == 0 {
		return q
	}
	return kept
}

// translated puts for each word one of the thesaurus in the other script, where
// there is one.
func (c *contrast) translated(q []part) []part {
	out := make([]part, len(q))
	for i, p := range q {
		if a := c.abroad[p.word]; len(a) > 0 {
			p.word = a[c.rng.IntN(len(a))]
		}
		out[i] = p
	}
	return out
}

// blurred leaves words out at random, if any remain.
func (c *contrast) blurred(ps []part) []part {
	ps = ps[:min(len(ps), c.longest)]
	kept := make([]part, 0, len(ps))
	for _, p := range ps {
		if c.rng.Float64() >= c.forget {
			kept = append(kept, p)
		}
	}
	if len(kept) == 0 {
		return ps
	}
	return kept
}
