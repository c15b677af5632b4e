package segment

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"github.com/pimento-memory/pimento/internal/index"
)

var le = binary.LittleEndian

// A segment file is a header, the sections, and a table with the checksum of
// each block of the sections. All numbers are little endian.
//
//	docs      docRow bytes each: statement, date, start, end, line, n, page, kind, flags, odd, beside
//	lens      4 bytes each: Doc.Len
//	pages     pageRow bytes each, by path: stamp, synced, digest, path, first doc, number of docs, sum of Len
//	strings   paths, unusual digests and statements
//	kinds     the kinds that occur, each a length byte and the bytes
//	postings  for each term: a skipRow for every skipEvery postings but the first (the doc
//	          before, the offset after the rows), then for each doc delta<<1 | (tf > 1), and
//	          tf if it is, as varints; for a term that many docs hold a bit for each doc that
//	          holds it once, then the others as above, without skipRows
//	dict      blocks of blockTerms terms, front-coded
//	blocks    4 bytes each: where each block of the dict starts
//	long      longRow bytes for each entry of several passages: its first doc, how many
const (
	skipEvery  = 128
	skipRow    = 8
	docRow     = 56
	pageRow    = 112
	blockTerms = 16
	sumBlock   = 16 << 10 // bytes that one checksum covers
	longRow    = 8
	headerSize = 160
	version    = 11
)

var segMagic = [8]byte{'P', 'M', 'S', 'E', 'G', '\r', '\n', 0x1a}

// Sections in file order.
const (
	secDocs = iota
	secLens
	secPages
	secStrings
	secKinds
	secPostings
	secDict
	secBlocks
	secLong
	sections
)

// header is the fixed start of a segment.
type header struct {
	gen    uint64
	size   uint64           // of the file
	docs   uint32           // number of docs
	pages  uint32           // number of pages
	filled uint32           // number of pages with docs
	terms  uint32           // number of terms
	length uint64           // sum of Doc.Len
	end    [sections]uint64 // where each section ends; the first starts after the header
	sums   uint32           // checksum of the table of checksums
}

// encode appends the header's bytes to b.
func (h *header) encode() []byte {
	b := append(make([]byte, 0, headerSize), segMagic[:]...)
	b = le.AppendUint32(b, version)
	b = le.AppendUint32(b, h.sums)
	b = le.AppendUint64(b, h.gen)
	b = le.AppendUint64(b, h.size)
	b = le.AppendUint32(b, h.docs)
	b = le.AppendUint32(b, h.pages)
	b = le.AppendUint64(b, h.length)
	b = le.AppendUint32(b, h.terms)
	b = le.AppendUint32(b, h.filled)
	for _, e := range h.end {
		b = le.AppendUint64(b, e)
	}
	for len(b) < headerSize-4 {
		b = append(b, 0)
	}
	return le.AppendUint32(b, crc32.ChecksumIEEE(b))
}

// decodeHeader reads and checks the header of a segment of the given size.
func decodeHeader(b []byte, size int64) (h header, err error) {
	switch {
	case size < headerSize || len(b) < headerSize:
		return h, damage("segment shorter than its header")
	case [8]byte(b[:8]) != segMagic:
		return h, damage("not a segment")
	case crc32.ChecksumIEEE(b[:headerSize-4]) != le.Uint32(b[headerSize-4:]):
		return h, damage("checksum of a segment's header")
	case le.Uint32(b[8:]) != version:
		return h, damage("segment of another version")
	}
	h.sums = le.Uint32(b[12:])
	h.gen, h.size = le.Uint64(b[16:]), le.Uint64(b[24:])
	h.docs, h.pages = le.Uint32(b[32:]), le.Uint32(b[36:])
	h.length, h.terms, h.filled = le.Uint64(b[40:]), le.Uint32(b[48:]), le.Uint32(b[52:])
	at := uint64(headerSize)
	for i := range h.end {
		h.end[i] = le.Uint64(b[56+8*i:])
		if h.end[i] < at {
			return h, damage("sections of a segment out of order")
		}
		at = h.end[i]
	}
	if h.size != uint64(size) || at+4*blocksOf(at-headerSize) != h.size ||
		h.end[secDocs] != headerSize+docRow*uint64(h.docs) || h.end[secLens]-h.end[secDocs] != 4*uint64(h.docs) ||
		h.end[secPages]-h.end[secLens] != pageRow*uint64(h.pages) {
		return h, damage("segment of the wrong size")
	}
	return h, nil
}

// blocksOf is the number of checksums for n bytes.
func blocksOf(n uint64) uint64 { return (n + sumBlock - 1) / sumBlock }

// skips is the number of skip rows of a list of n postings.
func skips(n int) int { return max(0, (n-1)/skipEvery) }

// bitmap is how many bytes a bit for each doc takes, in words of 64, for a term that
// df of the docs hold; 0 when a list takes no more.
func bitmap(df int, docs uint32) int {
	if n := 8 * ((int(docs) + 63) / 64); n < df {
		return n
	}
	return 0
}

// damage is the error that the index is in doubt and must be rebuilt.
type damage string

func (d damage) Error() string { return "index damaged: " + string(d) }

// check refuses docs with values the format has no room for.
func check(pages []index.Page) error {
	const most = 1<<32 - 1
	for i := range pages {
		for j := range pages[i].Docs {
			d := &pages[i].Docs[j]
			for _, v := range [...]int{d.N, d.Span.Start, d.Span.End, d.Line, d.Len} {
				if v < 0 || v > most {
					return fmt.Errorf("doc %d of %s: %d is out of range", j, pages[i].Path, v)
				}
			}
			if len(d.Statement) > 255 || len(d.Kind) > 255 {
				return fmt.Errorf("doc %d of %s: statement or kind too long", j, pages[i].Path)
			}
		}
		if len(pages[i].Path) > 1<<20 || len(pages[i].Digest) > 254 {
			return fmt.Errorf("page %.100q: path or digest too long", pages[i].Path)
		}
	}
	return nil
}

// nibbles decodes n lower-case hex digits into dst; ok is false when s is
// anything else.
func nibbles(dst []byte, s string) bool {
	if len(s) != 2*len(dst) {
		return false
	}
	for i := range dst {
		hi, lo := nibble(s[2*i]), nibble(s[2*i+1])
		if hi|lo > 15 {
			return false
		}
		dst[i] = hi<<4 | lo
	}
	return true
}

func nibble(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return c - '0'
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10
	}
	return 255
}

func appendHex(dst, b []byte) []byte {
	const digits = "0123456789abcdef"
	for _, c := range b {
		dst = append(dst, digits[c>>4], digits[c&15])
	}
	return dst
}
