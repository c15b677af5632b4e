package engine

import (
	"context"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/vault"
)

// A place is an entry of a root.
type place struct {
	rel string
	st  pimento.Statement
	n   int
}

// A sight is an entry where an index doc says it stands: a question that still has
// the doc of before an edit must not leave its line to those after it.
type sight struct {
	place
	span pimento.Span
	line int
}

// maxGlances bounds the candidates that a long-lived process keeps.
const maxGlances = 2048

// changed drops what was read before the files changed.
func (st *store) changed() {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.glances = nil
}

// A glancer reads the entries of one root's index docs for one answer, each from
// its own bytes of the page alone, so that looking at many candidates does not
// parse many pages. What only the rest of the page tells (its heading) is left
// out. A page that changed since it was indexed is parsed as a whole.
type glancer struct {
	st     *store
	probe  *vault.Probe
	opened bool // it was tried
}

// text is the entry of an index doc.
func (g *glancer) text(ctx context.Context, rel string, d index.Doc) (pimento.Entry, error) {
	st, at := g.st, sight{place{rel, d.Statement, d.N}, d.Span, d.Line}
	st.mu.Lock()
	en, ok := st.glances[at]
	st.mu.Unlock()
	if ok {
		return en, nil
	}
	en, err := g.read(ctx, rel, d)
	if err != nil {
		return en, err
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.glances == nil || len(st.glances) >= maxGlances {
		st.glances = map[sight]pimento.Entry{}
	}
	st.glances[at] = en
	return en, nil
}

func (g *glancer) read(ctx context.Context, rel string, d index.Doc) (pimento.Entry, error) {
	if !g.opened {
		g.opened = true
		g.probe, _ = g.st.root.Probe() // without one, pages are read as a whole
	}
	if g.probe != nil {
		if b, ok := g.probe.Read(rel, d.Span); ok {
			if en, ok := g.st.cut(rel, d, b); ok {
				return en, nil
			}
		}
	}
	return g.st.entry(ctx, rel, d)
}

func (g *glancer) close() {
	if g.probe != nil {
		g.probe.Close()
	}
}

// cut makes the entry of an index doc from its own bytes; ok is false when they are
// not what was indexed.
func (st *store) cut(rel string, d index.Doc, b []byte) (en pimento.Entry, ok bool) {
	es := page.ParseAs(page.DialectOf(rel), rel, b).Entries()
	if len(es) != 1 || es[0].Statement != d.Statement {
		return en, false
	}
	en = es[0]
	en.Scope, en.N, en.Span, en.Line, en.Kind = st.scope, d.N, d.Span, d.Line, d.Kind
	if en.Stamp.IsZero() && d.Date != 0 {
		en.Stamp = time.Unix(d.Date, 0).UTC()
	}
	return en, true
}
