package text

// A Beside is a sketch of which stems stand side by side in a text, stop words
// left out, in one bit for each such pair: what it says no to is not so, what
// it says yes to is mostly so in a text of a few words. The zero Beside knows
// nothing and says yes. It is kept in the index, so its bits are a matter of
// format.
type Beside [2]uint64

// besideBits is the number of bits. A note of twelve words sets a tenth of them.
const besideBits = 128

// besideIn is the sketch of a text whose terms stand in their order.
func besideIn(terms []string) (b Beside) {
	last := ""
	for _, key := range terms {
		if key[0] != Word {
			continue
		}
		if last != "" && last != key[1:] {
			b.Add(last, key[1:])
		}
		last = key[1:]
	}
	return b
}

// Add notes that two stems stand side by side, in this order.
func (b *Beside) Add(first, second string) {
	bit := BesideBit(first, second)
	b[bit/64] |= 1 << (bit % 64)
}

// May says whether the pair of a [BesideBit] may stand in the text.
func (b Beside) May(bit uint8) bool {
	return b == Beside{} || b[bit/64]>>(bit%64)&1 != 0
}

// BesideBit is the bit of a pair of stems: FNV-1a of both, a byte between them
// that no text holds.
func BesideBit(first, second string) uint8 {
	h := uint32(2166136261)
	for i := range len(first) {
		h = (h ^ uint32(first[i])) * 16777619
	}
	h = (h ^ 0xff) * 16777619
	for i := range len(second) {
		h = (h ^ uint32(second[i])) * 16777619
	}
	return uint8((h ^ h>>16) % besideBits)
}
