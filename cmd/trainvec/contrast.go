package main

import (
	"flag"
	"log"
	"math"
	"math/rand/v2"

	"github.com/viterin/vek/vek32"
)

// contrastOptions are the choices of the last stage, which teaches the vectors
// to find what answers a question among much that does not.
type contrastOptions struct {
	rounds    int     // over the pairs of the documents
	part      float64 // share of them that a round takes
	own       int     // how often our own pairs come in that time
	batch     int     // pairs that are told apart at once
	run       int     // pairs of one document that stay together in a batch
	longest   int     // words of a text that are read
	heat      float64 // what a cosine is divided by
	mapRate   float64 // of learning the map, falling to nothing
	wordRate  float64 // the same for the words' weights
	drop      float64 // share of the questions that lose the words which their passage has
	forget    float64 // share of words that are left out at random
	translate float64 // share of the questions whose words become Chinese ones of the thesaurus, or English ones
}

func defaultContrast() contrastOptions {
	return contrastOptions{rounds: 1, part: 0.02, own: 20, batch: 1024, run: 32, longest: 64, heat: 0.05,
		mapRate: 5e-4, wordRate: 2e-2, drop: 0.7, forget: 0.3, translate: 0.1}
}

func (o *contrastOptions) flags(f *flag.FlagSet) {
	f.IntVar(&o.rounds, "rounds", o.rounds, "over the pairs; 0 leaves the last stage out")
	f.Float64Var(&o.part, "part", o.part, "share of the documents' pairs that a round takes")
	f.IntVar(&o.own, "own", o.own, "how often our own pairs come in a round")
	f.IntVar(&o.batch, "batch", o.batch, "pairs that are told apart at once")
	f.IntVar(&o.run, "run", o.run, "pairs of one document that stay together")
	f.Float64Var(&o.heat, "heat", o.heat, "what a cosine is divided by")
	f.Float64Var(&o.mapRate, "map-rate", o.mapRate, "of learning the map")
	f.Float64Var(&o.wordRate, "word-rate", o.wordRate, "of learning the words' weights")
	f.Float64Var(&o.drop, "drop", o.drop, "share of questions that lose the words of their passage")
	f.Float64Var(&o.forget, "forget", o.forget, "share of words left out at random")
	f.Float64Var(&o.translate, "translate", o.translate, "share of questions put into the other language word by word")
}

// contrast learns one linear map of all vectors and a weight for each word, by
// InfoNCE in both directions (van den Oord et al. 2018): each question of a batch
// is to be nearer to its own passage than to the others', and each passage to its
// question. What moves all words alike cannot learn single pairs by heart, as
// vectors that move each by itself do. All is done in a fixed order by one
// goroutine, so that it can be repeated.
type contrast struct {
	contrastOptions
	dim, out  int       // numbers of a vector before and after
	base      []float32 // vectors of the words before, a row for each
	turn      learned   // the map, out by dim
	weight    learned   // logarithms of what words count
	abroad    [][]int32 // for each word others of the thesaurus in the other script
	rng       *rand.Rand
	step, all int

	passage map[int32]bool // words of it

	q, p             side
	score            []float32 // batch by batch: cosines, then the loss's derivatives by them
	rows, cols       []float32 // sums of exponentials
	slope, turnSlope []float32 // by the texts before the map, and by the map

	scoreT, wideT, otherT, turnT []float32 // transposes
}

// A side is the texts of a batch on one side of the pairs.
type side struct {
	parts  [][]part
	sum    []float32 // of the words, before the map
	unit   []float32 // after it, of length 1
	length []float32
	slope  []float32 // the loss's derivatives by unit, then by what it was before it had length 1
}

// learned is numbers that Adam learns (Kingma and Ba 2015).
type learned struct {
	x, slope, mean, square []float32
}

func newLearned(n int) learned {
	x := make([]float32, 4*n)
	return learned{x[:n], x[n : 2*n], x[2*n : 3*n], x[3*n:]}
}

// Adam's constants, and the steps over which it gets up to speed.
const (
	meanKept, squareKept = 0.9, 0.999
	leastSlope           = 1e-8
	warming              = 50
)

// move makes a step against the slope. What the batch says nothing about stays.
func (l *learned) move(rate float64, step int) {
	n := float64(step)
	r := float32(rate * math.Sqrt(1-math.Pow(squareKept, n)) / (1 - math.Pow(meanKept, n)))
	for i, s := range l.slope {
		if s != 0 {
			l.mean[i] = meanKept*l.mean[i] + (1-meanKept)*s
			l.square[i] = squareKept*l.square[i] + (1-squareKept)*s*s
			l.x[i] -= r * l.mean[i] / (float32(math.Sqrt(float64(l.square[i]))) + leastSlope)
		}
	}
	clear(l.slope)
}

// newContrast begins with vectors as they are, seen from the out directions in
// which they differ most.
func newContrast(base []float32, dim, out int, abroad [][]int32, o contrastOptions) *contrast {
	c := &contrast{contrastOptions: o, dim: dim, out: out, base: base, abroad: abroad, passage: map[int32]bool{},
		turn: newLearned(out * dim), weight: newLearned(len(base) / dim), rng: rand.New(rand.NewPCG(1, 2))}
	c.room(o.batch)
	_, axes := symmetricEigen(gramMatrix(&dense{rows: len(base) / dim, cols: dim, data: base}), dim)
	for i := range out {
		for j := range dim {
			c.turn.x[i*dim+j] = float32(axes[j*dim+i])
		}
	}
	return c
}

// room makes room for a batch of n.
func (c *contrast) room(n int) {
	floats := func(n int) []float32 { return make([]float32, n) }
	for _, s := range []*side{&c.q, &c.p} {
		*s = side{make([][]part, n), floats(n * c.dim), floats(n * c.out), floats(n), floats(n * c.out)}
	}
	c.score, c.scoreT = floats(n*n), floats(n*n)
	c.rows, c.cols = floats(n), floats(n)
	c.wideT, c.otherT, c.slope = floats(n*c.dim), floats(n*c.out), floats(n*c.dim)
	c.turnT, c.turnSlope = floats(c.out*c.dim), floats(c.out*c.dim)
}

// train goes over the pairs, shuffled anew each round.
func (c *contrast) train(natural, own [][]example) {
	n := 0
	for _, l := range natural {
		n += int(c.part * float64(len(l)))
	}
	for _, l := range own {
		n += c.own * len(l)
	}
	c.all = c.rounds * n / c.batch
	batch := make([]example, 0, c.batch)
	for round := range c.rounds {
		loss, steps := 0.0, 0
		for _, r := range c.round(natural, own) {
			for _, e := range r {
				if batch = append(batch, e); len(batch) == c.batch {
					loss += c.learn(batch)
					steps++
					batch = batch[:0]
				}
			}
		}
		log.Printf("round %d: %d steps, loss %.3f", round+1, steps, loss/float64(max(steps, 1)))
	}
}

// round is the runs of one round in the order in which they come.
func (c *contrast) round(natural, own [][]example) [][]example {
	runs := c.cut(natural)
	c.shuffle(runs)
	runs = runs[:int(c.part*float64(len(runs)))]
	for range c.own {
		runs = append(runs, c.cut(own)...)
	}
	c.shuffle(runs)
	return runs
}

func (c *contrast) shuffle(runs [][]example) {
	c.rng.Shuffle(len(runs), func(i, j int) { runs[i], runs[j] = runs[j], runs[i] })
}

// cut makes runs of neighbours, which are harder to tell apart, beginning
// anywhere.
func (c *contrast) cut(lists [][]example) (out [][]example) {
	for _, l := range lists {
		for at := -c.rng.IntN(c.run); at < len(l); at += c.run {
			if a, b := max(at, 0), min(at+c.run, len(l)); a < b {
				out = append(out, l[a:b])
			}
		}
	}
	return out
}

// learn makes one step and returns the mean loss of the batch.
func (c *contrast) learn(batch []example) float64 {
	loss := c.look(batch)
	c.slopes()
	c.step++
	f := max(0, 1-float64(c.step)/float64(c.all+1)) * min(1, float64(c.step)/warming)
	c.turn.move(f*c.mapRate, c.step)
	c.weight.move(f*c.wordRate, c.step)
	return loss
}

// look compares all questions of a batch with all passages and returns the loss.
func (c *contrast) look(batch []example) float64 {
	for i, e := range batch {
		c.q.parts[i] = c.blurred(c.asked(e))
		c.p.parts[i] = c.blurred(e.passage)
	}
	c.forward(&c.q)
	c.forward(&c.p)
	return c.compare(batch)
}

// slopes are the derivatives of the loss by all that is learned.
func (c *contrast) slopes() {
	n, d := c.batch, c.out
	transpose(c.otherT, c.p.unit, n, d)
	products(c.q.slope, c.score, c.otherT, n, d, n)
	transpose(c.scoreT, c.score, n, n)
	transpose(c.otherT, c.q.unit, n, d)
	products(c.p.slope, c.scoreT, c.otherT, n, d, n)
	transpose(c.turnT, c.turn.x, d, c.dim)
	c.back(&c.q)
	c.back(&c.p)
}

// forward makes the vectors of a side.
func (c *contrast) forward(s *side) {
	clear(s.sum)
	for i, ps := range s.parts {
		for _, p := range ps {
			axpy(c.counts(p), c.before(p.word), s.sum[i*c.dim:(i+1)*c.dim])
		}
	}
	products(s.unit, s.sum, c.turn.x, c.batch, c.out, c.dim)
	for i := range s.parts {
		u := s.unit[i*c.out : (i+1)*c.out]
		s.length[i] = float32(math.Sqrt(float64(vek32.Dot(u, u)))) + 1e-6
		vek32.MulNumber_Inplace(u, 1/s.length[i])
	}
}

func (c *contrast) before(w int32) []float32 { return c.base[int(w)*c.dim : (int(w)+1)*c.dim] }

func (c *contrast) counts(p part) float32 {
	return p.share * float32(math.Exp(float64(c.weight.x[p.word])))
}

// compare fills score with the derivatives of the loss by the cosines, and
// returns the loss.
func (c *contrast) compare(batch []example) float64 {
	n := c.batch
	products(c.score, c.q.unit, c.p.unit, n, n, c.out)
	clear(c.rows)
	clear(c.cols)
	for i := range n {
		row := c.score[i*n : (i+1)*n]
		for j, x := range row {
			if row[j] = 0; i == j || batch[i].same != batch[j].same { // another question of this passage is not wrong
				row[j] = float32(math.Exp(float64(x-1) / c.heat))
			}
			c.rows[i] += row[j]
			c.cols[j] += row[j]
		}
	}
	loss := 0.0
	f := float32(1 / c.heat / float64(2*n))
	for i := range n {
		row := c.score[i*n : (i+1)*n]
		right := float64(row[i])
		loss -= math.Log(right/float64(c.rows[i])) + math.Log(right/float64(c.cols[i]))
		for j, e := range row {
			row[j] = f * e * (1/c.rows[i] + 1/c.cols[j])
		}
		row[i] -= 2 * f
	}
	return loss / float64(2*n)
}

// back takes a side's slopes to the map and to the weights.
func (c *contrast) back(s *side) {
	n, d, o := c.batch, c.dim, c.out
	for i := range s.parts {
		g, u := s.slope[i*o:(i+1)*o], s.unit[i*o:(i+1)*o]
		axpy(-vek32.Dot(g, u), u, g)
		vek32.MulNumber_Inplace(g, 1/s.length[i])
	}
	transpose(c.wideT, s.sum, n, d)
	transpose(c.otherT, s.slope, n, o)
	products(c.turnSlope, c.otherT, c.wideT, o, d, n)
	axpy(1, c.turnSlope, c.turn.slope)
	products(c.slope, s.slope, c.turnT, n, d, o)
	for i, ps := range s.parts {
		g := c.slope[i*d : (i+1)*d]
		for _, p := range ps {
			c.weight.slope[p.word] += c.counts(p) * vek32.Dot(g, c.before(p.word))
		}
	}
}

// words are the vectors of all words with what was learned.
func (c *contrast) words() []float32 {
	n := len(c.base) / c.dim
	out := make([]float32, n*c.out)
	products(out, c.base, c.turn.x, n, c.out, c.dim)
	for w := range n {
		vek32.MulNumber_Inplace(out[w*c.out:(w+1)*c.out], c.counts(part{int32(w), 1}))
	}
	return out
}

// products fills out, rows by cols, with the products of the rows of a and of
// b, which have n numbers each.
func products(out, a, b []float32, rows, cols, n int) {
	const block = 64 // rows of b that stay in the cache
	for from := 0; from < cols; from += block {
		to := min(from+block, cols)
		for i := range rows {
			x := a[i*n : (i+1)*n]
			for j := from; j < to; j++ {
				out[i*cols+j] = vek32.Dot(x, b[j*n:(j+1)*n])
			}
		}
	}
}

// transpose fills out with the transpose of a, rows by cols.
func transpose(out, a []float32, rows, cols int) {
	const block = 16
	for i := 0; i < rows; i += block {
		for j := 0; j < cols; j += block {
			for y := i; y < min(i+block, rows); y++ {
				for x := j; x < min(j+block, cols); x++ {
					out[x*rows+y] = a[y*cols+x]
				}
			}
		}
	}
}
