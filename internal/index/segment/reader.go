package segment

import (
	"cmp"
	"encoding/binary"
	"hash/crc32"
	"math/bits"
	"strings"
	"sync"
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

	mu    sync.Mutex
	terms map[string]sought // what was looked up, at most maxSought
	lay   *layout           // nil at first
}

// A sought term is the answer of an earlier lookup. A search asks for each of
// its terms three times (statistics, scores, parts of the winners), and the
// words of prompts come again.
type sought struct {
	termInfo
	ok bool
}

// maxSought bounds the terms that a file remembers.
const maxSought = 4096

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

// head is page i without its digest and docs; its path is in mapped memory.
func (f *file) head(i uint32) index.Page {
	r := f.row(secPages, pageRow, i)
	return index.Page{
		Path:   view(f.path(i)),
		Stamp:  pimento.Stamp{Dev: le.Uint64(r), Ino: le.Uint64(r[8:]), Size: int64(le.Uint64(r[16:])), Mtime: int64(le.Uint64(r[24:])), Ctime: int64(le.Uint64(r[32:]))},
		Synced: int64(le.Uint64(r[40:])),
	}
}

// page is page i without its docs.
func (f *file) page(i uint32) index.Page {
	r, p := f.row(secPages, pageRow, i), f.head(i)
	p.Path = strings.Clone(p.Path)
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
	d.Beside = [2]uint64{le.Uint64(r[40:]), le.Uint64(r[48:])}
	d.Len = int(le.Uint32(f.row(secLens, 4, i)))
	return d, le.Uint32(r[32:])
}

// pageOf is the ordinal of the page of doc i.
func (f *file) pageOf(i uint32) uint32 { return le.Uint32(f.row(secDocs, docRow, i)[32:]) }

// flags are those of doc i.
func (f *file) flags(i uint32) uint8 { return f.row(secDocs, docRow, i)[38] }

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

// lookup finds a term.
func (f *file) lookup(term string) (termInfo, bool) {
	f.mu.Lock()
	s, known := f.terms[term]
	f.mu.Unlock()
	if known {
		return s.termInfo, s.ok
	}
	s.termInfo, s.ok = f.walk(term) // may fault, so not under the lock
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.terms == nil || len(f.terms) >= maxSought {
		f.terms = make(map[string]sought, 64)
	}
	f.terms[term] = s
	return s.termInfo, s.ok
}

// walk searches the first terms of the blocks, then walks one block.
func (f *file) walk(term string) (t termInfo, ok bool) {
	lo, hi := 0, f.blocks() // the last block whose first term is <= term
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		if view(f.first(mid)) <= term {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == 0 {
		return t, false
	}
	var buf [128]byte
	c := f.cursor(lo - 1)
	c.term = buf[:0]
	for c.next() {
		switch cmp.Compare(view(c.term), term) {
		case 0:
			return c.info, true
		case 1:
			return t, false
		}
	}
	return t, false
}

// blocks is the number of blocks of the dict.
func (f *file) blocks() int { return int(f.h.end[secBlocks]-f.h.end[secDict]) / 4 }

// block is where block i of the dict is.
func (f *file) block(i int) (start, end int) {
	at := f.start(secDict)
	start, end = at+int(le.Uint32(f.row(secBlocks, 4, uint32(i)))), int(f.h.end[secDict])
	if i+1 < f.blocks() {
		end = at + int(le.Uint32(f.row(secBlocks, 4, uint32(i+1))))
	}
	return start, end
}

// first is the first term of a block.
func (f *file) first(i int) []byte {
	start, end := f.block(i)
	c := cursor{b: f.bytes(start, end-start)[8:]}
	n := c.uvarint()
	return c.b[:n]
}

// A cursor walks the terms of a block, or, with all, of the whole dict.
type cursor struct {
	b     []byte
	n     int // terms read
	limit int
	term  []byte
	info  termInfo
}

func (f *file) cursor(i int) cursor {
	start, end := f.block(i)
	return cursor{b: f.bytes(start, end-start), limit: min(blockTerms, int(f.h.terms)-i*blockTerms)}
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
func (f *file) postings(t termInfo) list {
	b := f.bytes(f.start(secPostings)+t.at, t.size)
	if n := bitmap(t.df, f.h.docs); n > 0 {
		l := list{once: b[:n], often: &list{b: b[n:]}}
		l.more = l.often.next()
		return l
	}
	n := skips(t.df) * skipRow
	return list{b: b[n:], skip: b[:n]}
}

// A list decodes postings in doc order.
type list struct {
	b    []byte
	skip []byte // rows of: doc before a block, offset of the block in b
	p    int    // where the next posting starts
	doc  uint32
	tf   uint32
	read bool // doc is a posting of the list

	once  []byte // of a term that many docs hold: a bit for each that holds it once; b and skip are empty then
	often *list  // and the others
	more  bool   // often stands at one of them that comes later than doc
}

// next moves to the next posting.
func (l *list) next() bool {
	if l.once != nil {
		from := uint32(0)
		if l.read {
			from = l.doc + 1
		}
		return l.nextFrom(from)
	}
	if l.p == len(l.b) {
		return false
	}
	v, p := long(l.b, l.p)
	l.doc += v >> 1
	l.tf, l.read = 1, true
	if v&1 != 0 {
		l.tf, p = long(l.b, p)
	}
	l.p = p
	return true
}

// nextFrom moves to the first posting that is not before a doc, in a list with a
// bitmap.
func (l *list) nextFrom(doc uint32) bool {
	for l.more && l.often.doc < doc {
		l.more = l.often.next()
	}
	at, ok := bitFrom(l.once, doc)
	switch {
	case l.more && (!ok || l.often.doc < at):
		l.doc, l.tf = l.often.doc, l.often.tf
	case ok:
		l.doc, l.tf = at, 1
	default:
		return false
	}
	l.read = true
	return true
}

// bitFrom is the first bit of a bitmap that is set, from a given one on.
func bitFrom(b []byte, from uint32) (at uint32, ok bool) {
	mask := ^uint64(0) << (from % 64)
	for at := from / 64 * 64; int(at/8) < len(b); at += 64 {
		if w := le.Uint64(b[at/8:]) & mask; w != 0 {
			return at + uint32(bits.TrailingZeros64(w)), true
		}
		mask = ^uint64(0)
	}
	return 0, false
}

// seek moves to the doc, which is not before an earlier one that was sought,
// and tells whether the list holds it.
func (l *list) seek(doc uint32) bool {
	if l.read && l.doc >= doc {
		return l.doc == doc
	}
	if l.once != nil {
		return l.nextFrom(doc) && l.doc == doc
	}
	lo, hi := 0, len(l.skip)/skipRow // blocks that start after a doc before ours
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		if le.Uint32(l.skip[mid*skipRow:]) < doc {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo > 0 {
		row := l.skip[(lo-1)*skipRow:]
		if at := int(le.Uint32(row[4:])); at > l.p && at <= len(l.b) {
			l.doc, l.p = le.Uint32(row), at
		}
	}
	for l.next() {
		if l.doc >= doc {
			return l.doc == doc
		}
	}
	return false
}

// long reads the number at b[p] and returns where the next one starts.
func long(b []byte, p int) (v uint32, next int) {
	c := b[p]
	if c < 0x80 {
		return uint32(c), p + 1
	}
	v = uint32(c & 0x7f)
	for shift := 7; shift < 35; shift += 7 {
		p++
		c = b[p]
		v |= uint32(c&0x7f) << shift
		if c < 0x80 {
			return v, p + 1
		}
	}
	panic(damage("number in the postings"))
}
