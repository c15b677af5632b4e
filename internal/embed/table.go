package embed

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"math/bits"
)

// A table of word vectors is one run of bytes that is read where it lies:
//
//	header  64 bytes: magic, then uint32 dim, words, slots, length of all keys, crc32
//	slots   uint16 each: the number of a word plus 1, 0 for none; found by hash
//	ends    uint32 for each word: where its key ends among the keys
//	keys    one after the other, in UTF-8
//	rows    for each word a float32 scale, then dim int8
//
// All numbers are little-endian. A word's vector is its int8s times its scale,
// and the scale holds the word's weight too, so that a text's vector is a plain
// sum. The crc is over all that follows the header.
const (
	magic      = "pimvec\x00\x01" // the last byte is the version of the format
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
}

var errTable = errors.New("embed: not a table of word vectors")

// openTable checks the header against the length; it reads nothing else. The
// rows are only as good as the bytes: see [table.verify].
func openTable(data string) (table, error) {
	if len(data) < headerSize || data[:len(magic)] != magic {
		return table{}, errTable
	}
	t := table{data: data, dim: number(data, 8), words: number(data, 12), slots: number(data, 16)}
	keys := number(data, 20)
	if t.dim < 1 || t.dim > 1<<12 || t.words > MaxWords || t.slots > 1<<17 || t.slots <= t.words ||
		bits.OnesCount(uint(t.slots)) != 1 || keys > len(data) {
		return table{}, errTable
	}
	t.slotAt = headerSize
	t.endAt = t.slotAt + 2*t.slots
	t.keyAt = t.endAt + 4*t.words
	t.rowAt = t.keyAt + keys
	t.rowLength = 4 + t.dim
	if want := t.rowAt + t.words*t.rowLength; want != len(data) {
		return table{}, fmt.Errorf("%w: %d bytes instead of %d", errTable, len(data), want)
	}
	return t, nil
}

// sum is the checksum that the header claims.
func (t *table) sum() uint32 { return uint32(number(t.data, 24)) }

// verify reads everything: the checksum, and that no slot or key points out of
// the table. A lookup does not need it, a slot is bounded there.
func (t *table) verify() error {
	if crc32.ChecksumIEEE([]byte(t.data[headerSize:])) != t.sum() {
		return fmt.Errorf("%w: wrong checksum", errTable)
	}
	last := 0
	for w := range t.words {
		end := number(t.data, t.endAt+4*w)
		if end < last || t.keyAt+end > t.rowAt {
			return fmt.Errorf("%w: keys overlap", errTable)
		}
		last = end
	}
	return nil
}

// number reads a uint32.
func number(s string, at int) int {
	_ = s[at+3]
	return int(uint32(s[at]) | uint32(s[at+1])<<8 | uint32(s[at+2])<<16 | uint32(s[at+3])<<24)
}

// find returns the number of the word, or -1.
func (t *table) find(word string) int {
	for slot := hash(word) & uint32(t.slots-1); ; slot = (slot + 1) & uint32(t.slots-1) {
		at := t.slotAt + 2*int(slot)
		w := int(t.data[at]) | int(t.data[at+1])<<8
		if w == 0 || w > t.words {
			return -1
		}
		if t.key(w-1) == word {
			return w - 1
		}
	}
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
	v = v[:len(row)]
	for i := range len(row) {
		v[i] += scale * float32(int8(row[i]))
	}
}

// hash is FNV-1a.
func hash(s string) uint32 {
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h
}

// A Row is a word with its weighted vector, for [EncodeTable].
type Row struct {
	Word   string
	Vector []float32
}

// EncodeTable makes the bytes of a table. All vectors must have the same
// length, words must differ; each vector is rounded to 8 bits with a scale of
// its own. Only the trainer calls it.
func EncodeTable(rows []Row) ([]byte, error) {
	if len(rows) == 0 || len(rows) > MaxWords {
		return nil, fmt.Errorf("embed: a table holds 1 to %d words, not %d", MaxWords, len(rows))
	}
	dim, slots := len(rows[0].Vector), 1<<bits.Len(uint(len(rows))*3/2)
	table := make([]uint16, slots)
	var ends, keys, body []byte
	seen := map[string]bool{}
	for i, r := range rows {
		if len(r.Vector) != dim || seen[r.Word] {
			return nil, fmt.Errorf("embed: word %q is there twice, or has another dimension", r.Word)
		}
		seen[r.Word] = true
		slot := hash(r.Word) & uint32(slots-1)
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
	out = append(append(append(out, ends...), keys...), body...)
	binary.LittleEndian.PutUint32(out[24:], crc32.ChecksumIEEE(out[headerSize:]))
	return out, nil
}

// appendRow appends the scale and the rounded numbers of a vector.
func appendRow(b []byte, v []float32) []byte {
	most := float32(0)
	for _, x := range v {
		most = max(most, x, -x)
	}
	scale := most / 127
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(scale))
	for _, x := range v {
		q := 0.0
		if scale > 0 {
			q = math.RoundToEven(float64(x / scale))
		}
		b = append(b, byte(int8(q)))
	}
	return b
}
