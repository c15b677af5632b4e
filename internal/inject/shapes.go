package inject

import (
	"encoding/binary"
	"hash/crc32"
	"strings"

	"github.com/pimento-memory/pimento"
)

// Shapes are the four things that an entry can be shown as in a resident set:
// full, compressed, structured (with its heading, and without it under that
// heading) and pointer. They are made from the entry alone, without a clock or a
// model, when it is written, so that choosing among them, which happens when
// room is short, only compares numbers. See docs/FORMATS.md, page table.
type Shapes struct {
	full, compressed, structured, headed, pointer shape
}

// A shape is a text that ends with a line break, and what it takes.
type shape struct {
	text string
	size size
}

func shapeOf(s string) shape { return shape{s, measure(s)} }

// ShapesOf makes the shapes of an entry.
func ShapesOf(e *pimento.Entry) Shapes {
	s := shorter(e)
	s.full = fullShape(e)
	return s
}

func fullShape(e *pimento.Entry) shape { return shapeOf(bullet(markOf(e), e.Text, "")) }

// shorter are all shapes but the full one, which of a large entry is costly and
// would not fit.
func shorter(e *pimento.Entry) Shapes {
	s := Shapes{
		compressed: shapeOf(bullet(markOf(e), brief(e.Text), "")),
		structured: shapeOf(structured(e, false)),
		pointer:    shapeOf(pointer(e)),
	}
	if s.headed = s.structured; e.Heading != "" {
		s.headed = shapeOf(structured(e, true))
	}
	return s
}

// at is the shape of a level; headed says that the entry stands under its
// heading. It carries neither dates nor ages: its place is the prefix.
func (s *Shapes) at(l level, headed bool) *shape {
	switch {
	case l == atPointer:
		return &s.pointer
	case l == atStructured && headed:
		return &s.headed
	case l == atStructured:
		return &s.structured
	case l == atBrief:
		return &s.compressed
	}
	return &s.full
}

func (s *Shapes) all() [5]*shape {
	return [...]*shape{&s.full, &s.compressed, &s.structured, &s.headed, &s.pointer}
}

// shapesMagic begins a file of shapes. Its last number changes when shapes are
// made or kept otherwise, so that older ones are made anew;
// TestShapesAreThoseOfTheirVersion fails when that is forgotten.
const shapesMagic = "pimento shapes 5\n"

// EncodeShapes makes the file of the shapes of a page with the given digest,
// whose entries these are:
//
//	magic, digest, line break, uint32 crc32 (IEEE, little endian) of what follows
//	uvarint n, the entries; then of each its statement (16 bytes) and five shapes,
//	each uvarint bytes, tokens, chars, lines, and its text
func EncodeShapes(digest pimento.Digest, entries []pimento.Entry) []byte {
	body := binary.AppendUvarint(nil, uint64(len(entries)))
	for i := range entries {
		s := ShapesOf(&entries[i])
		body = append(body, entries[i].Statement...)
		for _, sh := range s.all() {
			for _, n := range [...]int{sh.size.bytes, sh.size.tokens, sh.size.chars, sh.size.lines} {
				body = binary.AppendUvarint(body, uint64(n))
			}
			body = append(body, sh.text...)
		}
	}
	b := append([]byte(shapesMagic), digest...)
	b = binary.LittleEndian.AppendUint32(append(b, '\n'), crc32.ChecksumIEEE(body))
	return append(b, body...)
}

// DecodeShapes reads a file of shapes. ok is false when it is not one of this
// page with exactly these bytes and entries, or damaged: then shapes are made
// where they are needed.
func DecodeShapes(b []byte, digest pimento.Digest, entries []pimento.Entry) (out []Shapes, ok bool) {
	body, ok := strings.CutPrefix(string(b), shapesMagic+string(digest)+"\n")
	if !ok || len(body) < 4 {
		return nil, false
	}
	if checked := b[len(b)-len(body):]; binary.LittleEndian.Uint32(checked) != crc32.ChecksumIEEE(checked[4:]) {
		return nil, false
	}
	r := shapeReader{body[4:]}
	if r.number() != len(entries) {
		return nil, false
	}
	out = make([]Shapes, len(entries))
	for i := range out {
		if r.take(len(entries[i].Statement)) != string(entries[i].Statement) {
			return nil, false
		}
		for _, sh := range out[i].all() {
			sh.size.bytes, sh.size.tokens, sh.size.chars, sh.size.lines = r.number(), r.number(), r.number(), r.number()
			sh.text = r.take(sh.size.bytes)
		}
	}
	return out, r.rest == ""
}

// A shapeReader takes a file apart. What is missing reads as nothing.
type shapeReader struct{ rest string }

func (r *shapeReader) number() (n int) {
	for i := range min(len(r.rest), binary.MaxVarintLen32) {
		c := r.rest[i]
		n |= int(c&0x7f) << (7 * i)
		if c < 0x80 {
			r.rest = r.rest[i+1:]
			return n
		}
	}
	r.rest = ""
	return 0
}

func (r *shapeReader) take(n int) (s string) {
	n = min(max(n, 0), len(r.rest))
	s, r.rest = r.rest[:n], r.rest[n:]
	return s
}
