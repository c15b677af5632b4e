package vectors

import "testing"

// TestSignsOf: the code of eight numbers is what looking at each would make it.
func TestSignsOf(t *testing.T) {
	for x := uint64(0); x < 1<<32; x += 65521 {
		want := byte(0)
		for i := range 8 {
			if x>>(4*i)&15 > 8 {
				want |= 1 << i
			}
		}
		if got := signsOf(uint32(x)); got != want {
			t.Fatalf("%08x: %08b, want %08b", x, got, want)
		}
	}
}
