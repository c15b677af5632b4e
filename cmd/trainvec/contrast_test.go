package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// small is a stage over few words, and pairs of them that are alike in their
// first numbers and by chance in the others.
func small(o contrastOptions) (*contrast, [][]example) {
	const words, dim = 40, 12
	rng := rand.New(rand.NewPCG(5, 6))
	base := make([]float32, words*dim)
	for i := range base {
		base[i] = float32(rng.NormFloat64())
		if i/dim%2 == 1 && i%dim < dim/3 {
			base[i] = base[i-dim]
		}
	}
	var list []example
	for i := range int32(words / 2) {
		list = append(list, example{same: i, query: []part{{2 * i, 1}, {0, 0.1}}, passage: []part{{2*i + 1, 1}, {1, 0.2}}})
	}
	return newContrast(base, dim, dim-3, make([][]int32, words), o), [][]example{list}
}

// TestSlopes holds the derivatives to differences of the loss.
func TestSlopes(t *testing.T) {
	c, lists := small(contrastOptions{batch: 8, longest: 9, heat: 0.3})
	batch := []example{}
	for i := range 8 {
		batch = append(batch, lists[0][i])
	}
	loss := func() float64 { return c.look(batch) }
	loss()
	c.slopes()
	const h = 1e-2
	for name, l := range map[string]*learned{"map": &c.turn, "weight": &c.weight} {
		for i := 0; i < len(l.x); i += 7 {
			was := l.x[i]
			l.x[i] = was + h
			up := loss()
			l.x[i] = was - h
			down := loss()
			l.x[i] = was
			if got, want := float64(l.slope[i]), (up-down)/(2*h); math.Abs(got-want) > 2e-3+0.02*math.Abs(want) {
				t.Errorf("%s %d: slope %.5f, difference %.5f", name, i, got, want)
			}
		}
	}
}

// TestContrastLearns: what belongs together gets nearer, twice in the same way.
func TestContrastLearns(t *testing.T) {
	o := contrastOptions{rounds: 40, part: 1, own: 1, batch: 16, run: 4, longest: 9, heat: 0.1, mapRate: 1e-2, wordRate: 1e-2, drop: 0.5}
	learn := func() (before, after float64, words []float32) {
		c, lists := small(o)
		batch := lists[0][:o.batch]
		before = c.look(batch)
		c.train(lists, nil)
		return before, c.look(batch), c.words()
	}
	before, after, words := learn()
	if after > 0.7*before {
		t.Errorf("loss %.3f, then %.3f", before, after)
	}
	if _, _, again := learn(); !slices.Equal(words, again) {
		t.Error("trained twice, two tables")
	}
}

func TestWithoutSharedWords(t *testing.T) {
	c, _ := small(contrastOptions{batch: 1})
	q, p := []part{{1, 1}, {2, 1}, {3, 1}}, []part{{2, 1}, {9, 1}}
	if got := c.without(q, p); !slices.Equal(got, []part{{1, 1}, {3, 1}}) {
		t.Error(got)
	}
	if got := c.without(p, p); !slices.Equal(got, p) {
		t.Errorf("nothing is left: %v", got)
	}
}

func TestProducts(t *testing.T) {
	a, b := []float32{1, 2, 3, 4, 5, 6}, []float32{1, 0, 2, 0, 1, 1}
	out := make([]float32, 4)
	products(out, a, b, 2, 2, 3)
	if !slices.Equal(out, []float32{7, 5, 16, 11}) {
		t.Error(out)
	}
	turned := make([]float32, 6)
	transpose(turned, a, 2, 3)
	if !slices.Equal(turned, []float32{1, 4, 2, 5, 3, 6}) {
		t.Error(turned)
	}
}
