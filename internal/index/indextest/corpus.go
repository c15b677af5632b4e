// Package indextest holds what tests of an index share: [Run], the suite that every
// implementation passes; [Differential], which applies the same random changes to two
// implementations and compares their answers; and [Corpus], a seeded generator of the
// pages and queries that both run on. Only tests import it.
package indextest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
)

// A Corpus makes synthetic pages: words drawn by Zipf's law, flattened at its
// head as if stop words were taken out, so that the commonest words of a large
// vocabulary are in a tenth of the docs and most words in a few. The same seed
// makes the same pages.
type Corpus struct {
	rng   *rand.Rand
	zipf  *rand.Zipf
	clock int64
	Words int  // words of a doc, 60 when 0
	Brief bool // every entry is one passage
}

// NewCorpus makes a generator with a vocabulary of the given size.
func NewCorpus(seed uint64, vocabulary int) *Corpus {
	rng := rand.New(rand.NewPCG(seed, 1))
	return &Corpus{rng: rng, zipf: rand.NewZipf(rng, 1.1, 150, uint64(vocabulary-1)), clock: 1_700_000_000_000_000_000}
}

// word is the n-th word of the vocabulary, 0 being the most frequent one.
func word(n int) string {
	const syllables = "bacedifoguhajekilomunapeqirosutavewixoyuzabecidofuga"
	var b strings.Builder
	for b.Len() < 4 || n > 0 {
		i := n % (len(syllables) / 2)
		b.WriteString(syllables[2*i : 2*i+2])
		n /= len(syllables) / 2
	}
	return b.String()
}

// Page makes a page with n docs.
func (c *Corpus) Page(path string, n int) index.Page {
	c.clock += 1_000_003
	p := index.Page{
		Path:   path,
		Stamp:  pimento.Stamp{Dev: 7, Ino: c.rng.Uint64(), Size: int64(n * 400), Mtime: c.clock, Ctime: c.clock + 1},
		Digest: pimento.DigestOf([]byte(fmt.Sprint(path, c.clock))),
		Synced: c.clock + 5,
	}
	for i := range n {
		d := c.doc(i)
		if i > 0 && c.rng.IntN(5) == 0 && !c.Brief { // a further passage
			first := p.Docs[i-1]
			d.Statement, d.N, d.Span, d.Line, d.Kind, d.Date = first.Statement, first.N, first.Span, first.Line, first.Kind, first.Date
			d.Beside = first.Beside
			d.Flags = first.Flags | index.More
		}
		p.Docs = append(p.Docs, d)
	}
	return p
}

func (c *Corpus) doc(i int) index.Doc {
	words := c.Words
	if words == 0 {
		words = 60
	}
	kinds := pimento.EntryKinds()
	d := index.Doc{
		Statement: pimento.Statement(fmt.Sprintf("%016x", c.rng.Uint64())),
		N:         c.rng.IntN(3) / 2,
		Span:      pimento.Span{Start: i * 400, End: i*400 + 399},
		Line:      i*4 + 1,
		Kind:      kinds[c.rng.IntN(len(kinds))],
		Flags:     uint8(c.rng.IntN(8)) | uint8(c.rng.IntN(2))*index.Asks | uint8(c.rng.IntN(2))*index.Wonders | uint8(c.rng.IntN(2))*index.Said,
		Date:      int64(c.rng.IntN(3)) * 1_700_000_000,
		Len:       words/2 + c.rng.IntN(words),
		Beside:    [2]uint64{c.rng.Uint64(), c.rng.Uint64()},
	}
	for range d.Len {
		w := word(int(c.zipf.Uint64()))
		d.Terms = append(d.Terms, index.Term{Text: "w" + w[:len(w)-1], TF: 1}, index.Term{Text: "x" + w, TF: 1})
	}
	d.Terms = append(d.Terms, index.Term{Text: "fk:" + string(d.Kind), TF: 1}, index.Term{Text: "m2026", TF: 1})
	d.Terms = tidy(d.Terms)
	return d
}

// tidy sorts terms and adds up those that are equal, as a Doc wants them.
func tidy(terms []index.Term) []index.Term {
	slices.SortFunc(terms, func(a, b index.Term) int { return strings.Compare(a.Text, b.Text) })
	out := terms[:0]
	for _, t := range terms {
		if n := len(out); n > 0 && out[n-1].Text == t.Text {
			out[n-1].TF += t.TF
			continue
		}
		out = append(out, t)
	}
	return slices.Clip(out)
}

// Pages makes a memory of docs docs, perPage on each page.
func (c *Corpus) Pages(docs, perPage int) []index.Page {
	var pages []index.Page
	for n := 0; docs > 0; n++ {
		pages = append(pages, c.Page(fmt.Sprintf("topics/%02d/page-%05d.md", n%17, n), min(docs, perPage)))
		docs -= perPage
	}
	return pages
}

// Query makes a query of n terms drawn like the words of the docs, with the
// weights that the statistics of x would not change.
func (c *Corpus) Query(n, limit int) index.Query {
	q := index.Query{K1: 0.9, B: 0.4, AvgLen: 60, AvgPage: 400, Limit: limit}
	if c.rng.IntN(4) > 0 {
		q.Whole, q.Page, q.Prev, q.Next, q.Asked, q.Far = c.rng.Float32(), c.rng.Float32(), c.rng.Float32(), c.rng.Float32(), c.rng.Float32(), c.rng.Float32()
		q.Holding, q.Back = c.rng.IntN(2) == 0, c.rng.IntN(4)
	}
	for i := range n {
		w := word(int(c.zipf.Uint64()))
		t := index.WeightedTerm{Text: "x" + w, Weight: float32(1+c.rng.IntN(8)) / 2}
		if i%2 == 0 {
			t.Text = "w" + w[:len(w)-1]
		}
		q.Terms = append(q.Terms, t)
	}
	return q
}
