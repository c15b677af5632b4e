package engine

import (
	"context"
	"errors"
	"slices"
	"strings"

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
func (e *Engine) contents(ctx context.Context, v *view, dir string, scope pimento.Scope, p pimento.Profile) (Contents, error) {
	c := Contents{Findings: []upkeep.Finding{}, Pairs: []Twins{}, Stale: []Told{}, Faults: []pimento.Fault{}}
	rootScope := scope
	if rootScope == "" {
		rootScope = pimento.Global
	}
	root, err := vault.OpenRoot(rootScope, dir, e.opt.Disk)
	if err != nil {
		return c, err
	}
	facts := upkeep.LintFacts{Scope: scope, Topics: p.Topics}
	skipped, err := root.Sweep(ctx, func(rel string, _ pimento.Stamp) {
		b, _, err := root.Read(ctx, rel)
		if err != nil {
			c.Faults = append(c.Faults, pimento.Fault{Kind: "vault", Detail: err.Error()})
			return
		}
		facts.Pages = append(facts.Pages, &upkeep.LintPage{Rel: rel, Page: page.Parse(rel, b), Digest: pimento.DigestOf(b)})
	}, nil)
	for _, s := range skipped {
		c.Faults = append(c.Faults, pimento.Fault{Kind: "vault", Detail: s.Rel + " is not used: " + s.Why})
	}
	known := map[string]bool{}
	err = errors.Join(err, root.SweepArchive(ctx, func(rel string, _ pimento.Stamp) {
		c.Archived++
		known[rel] = true
	}))
	slices.SortFunc(facts.Pages, func(a, b *upkeep.LintPage) int { return strings.Compare(a.Rel, b.Rel) })
	facts.Known = c.take(facts.Pages, known)
	c.Findings = append(c.Findings, upkeep.Lint(facts)...)
	c.compare(facts.Pages, scope, p, e)
	return c, err
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

// compare looks for what says the same, and for what is stale by the dates that
// stand on the pages.
func (c *Contents) compare(pages []*upkeep.LintPage, scope pimento.Scope, p pimento.Profile, e *Engine) {
	policy := score.Policy(p.Scoring)
	var known []upkeep.Known
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
	for _, x := range upkeep.Pairs(known) {
		c.Pairs = append(c.Pairs, twins(x))
	}
	for _, k := range upkeep.Rested(known, policy, e.Now()) {
		c.Stale = append(c.Stale, told(k))
	}
}
