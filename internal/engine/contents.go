package engine

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/guard"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/score"
	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/upkeep"
	"github.com/pimento-memory/pimento/internal/vault"
)

// Contents is what the pages of a folder hold, and what is odd about it.
type Contents struct {
	Pages    int              `json:"pages"`
	Entries  int              `json:"entries"`
	Archived int              `json:"archived"` // pages in archive/, which are not counted among the others
	Findings []upkeep.Finding `json:"findings"`
	Pairs    []Twins          `json:"pairs"` // what says the same, or cannot hold together
	Stale    []Told           `json:"stale"` // what was last said too long ago, as far as that is known
	Faults   []pimento.Fault  `json:"faults"`
}

// contents reads the pages of any folder as they are, without an index or a
// journal, and judges them as a profile would.
func (e *Engine) contents(ctx context.Context, dir string, scope pimento.Scope, p pimento.Profile) (Contents, error) {
	c, facts, err := e.folderFacts(ctx, dir, scope, p)
	c.Findings = append(c.Findings, upkeep.Lint(facts)...)
	known := e.judged(facts.Pages, scope, p)
	for _, x := range upkeep.Pairs(known) {
		c.Pairs = append(c.Pairs, twins(x))
	}
	for _, k := range upkeep.Rested(known, score.Policy(p.Scoring), e.Now()) {
		c.Stale = append(c.Stale, told(k))
	}
	return c, err
}

// LintFolder applies every rule to a folder of pages, or to a project that has one,
// that need not be in use: for somebody who wants to look before they trust it, or
// for a check of a repository. It reads what is there without any consent, because
// the user has named it, and hands nothing to a model.
func (e *Engine) LintFolder(ctx context.Context, dir string) ([]upkeep.Finding, []pimento.Fault, error) {
	v := e.look(ctx)
	for _, inside := range vault.MemoryDirs(dir) {
		if isDir(inside) {
			dir = inside
			break
		}
	}
	if filepath.Base(dir)+"/" == page.KnowledgeDir { // its pages are known by their folder
		dir = filepath.Dir(dir)
	}
	c, facts, err := e.folderFacts(ctx, dir, "", v.profile)
	if err != nil {
		return nil, nil, err
	}
	facts.Entries, facts.Policy, facts.Now = e.judged(facts.Pages, "", v.profile), score.Policy(v.profile.Scoring), e.Now()
	return append([]upkeep.Finding{}, upkeep.Lint(facts)...), c.Faults, nil
}

// folderFacts reads the pages of a folder, and counts them.
func (e *Engine) folderFacts(ctx context.Context, dir string, scope pimento.Scope, p pimento.Profile) (Contents, upkeep.LintFacts, error) {
	c := Contents{Findings: []upkeep.Finding{}, Pairs: []Twins{}, Stale: []Told{}, Faults: []pimento.Fault{}}
	facts := upkeep.LintFacts{Scope: scope, Topics: p.Topics}
	rootScope := scope
	if rootScope == "" {
		rootScope = pimento.Global
	}
	root, err := vault.OpenRoot(rootScope, dir, e.opt.Disk)
	if err != nil {
		return c, facts, err
	}
	pages, skipped, err := lintPages(ctx, root, func(err error) { c.Faults = append(c.Faults, pimento.FaultOf("vault", err)) })
	facts.Pages = pages
	for _, s := range skipped {
		c.Faults = append(c.Faults, pimento.Fault{Kind: "vault", Detail: s.Rel + " is not used: " + s.Why})
	}
	known := map[string]bool{}
	err = errors.Join(err, root.SweepArchive(ctx, func(rel string, _ pimento.Stamp) {
		c.Archived++
		known[rel] = true
	}))
	facts.Known = c.take(facts.Pages, known)
	return c, facts, err
}

// take counts what the pages hold, and returns what knows where their links may
// lead.
func (c *Contents) take(pages []*upkeep.LintPage, known map[string]bool) func(string) bool {
	for _, p := range pages {
		c.Pages++
		c.Entries += len(p.Page.Entries())
		known[p.Rel] = true
		for _, en := range p.Page.Entries() {
			for _, name := range en.Names {
				known[text.NameKey(name)] = true
			}
		}
	}
	return func(link string) bool {
		return known[text.NameKey(link)] || slices.ContainsFunc(pagesOf(link), func(rel string) bool { return known[rel] })
	}
}

// judged are the entries that can be compared, with their standing by the dates on
// the pages.
func (e *Engine) judged(pages []*upkeep.LintPage, scope pimento.Scope, p pimento.Profile) (known []upkeep.Known) {
	policy := score.Policy(p.Scoring)
	for _, pg := range pages {
		if pg.Page.Dialect() == page.Log || pg.Page.Dialect() == page.Checklist {
			continue // they say what happened, and what is to be done
		}
		for _, en := range pg.Page.Entries() {
			if _, secret := guard.Refuses(guard.Check(en.Text, guard.Options{})); secret {
				continue // a report must not say it again
			}
			en.Scope = scope
			fact := score.Fact{Kind: en.Kind, Text: en.Text, Pinned: en.Pinned, First: en.Stamp, Last: en.Stamp}
			known = append(known, upkeep.Known{Entry: en, Standing: score.Rank([]score.Fact{fact}, policy, e.Now())[0]})
		}
	}
	return known
}
