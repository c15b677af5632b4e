package engine

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/index/memindex"
	"github.com/pimento-memory/pimento/internal/mirror"
	"github.com/pimento-memory/pimento/internal/news"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/recall"
	"github.com/pimento-memory/pimento/internal/remember"
	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/vault"
)

// A Move is a page or an entry that goes to the archive. Its JSON form is the
// contract of docs/FORMATS.md.
type Move struct {
	ID       pimento.Statement `json:"id,omitempty"` // "" for a whole page
	Scope    pimento.Scope     `json:"scope"`
	Page     string            `json:"page"`
	To       string            `json:"to"`      // the page of the archive
	Entries  int               `json:"entries"` // how many it takes along
	Text     string            `json:"text"`    // of the entry, or the page's title
	Recovery string            `json:"recovery,omitempty"`
	Notices  []string          `json:"-"`
}

// A moving target of archive, as a person or a rule names it.
type moving struct {
	st   *store
	rel  string
	at   *pimento.Occurrence // nil for the whole page
	text string
}

// Archive moves pages ("deploy.md", "project:topics/x.md") and entries (by id)
// into archive/ of their scope, where nothing is injected or recalled from
// unasked. Without apply it only says what would move. The moves that were made
// are returned with an error, too.
func (e *Engine) Archive(ctx context.Context, names []string, reason string, apply bool, by Actor) ([]Move, error) {
	v := e.lookSynced(ctx)
	var targets []moving
	for _, name := range names {
		m, err := e.movingTarget(ctx, v, name)
		if err != nil {
			return nil, err
		}
		targets = append(targets, m)
	}
	if strings.TrimSpace(reason) == "" {
		return nil, &pimento.Error{Op: "archive", Kind: pimento.KindUsage, Err: errors.New("it needs a reason"), Hint: "say why it goes: --reason \"...\""}
	}
	moves := []Move{}
	for _, m := range targets {
		move, err := e.move(ctx, m, reason, apply, by)
		if err != nil {
			return moves, err
		}
		moves = append(moves, move)
	}
	return moves, nil
}

// movingTarget finds what a name or an id stands for.
func (e *Engine) movingTarget(ctx context.Context, v *view, name string) (moving, error) {
	if !strings.HasSuffix(name, ".md") {
		en, st, err := e.resolve(ctx, v, "archive", name)
		if err == nil && st.scope == pimento.Local {
			err = &pimento.Error{Op: "archive", Path: name, Kind: pimento.KindRefused,
				Err: errors.New("the local scope is one page and has no archive"), Hint: "take it out with: pimento forget " + name}
		}
		return moving{st, en.Page, &en.Occurrence, en.Text}, err
	}
	scope, rel := scopedPage(name)
	if err := vault.CheckPage(rel); err != nil {
		return moving{}, err
	}
	if rel == page.Memory || rel == page.LocalMemory || rel == page.Scratchpad || page.Archived(rel) {
		return moving{}, &pimento.Error{Op: "archive", Path: rel, Kind: pimento.KindRefused,
			Err: errors.New("this page is not archived as a whole"), Hint: "archive entries of it by their ids"}
	}
	at, err := e.onePage(ctx, v, "archive", scope, rel)
	if err != nil {
		return moving{}, err
	}
	return moving{v.store(at.Scope), rel, nil, page.Parse(rel, []byte(at.Text)).Title()}, nil
}

// scopedPage splits "scope:page"; without a scope it is "".
func scopedPage(name string) (pimento.Scope, string) {
	if s, rest, ok := strings.Cut(name, ":"); ok && !strings.Contains(rest, "#") {
		if scope, err := pimento.ParseScope(s); err == nil {
			return scope, rest
		}
	}
	return "", name
}

// move plans one move, and makes it.
func (e *Engine) move(ctx context.Context, m moving, reason string, apply bool, by Actor) (Move, error) {
	rid := e.newID()
	out := Move{Scope: m.st.scope, Page: m.rel, Text: m.text, Entries: 1}
	plan := func(d draft) (pimento.Plan, error) {
		p, payload, err := e.planMove(ctx, m, d, reason, by)
		if err != nil {
			return p, err
		}
		if p.Action == pimento.Refuse {
			return p, &pimento.Error{Op: "archive", Path: m.rel, Kind: pimento.KindRefused, Err: errors.New(p.Reason)}
		}
		out.To, out.Entries = payload.Archive, len(p.Events)
		if !apply {
			return p, nil
		}
		if err = e.foretell(by, &p, Undo{Verb: "restore", ID: rid}); err != nil {
			return p, err
		}
		return p, e.setAside(ctx, rid, payload) // before the page changes: a crash in between leaves both
	}
	if m.at != nil {
		out.ID = m.at.Statement
	}
	if !apply {
		d, err := m.st.draft(ctx, m.rel)
		if err == nil {
			_, err = plan(d)
		}
		return out, err
	}
	p, _, err := e.write(ctx, m.st, m.rel, plan)
	if err != nil {
		return out, err
	}
	out.Recovery = rid
	for _, ev := range p.Events {
		out.Notices = append(out.Notices, news.NoticeID(ev))
	}
	return out, nil
}

// planMove asks for the plan of a move. A whole page gets a name that is free.
func (e *Engine) planMove(ctx context.Context, m moving, d draft, reason string, by Actor) (pimento.Plan, remember.Payload, error) {
	if m.at != nil {
		rel := vault.ArchivePage(m.rel, 0)
		to, err := m.st.draft(ctx, rel)
		if err != nil {
			return pimento.Plan{}, remember.Payload{}, err
		}
		return remember.Archive(m.st.target(m.rel, d), m.st.target(rel, to), *m.at, reason, e.by(by))
	}
	to, rel, err := m.st.archivePlace(ctx, m.rel)
	if err != nil {
		return pimento.Plan{}, remember.Payload{}, err
	}
	p, payload := remember.ArchivePage(m.st.target(m.rel, d), m.st.target(rel, to), reason, e.by(by))
	return p, payload, nil
}

// archivePlace is the first page of the archive that is free for a page.
func (st *store) archivePlace(ctx context.Context, rel string) (to draft, at string, err error) {
	for n := 0; ; n++ {
		at = vault.ArchivePage(rel, n)
		if to, err = st.draft(ctx, at); err != nil || to.digest == "" {
			return to, at, err
		}
	}
}

// restorePage brings a whole page back out of the archive by its name, with or
// without "archive/", for whoever has no recovery id of it.
func (e *Engine) restorePage(ctx context.Context, name string, by Actor) (Result, error) {
	v := e.look(ctx)
	scope, rel := scopedPage(name)
	if !page.Archived(rel) {
		rel = vault.ArchivePage(rel, 0)
	}
	if err := vault.CheckPage(rel); err != nil {
		return Result{}, err
	}
	at, err := e.onePage(ctx, v, "restore", scope, rel)
	if err != nil {
		return Result{}, err
	}
	st := v.store(at.Scope)
	e.syncAll(ctx, v)
	from := draft{page: page.Parse(rel, []byte(at.Text)), digest: pimento.DigestOf([]byte(at.Text))}
	back := remember.FromArchive(st.target(rel, from), page.Origin(rel))
	r, err := e.restore(ctx, st, back, by)
	if err != nil || r.Action == pimento.Refuse {
		return r, err
	}
	return r, e.forgetCopies(ctx, v, back)
}

// forgetCopies takes out of recovery what a page that was brought back by its name
// is there, so that nothing is listed which stands on its page again.
func (e *Engine) forgetCopies(ctx context.Context, v *view, back remember.Payload) error {
	ids, err := e.recovery.List(ctx)
	for _, id := range ids {
		var p remember.Payload
		if e.recovery.Get(ctx, id, &p) != nil || !p.Whole || p.Scope != back.Scope || p.Archive != back.Archive {
			continue
		}
		if bytes.Equal(p.Raw, back.Raw) && (p.Dir == "" || p.Dir == v.project.Dir) {
			err = errors.Join(err, e.recovery.Delete(ctx, id))
		}
	}
	return err
}

func errNoPage(op string, v *view, rel string) error {
	return &pimento.Error{Op: op, Path: rel, Kind: pimento.KindNotFound,
		Err: errors.New("no such page" + v.orUnused()), Hint: "list pages with: pimento pages"}
}

// archives are readers over what was archived. It is asked for rarely, so the
// pages are read when it is, and no index keeps them.
func (e *Engine) archives(ctx context.Context, v *view) (roots []recall.Source) {
	for _, st := range v.stores {
		idx, an := memindex.New(), text.NewAnalyzer()
		fail := func(err error) { v.faultErr("vault", err) }
		found := false
		st.eachArchived(ctx, fail, func(rel string, b []byte, stamp pimento.Stamp) {
			found = true
			es := st.Entries(page.Parse(rel, b))
			v.faultErr("index", idx.Apply(ctx, []index.Page{mirror.PageOf(an, rel, stamp, pimento.DigestOf(b), 0, es)}, nil))
		})
		if found {
			roots = append(roots, recall.Source{Scope: st.scope, Reader: idx, Text: st.Entry})
		}
	}
	return roots
}
