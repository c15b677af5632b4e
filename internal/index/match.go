package index

import "sort"

// TF is how often a doc holds a term.
func (d *Doc) TF(term string) uint16 {
	i := sort.Search(len(d.Terms), func(i int) bool { return d.Terms[i].Text >= term })
	if i == len(d.Terms) || d.Terms[i].Text != term {
		return 0
	}
	return d.Terms[i].TF
}

// Matches scores the entries of one page, in page order, straight from the
// formula at [Query]; q has at most [MaxTerms] terms.
func Matches(q *Query, p *Page) []Match {
	var all []Match
	length := 0
	holders := make([]uint16, len(q.Terms)) // passages that hold the term
	for i := 0; i < len(p.Docs); {
		end := i + 1
		for end < len(p.Docs) && p.Docs[end].Flags&More != 0 {
			end++
		}
		all = append(all, entry(q, p.Path, p.Docs[i:end], holders))
		for ; i < end; i++ {
			length += p.Docs[i].Len
		}
	}
	var page float32
	for i, t := range q.Terms {
		page += q.PagePart(t.Weight, holders[i], length)
	}
	out := all[:0:0]
	for i := range all {
		var prev, far, next float32
		asked := false
		if i > 0 {
			prev, asked = all[i-1].Own, all[i-1].Doc.Flags&Asks != 0
		}
		if i > 1 && all[i].Doc.Flags&Said != 0 {
			far = all[i-2].Own
		}
		if i+1 < len(all) {
			next = all[i+1].Own
		}
		m := all[i]
		m.Heard = m.Held
		if m.Doc.Flags&Said != 0 {
			for _, before := range all[max(0, i-q.Back):i] {
				m.Heard |= before.Held
			}
		}
		if m.Score, m.Near = q.Scored(m.Own, page, q.Before(prev, far), next, asked); m.Score > 0 && (m.Held != 0 || !q.Holding) {
			out = append(out, m)
		}
	}
	return out
}

// entry is an entry's match but for what its page and its neighbours add.
func entry(q *Query, path string, passages []Doc, holders []uint16) Match {
	m := Match{Page: path, Doc: passages[0]}
	m.Doc.Terms = nil
	most := make([]float32, len(q.Terms))
	var best, whole float32
	for k := range passages {
		var score float32
		for i, t := range q.Terms {
			part := q.Part(t.Weight, passages[k].TF(t.Text), passages[k].Len)
			score += part
			most[i] = max(most[i], part)
			if part > 0 {
				holders[i]++
				m.Held |= 1 << i
			}
		}
		best = max(best, score)
	}
	for _, part := range most {
		whole += part
	}
	m.Own = q.OwnScore(best, whole)
	return m
}
