package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
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
// every scope that has it, or the entry of an id. Logs and checklists of the
// global root come without what was written in other projects.
func (e *Engine) Read(ctx context.Context, name string) ([]PageText, error) {
	v := e.look(ctx)
	scope, rel := scopedPage(name)
	if !strings.HasSuffix(rel, ".md") {
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
	if err == nil && len(out) == 0 {
		err = errNoPage("read", v, rel)
	}
	return out, err
}

// pageIn reads a page from one scope or from all.
func (e *Engine) pageIn(ctx context.Context, v *view, scope pimento.Scope, rel string) ([]PageText, error) {
	var out []PageText
	for _, st := range v.stores {
		if scope != "" && scope != st.scope || !st.holds(rel) {
			continue
		}
		b, _, err := st.root.Read(ctx, rel)
		if pimento.KindOf(err) == pimento.KindNotFound && err != nil {
			continue
		}
		if err != nil {
			return out, err
		}
		if belongsToProject(rel) {
			t, _ := e.pageText(ctx, v, st, rel, "")
			b = []byte(t.Body)
		}
		out = append(out, PageText{st.scope, rel, st.path(rel), string(b)})
	}
	return out, nil
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
		date = e.today()
	}
	if t, err := time.Parse(time.DateOnly, date); err != nil || t.Format(time.DateOnly) != date {
		return nil, &pimento.Error{Op: "daily", Path: date, Kind: pimento.KindUsage,
			Err: errors.New("invalid date"), Hint: "use YYYY-MM-DD, for example " + e.today()}
	}
	v := e.look(ctx)
	rel := dailyDir + date + ".md"
	var out []PageText
	for _, st := range v.stores {
		if t, ok := e.pageText(ctx, v, st, rel, date); ok {
			out = append(out, PageText{st.scope, rel, st.path(rel), t.Body})
		}
	}
	return out, nil
}

// DailyList returns the days that have a log, newest first.
func (e *Engine) DailyList(ctx context.Context) ([]string, error) {
	v := e.look(ctx)
	e.syncAll(ctx, v)
	seen := map[string]bool{}
	var out []string
	for _, st := range v.stores {
		for _, rel := range e.dailyPages(ctx, st) {
			day := strings.TrimSuffix(strings.TrimPrefix(rel, dailyDir), ".md")
			if !seen[day] {
				seen[day] = true
				out = append(out, day)
			}
		}
	}
	slices.Sort(out)
	slices.Reverse(out)
	return out, nil
}

// PageInfo is one page in a listing.
type PageInfo struct {
	Scope   pimento.Scope `json:"scope"`
	Page    string        `json:"page"`
	Path    string        `json:"path"`
	Bytes   int64         `json:"bytes"`
	Entries int           `json:"entries"`
	Changed time.Time     `json:"changed"`
}

// Pages lists every page of every readable scope.
func (e *Engine) Pages(ctx context.Context) ([]PageInfo, []pimento.Fault, error) {
	v := e.look(ctx)
	e.syncAll(ctx, v)
	var out []PageInfo
	for _, st := range v.stores {
		idx, _ := e.index(ctx, st)
		var paths []string
		err := eachPage(ctx, idx, func(p index.Page) bool { paths = append(paths, p.Path); return true })
		if err != nil {
			return out, v.faults, err
		}
		for _, rel := range paths {
			p, ok, err := idx.Page(ctx, rel)
			if err != nil || !ok {
				continue
			}
			out = append(out, PageInfo{st.scope, rel, st.path(rel), p.Stamp.Size,
				len(p.Docs), time.Unix(0, p.Stamp.Mtime).In(e.Now().Location())})
		}
		skipped, err := st.root.Sweep(ctx, func(string, pimento.Stamp) {}, nil)
		v.faultErr("vault", err)
		for _, s := range skipped {
			v.fault("vault", s.Rel+": "+s.Why)
		}
	}
	return out, v.faults, nil
}
