package main

import (
	"math"
	"math/rand/v2"
	"slices"
)

// dense is a matrix of row vectors.
type dense struct {
	rows, cols int
	data       []float32
}

func newDense(rows, cols int) *dense {
	return &dense{rows, cols, make([]float32, rows*cols)}
}

func (m *dense) row(i int) []float32 { return m.data[i*m.cols : (i+1)*m.cols : (i+1)*m.cols] }

// factor is a randomized singular value decomposition (Halko, Martinsson and
// Tropp 2011): the matrix is multiplied with a quarter more random vectors than
// the dimensions wanted, and again a few times so that the large singular values
// stand out. With less of both the last dimensions are half noise. It returns the left singular vectors as rows of words, and the
// singular values in falling order.
func factor(m *sparse, dim, power int, seed uint64) (*dense, []float64) {
	k := dim + dim/4 + 4
	rng := rand.New(rand.NewPCG(seed, 0))
	omega := newDense(m.cols, k)
	for i := range omega.data {
		omega.data[i] = float32(rng.NormFloat64())
	}
	y := m.times(omega)
	orthonormal(y)
	for range power {
		z := m.transposedTimes(y)
		orthonormal(z)
		y = m.times(z)
		orthonormal(y)
	}
	b := m.transposedTimes(y) // (Q^T M)^T: cols x k
	values, vectors := symmetricEigen(gramMatrix(b), k)
	out := newDense(m.rows, dim)
	for r := range m.rows {
		src, dst := y.row(r), out.row(r)
		for j := range dim {
			sum := 0.0
			for i, x := range src {
				sum += float64(x) * vectors[i*k+j]
			}
			dst[j] = float32(sum)
		}
	}
	sigma := make([]float64, dim)
	for j := range sigma {
		sigma[j] = math.Sqrt(max(values[j], 0))
	}
	return out, sigma
}

// times is m * d.
func (m *sparse) times(d *dense) *dense {
	out := newDense(m.rows, d.cols)
	for r := range m.rows {
		dst := out.row(r)
		for i := m.start[r]; i < m.start[r+1]; i++ {
			axpy(m.val[i], d.row(int(m.col[i])), dst)
		}
	}
	return out
}

// transposedTimes is the transpose of m, times d.
func (m *sparse) transposedTimes(d *dense) *dense {
	out := newDense(m.cols, d.cols)
	for r := range m.rows {
		src := d.row(r)
		for i := m.start[r]; i < m.start[r+1]; i++ {
			axpy(m.val[i], src, out.row(int(m.col[i])))
		}
	}
	return out
}

// axpy adds a times x to y.
func axpy(a float32, x, y []float32) {
	y = y[:len(x)]
	for i := 0; i+4 <= len(x); i += 4 {
		xs, ys := x[i:i+4:i+4], y[i:i+4:i+4]
		ys[0] += a * xs[0]
		ys[1] += a * xs[1]
		ys[2] += a * xs[2]
		ys[3] += a * xs[3]
	}
	for i := len(x) &^ 3; i < len(x); i++ {
		y[i] += a * x[i]
	}
}

// orthonormal makes the columns of d orthonormal: it divides by the Cholesky
// factor of the columns' products, twice, because once is not exact enough.
func orthonormal(d *dense) {
	for range 2 {
		g := gramMatrix(d)
		r := cholesky(g, d.cols)
		for i := range d.rows {
			solveRow(d.row(i), r, d.cols)
		}
	}
}

// gramMatrix is the products of the columns with each other.
func gramMatrix(d *dense) []float64 {
	k := d.cols
	const block = 256 // rows summed in float32 before they go to the float64 sum
	g, part := make([]float64, k*k), make([]float32, k*k)
	for r := 0; r < d.rows; r += block {
		clear(part)
		for i := r; i < min(r+block, d.rows); i++ {
			row := d.row(i)
			for a, x := range row {
				axpy(x, row[a:], part[a*k+a:(a+1)*k])
			}
		}
		for i, x := range part {
			g[i] += float64(x)
		}
	}
	for a := range k {
		for b := range a {
			g[a*k+b] = g[b*k+a]
		}
	}
	return g
}

// cholesky is the upper triangular r with r^T r = g. A column that hangs on the
// ones before it leaves only rounding errors, which must not be blown up to
// length 1: it keeps its size, and nothing is taken from the others for it.
func cholesky(g []float64, k int) []float64 {
	r := make([]float64, k*k)
	for i := range k {
		for j := i; j < k; j++ {
			sum := g[i*k+j]
			for l := range i {
				sum -= r[l*k+i] * r[l*k+j]
			}
			if i == j && sum <= 1e-9*g[i*k+i] {
				r[i*k+i] = max(math.Sqrt(g[i*k+i]), 1)
				break
			}
			if i == j {
				r[i*k+i] = math.Sqrt(sum)
			} else {
				r[i*k+j] = sum / r[i*k+i]
			}
		}
	}
	return r
}

// solveRow replaces the row x by x times the inverse of r.
func solveRow(x []float32, r []float64, k int) {
	y := make([]float64, k)
	for i, v := range x {
		y[i] = float64(v)
	}
	for i := range k {
		y[i] /= r[i*k+i]
		f := y[i]
		line := r[i*k : (i+1)*k]
		for j := i + 1; j < k; j++ {
			y[j] -= f * line[j]
		}
	}
	for i, v := range y {
		x[i] = float32(v)
	}
}

// symmetricEigen is the eigenvalues of a symmetric matrix in falling order,
// and the eigenvectors as columns, by Jacobi's rotations.
func symmetricEigen(a []float64, k int) ([]float64, []float64) {
	a = slices.Clone(a)
	v := make([]float64, k*k)
	for i := range k {
		v[i*k+i] = 1
	}
	for range 30 {
		off := 0.0
		for p := range k {
			for q := p + 1; q < k; q++ {
				off += a[p*k+q] * a[p*k+q]
				rotate(a, v, k, p, q)
			}
		}
		trace := 0.0
		for p := range k {
			trace += a[p*k+p] * a[p*k+p]
		}
		if off <= 1e-18*trace {
			break
		}
	}
	order := make([]int, k)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int {
		switch {
		case a[x*k+x] > a[y*k+y]:
			return -1
		case a[x*k+x] < a[y*k+y]:
			return 1
		}
		return 0
	})
	values, vectors := make([]float64, k), make([]float64, k*k)
	for j, o := range order {
		values[j] = a[o*k+o]
		for i := range k {
			vectors[i*k+j] = v[o*k+i]
		}
	}
	return values, vectors
}

// rotate makes a[p][q] zero, and turns the rows p and q of v in the same way. A
// cell that is nothing beside its diagonal is left alone.
func rotate(a, v []float64, k, p, q int) {
	app, aqq, apq := a[p*k+p], a[q*k+q], a[p*k+q]
	if math.Abs(apq) <= 1e-15*math.Sqrt(math.Abs(app*aqq)) {
		return
	}
	theta := (aqq - app) / (2 * apq)
	t := 1 / (math.Abs(theta) + math.Sqrt(theta*theta+1))
	if theta < 0 {
		t = -t
	}
	c := 1 / math.Sqrt(t*t+1)
	s := t * c
	turn(a[p*k:(p+1)*k], a[q*k:(q+1)*k], c, s)
	turn(v[p*k:(p+1)*k], v[q*k:(q+1)*k], c, s)
	a[p*k+p], a[q*k+q], a[p*k+q], a[q*k+p] = app-t*apq, aqq+t*apq, 0, 0
	for i := range k { // it stays symmetric
		a[i*k+p], a[i*k+q] = a[p*k+i], a[q*k+i]
	}
}

func turn(x, y []float64, c, s float64) {
	y = y[:len(x)]
	for i, f := range x {
		x[i], y[i] = c*f-s*y[i], s*f+c*y[i]
	}
}
