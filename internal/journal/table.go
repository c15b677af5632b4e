package journal

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"sort"

	"github.com/pimento-memory/pimento/internal/regular"
)

// A table is a snapshot file: rows of rowBytes in the order of their keys, in
// blocks of blockRows; then for each block its first key and checksum; then
// the meta data as JSON. A head of fixed size says where the last two lie and
// holds their checksum. Integers are little-endian, checksums CRC-32 (IEEE).
//
// It is read with pread rather than mapped: a lookup touches one block of 4 KB
// either way, it costs about two microseconds, and a file that shrinks under
// us is an error instead of a signal.
type table struct {
	tableMeta
	f     *os.File
	index []byte // indexBytes for each block

	blocks [][]byte // those that were read, as far as there is room; the others are nil
	room   int      // how many more are kept
	block  []byte   // the last one that was not kept
	at     int      // which that is, -1 for none
}

// tableMeta says what the table is the fold of.
type tableMeta struct {
	Gen     string   `json:"gen"`
	Off     int64    `json:"off"`
	Tie     string   `json:"tie"`
	Rows    int      `json:"rows"`
	Damaged int      `json:"damaged,omitempty"`
	Pending []staged `json:"pending,omitempty"`
}

const (
	tableMagic = "pmtjrnl4" // the last character is the format's version
	headBytes  = 32         // magic, offset of the index (8), bytes of the index (8), of the meta data (4), checksum of both (4)
	rowBytes   = 72
	blockRows  = 56 // no more than 4 KB
	blockBytes = rowBytes * blockRows
	indexBytes = 20 // first key, checksum
	keptBlocks = 256
)

// errTable says that a table is damaged.
var errTable = errors.New("damaged snapshot")

func checksum(b []byte) uint32 { return crc32.ChecksumIEEE(b) }

func (j *Journal) snapshotPath() string { return j.path("snapshot") }

// openTable opens the table at path if it is whole and a fold of the beginning
// of the events, which have the given generation and size; nil if not.
func openTable(path string, events io.ReaderAt, gen generation, size int64) *table {
	f, err := regular.Open(path, os.O_RDONLY, 0)
	if err != nil {
		return nil
	}
	t, err := readTable(f)
	if err == nil && t.Gen == gen.String() && t.Off <= size {
		if tie, err := tieOf(events, t.Off); err == nil && tie == t.Tie {
			return t
		}
	}
	f.Close()
	return nil
}

func readTable(f *os.File) (*table, error) {
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	var head [headBytes]byte
	if _, err := f.ReadAt(head[:], 0); err != nil || string(head[:8]) != tableMagic {
		return nil, errTable
	}
	le := binary.LittleEndian
	start, size := int64(le.Uint64(head[8:])), st.Size()
	indexLen, metaLen := int64(le.Uint64(head[16:])), int64(le.Uint32(head[24:]))
	if start < headBytes || start > size || indexLen < 0 || indexLen > size || start+indexLen+metaLen != size {
		return nil, errTable
	}
	rest := make([]byte, indexLen+metaLen)
	if _, err := f.ReadAt(rest, start); err != nil || checksum(rest) != le.Uint32(head[28:]) {
		return nil, errTable
	}
	t := &table{f: f, index: rest[:indexLen], at: -1, room: keptBlocks}
	if json.Unmarshal(rest[indexLen:], &t.tableMeta) != nil || t.Rows < 0 ||
		start != headBytes+int64(t.Rows)*rowBytes || t.count() != (t.Rows+blockRows-1)/blockRows {
		return nil, errTable
	}
	return t, nil
}

// count is the number of blocks.
func (t *table) count() int { return len(t.index) / indexBytes }

func (t *table) close() {
	if t != nil {
		t.f.Close()
	}
}

// is says whether the table is the file at path. A nil table is when there is
// none.
func (t *table) is(path string) bool {
	st, err := os.Stat(path)
	if t == nil {
		return err != nil
	}
	own, err2 := t.f.Stat()
	return err == nil && err2 == nil && os.SameFile(st, own)
}

// read loads a block and verifies it. The first ones that are asked for are kept: a
// process that serves asks for the same ones again.
func (t *table) read(n int) ([]byte, error) {
	if n == t.at {
		return t.block, nil
	}
	if t.blocks != nil && t.blocks[n] != nil {
		return t.blocks[n], nil
	}
	rows := min(blockRows, t.Rows-n*blockRows)
	if t.block == nil {
		t.block = make([]byte, blockBytes)
	}
	t.at = -1
	b := t.block[:rows*rowBytes]
	if _, err := t.f.ReadAt(b, headBytes+int64(n)*blockBytes); err != nil {
		return nil, fmt.Errorf("%w: block %d: %w", errTable, n, err)
	}
	if checksum(b) != binary.LittleEndian.Uint32(t.index[n*indexBytes+16:]) {
		return nil, fmt.Errorf("%w: block %d", errTable, n)
	}
	if t.room == 0 {
		t.at, t.block = n, b
		return b, nil
	}
	if t.blocks == nil {
		t.blocks = make([][]byte, t.count())
	}
	t.blocks[n], t.block = b, nil
	t.room--
	return b, nil
}

// lookup finds the row of a key. A nil table has none.
func (t *table) lookup(k key) (row, bool, error) {
	if t == nil {
		return row{}, false, nil
	}
	n := sort.Search(t.count(), func(i int) bool { return bytes.Compare(t.index[i*indexBytes:][:16], k[:]) > 0 }) - 1
	if n < 0 {
		return row{}, false, nil
	}
	b, err := t.read(n)
	if err != nil {
		return row{}, false, err
	}
	rows := len(b) / rowBytes
	i := sort.Search(rows, func(i int) bool { return bytes.Compare(b[i*rowBytes:][:16], k[:]) >= 0 })
	if i == rows || !bytes.Equal(b[i*rowBytes:][:16], k[:]) {
		return row{}, false, nil
	}
	return decodeRow(b[i*rowBytes:]), true, nil
}

// each calls visit for all rows in order.
func (t *table) each(ctx context.Context, visit func(key, row) error) error {
	if t == nil {
		return nil
	}
	var b []byte
	for n := range t.count() {
		if err := ctx.Err(); err != nil {
			return err
		}
		block, err := t.read(n)
		if err != nil {
			return err
		}
		b = append(b[:0], block...) // visit may look something up
		for i := 0; i < len(b); i += rowBytes {
			if err := visit(key(b[i:i+16]), decodeRow(b[i:])); err != nil {
				return err
			}
		}
	}
	return nil
}

func (k key) compare(o key) int { return bytes.Compare(k[:], o[:]) }

func decodeRow(b []byte) row {
	le := binary.LittleEndian
	return row{
		first:     int64(le.Uint64(b[16:])),
		last:      int64(le.Uint64(b[24:])),
		confirmed: int64(le.Uint64(b[32:])),
		evidence:  le.Uint32(b[40:]),
		injected:  le.Uint32(b[44:]),
		used:      le.Uint32(b[48:]),
		cue:       b[52],
		flags:     b[53],
		project:   le.Uint64(b[54:]),
		edited:    int64(le.Uint64(b[62:])),
	}
}

// encodeRow appends a row to b; the last two bytes are room for more.
func encodeRow(b []byte, k key, r row) []byte {
	le := binary.LittleEndian
	b = append(b, k[:]...)
	b = le.AppendUint64(b, uint64(r.first))
	b = le.AppendUint64(b, uint64(r.last))
	b = le.AppendUint64(b, uint64(r.confirmed))
	b = le.AppendUint32(b, r.evidence)
	b = le.AppendUint32(b, r.injected)
	b = le.AppendUint32(b, r.used)
	b = append(b, r.cue, r.flags)
	b = le.AppendUint64(b, r.project)
	b = le.AppendUint64(b, uint64(r.edited))
	return append(b, 0, 0)
}
