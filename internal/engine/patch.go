package engine

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/remember"
	"github.com/pimento-memory/pimento/internal/vault"
)

// Patch replaces a text that stands exactly once on a page of knowledge. The page
// may be named by its path in the root (knowledge/x.md), in that folder (x.md),
// from above the root (.pi/memory/knowledge/x.md), or by an absolute path below the
// root. The narrowest scope that has it counts.
func (e *Engine) Patch(ctx context.Context, name string, x remember.Patch, by Actor) (Result, error) {
	v := e.look(ctx)
	st, rel, err := v.knowledgePage(ctx, name)
	if err != nil {
		return Result{}, err
	}
	e.syncAll(ctx, v)
	p, after, err := e.write(ctx, st, rel, func(d draft) (pimento.Plan, error) {
		if d.digest == "" {
			return pimento.Plan{}, errNoPage("update", v, rel)
		}
		return x.Plan(st.target(rel, d), e.by(by), Note{Text: x.New}.findings()), nil
	})
	if err != nil {
		return Result{}, err
	}
	return e.result(st, rel, p, after), nil
}

// knowledgePage finds the page that a name means.
func (v *view) knowledgePage(ctx context.Context, name string) (*store, string, error) {
	bad := func(why string) error {
		return &pimento.Error{Op: "update", Path: name, Kind: pimento.KindRefused, Err: errors.New(why),
			Hint: "only pages below knowledge/ are corrected; what happened (raw/, daily/) stays as it was"}
	}
	if !strings.HasSuffix(name, ".md") {
		return nil, "", bad("not a page")
	}
	scope := pimento.Scope("")
	if s, rest, ok := strings.Cut(name, ":"); ok {
		if sc, err := pimento.ParseScope(s); err == nil {
			scope, name = sc, rest
		}
	}
	missing, elsewhere := false, false
	for i := len(v.stores) - 1; i >= 0; i-- {
		st := v.stores[i]
		if scope != "" && st.scope != scope || st.scope == pimento.Local {
			continue
		}
		for _, rel := range st.knowledgePaths(name) {
			if vault.CheckWrite(rel) != nil {
				continue
			}
			_, _, err := st.root.Read(ctx, rel)
			switch known := strings.HasPrefix(rel, page.KnowledgeDir); {
			case known && err == nil:
				return st, rel, nil
			case known && errors.Is(err, fs.ErrNotExist):
				missing = true
			case known:
				return nil, "", err
			case err == nil:
				elsewhere = true
			}
		}
	}
	if missing && !elsewhere {
		return nil, "", errNoPage("update", v, name)
	}
	return nil, "", bad("not below knowledge/")
}

// knowledgePaths are the paths below a root that a name may mean.
func (st *store) knowledgePaths(name string) []string {
	if filepath.IsAbs(name) {
		rel, err := filepath.Rel(st.root.Dir(), name)
		if err != nil {
			return nil
		}
		return []string{filepath.ToSlash(rel)}
	}
	name = strings.TrimPrefix(filepath.ToSlash(name), "./")
	paths := []string{name}
	dir := filepath.ToSlash(st.root.Dir())
	for at := strings.LastIndexByte(dir, '/'); at >= 0; at = strings.LastIndexByte(dir[:at], '/') {
		if rel, ok := strings.CutPrefix(name, dir[at+1:]+"/"); ok { // as it is named from above the root
			paths = append(paths, rel)
		}
	}
	return append(paths, page.KnowledgeDir+name)
}
