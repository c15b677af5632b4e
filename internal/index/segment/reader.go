package segment

import (
	"cmp"
	"encoding/binary"
	"hash/crc32"
	"sync/atomic"
	"unsafe"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
)

// A file is one open segment, mapped or (when it could not be stored) in
// memory. Its methods panic with a damage, or with a fault of the memory, when
// the data is not what was written; they are called under guarded only.
type file struct {
	h     header
	data  []byte
	sums  []byte          // the table of checksums
	seen  []atomic.Uint32 // one bit for each block that was verified
	kinds []pimento.Kind
	free  func() // unmaps; nil for memory
	refs  int    // snapshots that use it; guarded by Index.mu
	check uint32 // the checksum of the header, which CURRENT repeats
}

// newFile checks the header and the table of checksums. free is kept even if
// there is an error.
func newFile(data []byte, free func()) (*file, error) {
	f := &file{data: data, free: free}
	var err error
	if f.h, err = decodeHeader(data, int64(len(data))); err != nil {
		return f, err
	}
	f.check = le.Uint32(data[headerSize-4:])
	f.sums = data[f.h.end[sections-1]:]
	if crc32.ChecksumIEEE(f.sums) != f.h.sums {
		return f, damage("checksum of a segment's checksums")
	}
	f.seen = make([]atomic.Uint32, (len(f.sums)/4+31)/32)
	for k := f.section(secKinds); len(k) > 0; {
		n := int(k[0])
		f.kinds = append(f.kinds, pimento.Kind(k[1:1+n]))
		k = k[1+n:]
	}
	return f, nil
}

// section is a whole section, verified.
func (f *file) section(sec int) []byte {
	start := f.start(sec)
	return f.bytes(start, int(f.h.end[sec])-start)
}

func (f *file) start(sec int) int {
	if sec == 0 {
		return headerSize
	}
	return int(f.h.end[sec-1])
}

// bytes is data[off:off+n], verified. It is within the sections.
func (f *file) bytes(off, n int) []byte {
	if off < headerSize || n < 0 || uint64(off+n) > f.h.end[sections-1] {
		panic(damage("offset out of range"))
	}
	if n > 0 {
		for b := (off - headerSize) / sumBlock; b <= (off+n-1-headerSize)/sumBlock; b++ {
			if f.seen[b/32].Load()&(1<<(b%32)) == 0 {
				f.verify(b)
			}
		}
	}
	return f.data[off : off+n : off+n]
}

func (f *file) verify(b int) {
	start := headerSize + b*sumBlock
	body := f.data[start:min(start+sumBlock, int(f.h.end[sections-1]))]
	if crc32.ChecksumIEEE(body) != le.Uint32(f.sums[4*b:]) {
		panic(damage("checksum of a block"))
	}
	f.seen[b/32].Or(1 << (b % 32))
}

func (f *file) row(sec, size int, i uint32) []byte { return f.bytes(f.start(sec)+size*int(i), size) }

// path is the path of page i, in mapped memory.
func (f *file) path(i uint32) []byte {
	r := f.row(secPages, pageRow, i)
	return f.bytes(f.start(secStrings)+int(le.Uint32(r[80:])), int(le.Uint32(r[84:])))
}

// extent is where the docs of page i are, and the sum of their Len.
func (f *file) extent(i uint32) grave {
	r := f.row(secPages, pageRow, i)
	g := grave{page: i, first: le.Uint32(r[88:]), docs: le.Uint32(r[92:]), length: le.Uint64(r[96:])}
	if uint64(g.first)+uint64(g.docs) > uint64(f.h.docs) {
		panic(damage("docs of a page out of range"))
	}
	return g
}

// page is page i without its docs.
func (f *file) page(i uint32) index.Page {
	r := f.row(secPages, pageRow, i)
	p := index.Page{
		Path:   string(f.path(i)),
		Stamp:  pimento.Stamp{Dev: le.Uint64(r), Ino: le.Uint64(r[8:]), Size: int64(le.Uint64(r[16:])), Mtime: int64(le.Uint64(r[24:])), Ctime: int64(le.Uint64(r[32:]))},
		Synced: int64(le.Uint64(r[40:])),
	}
	if n := int(r[104]); n == 255 {
		var hex [64]byte
		p.Digest = pimento.Digest(appendHex(hex[:0], r[48:80]))
	} else if n > 0 {
		p.Digest = pimento.Digest(f.bytes(f.start(secStrings)+int(le.Uint32(r[80:])+le.Uint32(r[84:])), n))
	}
	return p
}

// doc is doc i, without terms, and the ordinal of its page.
func (f *file) doc(i uint32) (d index.Doc, page uint32) {
	r := f.row(secDocs, docRow, i)
	if r[39] != 0 {
		d.Statement = pimento.Statement(f.bytes(f.start(secStrings)+int(le.Uint32(r)), int(le.Uint32(r[4:]))))
	} else {
		var hex [16]byte
		d.Statement = pimento.Statement(appendHex(hex[:0], r[:8]))
	}
	d.Date = int64(le.Uint64(r[8:]))
	d.Span = pimento.Span{Start: int(le.Uint32(r[16:])), End: int(le.Uint32(r[20:]))}
	d.Line, d.N = int(le.Uint32(r[24:])), int(le.Uint32(r[28:]))
	d.Kind = f.kinds[le.Uint16(r[36:])]
	d.Flags = r[38]
	d.Len = int(le.Uint32(f.row(secLens, 4, i)))
	return d, le.Uint32(r[32:])
}

// find is the ordinal of the page with the path.
func (f *file) find(path string) (i uint32, ok bool) {
	lo, hi := uint32(0), f.h.pages
	for lo < hi {
		mid := (lo + hi) / 2
		switch cmp.Compare(view(f.path(mid)), path) {
		case 0:
			return mid, true
		case -1:
			lo = mid + 1
		default:
			hi = mid
		}
	}
	return lo, false
}

// view is b as a string without a copy, for comparing at once.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// An entry of the dict.
type termInfo struct {
	df   int
	at   int // where its postings start, within the section
	size int // their bytes
}

// lookup finds a term. It searches the first terms of the blocks, then walks
// one block.
func (f *file) lookup(term string) (t termInfo, ok bool) {
	blocks := int(f.h.end[secBlocks]-f.h.end[secDict]) / 4
	lo, hi := 0, blocks // the last block whose first term is <= term
	for lo < hi {
		mid := (lo + hi) / 2
		if c := f.cursor(mid); c.next() && view(c.term) <= term {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == 0 {
		return t, false
	}
	for c := f.cursor(lo - 1); c.next(); {
		switch cmp.Compare(view(c.term), term) {
		case 0:
			return c.info, true
		case 1:
			return t, false
		}
	}
	return t, false
}

// A cursor walks the terms of a block, or, with all, of the whole dict.
type cursor struct {
	b     []byte
	n     int // terms read
	limit int
	term  []byte
	info  termInfo
	buf   [64]byte
}

func (f *file) cursor(block int) cursor {
	off := f.row(secBlocks, 4, uint32(block))
	start, end := int(le.Uint32(off)), int(f.h.end[secDict])-f.start(secDict)
	if b := uint32(block + 1); uint64(b) < (f.h.end[secBlocks]-f.h.end[secDict])/4 {
		end = int(le.Uint32(f.row(secBlocks, 4, b)))
	}
	c := cursor{b: f.bytes(f.start(secDict)+start, end-start), limit: min(blockTerms, int(f.h.terms)-block*blockTerms)}
	return c
}

// all walks the whole dict.
func (f *file) all() *cursor { return &cursor{b: f.section(secDict), limit: int(f.h.terms)} }

func (c *cursor) next() bool {
	if c.n == c.limit {
		return false
	}
	shared := 0
	if c.n%blockTerms == 0 {
		c.info = termInfo{at: int(le.Uint64(c.b))}
		c.b = c.b[8:]
		if c.term == nil {
			c.term = c.buf[:0]
		}
	} else {
		c.info.at += c.info.size
		shared = c.uvarint()
	}
	n := c.uvarint()
	c.term = append(c.term[:shared], c.b[:n]...)
	c.b = c.b[n:]
	c.info.df, c.info.size = c.uvarint(), c.uvarint()
	c.n++
	return true
}

func (c *cursor) uvarint() int {
	if v := c.b[0]; v < 0x80 {
		c.b = c.b[1:]
		return int(v)
	}
	v, n := binary.Uvarint(c.b)
	if n <= 0 || v > 1<<40 {
		panic(damage("number in the dict"))
	}
	c.b = c.b[n:]
	return int(v)
}

// postings is the encoded list of a term.
func (f *file) postings(t termInfo) list { return list{b: f.bytes(f.start(secPostings)+t.at, t.size)} }

// A list decodes postings in doc order.
type list struct {
	b   []byte
	doc uint32
	tf  uint16
}

// next moves to the next posting.
func (l *list) next() bool {
	if len(l.b) == 0 {
		return false
	}
	v := uint64(l.b[0])
	if v < 0x80 {
		l.b = l.b[1:]
	} else {
		v = l.long()
	}
	l.doc += uint32(v >> 1)
	l.tf = 1
	if v&1 != 0 {
		l.tf = uint16(l.long())
	}
	return true
}

func (l *list) long() uint64 {
	v, n := binary.Uvarint(l.b)
	if n <= 0 {
		panic(damage("number in the postings"))
	}
	l.b = l.b[n:]
	return v
}
