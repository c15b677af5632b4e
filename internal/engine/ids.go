package engine

import (
	"crypto/rand"
	"encoding/binary"
	"sync"
)

// ids makes ids of events and plans: ULIDs (github.com/ulid/spec), 48 bits of
// milliseconds and 80 of chance, which are counted up within a millisecond, so that
// the ids of one process sort as they were made. The usual library links the drivers of
// databases and seeds a generator of its own in every process.
type ids struct {
	mu  sync.Mutex
	ms  uint64 // of the last one
	top uint16 // of its chance
	low uint64
}

func (g *ids) next(ms uint64) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.low++; ms != g.ms || g.low == 0 {
		var b [10]byte
		rand.Read(b[:]) // never fails, see crypto/rand
		g.ms, g.top, g.low = ms, binary.BigEndian.Uint16(b[:]), binary.BigEndian.Uint64(b[2:])
	}
	return ulid(g.ms<<16|uint64(g.top), g.low)
}

// ulid writes 128 bits in Crockford's base 32.
func ulid(high, low uint64) string {
	const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	var out [26]byte
	for i := len(out) - 1; i >= 0; i-- {
		out[i] = digits[low&31]
		high, low = high>>5, low>>5|high<<59
	}
	return string(out[:])
}
