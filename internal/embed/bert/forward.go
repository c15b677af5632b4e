package bert

import (
	"context"
	"math"
)

// forward returns the last layer's token vectors [rows, Hidden] of sequences
// that lie one behind the other. Linear layers see them as one matrix, so that
// each weight is fetched once for all; attention stays within a sequence, and
// nothing is padded.
func (m *Model) forward(ctx context.Context, batch [][]int32, rows int) ([]float32, error) {
	c := m.cfg
	h := m.lookUp(batch, rows)
	s := &scratch{
		q: make([]float32, rows*c.Hidden), k: make([]float32, rows*c.Hidden), v: make([]float32, rows*c.Hidden),
		mix: make([]float32, rows*c.Hidden), inner: make([]float32, rows*c.Inner),
	}
	for i := range m.layers {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m.block(&m.layers[i], h, s, batch)
	}
	return h, nil
}

// scratch is the memory that one call of forward works in.
type scratch struct{ q, k, v, mix, inner []float32 }

// lookUp is the layer before the first: word, position and type of each token.
func (m *Model) lookUp(batch [][]int32, rows int) []float32 {
	dim := m.cfg.Hidden
	h := make([]float32, rows*dim)
	at := 0
	for _, ids := range batch {
		for pos, id := range ids {
			row := h[at : at+dim]
			m.tables.word.add(row, int(id))
			m.tables.position.add(row, pos)
			m.tables.kind.add(row, 0)
			at += dim
		}
	}
	m.normalise(h, m.tables.norm)
	return h
}

// block runs h through one layer, in place.
func (m *Model) block(l *layer, h []float32, s *scratch, batch [][]int32) {
	m.apply(s.q, h, l.query, nil)
	m.apply(s.k, h, l.key, nil)
	m.apply(s.v, h, l.value, nil)
	m.attend(s, batch)
	m.apply(s.q, s.mix, l.out, nil)
	addTo(h, s.q)
	m.normalise(h, l.attended)
	m.apply(s.inner, h, l.up, phi())
	m.apply(s.q, s.inner, l.down, nil)
	addTo(h, s.q)
	m.normalise(h, l.done)
}

func addTo(dst, x []float32) {
	for i, v := range x {
		dst[i] += v
	}
}

// tile is how many floats of weights are worked on at a time: 16 KB, so that
// they and a token's vector stay in the first-level cache.
const tile = 4096

// apply computes dst = x W' + b for rows of x, and with a table the gelu of it.
func (m *Model) apply(dst, x []float32, l linear, table []float32) {
	rows := len(x) / l.in
	step := max(1, tile/l.in)
	spread(l.out, rows*l.in*l.out > 1<<19, func(low, high int) {
		for from := low; from < high; from += step {
			to := min(from+step, high)
			for r := range rows {
				m.product(dst[r*l.out:(r+1)*l.out], x[r*l.in:(r+1)*l.in], l, from, to, table)
			}
		}
	})
}

// product computes outputs from..to of one row.
func (m *Model) product(dst, x []float32, l linear, from, to int, table []float32) {
	for o := from; o < to; o++ {
		y := m.dot(x, l.w[o*l.in:(o+1)*l.in]) + l.b[o]
		if table != nil {
			y = gelu(table, y)
		}
		dst[o] = y
	}
}

// attend lets the tokens of each sequence look at each other, head by head:
// mix = softmax(Q K' / sqrt(d)) V.
func (m *Model) attend(s *scratch, batch [][]int32) {
	at := 0
	for _, ids := range batch {
		n := len(ids)
		spread(m.cfg.Heads, n*n*m.cfg.Hidden > 1<<19, func(low, high int) {
			for head := low; head < high; head++ {
				m.attendHead(s, at, n, head)
			}
		})
		at += n
	}
}

// attendHead does one head of the n tokens from row at on.
func (m *Model) attendHead(s *scratch, at, n, head int) {
	dim := m.cfg.Hidden
	size := dim / m.cfg.Heads
	col := head * size
	values := make([]float32, size*n) // V turned, so that the sum over tokens is a dot product
	for t := range n {
		for d, x := range s.v[(at+t)*dim+col : (at+t)*dim+col+size] {
			values[d*n+t] = x
		}
	}
	scale := float32(1 / math.Sqrt(float64(size)))
	shares := make([]float32, n)
	for t := range n {
		row := (at+t)*dim + col
		q := s.q[row : row+size]
		for u := range n {
			k := (at+u)*dim + col
			shares[u] = m.dot(q, s.k[k:k+size]) * scale
		}
		softmax(shares)
		for d := range size {
			s.mix[row+d] = m.dot(shares, values[d*n:(d+1)*n])
		}
	}
}

// normalise gives each row mean 0 and variance 1, then gain and bias (Ba,
// Kiros and Hinton, 2016).
func (m *Model) normalise(h []float32, n scaling) {
	dim := m.cfg.Hidden
	for at := 0; at < len(h); at += dim {
		row := h[at : at+dim]
		mean, square := 0.0, 0.0
		for _, x := range row {
			mean += float64(x)
		}
		mean /= float64(dim)
		for _, x := range row {
			d := float64(x) - mean
			square += d * d
		}
		scale := 1 / math.Sqrt(square/float64(dim)+m.cfg.Eps)
		for i, x := range row {
			row[i] = float32((float64(x)-mean)*scale)*n.gain[i] + n.bias[i]
		}
	}
}
