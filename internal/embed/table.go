package embed

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"math/bits"
	"strings"
)

// A table of word vectors is one run of bytes that is read where it lies:
//
//	header  64 bytes: magic, then uint32 dim, words, slots, length of all keys, crc32
//	slots   uint16 each: the number of a word plus 1, 0 for none; found by hash
//	ends    uint32 for each word: where its key ends among the keys
//	keys    one after the other, in UTF-8
//	rows    for each word a float32 scale, then dim/2 bytes of two numbers each
//	likes   for each word likesEach of: uint16 the number of a word plus 1, 0 for none;
//	        a byte of their likeness, 0 for likeLeast to 255 for 1
//
// All numbers are little-endian. A number of a row has four bits, the lower ones
// first, and means -7..7 as 1..15; times the scale it is the vector's. The scale
// holds the word's weight too, so that a text's vector is a plain sum. Four bits
// instead of eight cost nothing that could be measured and leave room for twice
// the dimensions or words. The crc is over all that follows the header.
const (
	magic      = "pimvec\x00\x02" // the last byte is the version of the format
	headerSize = 64
)

// MaxWords is how many words a table can hold: a slot is 16 bits.
const MaxWords = 1<<16 - 2

// table is a view of such bytes. It is a string because the linker keeps the
// embedded file as one, read-only, and nothing must copy it.
type table struct {
	data                    string
	dim, words, slots       int
	slotAt, endAt           int // where the sections begin
	keyAt, rowAt, rowLength int
	likeAt                  int
}

var errTable = errors.New("embed: not a table of word vectors")

// openTable checks the header against the length; it reads nothing else. The
// rows are only as good as the bytes.
func openTable(data string) (table, error) {
	if len(data) < headerSize || data[:len(magic)] != magic {
		return table{}, errTable
	}
	t := table{data: data, dim: number(data, 8), words: number(data, 12), slots: number(data, 16)}
	keys := number(data, 20)
	if t.dim < 2 || t.dim > 1<<12 || t.dim%2 != 0 || t.words > MaxWords || t.slots > 1<<17 || t.slots <= t.words ||
		bits.OnesCount(uint(t.slots)) != 1 || keys > len(data) {
		return table{}, errTable
	}
	t.slotAt = headerSize
	t.endAt = t.slotAt + 2*t.slots
	t.keyAt = t.endAt + 4*t.words
	t.rowAt = t.keyAt + keys
	t.rowLength = 4 + t.dim/2
	t.likeAt = t.rowAt + t.words*t.rowLength
	if want := t.likeAt + t.words*likeBytes; want != len(data) {
		return table{}, fmt.Errorf("%w: %d bytes instead of %d", errTable, len(data), want)
	}
	return t, nil
}

// sum is the checksum that the header claims.
func (t *table) sum() uint32 { return uint32(number(t.data, 24)) }

// number reads a uint32.
func number(s string, at int) int {
	_ = s[at+3]
	return int(uint32(s[at]) | uint32(s[at+1])<<8 | uint32(s[at+2])<<16 | uint32(s[at+3])<<24)
}

// find returns the number of the word that the parts make, or -1.
func (t *table) find(parts ...string) int {
	h := uint32(offset)
	for _, p := range parts {
		h = hash(h, p)
	}
	for slot := h & uint32(t.slots-1); ; slot = (slot + 1) & uint32(t.slots-1) {
		at := t.slotAt + 2*int(slot)
		w := int(t.data[at]) | int(t.data[at+1])<<8
		if w == 0 || w > t.words {
			return -1
		}
		if is(t.key(w-1), parts) {
			return w - 1
		}
	}
}

// is tells whether the parts make the word.
func is(word string, parts []string) bool {
	for _, p := range parts {
		rest, ok := strings.CutPrefix(word, p)
		if !ok {
			return false
		}
		word = rest
	}
	return word == ""
}

// key is the word with that number.
func (t *table) key(w int) string {
	from := 0
	if w > 0 {
		from = number(t.data, t.endAt+4*(w-1))
	}
	return t.data[t.keyAt+from : t.keyAt+number(t.data, t.endAt+4*w)]
}

// add adds a word's weighted vector, times share, to v.
func (t *table) add(v []float32, w int, share float32) {
	row := t.data[t.rowAt+w*t.rowLength:][:t.rowLength]
	scale := share * math.Float32frombits(uint32(number(row, 0)))
	row = row[4:]
	v = v[:2*len(row)]
	for i := range len(row) {
		b := row[i]
		v[2*i] += scale * float32(int8(b&15)-zero)
		v[2*i+1] += scale * float32(int8(b>>4)-zero)
	}
}

// zero is the four bits that mean 0, and most how far a number can be from it.
const (
	zero = 8
	most = 7
)

// offset is where a hash begins.
const offset = 2166136261

// hash is FNV-1a, continued from h.
func hash(h uint32, s string) uint32 {
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h
}

// A Row is a word with its weighted vector, for [EncodeTable]. A vector has an
// even number of dimensions.
type Row struct {
	Word   string
	Vector []float32
}

// EncodeTable makes the bytes of a table. All vectors must have the same
// length, words must differ; each vector is rounded to 4 bits with a scale of
// its own. Only the trainer calls it.
func EncodeTable(rows []Row) ([]byte, error) {
	if len(rows) == 0 || len(rows) > MaxWords {
		return nil, fmt.Errorf("embed: a table holds 1 to %d words, not %d", MaxWords, len(rows))
	}
	dim, slots := len(rows[0].Vector), 1<<bits.Len(uint(len(rows))*3/2)
	table := make([]uint16, slots)
	var ends, keys, body []byte
	likes := nearest(rows)
	seen := map[string]bool{}
	for i, r := range rows {
		if len(r.Vector) != dim || dim%2 != 0 || seen[r.Word] {
			return nil, fmt.Errorf("embed: word %q is there twice, or has the wrong dimension", r.Word)
		}
		seen[r.Word] = true
		slot := hash(offset, r.Word) & uint32(slots-1)
		for table[slot] != 0 {
			slot = (slot + 1) & uint32(slots-1)
		}
		table[slot] = uint16(i + 1)
		keys = append(keys, r.Word...)
		ends = binary.LittleEndian.AppendUint32(ends, uint32(len(keys)))
		body = appendRow(body, r.Vector)
	}
	out := make([]byte, headerSize)
	copy(out, magic)
	for i, n := range []int{dim, len(rows), slots, len(keys)} {
		binary.LittleEndian.PutUint32(out[8+4*i:], uint32(n))
	}
	for _, s := range table {
		out = binary.LittleEndian.AppendUint16(out, s)
	}
	out = append(append(append(append(out, ends...), keys...), body...), likes...)
	binary.LittleEndian.PutUint32(out[24:], crc32.ChecksumIEEE(out[headerSize:]))
	return out, nil
}

// appendRow appends the scale and the rounded numbers of a vector.
func appendRow(b []byte, v []float32) []byte {
	scale := bestScale(v)
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(scale))
	for i := 0; i < len(v); i += 2 {
		b = append(b, byte(zero+round(v[i], scale))|byte(zero+round(v[i+1], scale))<<4)
	}
	return b
}

// bestScale is the scale with the smallest error: a little less than what the
// largest number would need, because most are small.
func bestScale(v []float32) float32 {
	peak := float32(0)
	for _, x := range v {
		peak = max(peak, x, -x)
	}
	best, least := float32(0), math.Inf(1)
	for step := 8; step <= 20 && peak > 0; step++ {
		scale := peak / most * float32(step) / 20
		sum := 0.0
		for _, x := range v {
			d := float64(x - scale*float32(round(x, scale)))
			sum += d * d
		}
		if sum < least {
			best, least = scale, sum
		}
	}
	return best
}

func round(x, scale float32) int {
	if scale == 0 {
		return 0
	}
	return int(max(-most, min(most, math.RoundToEven(float64(x/scale)))))
}
