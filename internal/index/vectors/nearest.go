package vectors

import (
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

// rescored is how many of the best codes are compared byte by byte for each
// result: signs alone put a right answer a few hundred places too low at worst.
const rescored = 4

// rescoredLeast is how many are compared at least.
const rescoredLeast = 200

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
	code := signs(quantize(key{}, q).bytes)
	if m := max(rescoredLeast, rescored*n); s.base.rows() > m {
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
	out := make([]Near, 0, len(rows)+len(s.tail))
	buf := make([]byte, 4+s.dim)
	for _, i := range rows {
		scale, raw, err := s.base.raw(i, buf)
		if err != nil {
			return nil, s.fail(err)
		}
		out = append(out, Near{key(s.base.keys[i*keyBytes:]).statement(), dot(raw, q) * scale})
	}
	for _, r := range s.tail {
		out = append(out, Near{r.key.statement(), r.dot(q)})
	}
	slices.SortFunc(out, func(a, b Near) int {
		return cmp.Or(cmp.Compare(b.Sim, a.Sim), cmp.Compare(a.Statement, b.Statement))
	})
	return out[:min(n, len(out))], nil
}

// Sim is the similarity of a statement to a vector; ok is false when it has no
// vector.
func (s *Store) Sim(st pimento.Statement, q []float32) (sim float32, ok bool) {
	k, good := keyOf(st)
	if !good || len(q) != s.dim {
		return 0, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.base.find(k); i >= 0 {
		r, err := s.base.row(i)
		return r.dot(q), err == nil
	}
	if s.at[k] {
		for _, r := range s.tail {
			if r.key == k {
				return r.dot(q), true
			}
		}
	}
	return 0, false
}

// best are the m rows whose codes differ least, in any order. Distances are
// counted first, so that one more pass can take just those below the bound.
func (c *columns) best(code []byte, m int) []int {
	width := codeBytes(c.dim)
	far := make([]uint16, c.n)
	counts := make([]int, c.dim+2)
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
	r := row{key: k, scale: most / 127, bytes: make([]int8, len(v))}
	if most > 0 {
		for i, x := range v {
			r.bytes[i] = int8(math.Round(float64(x / r.scale)))
		}
	}
	r.code = signs(r.bytes)
	return r
}

// signs is the code of a row: bit i is set where byte i is positive.
func signs(b []int8) []byte {
	code := make([]byte, codeBytes(len(b)))
	for i, x := range b {
		if x > 0 {
			code[i/8] |= 1 << (i % 8)
		}
	}
	return code
}

func (r row) dot(q []float32) float32 { return dot(r.bytes, q) * r.scale }

// dot is the inner product of signed bytes and a vector of the same length.
func dot[B int8 | byte](b []B, q []float32) (sum float32) {
	q = q[:len(b)]
	for i, x := range b {
		sum += float32(int8(x)) * q[i]
	}
	return sum
}
