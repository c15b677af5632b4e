package engine

import (
	"context"
	"math"
	"slices"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
)

// newest are at most maxCandidates entries with a term, the newest by date, in
// page order and without their headings.
func (e *Engine) newest(ctx context.Context, v *view, st *store, term string) []pimento.Entry {
	docs := newestDocs{k: maxCandidates, oldest: math.MinInt64}
	idx, _ := st.Index(ctx)
	v.faultErr("index", idx.With(ctx, term, func(rel string, d index.Doc) bool {
		docs.add(docAt{rel, d})
		return true
	}))
	var out []pimento.Entry
	var text []byte
	read := "" // the page in text
	for _, d := range docs.take() {
		if read != d.rel {
			text, _, _ = st.root.Read(ctx, d.rel) // unreadable: its entries are left out
			read = d.rel
		}
		if span := d.doc.Span; span.Start < 0 || span.Len() <= 0 || span.End > len(text) {
			continue
		}
		if en, ok := st.Cut(d.rel, d.doc, text[d.doc.Span.Start:d.doc.Span.End]); ok {
			out = append(out, en)
		}
	}
	return out
}

// newestDocs selects, of the docs given to it in page order, the first k that are
// no older than the k-th newest. Those of a large memory are very many, so what cannot
// be among them any more is dropped on the way.
type newestDocs struct {
	k      int
	all    []docAt
	oldest int64 // what is no newer comes too late: there are k before it that are no older
}

func (n *newestDocs) add(d docAt) {
	if d.doc.Date <= n.oldest {
		return
	}
	if n.all = append(n.all, d); len(n.all) == 8*n.k {
		n.drop()
	}
}

// drop leaves less than 2k.
func (n *newestDocs) drop() {
	if len(n.all) <= n.k {
		return
	}
	dates := make([]int64, len(n.all))
	for i, d := range n.all {
		dates[i] = d.doc.Date
	}
	slices.Sort(dates)
	n.oldest = dates[len(dates)-n.k]
	kept := 0
	n.all = slices.DeleteFunc(n.all, func(d docAt) bool {
		if d.doc.Date < n.oldest || d.doc.Date == n.oldest && kept >= n.k {
			return true
		}
		kept++
		return false
	})
}

func (n *newestDocs) take() []docAt {
	n.drop()
	return n.all[:min(len(n.all), n.k)]
}
