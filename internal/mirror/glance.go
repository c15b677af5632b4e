package mirror

import (
	"context"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/vault"
)

// A sight is an entry where an index doc says it stands: a question that still has
// the doc of before an edit must not leave its line to those after it.
type sight struct {
	rel  string
	st   pimento.Statement
	n    int
	span pimento.Span
	line int
}

// maxGlances bounds the candidates that a long-lived process keeps.
const maxGlances = 2048

// changed drops what was read before the files changed.
func (m *Mirror) changed() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.glances = nil
}

// A Glancer reads the entries of the root's index docs for one answer, each from its
// own bytes of the page alone, so that looking at many candidates does not parse many
// pages. What only the rest of the page tells (its heading) is left out. A page that
// changed since it was indexed is parsed as a whole. The caller closes it.
type Glancer struct {
	m      *Mirror
	probe  *vault.Probe
	opened bool // it was tried
}

// Glancer makes one.
func (m *Mirror) Glancer() *Glancer { return &Glancer{m: m} }

// Text is the entry of an index doc.
func (g *Glancer) Text(ctx context.Context, rel string, d index.Doc) (pimento.Entry, error) {
	m, at := g.m, sight{rel, d.Statement, d.N, d.Span, d.Line}
	m.mu.Lock()
	en, ok := m.glances[at]
	m.mu.Unlock()
	if ok {
		return en, nil
	}
	en, err := g.read(ctx, rel, d)
	if err != nil {
		return en, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.glances == nil || len(m.glances) >= maxGlances {
		m.glances = map[sight]pimento.Entry{}
	}
	m.glances[at] = en
	return en, nil
}

func (g *Glancer) read(ctx context.Context, rel string, d index.Doc) (pimento.Entry, error) {
	if !g.opened {
		g.opened = true
		g.probe, _ = g.m.opt.Root.Probe() // without one, pages are read as a whole
	}
	if g.probe != nil {
		if b, ok := g.probe.Read(rel, d.Span); ok {
			if en, ok := g.m.Cut(rel, d, b); ok {
				return en, nil
			}
		}
	}
	return g.m.Entry(ctx, rel, d)
}

// Close lets go of the files.
func (g *Glancer) Close() {
	if g.probe != nil {
		g.probe.Close()
	}
}

// Cut makes the entry of an index doc from its own bytes; ok is false when they are
// not what was indexed.
func (m *Mirror) Cut(rel string, d index.Doc, b []byte) (en pimento.Entry, ok bool) {
	es := page.ParseAs(page.DialectOf(rel), rel, b).Entries()
	if len(es) != 1 || es[0].Statement != d.Statement {
		return en, false
	}
	en = es[0]
	en.Scope, en.N, en.Span, en.Line, en.Kind = m.opt.Scope, d.N, d.Span, d.Line, d.Kind
	if en.Stamp.IsZero() && d.Date != 0 {
		en.Stamp = time.Unix(d.Date, 0).UTC()
	}
	return en, true
}
