package mirror

import (
	"context"
	"errors"
	"io/fs"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/vault"
)

type cachedPage struct {
	stamp pimento.Stamp
	page  *page.Page
}

// maxCachedPages bounds what a long-lived process keeps parsed.
const maxCachedPages = 64

// Parsed reads and parses a page. A long-lived process keeps the last pages.
func (m *Mirror) Parsed(ctx context.Context, rel string) (*page.Page, pimento.Stamp, error) {
	read := m.opt.Root.Reader()
	defer read.Close()
	return m.ParsedBy(ctx, read, rel)
}

// ParsedBy is Parsed for who reads many pages.
func (m *Mirror) ParsedBy(ctx context.Context, read *vault.Reader, rel string) (*page.Page, pimento.Stamp, error) {
	if !m.opt.Root.Holds(rel) {
		return nil, pimento.Stamp{}, &pimento.Error{Op: "read", Path: rel, Kind: pimento.KindNotFound, Err: fs.ErrNotExist}
	}
	b, stamp, err := read.Read(ctx, rel)
	if err != nil {
		return nil, stamp, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if c, ok := m.pages[rel]; ok && c.stamp == stamp {
		return c.page, stamp, nil
	}
	p := page.Parse(rel, b)
	if m.pages == nil || len(m.pages) >= maxCachedPages {
		m.pages = map[string]cachedPage{}
	}
	m.pages[rel] = cachedPage{stamp, p}
	return p, stamp, nil
}

// Entries are a page's entries with their scope filled in.
func (m *Mirror) Entries(p *page.Page) []pimento.Entry {
	es := p.Entries()
	out := make([]pimento.Entry, len(es))
	for i, en := range es {
		en.Scope = m.opt.Scope
		out[i] = en
	}
	return out
}

// Entry finds the entry of an index doc on its page as it is now.
func (m *Mirror) Entry(ctx context.Context, rel string, d index.Doc) (pimento.Entry, error) {
	p, _, err := m.Parsed(ctx, rel)
	if err != nil {
		return pimento.Entry{}, err
	}
	en, ok := p.Find(d.Statement, d.N)
	if !ok {
		return pimento.Entry{}, &pimento.Error{Op: "read", Path: rel, Kind: pimento.KindNotFound,
			Err: errors.New("an entry that was found has been changed or taken out meanwhile"), Hint: "ask again"}
	}
	en.Scope = m.opt.Scope
	return en, nil
}
