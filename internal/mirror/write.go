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

// Wrote takes a page in that this process wrote. If it has other bytes by now than ours
// knows, somebody has changed it again since, and that is left for the next sync to
// find. It returns the page as it is, nil when it cannot be read.
func (m *Mirror) Wrote(ctx context.Context, rel string, ours func(pimento.Digest) bool) *page.Page {
	mine := m.syncing.enter(ctx) // else the sync under way, or the next one, brings the page
	if mine {
		defer m.syncing.leave()
	}
	m.changed()
	now := m.nanos()
	b, stamp, err := m.opt.Root.Read(ctx, rel)
	if errors.Is(err, fs.ErrNotExist) {
		if mine {
			idx, _ := m.Index(ctx)
			_ = idx.Apply(ctx, nil, []string{rel})
		}
		return page.Parse(rel, nil)
	}
	if err != nil {
		return nil
	}
	p, digest := page.Parse(rel, b), pimento.DigestOf(b)
	if !mine || page.Archived(rel) || !ours(digest) {
		return p
	}
	idx, _ := m.Index(ctx)
	entries := m.Entries(p)
	// The index is derived: what it could not store, the next sync brings.
	_ = m.takeIn(ctx, idx, []index.Page{PageOf(m.analyzers[0], rel, stamp, digest, now, entries)}, nil, entries)
	return p
}

// CatchUp takes up what somebody else did to a page since the last sync, so that it
// stays news when we write over it. The page has the digest now.
func (m *Mirror) CatchUp(ctx context.Context, rel string, now pimento.Digest) {
	if vault.Sealed(rel) || page.Archived(rel) || !m.syncing.enter(ctx) {
		return // no index holds it, or the sync under way sees it
	}
	defer m.syncing.leave()
	idx, _ := m.Index(ctx)
	if now == "" || !complete(ctx, idx) {
		return // a sync tells of a page that is gone, or brings the whole root
	}
	old, known, err := idx.Page(ctx, rel)
	if err != nil || old.Digest == now {
		return
	}
	d := m.differ()
	read := m.opt.Root.Reader()
	defer read.Close()
	r := m.readPage(ctx, idx, read, m.analyzers[:1], dirtyPage{rel: rel, known: known})
	if r.err != nil || !r.news {
		return
	}
	if !r.same {
		d.Page(rel, r.old, r.now, r.entries)
	}
	m.changed()
	_ = m.opt.Journal.Note(ctx, d.News(0)) // before the index moves on, see takeOver
	_ = m.takeIn(ctx, idx, []index.Page{r.now}, nil, r.entries)
}
