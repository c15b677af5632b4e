package engine

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/inject"
	"github.com/pimento-memory/pimento/internal/mirror"
	"github.com/pimento-memory/pimento/internal/page"
)

// pageText is a page's body as a raw section shows it, with its entries' ids.
// Lines of other projects are left out of what belongs to a project.
func (e *Engine) pageText(ctx context.Context, v *view, st *store, rel, date string) (inject.Text, bool) {
	if !st.root.Holds(rel) {
		return inject.Text{}, false
	}
	p, _, err := st.Parsed(ctx, rel)
	if err != nil {
		if pimento.KindOf(err) != pimento.KindNotFound {
			v.faultErr("vault", err)
		}
		return inject.Text{}, false
	}
	if p.Conflicted() {
		v.fault("vault", rel+mirror.OpenConflict)
	}
	p = p.Agreed()
	body := p.Bytes()
	es := st.Entries(p)
	t := inject.Text{Scope: st.scope, Page: rel, Date: date}
	hidden := withEarlierHandoffs(es, e.hiddenEntries(ctx, v, st, es))
	old := outdatedIndex(v, p)
	cuts := e.cutsOf(ctx, v, st, p, es, hidden, old)
	var b strings.Builder
	at := 0
	upTo := func(off int) {
		for len(cuts) > 0 && cuts[0].Start <= off {
			b.Write(body[at:cuts[0].Start])
			b.WriteString(cuts[0].with)
			at, cuts = cuts[0].End, cuts[1:]
		}
	}
	for i, en := range es {
		if hidden[i] || old.Start <= en.Span.Start && en.Span.Start < old.End {
			continue
		}
		upTo(en.Span.Start)
		shift := b.Len() - at
		t.IDs = append(t.IDs, string(en.Statement))
		t.Spans = append(t.Spans, pimento.Span{Start: en.Span.Start + shift, End: en.Span.End + shift})
	}
	upTo(len(body))
	b.Write(body[at:])
	t.Body = b.String()
	return t, strings.TrimSpace(t.Body) != ""
}

// withEarlierHandoffs adds to the hidden entries of a page the handoffs before its
// last one: they repeat the log, and tasks that may be done since.
func withEarlierHandoffs(es []pimento.Entry, hidden map[int]bool) map[int]bool {
	last := true
	for i := len(es) - 1; i >= 0; i-- {
		switch {
		case !page.IsHandoff(&es[i]) || hidden[i]:
		case last:
			last = false
		default:
			if hidden == nil {
				hidden = map[int]bool{}
			}
			hidden[i] = true
		}
	}
	return hidden
}

// A cut is a part of a page's bytes that is shown otherwise, or not at all.
type cut struct {
	pimento.Span
	with string
}

// cutsOf are the parts of a page that are not shown as they stand, in page
// order: hidden entries, an outdated index, and the generated one, which is shown
// as it should be.
func (e *Engine) cutsOf(ctx context.Context, v *view, st *store, p *page.Page, es []pimento.Entry, hidden map[int]bool, old pimento.Span) (cuts []cut) {
	for i, en := range es {
		if hidden[i] {
			cuts = append(cuts, cut{withGap(p.Bytes(), en.Span), ""})
		}
	}
	if old.Len() > 0 {
		cuts = append(cuts, cut{withGap(p.Bytes(), old), ""})
	}
	if span, ok := p.Generated(); ok {
		cuts = append(cuts, cut{span, listBelow(string(p.Bytes()[:span.Start]), e.indexLines(ctx, v, st))})
	}
	slices.SortFunc(cuts, func(a, b cut) int { return a.Start - b.Start })
	return cuts
}

// outdatedIndex is where an index of another program stands, which nobody keeps any
// more, if the topic pages are listed all the same.
func outdatedIndex(v *view, p *page.Page) pimento.Span {
	_, kept := p.Generated()
	if !kept && !v.profile.Topics.Index && v.profile.SectionOf(pimento.PickPointers) == nil {
		return pimento.Span{}
	}
	if span, _, ok := p.ForeignIndex(); ok && p.Dialect() == page.List {
		return span
	}
	return pimento.Span{}
}

// listBelow is a list of topic pages below a text that may have left a code
// block open, which would take it in.
func listBelow(above, list string) string {
	if open := inject.Open(above); open != "" && list != "" {
		return open + "\n\n" + list
	}
	return list
}

// withGap adds the blank lines below a span that has one above it.
func withGap(body []byte, s pimento.Span) pimento.Span {
	if above := body[:s.Start]; len(above) == 0 || bytes.HasSuffix(above, []byte("\n\n")) || bytes.HasSuffix(above, []byte("\n\r\n")) {
		s.End = len(body) - len(bytes.TrimLeft(body[s.End:], "\r\n"))
	}
	return s
}

// indexLines is the list of a root's topic pages as the memory page shows it,
// "" under a profile that lists them in a section of their own.
func (e *Engine) indexLines(ctx context.Context, v *view, st *store) string {
	if v.profile.SectionOf(pimento.PickPointers) != nil {
		return ""
	}
	idx, _ := st.Index(ctx)
	rels, err := mirror.PagePaths(ctx, idx, page.HoldsTopic)
	v.faultErr("index", err)
	return page.IndexLines(rels, "\n")
}

// memoryTexts are the memory pages of all scopes, with the list of topic pages
// that the profile wants there.
func (e *Engine) memoryTexts(ctx context.Context, v *view) []inject.Text {
	var out []inject.Text
	for _, st := range v.stores {
		t, ok := e.pageText(ctx, v, st, st.memoryPage(), "")
		if v.profile.Topics.Index && st.scope != pimento.Local && !e.hasIndex(ctx, st) {
			if list := e.indexLines(ctx, v, st); list != "" {
				if ok {
					above := strings.TrimRight(t.Body, "\r\n") + "\n\n"
					list = above + listBelow(above, list)
				}
				t.Scope, t.Page, t.Body, ok = st.scope, page.Memory, list, true
			}
		}
		if ok {
			out = append(out, t)
		}
	}
	return out
}

// hasIndex says whether a root's memory page holds a generated index.
func (e *Engine) hasIndex(ctx context.Context, st *store) bool {
	p, _, err := st.Parsed(ctx, page.Memory)
	if err != nil {
		return false
	}
	_, ok := p.Generated()
	return ok
}
