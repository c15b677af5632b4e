package segment

import (
	"encoding/binary"
	"hash/crc32"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
)

// A posting is one doc of a term.
type posting struct {
	doc uint32
	tf  uint16
}

// A writer puts a segment together: first all pages with their docs in order,
// then all terms in order.
type writer struct {
	h     header
	sec   [sections][]byte
	kinds map[pimento.Kind]uint16
	block int    // terms in the open block of the dict
	last  []byte // the term before
}

func newWriter() *writer { return &writer{kinds: map[pimento.Kind]uint16{}} }

// page adds a page with its docs.
func (w *writer) page(p *index.Page) {
	first, length := w.h.docs, uint64(0)
	for i := range p.Docs {
		w.doc(&p.Docs[i], i > 0)
		length += uint64(p.Docs[i].Len)
	}
	b := w.sec[secPages]
	b = le.AppendUint64(b, p.Stamp.Dev)
	b = le.AppendUint64(b, p.Stamp.Ino)
	b = le.AppendUint64(b, uint64(p.Stamp.Size))
	b = le.AppendUint64(b, uint64(p.Stamp.Mtime))
	b = le.AppendUint64(b, uint64(p.Stamp.Ctime))
	b = le.AppendUint64(b, uint64(p.Synced))
	text := w.text(p.Path)
	var sum [32]byte
	how := byte(255) // a sha256, in place
	if !nibbles(sum[:], string(p.Digest)) {
		clear(sum[:])
		how = byte(len(p.Digest)) // the digest stands after the path
		w.text(string(p.Digest))
	}
	b = append(b, sum[:]...)
	b = le.AppendUint32(b, text)
	b = le.AppendUint32(b, uint32(len(p.Path)))
	b = le.AppendUint32(b, first)
	b = le.AppendUint32(b, uint32(len(p.Docs)))
	b = le.AppendUint64(b, length)
	w.sec[secPages] = append(b, how, 0, 0, 0, 0, 0, 0, 0)
	w.h.pages++
	if len(p.Docs) > 0 {
		w.h.filled++
	}
	w.h.length += length
}

// text adds a string and returns where it is.
func (w *writer) text(s string) uint32 {
	at := len(w.sec[secStrings])
	w.sec[secStrings] = append(w.sec[secStrings], s...)
	return uint32(at)
}

// doc adds a doc; inner says that there is one before it on its page.
func (w *writer) doc(d *index.Doc, inner bool) {
	var stmt [8]byte
	odd := byte(0)
	if !nibbles(stmt[:], string(d.Statement)) {
		odd = 1
		le.PutUint32(stmt[:], w.text(string(d.Statement)))
		le.PutUint32(stmt[4:], uint32(len(d.Statement)))
	}
	kind, ok := w.kinds[d.Kind]
	if !ok {
		kind = uint16(len(w.kinds))
		w.kinds[d.Kind] = kind
		w.sec[secKinds] = append(append(w.sec[secKinds], byte(len(d.Kind))), d.Kind...)
	}
	b := append(w.sec[secDocs], stmt[:]...)
	b = le.AppendUint64(b, uint64(d.Date))
	b = le.AppendUint32(b, uint32(d.Span.Start))
	b = le.AppendUint32(b, uint32(d.Span.End))
	b = le.AppendUint32(b, uint32(d.Line))
	b = le.AppendUint32(b, uint32(d.N))
	b = le.AppendUint32(b, w.h.pages)
	b = le.AppendUint16(b, kind)
	b = append(b, d.Flags, odd)
	w.sec[secDocs] = le.AppendUint64(le.AppendUint64(b, d.Beside[0]), d.Beside[1])
	w.sec[secLens] = le.AppendUint32(w.sec[secLens], uint32(d.Len))
	if inner && d.Flags&index.More != 0 {
		w.more()
	}
	w.h.docs++
}

// more notes that the next doc is a further passage of the one before.
func (w *writer) more() {
	b, n := w.sec[secLong], len(w.sec[secLong])
	if n > 0 && le.Uint32(b[n-8:])+le.Uint32(b[n-4:]) == w.h.docs {
		le.PutUint32(b[n-4:], le.Uint32(b[n-4:])+1)
		return
	}
	w.sec[secLong] = le.AppendUint32(le.AppendUint32(b, w.h.docs-1), 2)
}

// term adds a term with its postings, sorted by doc. It keeps neither.
func (w *writer) term(t string, list []posting) {
	start := len(w.sec[secPostings])
	if n := bitmap(len(list), w.h.docs); n > 0 {
		w.sec[secPostings] = appendDense(w.sec[secPostings], list, n)
	} else {
		w.sec[secPostings] = appendList(w.sec[secPostings], list, skips(len(list)))
	}
	post := w.sec[secPostings]
	dict, shared := w.sec[secDict], 0
	if w.block%blockTerms == 0 {
		w.sec[secBlocks] = le.AppendUint32(w.sec[secBlocks], uint32(len(dict)))
		dict = le.AppendUint64(dict, uint64(start))
	} else {
		for shared < len(t) && shared < len(w.last) && t[shared] == w.last[shared] {
			shared++
		}
		dict = binary.AppendUvarint(dict, uint64(shared))
	}
	dict = binary.AppendUvarint(dict, uint64(len(t)-shared))
	dict = append(dict, t[shared:]...)
	dict = binary.AppendUvarint(dict, uint64(len(list)))
	w.sec[secDict] = binary.AppendUvarint(dict, uint64(len(post)-start))
	w.last = append(w.last[:0], t...)
	w.block++
	w.h.terms++
}

// appendList adds postings as a list with so many skip rows.
func appendList(post []byte, list []posting, rows int) []byte {
	start, prev := len(post), uint32(0)
	post = append(post, make([]byte, rows*skipRow)...)
	body := len(post)
	for i, p := range list {
		if k := i / skipEvery; i%skipEvery == 0 && k > 0 && k <= rows {
			row := post[start+(k-1)*skipRow:]
			le.PutUint32(row, prev)
			le.PutUint32(row[4:], uint32(len(post)-body))
		}
		delta := uint64(p.doc-prev) << 1
		prev = p.doc
		if p.tf == 1 {
			post = binary.AppendUvarint(post, delta)
			continue
		}
		post = binary.AppendUvarint(binary.AppendUvarint(post, delta|1), uint64(p.tf))
	}
	return post
}

// appendDense adds postings as a bitmap of n bytes and a list of what stands in a doc
// more than once.
func appendDense(post []byte, list []posting, n int) []byte {
	start := len(post)
	post = append(post, make([]byte, n)...)
	var often []posting
	for _, p := range list {
		if p.tf == 1 {
			post[start+int(p.doc/8)] |= 1 << (p.doc % 8)
		} else {
			often = append(often, p)
		}
	}
	return appendList(post, often, 0)
}

// finish is the whole file.
func (w *writer) finish(gen uint64) []byte {
	at := uint64(headerSize)
	for i := range w.sec {
		at += uint64(len(w.sec[i]))
		w.h.end[i] = at
	}
	w.h.gen = gen
	w.h.size = at + 4*blocksOf(at-headerSize)
	b := make([]byte, headerSize, w.h.size)
	for i := range w.sec {
		b = append(b, w.sec[i]...)
		w.sec[i] = nil
	}
	var sums []byte
	for body := range slices.Chunk(b[headerSize:], sumBlock) {
		sums = le.AppendUint32(sums, crc32.ChecksumIEEE(body))
	}
	w.h.sums = crc32.ChecksumIEEE(sums)
	b = append(b, sums...)
	copy(b, w.h.encode())
	return b
}

// build makes a segment of pages that are sorted by path.
func build(pages []index.Page, gen uint64) []byte {
	w := newWriter()
	total := 0
	for i := range pages {
		w.page(&pages[i])
		for j := range pages[i].Docs {
			total += len(pages[i].Docs[j].Terms)
		}
	}
	ids := numbers{known: make(map[string]uint32, min(total/2, 1<<17)), met: make([]meeting, 1<<meetBits)}
	var terms []string
	var count []uint32
	of := make([]uint32, 0, total) // the id of each term of each doc
	for i := range pages {
		for j := range pages[i].Docs {
			for _, t := range pages[i].Docs[j].Terms {
				id := ids.of(t.Text)
				if int(id) == len(terms) {
					terms, count = append(terms, t.Text), append(count, 0)
				}
				count[id]++
				of = append(of, id)
			}
		}
	}
	at := make([]uint32, len(terms)+1) // where each term's postings go
	for i, n := range count {
		at[i+1] = at[i] + n
	}
	list := make([]posting, total)
	doc, k := uint32(0), 0
	next := slices.Clone(at)
	for i := range pages {
		for j := range pages[i].Docs {
			for _, t := range pages[i].Docs[j].Terms {
				list[next[of[k]]] = posting{doc, t.TF}
				next[of[k]]++
				k++
			}
			doc++
		}
	}
	type numbered struct {
		term string
		id   uint32
	}
	order := make([]numbered, len(terms))
	for i := range order {
		order[i] = numbered{terms[i], uint32(i)}
	}
	slices.SortFunc(order, func(a, b numbered) int { return strings.Compare(a.term, b.term) })
	for _, n := range order {
		w.term(n.term, list[at[n.id]:at[n.id+1]])
	}
	return w.finish(gen)
}
