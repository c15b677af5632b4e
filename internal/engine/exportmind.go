package engine

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/mirror"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/remember"
	"github.com/pimento-memory/pimento/internal/source"
)

// An ExportedFile is a file of an export.
type ExportedFile struct {
	Path string `json:"path"` // relative to the folder that is written
	From string `json:"from"` // the page that it is of
	Data []byte `json:"-"`
}

// ExportMind returns a scope's memory in the layout with raw/ and knowledge/. Pages
// of knowledge and raw notes that are spelled its way already are copied byte for
// byte; other pages of knowledge get the front matter that its programs read; every
// other entry becomes a page of knowledge of its own; logs become observations.
// Tasks, handoffs and encrypted pages have no place there.
func (e *Engine) ExportMind(ctx context.Context, scope pimento.Scope) ([]ExportedFile, []pimento.Fault, error) {
	v := e.lookSynced(ctx)
	st := v.store(scope)
	if st == nil {
		if v.waits() {
			return nil, v.faults, errNoConsent("export", v)
		}
		return nil, v.faults, nil
	}
	idx, fault := st.Index(ctx)
	if fault != nil {
		v.faults = append(v.faults, *fault)
	}
	rels, err := mirror.PagePaths(ctx, idx, nil)
	if err != nil {
		return nil, v.faults, err
	}
	var out []ExportedFile
	taken := map[string]bool{}
	for _, rel := range rels {
		p, stamp, err := st.Parsed(ctx, rel)
		if err != nil {
			v.faultErr("vault", err)
			continue
		}
		es := st.Entries(p)
		for i, fact := range e.scoreFacts(ctx, v, st, es) {
			if es[i].Stamp.IsZero() { // when it was first said, or last seen
				es[i].Stamp = cmp.Or(fact.First, time.Unix(0, stamp.Mtime))
			}
		}
		for _, f := range asMind(rel, p, es) {
			for taken[f.Path] { // the same said twice in one moment
				f.Path = strings.TrimSuffix(f.Path, ".md") + "-2.md"
			}
			taken[f.Path] = true
			out = append(out, f)
		}
	}
	for _, p := range e.sealedPages(ctx, v) {
		if p.st == st {
			v.faults = append(v.faults, pimento.Fault{Kind: "export", Detail: p.rel + " is encrypted and was left out; first: pimento decrypt --apply " + string(st.scope) + ":" + p.rel})
		}
	}
	return out, v.faults, nil
}

// asMind are the files of one page with its entries, all of them dated.
func asMind(rel string, p *page.Page, es []pimento.Entry) (out []ExportedFile) {
	m, ok := p.Meta()
	known := ok && slices.Contains(page.Types(), m.Type) && (m.Tier == page.TierAlways || m.Tier == page.TierRelevant)
	if strings.HasPrefix(rel, page.RawDir) || strings.HasPrefix(rel, page.KnowledgeDir) && known {
		return []ExportedFile{{Path: rel, From: rel, Data: p.Bytes()}}
	}
	for i, en := range es {
		if en.Task || en.Kind == pimento.KindHandoff || strings.TrimSpace(en.Text) == "" {
			continue
		}
		k := source.Knowledge{Date: en.Stamp, Type: page.TypeOf(en.Kind), Always: en.Always || en.Pinned, Tags: en.Tags, Triples: en.Triples, Body: en.Text}
		to := rel
		switch {
		case en.Kind == pimento.KindNote:
			to = remember.ArticlePath("raw/observations", en.Text, page.Meta{Tags: en.Tags}, en.Stamp)
		case !strings.HasPrefix(rel, page.KnowledgeDir) || i > 0:
			to = remember.ArticlePath("knowledge", en.Text, page.Meta{Type: k.Type, Triples: k.Triples}, en.Stamp)
		}
		out = append(out, ExportedFile{Path: path.Clean(to), From: rel, Data: k.Bytes()})
	}
	return out
}
