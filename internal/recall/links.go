package recall

import (
	"context"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	mdpage "github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/text"
)

// Bounds of what links bring along.
const (
	linkedFrom = 5 // hits whose links are followed
	linksEach  = 8 // links followed of one
)

// follow adds, one hop away, what the best candidates link to and what links
// to them. Each hop passes on a share of the score; what is a candidate already
// gains the same.
func (a *asking) follow(ctx context.Context, cs []*candidate) []*candidate {
	if a.params.Link == 0 {
		return cs
	}
	order(cs, a.params.Leaders)
	at := make(map[pimento.Statement]int, len(cs))
	for i, c := range cs {
		at[c.match.Doc.Statement] = i
	}
	for i := range min(len(cs), linkedFrom) {
		from := cs[i]
		gain := a.params.Link * (1 - a.open) * (from.score - from.why.of("link"))
		for _, m := range a.linked(ctx, from) {
			st := m.Doc.Statement
			if j, ok := at[st]; ok {
				if have := cs[j].why.of("link"); gain > have {
					cs[j].add("link", gain-have)
				}
				continue
			}
			if a.has(st) {
				continue
			}
			c := &candidate{root: from.root, match: m}
			c.add("link", gain)
			at[st] = len(cs)
			cs = append(cs, c)
		}
	}
	return cs
}

// linked is what a candidate links to and what links to it, as far as the caller
// wants to see it.
func (a *asking) linked(ctx context.Context, from *candidate) (ms []index.Match) {
	add := func(page string, d index.Doc) {
		if d.Statement != from.match.Doc.Statement && a.wants(page, d) {
			ms = append(ms, index.Match{Page: page, Doc: d})
		}
	}
	for _, key := range linkedBy(from.entry) {
		for page, d := range a.with(ctx, from.root, key, linksEach) {
			add(page, d)
		}
	}
	for _, n := range from.entry.Names {
		var back []index.Match
		for page, d := range a.with(ctx, from.root, text.LinkKey(n), linksEach+1) {
			back = append(back, index.Match{Page: page, Doc: d})
		}
		if len(back) > linksEach {
			continue // some of very many would be any
		}
		for _, m := range back {
			add(m.Page, m.Doc)
		}
	}
	for _, l := range from.entry.Links[:min(len(from.entry.Links), linksEach)] {
		a.onList(ctx, from.root, l, add)
	}
	return a.shown(from.root, ms)
}

// onList yields what stands on a list that a link means by its path: its entries have
// no names. Of a long list nobody can tell what is meant.
func (a *asking) onList(ctx context.Context, r *Source, link string, yield func(string, index.Doc)) {
	for _, rel := range mdpage.Linked(link) {
		if mdpage.DialectOf(rel) != mdpage.List {
			continue
		}
		p, ok, err := r.Reader.Page(ctx, rel)
		if err != nil {
			a.failed(ctx, string(r.Scope), err)
		}
		if !ok || len(p.Docs) > linksEach {
			continue
		}
		for _, d := range p.Docs {
			yield(rel, d)
		}
	}
}

// of is the part of one factor.
func (w whys) of(factor string) float64 {
	for _, f := range w {
		if f.Factor == factor {
			return f.Share
		}
	}
	return 0
}

// linkedBy are the index terms of what an entry links to.
func linkedBy(e pimento.Entry) []string {
	var keys []string
	for _, l := range e.Links[:min(len(e.Links), linksEach)] {
		keys = append(keys, text.NameKey(l))
	}
	for _, l := range e.Replaces[:min(len(e.Replaces), linksEach)] {
		keys = append(keys, text.NameKey(l))
	}
	return keys
}

// with yields the entries of a root that hold a term, at most so many.
func (a *asking) with(ctx context.Context, r *Source, key string, most int) func(yield func(string, index.Doc) bool) {
	return func(yield func(string, index.Doc) bool) {
		n := 0
		if key == "" {
			return
		}
		err := r.Reader.With(ctx, key, func(page string, d index.Doc) bool {
			n++
			return yield(strings.Clone(page), d) && n < most
		})
		if err != nil {
			a.failed(ctx, string(r.Scope), err)
		}
	}
}
