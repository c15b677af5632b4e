package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// low is a matrix of rank 3 with the singular values 9, 4 and 1.
func low(rows, cols int) *sparse {
	rng := rand.New(rand.NewPCG(7, 7))
	side := func(n int) *dense {
		d := newDense(n, 3)
		for i := range d.data {
			d.data[i] = float32(rng.NormFloat64())
		}
		orthonormal(d)
		return d
	}
	u, v := side(rows), side(cols)
	m := &sparse{rows: rows, cols: cols, start: []int{0}}
	for r := range rows {
		for c := range cols {
			x := float32(0)
			for k, s := range []float32{9, 4, 1} {
				x += s * u.row(r)[k] * v.row(c)[k]
			}
			m.col, m.val = append(m.col, int32(c)), append(m.val, x)
		}
		m.start = append(m.start, len(m.col))
	}
	return m
}

func TestFactorFindsSingularValues(t *testing.T) {
	m := low(200, 150)
	u, sigma := factor(m, 3, 2, 1)
	for i, want := range []float64{9, 4, 1} {
		if !(math.Abs(sigma[i]-want) < 1e-3) { // nor is it NaN
			t.Errorf("singular value %d is %v, not %v", i, sigma[i], want)
		}
	}
	g := gramMatrix(u)
	for i := range 3 {
		for j := range 3 {
			want := 0.0
			if i == j {
				want = 1
			}
			if !(math.Abs(g[i*3+j]-want) < 1e-3) {
				t.Errorf("columns %d and %d have the product %v", i, j, g[i*3+j])
			}
		}
	}
	again, _ := factor(m, 3, 2, 1)
	if !slices.Equal(u.data, again.data) {
		t.Error("a second run gives other vectors")
	}
}

func TestPPMI(t *testing.T) {
	// 0 and 1 are always neighbours, 2 and 3 too; a paragraph ends between them.
	var tokens []int32
	for range 20 {
		tokens = append(tokens, 0, 1, pause, 2, 3, pause)
	}
	m := ppmi(tokens, 4, ppmiOptions{window: 2, smoothing: 1, minimum: 1})
	if !slices.Equal(m.col, []int32{1, 0, 3, 2}) || !slices.Equal(m.start, []int{0, 1, 2, 3, 4}) {
		t.Fatalf("columns %v, rows start at %v", m.col, m.start)
	}
	for _, x := range m.val {
		if math.Abs(float64(x)-math.Log(4)) > 1e-5 {
			t.Errorf("a cell is %v, not ln 4", x)
		}
	}
}

func TestRetrofitPullsTogetherAndLeavesOthers(t *testing.T) {
	v := &dense{4, 2, []float32{1, 0, 0, 1, -1, 0, 0, -1}}
	retrofit(v, []group{{[]int{0, 1}, []float64{1, 1}, 1}}, []float64{1, 0, 1, 1}, 0.5, 10)
	if c := dot(v.row(0), v.row(1)); c < 0.9 {
		t.Errorf("words of a group have the cosine %v", c)
	}
	if !slices.Equal(v.row(2), []float32{-1, 0}) || !slices.Equal(v.row(3), []float32{0, -1}) {
		t.Errorf("words of no group have moved: %v", v.data)
	}
}
