package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/mirror"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/vault"
)

// PageText is a page as it is, or one entry of it.
type PageText struct {
	Scope pimento.Scope `json:"scope"`
	Page  string        `json:"page"`
	Path  string        `json:"path"`
	Text  string        `json:"text"`
}

// Read returns a page ("MEMORY.md", "topics/x.md", "project:MEMORY.md") from
// every scope that has it, or the list of that name, or the entry of an id. Logs and checklists of the
// global root come without what was written in other projects.
func (e *Engine) Read(ctx context.Context, name string) ([]PageText, error) {
	v := e.look(ctx)
	scope, rel := scopedPage(name)
	if !strings.HasSuffix(rel, ".md") && !vault.Sealed(rel) {
		if _, err := parseID("read", name); err == nil {
			return e.readEntry(ctx, v, name)
		}
		rel += ".md"
	}
	if err := vault.CheckPage(rel); err != nil {
		return nil, err
	}
	if scope != "" && v.store(scope) == nil && v.waits() {
		return nil, errNoConsent("read", v)
	}
	out, err := e.pageIn(ctx, v, scope, rel)
	if err == nil && len(out) == 0 && !strings.Contains(rel, "/") {
		out, err = e.pageIn(ctx, v, scope, page.TopicsDir+rel) // as a link by that name means it
	}
	if err == nil && len(out) == 0 {
		err = errNoPage("read", v, rel)
		if sealed, _ := e.bytesIn(ctx, v, scope, vault.SealedPage(rel)); !vault.Sealed(rel) && len(sealed) > 0 {
			err = &pimento.Error{Op: "read", Path: rel, Kind: pimento.KindNotFound, Err: errors.New("the page is encrypted"),
				Hint: "read it as: pimento read " + vault.SealedPage(rel)}
		}
	}
	if err == nil && vault.Sealed(rel) {
		err = e.openPages(v, out)
	}
	return out, err
}

// pageIn reads a page from one scope or from all.
func (e *Engine) pageIn(ctx context.Context, v *view, scope pimento.Scope, rel string) ([]PageText, error) {
	out, err := e.bytesIn(ctx, v, scope, rel)
	for i := range out {
		if st := v.store(out[i].Scope); belongsToProject(rel) {
			t, _ := e.pageText(ctx, v, st, rel, "")
			out[i].Text = t.Body
		}
	}
	return out, err
}

// bytesIn reads a page as it stands on disk.
func (e *Engine) bytesIn(ctx context.Context, v *view, scope pimento.Scope, rel string) (out []PageText, err error) {
	for _, st := range v.stores {
		if scope != "" && scope != st.scope || !st.root.Holds(rel) {
			continue
		}
		b, _, err := st.root.Read(ctx, rel)
		if pimento.KindOf(err) == pimento.KindNotFound && err != nil {
			continue
		}
		if err != nil {
			return out, err
		}
		out = append(out, PageText{st.scope, rel, st.path(rel), string(b)})
	}
	return out, nil
}

// onePage is the page of a name, as it stands on disk. Several are a conflict.
func (e *Engine) onePage(ctx context.Context, v *view, op string, scope pimento.Scope, rel string) (PageText, error) {
	found, err := e.bytesIn(ctx, v, scope, rel)
	switch {
	case err != nil:
		return PageText{}, err
	case len(found) == 0:
		return PageText{}, errNoPage(op, v, rel)
	case len(found) > 1:
		return PageText{}, &pimento.Error{Op: op, Path: rel, Kind: pimento.KindConflict, Err: errors.New("several scopes have this page"),
			Hint: fmt.Sprintf("name one: %s:%s", found[0].Scope, rel)}
	}
	return found[0], nil
}

func (e *Engine) readEntry(ctx context.Context, v *view, id string) ([]PageText, error) {
	e.syncAll(ctx, v)
	en, st, err := e.resolve(ctx, v, "read", id)
	if err != nil {
		return nil, err
	}
	return []PageText{{en.Scope, en.Page, st.path(en.Page), en.Text}}, nil
}

// Daily returns the logs of a day (YYYY-MM-DD, "" for today), scope by scope.
// In the global root, what was written in another project is left out.
func (e *Engine) Daily(ctx context.Context, date string) ([]PageText, error) {
	if date == "" {
		date = e.Today()
	}
	if t, err := time.Parse(time.DateOnly, date); err != nil || t.Format(time.DateOnly) != date {
		return nil, &pimento.Error{Op: "daily", Path: date, Kind: pimento.KindUsage,
			Err: errors.New("invalid date"), Hint: "use YYYY-MM-DD, for example " + e.Today()}
	}
	v := e.look(ctx)
	rel := page.DailyPage(date)
	var out []PageText
	for _, st := range v.stores {
		if t, ok := e.pageText(ctx, v, st, rel, date); ok {
			out = append(out, PageText{st.scope, rel, st.path(rel), t.Body})
		}
	}
	return out, nil
}

// DailyList returns the days that have a log, newest first.
func (e *Engine) DailyList(ctx context.Context) []string {
	v := e.lookSynced(ctx)
	seen := map[string]bool{}
	out := []string{}
	for _, st := range v.stores {
		for _, rel := range e.dailyPages(ctx, st) {
			day := strings.TrimSuffix(strings.TrimPrefix(rel, page.DailyDir), ".md")
			if !seen[day] {
				seen[day] = true
				out = append(out, day)
			}
		}
	}
	slices.Sort(out)
	slices.Reverse(out)
	return out
}

// PageInfo is one page in a listing.
type PageInfo struct {
	Scope   pimento.Scope `json:"scope"`
	Page    string        `json:"page"`
	Path    string        `json:"path"`
	Bytes   int64         `json:"bytes"`
	Entries int           `json:"entries"`
	Changed time.Time     `json:"changed"`
	// Encrypted says that nobody looked into the page: its entries are not counted.
	Encrypted bool `json:"encrypted,omitempty"`
}

// Pages lists every page of every readable scope.
func (e *Engine) Pages(ctx context.Context) ([]PageInfo, []pimento.Fault, error) {
	v := e.lookSynced(ctx)
	var out []PageInfo
	for _, st := range v.stores {
		idx, _ := st.Index(ctx)
		paths, err := mirror.PagePaths(ctx, idx, nil)
		if err != nil {
			return out, v.faults, err
		}
		for _, rel := range paths {
			p, ok, err := idx.Page(ctx, rel)
			if err != nil || !ok {
				continue
			}
			out = append(out, PageInfo{Scope: st.scope, Page: rel, Path: st.path(rel), Bytes: p.Stamp.Size, Entries: len(p.Docs),
				Changed: time.Unix(0, p.Stamp.Mtime).In(e.Now().Location())})
		}
		skipped, err := st.root.Sweep(ctx, func(string, pimento.Stamp) {}, nil)
		v.faultErr("vault", err)
		for _, s := range skipped {
			v.fault("vault", s.Rel+": "+s.Why)
		}
	}
	for _, p := range e.sealedPages(ctx, v) {
		out = append(out, PageInfo{Scope: p.st.scope, Page: p.rel, Path: p.st.path(p.rel), Bytes: p.stamp.Size,
			Changed: time.Unix(0, p.stamp.Mtime).In(e.Now().Location()), Encrypted: true})
	}
	return out, v.faults, nil
}
