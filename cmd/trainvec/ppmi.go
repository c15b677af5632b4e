package main

import (
	"cmp"
	"math"
	"slices"
)

// A sparse matrix in compressed rows.
type sparse struct {
	rows, cols int
	start      []int // where each row begins; rows+1 of them
	col        []int32
	val        []float32
}

// ppmiOptions are the choices in counting.
type ppmiOptions struct {
	window    int     // words to each side
	harmonic  bool    // a neighbour at distance d counts 1/d, instead of all the same
	shift     float64 // log k taken from each cell, in nats
	smoothing float64 // exponent of the context counts
	minimum   float64 // cells with a smaller count are left out
}

// ppmi counts which words stand near which, and returns the positive pointwise
// mutual information: how much more often than chance would have it, in nats.
// Words are numbered 0..n-1 in tokens, anything negative is no word (-1 ends a
// paragraph, -2 is a word out of the vocabulary, which keeps its place).
//
// It goes word by word over the places where that word stands, so that one row
// of counters is all the memory it needs.
func ppmi(tokens []int32, n int, o ppmiOptions) *sparse {
	start, places := postings(tokens, n)
	weight := make([]float32, o.window+1)
	for d := 1; d <= o.window; d++ {
		weight[d] = 1
		if o.harmonic {
			weight[d] = 1 / float32(d)
		}
	}
	row := make([]float32, n)
	var touched []int32
	visit := func(w int, each func(c int32, count float32)) {
		for _, at := range places[start[w]:start[w+1]] {
			touched = near(tokens, int(at), weight, row, touched)
		}
		for _, c := range touched {
			each(c, row[c])
			row[c] = 0
		}
		touched = touched[:0]
	}
	sum := make([]float64, n)
	for w := range n {
		visit(w, func(_ int32, count float32) { sum[w] += float64(count) })
	}
	total, smooth := 0.0, 0.0
	for _, s := range sum {
		total += s
		smooth += math.Pow(s, o.smoothing)
	}
	m := &sparse{rows: n, cols: n, start: make([]int, n+1)}
	for w := range n {
		visit(w, func(c int32, count float32) {
			if float64(count) < o.minimum {
				return
			}
			p := math.Log(float64(count)*smooth/(sum[w]*math.Pow(sum[c], o.smoothing))) - o.shift
			if p > 0 {
				m.col = append(m.col, c)
				m.val = append(m.val, float32(p))
			}
		})
		m.start[w+1] = len(m.col)
		m.sortRow(w)
	}
	return m
}

// sortRow orders a row by column: memory is read forwards when it is used.
func (m *sparse) sortRow(r int) {
	a, b := m.start[r], m.start[r+1]
	type cell struct {
		col int32
		val float32
	}
	cells := make([]cell, 0, b-a)
	for i := a; i < b; i++ {
		cells = append(cells, cell{m.col[i], m.val[i]})
	}
	slices.SortFunc(cells, func(x, y cell) int { return int(x.col) - int(y.col) })
	for i, c := range cells {
		m.col[a+i], m.val[a+i] = c.col, c.val
	}
}

// near adds the neighbours of one place to the row.
func near(tokens []int32, at int, weight, row []float32, touched []int32) []int32 {
	for d := 1; d < len(weight) && at-d >= 0 && tokens[at-d] != pause; d++ {
		if c := tokens[at-d]; c >= 0 {
			if row[c] == 0 {
				touched = append(touched, c)
			}
			row[c] += weight[d]
		}
	}
	for d := 1; d < len(weight) && at+d < len(tokens) && tokens[at+d] != pause; d++ {
		if c := tokens[at+d]; c >= 0 {
			if row[c] == 0 {
				touched = append(touched, c)
			}
			row[c] += weight[d]
		}
	}
	return touched
}

// postings lists for each word the places where it stands.
func postings(tokens []int32, n int) (start []int, places []int32) {
	start = make([]int, n+1)
	for _, t := range tokens {
		if t >= 0 {
			start[t+1]++
		}
	}
	for i := range n {
		start[i+1] += start[i]
	}
	places = make([]int32, start[n])
	next := slices.Clone(start[:n])
	for at, t := range tokens {
		if t >= 0 {
			places[next[t]] = int32(at)
			next[t]++
		}
	}
	return start, places
}

// A triple is a cell of a matrix by itself.
type triple struct {
	row, col int32
	val      float32
}

// atLeast is the matrix with some cells raised to what is given for them.
func (m *sparse) atLeast(given []triple) *sparse {
	cells := slices.Clone(given)
	for r := range m.rows {
		for i := m.start[r]; i < m.start[r+1]; i++ {
			cells = append(cells, triple{int32(r), m.col[i], m.val[i]})
		}
	}
	slices.SortFunc(cells, func(x, y triple) int {
		return cmp.Or(cmp.Compare(x.row, y.row), cmp.Compare(x.col, y.col), cmp.Compare(y.val, x.val))
	})
	cells = slices.CompactFunc(cells, func(x, y triple) bool { return x.row == y.row && x.col == y.col }) // the largest stays
	out := &sparse{rows: m.rows, cols: m.cols, start: make([]int, m.rows+1)}
	for _, c := range cells {
		out.col, out.val = append(out.col, c.col), append(out.val, c.val)
		out.start[c.row+1] = len(out.col)
	}
	for r := range m.rows { // an empty row begins where the one before ends
		out.start[r+1] = max(out.start[r+1], out.start[r])
	}
	return out
}
