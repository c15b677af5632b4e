package vectors

import (
	"bytes"
	"cmp"
	"context"
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
const rescored = 10

// Nearest are the n statements nearest to a vector of length 1, nearest first;
// equal ones in the order of the statements.
func (s *Store) Nearest(ctx context.Context, q []float32, n int) ([]Near, error) {
	if err := ctx.Err(); err != nil {
		return nil, s.fail(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || len(q) != s.dim || n <= 0 || !finite(q) {
		return nil, nil
	}
	if s.base != nil {
		s.hurt = s.base.searched() || s.hurt
	}
	found, err := s.compare(q, s.best(codeOf(q), rescored*n))
	if err != nil {
		return nil, s.fail(err)
	}
	slices.SortFunc(found, func(a, b near) int {
		return cmp.Or(cmp.Compare(b.sim, a.sim), bytes.Compare(a.key[:], b.key[:]))
	})
	out := make([]Near, min(n, len(found)))
	for i := range out {
		out[i] = Near{found[i].key.statement(), found[i].sim}
	}
	return out, nil
}

type near struct {
	key key
	sim float32
}

// young is a row that is not in the base, counted from 0.
func (s *Store) young(i int) *row {
	if i < len(s.tail) {
		return &s.tail[i]
	}
	return &s.own[i-len(s.tail)]
}

// compare compares rows number by number, those behind the base's being young.
func (s *Store) compare(q []float32, rows []int) ([]near, error) {
	out := make([]near, 0, len(rows))
	buf := make([]byte, valueBytes(s.dim))
	for _, i := range rows {
		if n := s.base.rows(); i >= n {
			r := s.young(i - n)
			out = append(out, near{r.key, dotOf(r.scale, r.halves, q)})
			continue
		}
		sim, ok, err := s.base.dot(i, q, buf)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, near{key(s.base.keys[i*keyBytes:]), sim})
		} else {
			s.hurt = true
		}
	}
	return out, nil
}

// best are the m rows whose codes differ least, in order of their numbers; of those that
// differ as much, the ones with the least keys. Distances are counted first, so that
// one more pass can take just those up to the bound.
func (s *Store) best(code []byte, m int) []int {
	width, old := codeBytes(s.dim), s.base.rows()
	far := make([]uint16, old+len(s.tail)+len(s.own))
	var counts [codeBits + 2]int
	for i := range far {
		row := []byte(nil)
		if i < old {
			row = s.base.codes[i*width : (i+1)*width]
		} else {
			row = s.young(i - old).code
		}
		d := differing(row, code)
		far[i] = d
		counts[d]++
	}
	bound, sum := 0, 0
	for ; bound < len(counts) && sum+counts[bound] <= m; bound++ {
		sum += counts[bound]
	}
	out := make([]int, 0, min(m, len(far)))
	var ties []int
	for i, d := range far {
		switch {
		case int(d) < bound:
			out = append(out, i)
		case int(d) == bound:
			ties = append(ties, i)
		}
	}
	if len(ties) > m-sum {
		slices.SortFunc(ties, func(a, b int) int { return bytes.Compare(s.keyOf(a), s.keyOf(b)) })
		ties = ties[:m-sum]
	}
	out = append(out, ties...)
	slices.Sort(out)
	return out
}

func (s *Store) keyOf(row int) []byte {
	if n := s.base.rows(); row >= n {
		return s.young(row - n).key[:]
	}
	return s.base.keys[row*keyBytes : (row+1)*keyBytes]
}

// differing counts the bits that differ.
func differing(a, b []byte) uint16 {
	d, j := 0, 0
	for ; j+8 <= len(b); j += 8 {
		d += bits.OnesCount64(le.Uint64(a[j:]) ^ le.Uint64(b[j:]))
	}
	for ; j < len(b); j++ {
		d += bits.OnesCount8(a[j] ^ b[j])
	}
	return uint16(d)
}
