package vectors

import (
	"bytes"
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/pimento-memory/pimento"
)

// A Near is a statement with its cosine similarity to what was asked.
type Near struct {
	Statement pimento.Statement
	Sim       float32
}

// rescored is how many of the best codes are compared number by number for each
// result, because signs alone put a right answer some places too low.
const rescored = 6

// Nearest are the n statements nearest to a vector of length 1, nearest first;
// equal ones in the order of the statements.
func (s *Store) Nearest(ctx context.Context, q []float32, n int) ([]Near, error) {
	if err := ctx.Err(); err != nil {
		return nil, s.fail(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(q) != s.dim || n <= 0 {
		return nil, nil
	}
	code := quantize(key{}, q).code
	if s.base != nil {
		s.hurt = s.base.searched() || s.hurt
	}
	if m := rescored * n; s.base.rows() > m {
		return s.compare(q, s.base.best(code, m), n)
	}
	all := make([]int, s.base.rows())
	for i := range all {
		all[i] = i
	}
	return s.compare(q, all, n)
}

// compare ranks some rows of the base and the whole tail.
func (s *Store) compare(q []float32, rows []int, n int) ([]Near, error) {
	out := make([]near, 0, len(rows)+len(s.tail))
	buf := make([]byte, valueBytes(s.dim))
	for _, i := range rows {
		sim, ok, err := s.base.dot(i, q, buf)
		if err != nil {
			return nil, s.fail(err)
		}
		if ok {
			out = append(out, near{key(s.base.keys[i*keyBytes:]), sim})
		} else {
			s.hurt = true
		}
	}
	for _, r := range s.tail {
		out = append(out, near{r.key, dotOf(r.scale, r.halves, q)})
	}
	slices.SortFunc(out, func(a, b near) int {
		return cmp.Or(cmp.Compare(b.sim, a.sim), bytes.Compare(a.key[:], b.key[:]))
	})
	found := make([]Near, min(n, len(out)))
	for i := range found {
		found[i] = Near{out[i].key.statement(), out[i].sim}
	}
	return found, nil
}

type near struct {
	key key
	sim float32
}

// best are the m rows whose codes differ least, in any order. Distances are
// counted first, so that one more pass can take just those below the bound.
func (c *columns) best(code []byte, m int) []int {
	width := codeBytes(c.dim)
	far := make([]uint16, c.n)
	counts := make([]int, codeBits+2)
	for i := range far {
		d := 0
		row := c.codes[i*width : (i+1)*width]
		j := 0
		for ; j+8 <= width; j += 8 {
			d += bits.OnesCount64(le.Uint64(row[j:]) ^ le.Uint64(code[j:]))
		}
		for ; j < width; j++ {
			d += bits.OnesCount8(row[j] ^ code[j])
		}
		far[i] = uint16(d)
		counts[d]++
	}
	bound, sum := 0, 0
	for ; bound < len(counts) && sum+counts[bound] <= m; bound++ {
		sum += counts[bound]
	}
	out := make([]int, 0, m)
	for i, d := range far {
		if int(d) < bound || int(d) == bound && len(out) < cap(out) && sum < m {
			if int(d) == bound {
				sum++
			}
			out = append(out, i)
		}
	}
	return out
}

// quantize makes a row of a vector.
func quantize(k key, v []float32) row {
	most := float32(0)
	for _, x := range v {
		most = max(most, x, -x)
	}
	scale := math.Float32frombits(math.Float32bits(most/7) &^ 0xffff) // as it is stored
	r := row{key: k, scale: scale, halves: make([]byte, halfBytes(len(v)))}
	for i, x := range v {
		n := 0.0
		if most > 0 {
			n = min(max(math.Round(float64(x/r.scale)), -7), 7)
		}
		r.halves[i/2] |= byte(int(n)+8) << (4 * (i % 2))
	}
	r.code = make([]byte, codeBytes(len(v)))
	for i, x := range v[:min(len(v), codeBits)] {
		if x > 0 {
			r.code[i/8] |= 1 << (i % 8)
		}
	}
	return r
}

// signs is the code of a stored row: bit i is set where number i is positive.
func signs(halves []byte, dim int) []byte {
	code := make([]byte, codeBytes(dim))
	for i := range min(dim, codeBits) {
		if halves[i/2]>>(4*(i%2))&15 > 8 {
			code[i/8] |= 1 << (i % 8)
		}
	}
	return code
}

// dot is the inner product of a row's value and a vector.
func dot(value []byte, q []float32) float32 { return dotOf(scaleOf(value), value[2:], q) }

func dotOf(scale float32, halves []byte, q []float32) float32 {
	sum := float32(0)
	for i := 0; i+1 < len(q); i += 2 {
		b := halves[i/2]
		sum += float32(int(b&15)-8)*q[i] + float32(int(b>>4)-8)*q[i+1]
	}
	if n := len(q); n%2 == 1 {
		sum += float32(int(halves[n/2]&15)-8) * q[n-1]
	}
	return sum * scale
}
