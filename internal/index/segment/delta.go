package segment

import (
	"encoding/binary"
	"hash/crc32"
	"maps"
	"os"
	"slices"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
)

// The delta is a magic, the generation of its CURRENT, and records. A record is
// the length and the checksum of its body, 4 bytes each, and the body: a byte
// that says what it is, then for put and remove the graves it digs in the
// segments, the path and, for put, the page. The body of closed is empty.
const deltaHead = 16

var deltaMagic = [8]byte{'P', 'M', 'L', 'O', 'G', 0, 0, version}

const (
	recPut byte = iota + 1
	recRemove
	recClosed // everything in this delta is in the segments of the next CURRENT
)

func deltaHeader(gen uint64) []byte {
	return le.AppendUint64(append([]byte(nil), deltaMagic[:]...), gen)
}

// appendRecord adds a record of what happens to a page. p is nil for a removal.
func appendRecord(b []byte, path string, p *index.Page, graves []burial) []byte {
	start := len(b)
	b = append(b, 0, 0, 0, 0, 0, 0, 0, 0)
	if p == nil {
		b = append(b, recRemove)
	} else {
		b = append(b, recPut)
	}
	b = binary.AppendUvarint(b, uint64(len(graves)))
	for _, g := range graves {
		b = appendGrave(binary.AppendUvarint(b, uint64(g.layer)), g.grave)
	}
	b = appendString(b, path)
	if p != nil {
		b = appendPage(b, p)
	}
	return seal(b, start)
}

func closedRecord() []byte { return seal(append(make([]byte, 8), recClosed), 0) }

// seal fills in length and checksum of the record that starts at start.
func seal(b []byte, start int) []byte {
	body := b[start+8:]
	le.PutUint32(b[start:], uint32(len(body)))
	le.PutUint32(b[start+4:], crc32.ChecksumIEEE(body))
	return b
}

func appendString[S ~string](b []byte, s S) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendPage(b []byte, p *index.Page) []byte {
	for _, v := range [...]uint64{p.Stamp.Dev, p.Stamp.Ino, uint64(p.Stamp.Size), uint64(p.Stamp.Mtime), uint64(p.Stamp.Ctime), uint64(p.Synced)} {
		b = le.AppendUint64(b, v)
	}
	b = appendString(b, p.Digest)
	total := 0
	for i := range p.Docs {
		total += len(p.Docs[i].Terms)
	}
	b = binary.AppendUvarint(b, uint64(len(p.Docs)))
	b = binary.AppendUvarint(b, uint64(total))
	for i := range p.Docs {
		d := &p.Docs[i]
		b = appendString(b, d.Statement)
		b = appendString(b, d.Kind)
		b = append(b, d.Flags)
		b = binary.AppendVarint(b, d.Date)
		b = le.AppendUint64(le.AppendUint64(b, d.Beside[0]), d.Beside[1])
		for _, v := range [...]int{d.N, d.Span.Start, d.Span.End, d.Line, d.Len, len(d.Terms)} {
			b = binary.AppendUvarint(b, uint64(v))
		}
		for _, t := range d.Terms {
			b = appendString(b, t.Text)
			b = binary.AppendUvarint(b, uint64(t.TF))
		}
	}
	return b
}

// string reads a string that shares its bytes with the record.
func (d *decoder) string() string { return view(d.take(d.uvarint())) }

// page reads a page. Its strings share the record's bytes, which live on the
// heap and are never changed.
func (d *decoder) page(path string) *index.Page {
	p := &index.Page{Path: path}
	p.Stamp = pimento.Stamp{Dev: d.uint64(), Ino: d.uint64(), Size: int64(d.uint64()), Mtime: int64(d.uint64()), Ctime: int64(d.uint64())}
	p.Synced = int64(d.uint64())
	p.Digest = pimento.Digest(d.string())
	n, total := d.uvarint(), d.uvarint()
	if max(n, total) > uint64(len(d.b)) { // each takes more than a byte
		d.bad = true
		return p
	}
	all := make([]index.Term, total) // of all docs: one allocation
	if n > 0 {
		p.Docs = make([]index.Doc, n)
	}
	for i := range p.Docs {
		doc := &p.Docs[i]
		doc.Statement, doc.Kind = pimento.Statement(d.string()), pimento.Kind(d.string())
		if b := d.take(1); b != nil {
			doc.Flags = b[0]
		}
		date, k := binary.Varint(d.b)
		d.take(uint64(max(k, 0)))
		doc.Date = date
		doc.Beside = [2]uint64{d.uint64(), d.uint64()}
		doc.N = int(d.uvarint())
		doc.Span = pimento.Span{Start: int(d.uvarint()), End: int(d.uvarint())}
		doc.Line, doc.Len = int(d.uvarint()), int(d.uvarint())
		terms := d.uvarint()
		if d.bad || terms > uint64(len(all)) {
			d.bad = true
			return p
		}
		doc.Terms, all = all[:terms:terms], all[terms:]
		for j := range doc.Terms {
			doc.Terms[j] = index.Term{Text: d.string(), TF: uint16(d.uvarint())}
		}
	}
	return p
}

// readDelta takes up what was appended since b.end. It stops, without an error,
// at a record that is not whole: it is being written, or a crash tore it, and
// the next writer cuts it off. b's maps and slices are replaced.
func (b *base) readDelta() error {
	info, err := b.delta.Stat()
	if err != nil {
		return err
	}
	b.size = info.Size()
	if b.end == 0 {
		head := make([]byte, deltaHead)
		if _, err := b.delta.ReadAt(head, 0); err != nil || [8]byte(head[:8]) != deltaMagic || le.Uint64(head[8:]) != b.cur.gen {
			return damage("the delta is not the one of CURRENT")
		}
		b.end = deltaHead
	}
	if b.size <= b.end {
		if b.size < b.end {
			return damage("the delta was cut")
		}
		return nil
	}
	data := make([]byte, b.size-b.end)
	n, _ := b.delta.ReadAt(data, b.end)
	data = data[:n]
	var done []burial
	recent := maps.Clone(b.recent)
	for !b.closed {
		used, err := b.record(data, recent, &done)
		if err != nil {
			return err
		}
		if used == 0 {
			break
		}
		data = data[used:]
		b.end += int64(used)
	}
	b.recent, b.layers = recent, slices.Clone(b.layers)
	dig(b.layers, done)
	b.docs = 0
	for _, p := range recent {
		b.docs += len(p.Docs)
	}
	return nil
}

// record takes up the first record of data and returns its length, 0 if it is
// not whole.
func (b *base) record(data []byte, recent map[string]*index.Page, done *[]burial) (int, error) {
	if len(data) < 8 {
		return 0, nil
	}
	n := uint64(le.Uint32(data))
	if n == 0 || 8+n > uint64(len(data)) {
		return 0, nil
	}
	body := data[8 : 8+n]
	if crc32.ChecksumIEEE(body) != le.Uint32(data[4:]) {
		return 0, nil
	}
	what := body[0]
	if what == recClosed {
		b.closed = true
		return int(8 + n), nil
	}
	d := decoder{b: body[1:]}
	for k := d.uvarint(); k > 0 && !d.bad; k-- {
		g := burial{int(d.uvarint()), d.grave()}
		if g.layer < 0 || g.layer >= len(b.layers) || g.page >= b.layers[g.layer].file.h.pages || uint64(g.first)+uint64(g.docs) > uint64(b.layers[g.layer].file.h.docs) {
			return 0, damage("a grave of the delta out of range")
		}
		*done = append(*done, g)
	}
	path := d.string()
	if what == recPut {
		recent[path] = d.page(path)
	} else {
		delete(recent, path)
	}
	if d.bad {
		return 0, damage("a record of the delta makes no sense")
	}
	return int(8 + n), nil
}

// appendDelta writes records behind the last good one.
func (x *Index) appendDelta(b *base, records []byte) error {
	f, err := os.OpenFile(x.deltaPath(b.cur.gen), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if b.size > b.end {
		if err := f.Truncate(b.end); err != nil {
			return err
		}
	}
	if _, err := f.WriteAt(records, b.end); err != nil {
		f.Truncate(b.end)
		return err
	}
	return nil
}
