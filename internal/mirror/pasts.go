package mirror

import (
	"context"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/recall"
	"github.com/pimento-memory/pimento/internal/session"
	"github.com/pimento-memory/pimento/internal/text"
)

// Pasts are the past sessions of one project with their index. It is brought up to
// the file when it is asked, and never else: few profiles ask.
type Pasts struct {
	*session.Pasts
	dir string // of the indexes of all versions

	mu   sync.Mutex // guards what follows
	idx  index.Index
	byID map[string]session.Past
}

// NewPasts prepares what is derived from the file, in a directory of its own.
func NewPasts(file, dir string) *Pasts { return &Pasts{Pasts: session.NewPasts(file), dir: dir} }

// A PastHit is a past session that answers a question.
type PastHit struct {
	session.Past
	Snippet string
}

// Search finds past sessions, best first, except those named in but. The faults are
// of the index or the file.
func (p *Pasts) Search(ctx context.Context, q pimento.Query, opts recall.Options, but []string) ([]PastHit, []pimento.Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.sync(ctx); err != nil {
		return nil, []pimento.Fault{{Kind: "sessions", Detail: err.Error()}}
	}
	src := recall.Source{Scope: pimento.Global, Reader: p.idx, Text: func(_ context.Context, path string, d index.Doc) (pimento.Entry, error) {
		past, ok := p.byID[path]
		if !ok {
			return pimento.Entry{}, &pimento.Error{Op: "sessions", Path: path, Kind: pimento.KindNotFound, Err: os.ErrNotExist}
		}
		return pastEntry(past), nil
	}}
	opts.Skip = func(_ pimento.Scope, ms []index.Match) []index.Match {
		return slices.DeleteFunc(ms, func(m index.Match) bool { return slices.Contains(but, p.byID[m.Page].Session) })
	}
	a := recall.Answer(ctx, q, []recall.Source{src}, opts)
	var hits []PastHit
	for _, h := range a.Hits {
		past := p.byID[h.Entry.Page]
		hits = append(hits, PastHit{Past: past, Snippet: text.Snippet(past.Text, q.Text)})
	}
	if len(a.Faults) > 0 {
		p.byID = nil // the index is compared as a whole the next time
	}
	return hits, a.Faults
}

// pastEntry is a past as the index sees it: a page of its own with one entry.
func pastEntry(p session.Past) pimento.Entry {
	return pimento.Entry{Occurrence: pimento.Occurrence{Scope: pimento.Global, Page: p.ID, Statement: pimento.Statement(p.ID)},
		Kind: pimento.KindNote, Text: p.Text, Stamp: p.Time}
}

// sync brings the index up to the file. The caller holds mu.
func (p *Pasts) sync(ctx context.Context) error {
	all, err := p.All()
	if err != nil {
		return err
	}
	if p.idx == nil {
		p.byID = nil
		p.idx, _ = open(context.WithoutCancel(ctx), p.dir) // one in memory answers as well
	}
	before := p.byID
	p.byID = make(map[string]session.Past, len(all))
	var put []index.Page
	analyzer := text.NewAnalyzer()
	for _, past := range all {
		p.byID[past.ID] = past
		if before[past.ID] == past {
			continue // this process has compared it with the index
		}
		digest := pimento.DigestOf([]byte(past.Text))
		if old, ok, err := p.idx.Page(ctx, past.ID); err == nil && ok && old.Digest == digest {
			continue
		}
		put = append(put, index.Page{Path: past.ID, Digest: digest, Docs: recall.Docs(nil, analyzer, past.ID, past.Time, pastEntry(past))})
	}
	var gone []string
	_ = p.idx.Pages(ctx, func(pg index.Page) bool {
		if _, ok := p.byID[pg.Path]; !ok {
			gone = append(gone, pg.Path)
		}
		return true
	})
	if len(put)+len(gone) > 0 {
		_ = p.idx.Apply(ctx, put, gone) // what it could not store holds in memory
	}
	return nil
}

// Expire drops what is older than since.
func (p *Pasts) Expire(ctx context.Context, since time.Time) {
	old := func(x session.Past) bool { return x.Time.Before(since) }
	if all, err := p.All(); err == nil && slices.ContainsFunc(all, old) {
		_ = p.Rewrite(ctx, func(x session.Past) bool { return !old(x) })
	}
}

// Purge takes out the past sessions that are gone, and how many they were; the index
// is made anew.
func (p *Pasts) Purge(ctx context.Context, gone func(session.Past) bool) (n int, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	err = p.Rewrite(ctx, func(x session.Past) bool {
		if gone(x) {
			n++
			return false
		}
		return true
	})
	if err != nil || n == 0 {
		return n, err
	}
	_ = p.drop()
	return n, os.RemoveAll(p.dir)
}

// Close lets go of the index; the next search opens it again.
func (p *Pasts) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.drop()
}

// drop is Close for who holds mu.
func (p *Pasts) drop() error {
	if p.idx == nil {
		return nil
	}
	err := p.idx.Close()
	p.idx = nil
	return err
}
