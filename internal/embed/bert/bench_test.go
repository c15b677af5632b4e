//go:build unix

package bert

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/pimento-memory/pimento/internal/cputime"
)

// BenchmarkEncode is the forward pass in the shape of bge-small: a query of 16
// tokens, a long memory, and what is longest.
func BenchmarkEncode(b *testing.B) {
	m := open1(b, newCheckpoint(bgeConfig(), 1).write(b, "F32", "cls"))
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{16, 128, 512} {
		ids := randomIDs(rng, n, m.cfg.Vocab)
		b.Run(strconv.Itoa(n)+"tokens", func(b *testing.B) {
			defer cputime.Report(b)()
			for b.Loop() {
				if _, err := m.encode(b.Context(), [][]int32{ids}, n); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkOpen is what a one-shot process pays before its first vector.
func BenchmarkOpen(b *testing.B) {
	dir := newCheckpoint(bgeConfig(), 1).write(b, "F32", "cls")
	defer cputime.Report(b)()
	for b.Loop() {
		m, err := Open(b.Context(), dir)
		if err != nil {
			b.Fatal(err)
		}
		m.Close()
	}
}
