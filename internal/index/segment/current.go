package segment

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"

	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/mapped"
	"github.com/pimento-memory/pimento/internal/regular"
)

const currentName = "CURRENT"

var currentMagic = [8]byte{'P', 'M', 'C', 'U', 'R', 0, 0, version}

// current is what the file CURRENT says.
type current struct {
	gen      uint64 // of this CURRENT and of its delta; files of later ones have higher numbers
	segments []member
}

// A member is one live segment, with the pages that were dead in it when
// CURRENT was written.
type member struct {
	gen, size uint64
	check     uint32 // the header's checksum
	dead      []grave
}

func (c *current) encode() []byte {
	b := append([]byte(nil), currentMagic[:]...)
	b = le.AppendUint64(b, c.gen)
	b = binary.AppendUvarint(b, uint64(len(c.segments)))
	for _, m := range c.segments {
		b = le.AppendUint64(le.AppendUint64(b, m.gen), m.size)
		b = le.AppendUint32(b, m.check)
		b = binary.AppendUvarint(b, uint64(len(m.dead)))
		for _, g := range m.dead {
			b = appendGrave(b, g)
		}
	}
	return le.AppendUint32(b, crc32.ChecksumIEEE(b))
}

func appendGrave(b []byte, g grave) []byte {
	b = binary.AppendUvarint(b, uint64(g.page))
	b = binary.AppendUvarint(b, uint64(g.first))
	b = binary.AppendUvarint(b, uint64(g.docs))
	return binary.AppendUvarint(b, g.length)
}

func decodeCurrent(b []byte) (*current, error) {
	if len(b) < 20 || [8]byte(b[:8]) != currentMagic {
		return nil, damage("CURRENT is not ours, or of another version")
	}
	body := b[:len(b)-4]
	if crc32.ChecksumIEEE(body) != le.Uint32(b[len(body):]) {
		return nil, damage("checksum of CURRENT")
	}
	c := &current{gen: le.Uint64(b[8:])}
	d := decoder{b: body[16:]}
	for n := d.uvarint(); n > 0 && !d.bad; n-- {
		m := member{gen: d.uint64(), size: d.uint64(), check: d.uint32()}
		for k := d.uvarint(); k > 0 && !d.bad; k-- {
			m.dead = append(m.dead, d.grave())
		}
		c.segments = append(c.segments, m)
	}
	if d.bad || len(d.b) > 0 {
		return nil, damage("CURRENT makes no sense")
	}
	return c, nil
}

// A decoder reads numbers and strings; bad is set, for good, when the bytes run
// out.
type decoder struct {
	b   []byte
	bad bool
}

func (d *decoder) take(n uint64) []byte {
	if d.bad || n > uint64(len(d.b)) {
		d.bad = true
		return nil
	}
	out := d.b[:n:n]
	d.b = d.b[n:]
	return out
}

func (d *decoder) uint64() uint64 {
	if b := d.take(8); b != nil {
		return le.Uint64(b)
	}
	return 0
}

func (d *decoder) uint32() uint32 {
	if b := d.take(4); b != nil {
		return le.Uint32(b)
	}
	return 0
}

func (d *decoder) uvarint() uint64 {
	if len(d.b) > 0 && d.b[0] < 0x80 && !d.bad {
		v := d.b[0]
		d.b = d.b[1:]
		return uint64(v)
	}
	v, n := binary.Uvarint(d.b)
	if n <= 0 || d.bad {
		d.bad = true
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *decoder) grave() grave {
	return grave{uint32(d.uvarint()), uint32(d.uvarint()), uint32(d.uvarint()), d.uvarint()}
}

func (x *Index) segmentPath(gen uint64) string {
	return filepath.Join(x.dir, fmt.Sprintf("%016x.seg", gen))
}

func (x *Index) deltaPath(gen uint64) string {
	return filepath.Join(x.dir, fmt.Sprintf("%016x.log", gen))
}

// A base is what is stored, as this process has last read it.
type base struct {
	cur    *current    // nil: there is no index yet
	info   os.FileInfo // of CURRENT, to see whether it was replaced
	layers []layer     // with all dead pages, those of the delta included
	recent map[string]*index.Page
	delta  *os.File
	end    int64       // where the last good record of the delta ends
	size   int64       // of the delta when it was last read
	docs   int         // in recent
	closed bool        // the delta has been folded into a segment
	ignore os.FileInfo // a CURRENT that is damaged and could not be removed
}

// load reads what is stored, taking over the files that old has open.
func (x *Index) load(old *base) (*base, error) {
	for try := 0; ; try++ {
		b, err := x.loadOnce(old)
		if !os.IsNotExist(err) || try == 10 {
			return b, err
		}
		// A writer may have replaced CURRENT and deleted what it named.
	}
}

func (x *Index) loadOnce(old *base) (*base, error) {
	b := &base{recent: map[string]*index.Page{}}
	data, info, err := readWithInfo(x.currentPath())
	if os.IsNotExist(err) {
		return b, nil
	}
	if err != nil {
		return nil, err
	}
	b.info = info
	if b.cur, err = decodeCurrent(data); err != nil {
		return nil, err
	}
	if err := x.loadFiles(b, old); err != nil {
		x.abandon(b)
		if os.IsNotExist(err) && x.unchanged(b) {
			return nil, damage("a file is missing: " + err.Error())
		}
		return nil, err
	}
	return b, nil
}

func (x *Index) loadFiles(b, old *base) error {
	for _, m := range b.cur.segments {
		f := old.file(m)
		if f == nil {
			var err error
			if f, err = openFile(x.segmentPath(m.gen), m); err != nil {
				return err
			}
		}
		for _, g := range m.dead {
			if g.page >= f.h.pages || uint64(g.first)+uint64(g.docs) > uint64(f.h.docs) {
				return damage("a grave out of range")
			}
		}
		b.layers = append(b.layers, layer{file: f, dead: m.dead})
	}
	var err error
	if b.delta, err = regular.Open(x.deltaPath(b.cur.gen), os.O_RDONLY, 0); err != nil {
		return err
	}
	return b.readDelta()
}

// file is the open file of a segment, if b has it.
func (b *base) file(m member) *file {
	if b == nil {
		return nil
	}
	for _, l := range b.layers {
		if l.file.h.gen == m.gen && l.file.check == m.check {
			return l.file
		}
	}
	return nil
}

// unchanged tells whether CURRENT is still the file that b was read from.
func (x *Index) unchanged(b *base) bool {
	info, err := os.Stat(x.currentPath())
	if err != nil {
		return b.info == nil
	}
	if b.info == nil {
		return sameFile(info, b.ignore)
	}
	return sameFile(info, b.info)
}

// sameFile tells whether two looks at CURRENT have seen the same one.
func sameFile(a, b os.FileInfo) bool {
	return a != nil && b != nil && os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size()
}

func (x *Index) currentPath() string { return filepath.Join(x.dir, currentName) }

// abandon closes the delta of a base that is not used after all, and the
// segments that no snapshot uses.
func (x *Index) abandon(b *base) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if b.delta != nil {
		b.delta.Close()
	}
	for _, l := range b.layers {
		if l.file.refs == 0 {
			l.file.close()
		}
	}
}

// openFile maps a segment and checks that it is the one meant.
func openFile(path string, m member) (*file, error) {
	data, free, err := mapped.Open(path)
	if errors.Is(err, mapped.ErrSize) {
		return nil, damage(err.Error())
	}
	if err != nil {
		return nil, err
	}
	f, err := newFileGuarded(data, free)
	if err == nil && (f.h.gen != m.gen || f.h.size != m.size || f.check != m.check) {
		err = damage("another segment than CURRENT names")
	}
	if err != nil {
		free()
		return nil, err
	}
	return f, nil
}

func (f *file) close() {
	if f.free != nil {
		f.free()
		f.free = nil
	}
}

func readWithInfo(path string) ([]byte, os.FileInfo, error) {
	f, err := regular.Open(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	if info.Size() > 1<<30 {
		return nil, nil, damage("CURRENT is too large")
	}
	b := make([]byte, info.Size())
	n, err := f.ReadAt(b, 0)
	if n < len(b) {
		return nil, nil, damage("CURRENT was cut: " + fmt.Sprint(err))
	}
	return b, info, nil
}
