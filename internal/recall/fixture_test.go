package recall_test

import (
	"context"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/index/memindex"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/recall"
	"github.com/pimento-memory/pimento/internal/text"
)

// A house is a set of memory roots in memory, made from the files of a txtar
// archive whose names begin with a scope.
type house map[pimento.Scope]map[string]*page.Page

func build(t testing.TB, files []txtar.File) (house, []recall.Source) {
	t.Helper()
	h := house{}
	for _, f := range files {
		scope, rel, ok := strings.Cut(f.Name, "/")
		if !ok {
			continue
		}
		s := pimento.Scope(scope)
		if h[s] == nil {
			h[s] = map[string]*page.Page{}
		}
		h[s][rel] = page.Parse(rel, f.Data)
	}
	var roots []recall.Source
	for _, s := range pimento.Scopes() {
		if h[s] != nil {
			roots = append(roots, h.source(t, s))
		}
	}
	return h, roots
}

func (h house) source(t testing.TB, s pimento.Scope) recall.Source {
	t.Helper()
	idx := memindex.New()
	var pages []index.Page
	for rel, p := range h[s] {
		ip := index.Page{Path: rel}
		for _, e := range p.Entries() {
			ip.Docs = recall.Docs(ip.Docs, text.NewAnalyzer(), rel, time.Time{}, e)
		}
		pages = append(pages, ip)
	}
	slices.SortFunc(pages, func(a, b index.Page) int { return strings.Compare(a.Path, b.Path) })
	if err := idx.Apply(t.Context(), pages, nil); err != nil {
		t.Fatal(err)
	}
	return recall.Source{Scope: s, Reader: idx, Text: func(_ context.Context, rel string, d index.Doc) (pimento.Entry, error) {
		if p := h[s][rel]; p != nil {
			if e, ok := p.Find(d.Statement, d.N); ok {
				return e, nil
			}
		}
		return pimento.Entry{}, fs.ErrNotExist
	}}
}

func archive(t testing.TB, s string) []recall.Source {
	t.Helper()
	_, roots := build(t, txtar.Parse([]byte(s)).Files)
	return roots
}

// dated is one root whose entries have a time.
func dated(t testing.TB, entries map[string]time.Time) []recall.Source {
	t.Helper()
	return datedPages(t, map[string]map[string]time.Time{"notes": entries})
}

// datedPages is dated with several pages.
func datedPages(t testing.TB, pages map[string]map[string]time.Time) []recall.Source {
	t.Helper()
	all := map[string][]pimento.Entry{}
	for name, entries := range pages {
		for s, at := range entries {
			all[name+".md"] = append(all[name+".md"], pimento.Entry{Text: s, Kind: pimento.KindFact, Stamp: at})
		}
	}
	return made(t, all)
}

// made is one root of pages with these entries.
func made(t testing.TB, pages map[string][]pimento.Entry) []recall.Source {
	t.Helper()
	idx := memindex.New()
	have := map[pimento.Statement]pimento.Entry{}
	var all []index.Page
	for rel, entries := range pages {
		p := index.Page{Path: rel}
		for _, e := range entries {
			e.Page, e.Statement = rel, pimento.StatementOf(e.Text)
			have[e.Statement] = e
			p.Docs = recall.Docs(p.Docs, text.NewAnalyzer(), rel, time.Time{}, e)
		}
		all = append(all, p)
	}
	if err := idx.Apply(t.Context(), all, nil); err != nil {
		t.Fatal(err)
	}
	return []recall.Source{{Scope: pimento.Global, Reader: idx, Text: func(_ context.Context, _ string, d index.Doc) (pimento.Entry, error) {
		return have[d.Statement], nil
	}}}
}
