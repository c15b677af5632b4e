package vectors

import (
	"bytes"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"sort"

	"github.com/pimento-memory/pimento/internal/regular"
)

const headBytes = 40

var fileMagic = [8]byte{'P', 'M', 'V', 'E', 'C', 0, 0, 4}

// columns is a .vec file: a head (magic, dim, rows, generation, mark, checksum
// of keys and codes, of the head), then the keys in order, the codes, and the
// value of each row. Keys and codes are read when the file is opened, which is
// little; values are read where they are wanted.
type columns struct {
	f     *os.File
	info  os.FileInfo
	n     int
	dim   int
	gen   uint64
	mark  uint64 // see Batch
	keys  []byte
	codes []byte

	searches int
	values   []byte // all rows, kept by a process that searches again and again
}

// Values of at most so many bytes are kept in memory, after so many searches: a
// process that lives for one reads what it needs.
const (
	keepBytes    = 8 << 20
	keepSearches = 4
)

// searched counts a search. It reports whether rows are damaged.
func (c *columns) searched() (hurt bool) {
	size := valueBytes(c.dim)
	if c.searches++; c.searches != keepSearches || c.n*size > keepBytes {
		return false
	}
	b := make([]byte, c.n*size)
	if _, err := c.f.ReadAt(b, c.offset(0)); err != nil {
		return false
	}
	for i := range c.n {
		if row := b[i*size : (i+1)*size]; !sound(c.keys[i*keyBytes:][:keyBytes], row) {
			clear(row[:2]) // a scale of 0 is near nothing
			hurt = true
		}
	}
	c.values = b
	return hurt
}

// dot is the inner product of row i and a vector, with the help of a buffer; ok
// is false for a damaged row.
func (c *columns) dot(i int, q []float32, buf []byte) (sum float32, ok bool, err error) {
	size := valueBytes(c.dim)
	if c.values != nil {
		row := c.values[i*size : (i+1)*size]
		return dot(row, q), true, nil
	}
	buf = buf[:size]
	if _, err = c.f.ReadAt(buf, c.offset(i)); err != nil {
		return 0, false, err
	}
	return dot(buf, q), sound(c.keys[i*keyBytes:][:keyBytes], buf), nil
}

func (c *columns) rows() int {
	if c == nil {
		return 0
	}
	return c.n
}

func (c *columns) generation() uint64 {
	if c == nil {
		return 0
	}
	return c.gen
}

func (c *columns) seenMark() uint64 {
	if c == nil {
		return 0
	}
	return c.mark
}

func (c *columns) close() {
	if c != nil && c.f != nil {
		c.f.Close()
	}
}

// is says whether the file at path is the one that is open.
func (c *columns) is(path string) bool {
	info, err := os.Stat(path)
	if c == nil {
		return err != nil
	}
	return err == nil && os.SameFile(info, c.info) && info.Size() == c.info.Size()
}

// openColumns is nil when there is no file, or one that makes no sense: it is
// made anew by whoever writes next.
func openColumns(path string, dim int) *columns {
	f, err := regular.Open(path, os.O_RDONLY, 0)
	if err != nil {
		return nil
	}
	c := &columns{f: f, dim: dim}
	if err := c.read(); err != nil {
		f.Close()
		return nil
	}
	return c
}

var errColumns = errors.New("not a file of vectors")

func (c *columns) read() error {
	var err error
	if c.info, err = c.f.Stat(); err != nil {
		return err
	}
	var head [headBytes]byte
	if _, err := c.f.ReadAt(head[:], 0); err != nil {
		return err
	}
	c.n, c.gen, c.mark = int(le.Uint32(head[12:])), le.Uint64(head[16:]), le.Uint64(head[24:])
	if [8]byte(head[:8]) != fileMagic || int(le.Uint32(head[8:])) != c.dim || le.Uint32(head[36:]) != crc32.ChecksumIEEE(head[:36]) ||
		c.info.Size() != c.offset(c.n) {
		return errColumns
	}
	b := make([]byte, c.n*(keyBytes+codeBytes(c.dim)))
	if _, err := c.f.ReadAt(b, headBytes); err != nil && err != io.EOF {
		return err
	}
	if crc32.ChecksumIEEE(b) != le.Uint32(head[32:]) {
		return errColumns
	}
	c.keys, c.codes = b[:c.n*keyBytes], b[c.n*keyBytes:]
	return nil
}

// offset is where row i begins.
func (c *columns) offset(i int) int64 {
	return int64(headBytes + c.n*(keyBytes+codeBytes(c.dim)) + i*valueBytes(c.dim))
}

// find is the row of a key, -1 if there is none.
func (c *columns) find(k key) int {
	if c == nil {
		return -1
	}
	i := sort.Search(c.n, func(i int) bool { return bytes.Compare(c.keys[i*keyBytes:(i+1)*keyBytes], k[:]) >= 0 })
	if i < c.n && bytes.Equal(c.keys[i*keyBytes:(i+1)*keyBytes], k[:]) {
		return i
	}
	return -1
}

// each reads all rows; hurt says that some are damaged and left out.
func (c *columns) each(yield func(row)) (hurt bool, err error) {
	if c == nil {
		return false, nil
	}
	const chunk = 1024
	size := valueBytes(c.dim)
	buf := make([]byte, chunk*size)
	for i := 0; i < c.rows(); i += chunk {
		b := buf[:min(chunk, c.n-i)*size]
		if _, err := c.f.ReadAt(b, c.offset(i)); err != nil {
			return hurt, err
		}
		for j := 0; len(b) > 0; j, b = j+1, b[size:] {
			if r, ok := decodeRow(key(c.keys[(i+j)*keyBytes:]), b[:size], c.dim, make([]byte, codeBytes(c.dim))); ok {
				r.halves = bytes.Clone(r.halves) // buf is used again
				yield(r)
			} else {
				hurt = true
			}
		}
	}
	return hurt, nil
}
