package vectors

import (
	"encoding/hex"
	"hash/crc32"
	"math"

	"github.com/pimento-memory/pimento"
)

const keyBytes = 8

// A key is a statement in binary.
type key [keyBytes]byte

func keyOf(st pimento.Statement) (k key, ok bool) {
	b, err := hex.DecodeString(string(st))
	if err != nil || len(b) != keyBytes {
		return k, false
	}
	return key(b), true
}

func (k key) statement() pimento.Statement { return pimento.Statement(hex.EncodeToString(k[:])) }

// A row is one vector as it is stored: a number is half a byte, from -7 to 7,
// times the scale. A scale of 0 says that there is none to be had: it is near
// nothing. One that is no number makes the row a mark: its key is the mark.
type row struct {
	key    key
	scale  float32
	halves []byte
	code   []byte
}

// halfBytes is the size of dim numbers, valueBytes that of a row's value: the
// upper half of its scale, its numbers, a checksum of these and the key.
func halfBytes(dim int) int  { return (dim + 1) / 2 }
func valueBytes(dim int) int { return 2 + halfBytes(dim) + 4 }

// rowBytes is the size of a row in the log.
func (s *Store) rowBytes() int { return keyBytes + valueBytes(s.dim) }

// codeBits is how many numbers of a vector have their sign in its code: more of
// them select no better.
const codeBits = 192

func codeBytes(dim int) int { return (min(dim, codeBits) + 7) / 8 }

// markRow is the row that stands for a mark in the log.
func markRow(mark uint64, dim int) row {
	r := row{scale: float32(math.NaN()), halves: make([]byte, halfBytes(dim))}
	le.PutUint64(r.key[:], mark)
	return r
}

// mark is what a mark's row says; ok is false for a vector.
func (r row) mark() (mark uint64, ok bool) {
	if r.scale == r.scale {
		return 0, false
	}
	return le.Uint64(r.key[:]), true
}

// decodeRow reads a row's value, of which the row keeps the numbers, with room for its
// code; ok is false for one that is damaged.
func decodeRow(k key, value []byte, dim int, code []byte) (r row, ok bool) {
	if !sound(k[:], value) {
		return r, false
	}
	r = row{key: k, scale: scaleOf(value), halves: value[2 : len(value)-4]}
	signs(code, r.halves, dim)
	r.code = code
	return r, true
}

// sound says whether a row's value has the right checksum.
func sound(key, value []byte) bool {
	n := len(value) - 4
	return crc32.Update(crc32.ChecksumIEEE(key), crc32.IEEETable, value[:n]) == le.Uint32(value[n:])
}

func scaleOf(value []byte) float32 { return math.Float32frombits(uint32(le.Uint16(value)) << 16) }

// value appends a row without its key.
func (r row) value(b []byte) []byte {
	start := len(b)
	b = le.AppendUint16(b, uint16(math.Float32bits(r.scale)>>16))
	b = append(b, r.halves...)
	return le.AppendUint32(b, crc32.Update(crc32.ChecksumIEEE(r.key[:]), crc32.IEEETable, b[start:]))
}

// quantize makes a row of a vector; one that is empty or holds what is no finite
// number is near nothing.
func quantize(k key, v []float32, dim int) row {
	r := row{key: k, halves: make([]byte, halfBytes(dim)), code: make([]byte, codeBytes(dim))}
	if !finite(v) {
		v = nil
	}
	most := float32(0)
	for _, x := range v {
		most = max(most, x, -x)
	}
	r.scale = math.Float32frombits(math.Float32bits(most/7) &^ 0xffff) // as it is stored
	for i := range dim {
		n := 0.0
		if r.scale > 0 {
			n = min(max(math.Round(float64(v[i]/r.scale)), -7), 7)
		}
		r.halves[i/2] |= byte(int(n)+8) << (4 * (i % 2))
	}
	signs(r.code, r.halves, dim) // not those of v: a row is the same before and after it is stored
	return r
}

// codeOf is the code of a question.
func codeOf(v []float32) []byte {
	code := make([]byte, codeBytes(len(v)))
	for i, x := range v[:min(len(v), codeBits)] {
		if x > 0 {
			code[i/8] |= 1 << (i % 8)
		}
	}
	return code
}

func finite(v []float32) bool {
	sum := float32(0)
	for _, x := range v {
		sum += x - x // NaN for what is no finite number
	}
	return sum == 0
}

// signs makes the code of a stored row, from zeroes: bit i is set where number i is
// positive.
func signs(code, halves []byte, dim int) {
	n := min(dim, codeBits)
	for i := 0; i+8 <= n; i += 8 {
		code[i/8] = signsOf(le.Uint32(halves[i/2:]))
	}
	for i := n &^ 7; i < n; i++ {
		if halves[i/2]>>(4*(i%2))&15 > 8 {
			code[i/8] |= 1 << (i % 8)
		}
	}
}

// signsOf is the code of eight numbers: adding 7 to each half byte carries from 9
// on, into the lowest bit of the byte above, or of the byte itself; what is
// carried is moved together.
func signsOf(halves uint32) byte {
	const low = 0x0f0f0f0f
	even := (halves&low + 0x07070707) >> 4 & 0x01010101
	odd := (halves>>4&low + 0x07070707) >> 4 & 0x01010101
	pairs := even | odd<<1
	return byte(pairs | pairs>>6 | pairs>>12 | pairs>>18)
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
