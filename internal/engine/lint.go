package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/remember"
	"github.com/pimento-memory/pimento/internal/score"
	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/upkeep"
	"github.com/pimento-memory/pimento/internal/vault"
)

// Lint applies every rule to every readable scope. It changes nothing. What could
// not be looked at is a fault.
func (e *Engine) Lint(ctx context.Context) ([]upkeep.Finding, []pimento.Fault) {
	v := e.lookSynced(ctx)
	known := e.known(ctx, v)
	out := []upkeep.Finding{}
	for _, st := range v.stores {
		facts, skipped, err := e.lintFacts(ctx, v, st)
		v.faultErr("vault", err)
		for _, s := range skipped {
			v.fault("vault", s.Rel+": "+s.Why)
		}
		facts.Entries = ofScope(known, st.scope)
		out = append(out, upkeep.Lint(facts)...)
	}
	return out, v.faults
}

// lintFacts reads every page of a root; skipped is what lies there and is none.
func (e *Engine) lintFacts(ctx context.Context, v *view, st *store) (_ upkeep.LintFacts, skipped []vault.Skip, _ error) {
	f := upkeep.LintFacts{Scope: st.scope, Topics: v.profile.Topics, Known: func(link string) bool { return e.leads(ctx, v, link) },
		Policy: score.Policy(v.profile.Scoring), Now: e.Now()}
	var errs []error
	if st.scope == pimento.Project {
		var err error
		f.Tracked, err = vault.TrackedConversations(ctx, v.project)
		errs = append(errs, err)
	}
	pages, skipped, err := lintPages(ctx, st.root, func(err error) { errs = append(errs, err) })
	f.Pages = pages
	return f, skipped, errors.Join(append(errs, err)...)
}

// lintPages are the pages of a root by path; failed gets why one cannot be read.
func lintPages(ctx context.Context, root *vault.Root, failed func(error)) (pages []*upkeep.LintPage, skipped []vault.Skip, err error) {
	skipped, err = eachPageOf(ctx, root, func(rel string, p *page.Page, err error) {
		if err != nil {
			failed(err)
			return
		}
		pages = append(pages, &upkeep.LintPage{Rel: rel, Page: p, Digest: pimento.DigestOf(p.Bytes())})
	})
	slices.SortFunc(pages, func(a, b *upkeep.LintPage) int { return strings.Compare(a.Rel, b.Rel) })
	return pages, skipped, err
}

// leads says whether a link leads to a page or an entry of any readable scope,
// the archive included.
func (e *Engine) leads(ctx context.Context, v *view, link string) bool {
	for _, st := range v.stores {
		idx, _ := st.Index(ctx)
		found := false
		if key := text.NameKey(link); key != "" {
			v.faultErr("index", idx.With(ctx, key, func(string, index.Doc) bool { found = true; return false }))
		}
		for _, rel := range pagesOf(link) {
			if found {
				break
			}
			if !st.root.Holds(rel) {
				continue
			}
			_, _, err := st.root.Read(ctx, rel)
			found = err == nil
		}
		if found {
			return true
		}
	}
	return false
}

// pagesOf are the pages that a link may mean by its path, in the archive, too.
func pagesOf(link string) (rels []string) {
	for _, rel := range page.Linked(link) {
		rels = append(rels, rel, page.ArchiveDir+rel)
	}
	return rels
}

// A FixReport is what `lint --fix` would do, or did.
type FixReport struct {
	Applied bool             `json:"applied"`
	Fixes   []upkeep.Finding `json:"fixes"` // those with a fix, in the order in which they are made
	Moves   []Move           `json:"moves"` // what went to the archive, with the way back
	Edits   []Edited         `json:"edits"` // what was edited, likewise
}

// An Edited page can be brought back as it was, as long as nobody changes it again.
type Edited struct {
	Scope    pimento.Scope `json:"scope"`
	Page     string        `json:"page"`
	Recovery string        `json:"recovery"`
	was      []byte        // before the first edit of this run
}

// maxPasses bounds how often Fix looks again at what its own edits left.
const maxPasses = 10

// Fix makes, or only shows, the fixes of all findings that have one. Several edits
// of one page are planned one after another, each on the result of the one before.
func (e *Engine) Fix(ctx context.Context, apply bool, by Actor) (FixReport, error) {
	rep := FixReport{Applied: apply, Fixes: []upkeep.Finding{}, Moves: []Move{}, Edits: []Edited{}}
	for range maxPasses {
		found, _ := e.Lint(ctx)
		// The last repetition goes first, so that the others keep their number.
		slices.Reverse(found)
		more, err := e.fixAll(ctx, found, apply, by, &rep)
		if err != nil || !more {
			return rep, err
		}
	}
	return rep, nil
}

// fixAll makes one pass; more says that a page had a second edit, or was changed
// by a fix of another one (as the index is), which waits for the next pass.
func (e *Engine) fixAll(ctx context.Context, found []upkeep.Finding, apply bool, by Actor, rep *FixReport) (more bool, err error) {
	v := e.look(ctx)
	edited := map[string]bool{}
	for _, f := range found {
		if f.Fix == nil {
			continue
		}
		page := string(f.Scope) + ":" + f.Page
		if apply && len(f.Fix.Splices) > 0 && edited[page] {
			more = true
			continue
		}
		edited[page] = true
		if apply {
			err := e.fix(ctx, v, f, by, rep)
			if pimento.KindOf(err) == pimento.KindConflict && len(edited) > 1 {
				more = true
				continue
			}
			if err != nil {
				return more, err
			}
		}
		rep.Fixes = append(rep.Fixes, f)
	}
	return more, nil
}

// fix makes one fix.
func (e *Engine) fix(ctx context.Context, v *view, f upkeep.Finding, by Actor, rep *FixReport) error {
	st := v.store(f.Scope)
	if st == nil {
		return nil // the consent was taken back meanwhile
	}
	if at := f.Fix.Archive; at != nil {
		m := moving{st: st, rel: f.Page, text: f.Text}
		if at.Statement != "" {
			m.at = at
			if p, _, err := st.Parsed(ctx, f.Page); err == nil {
				en, _ := p.Find(at.Statement, at.N)
				m.text = en.Text
			}
		}
		move, err := e.move(ctx, m, "lint: "+f.Rule, true, by)
		if err == nil {
			rep.Moves = append(rep.Moves, move)
		}
		return err
	}
	return e.edit(ctx, st, f, rep)
}

// edit makes a fix that edits a page. Several edits of one page in one run have
// one way back.
func (e *Engine) edit(ctx context.Context, st *store, f upkeep.Finding, rep *FixReport) error {
	at := slices.IndexFunc(rep.Edits, func(x Edited) bool { return x.Scope == f.Scope && x.Page == f.Page })
	x := Edited{Scope: f.Scope, Page: f.Page, Recovery: e.newID()}
	if at >= 0 {
		x = rep.Edits[at]
	}
	keep := func(after []byte) error {
		return e.setAside(ctx, x.Recovery, remember.Payload{V: 1, Verb: "lint", Time: e.Now(), Scope: f.Scope, Page: f.Page, Whole: true,
			Raw: x.was, After: pimento.DigestOf(after), Undo: []pimento.Splice{{Del: len(after), Ins: x.was}}})
	}
	_, after, err := e.write(ctx, st, f.Page, func(d draft) (pimento.Plan, error) {
		p, after, err := lintEdit(st, f, d)
		if err != nil {
			return p, err
		}
		if at < 0 {
			x.was = slices.Clone(d.page.Bytes())
		}
		return p, keep(after)
	})
	if err != nil {
		return err
	}
	if at < 0 {
		rep.Edits = append(rep.Edits, x)
	}
	if after != nil {
		return keep(after.Bytes()) // with what the write did beside it
	}
	return nil
}

// lintEdit is the plan of a fix that edits a page as the rule has seen it.
func lintEdit(st *store, f upkeep.Finding, d draft) (p pimento.Plan, after []byte, err error) {
	after, ok := pimento.ApplySplices(d.page.Bytes(), f.Fix.Splices)
	if !ok || d.digest != f.Fix.Before {
		return p, nil, &pimento.Error{Op: "lint", Path: f.Page, Kind: pimento.KindConflict,
			Err: fmt.Errorf("the page was changed meanwhile (%s)", f.Rule), Hint: "run it again: pimento lint --fix"}
	}
	return pimento.Plan{Verb: "lint", Action: pimento.Put, Reason: f.Rule, Changes: []pimento.Change{{Scope: st.scope, Page: f.Page,
		Before: d.digest, After: pimento.DigestOf(after), Splices: f.Fix.Splices}}}, after, nil
}

// eachPageOf reads every page of a root, in no particular order. One that goes
// meanwhile is left out; skipped is what lies there and is no page.
func eachPageOf(ctx context.Context, root *vault.Root, visit func(rel string, p *page.Page, err error)) (skipped []vault.Skip, err error) {
	read := root.Reader()
	defer read.Close()
	return root.Sweep(ctx, func(rel string, _ pimento.Stamp) {
		switch b, _, err := read.Read(ctx, rel); {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			visit(rel, nil, err)
		default:
			visit(rel, page.Parse(rel, b), nil)
		}
	}, nil)
}
