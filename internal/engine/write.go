package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/inject"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/regular"
	"github.com/pimento-memory/pimento/internal/remember"
	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/vault"
)

// maxTries is how often a write plans anew when somebody without our lock, an
// editor, changes the page under it.
const maxTries = 5

// A draft is a page as a planner sees it: parsed, with its digest ("" when
// there is no such page).
type draft struct {
	page   *page.Page
	digest pimento.Digest
}

// write runs the one write path for one page of a root: lock, take up what an
// editor did, plan, stage in the journal, apply under the digest guard,
// commit, and tell the index. plan may run several times; a plan without
// changes only writes its events.
func (e *Engine) write(ctx context.Context, st *store, rel string, plan func(draft) (pimento.Plan, error)) (pimento.Plan, *page.Page, error) {
	unlock, err := st.root.Lock(ctx)
	if err != nil {
		return pimento.Plan{}, nil, err
	}
	defer unlock()
	if err := e.replay(ctx, st); err != nil {
		return pimento.Plan{}, nil, err
	}
	for range maxTries {
		p, d, err := e.planned(ctx, st, rel, plan)
		if err != nil {
			return p, d.page, err
		}
		p.ID, p.Root = cmp.Or(p.ID, e.newID()), st.root.Key()
		after, err := e.commit(ctx, st, rel, d, p)
		if pimento.KindOf(err) == pimento.KindConflict && err != nil {
			continue
		}
		return p, after, err
	}
	return pimento.Plan{}, nil, &pimento.Error{Op: "write", Path: rel, Kind: pimento.KindConflict,
		Err:  errors.New("somebody keeps changing the page"),
		Hint: "nothing was written; try again when the other program is done"}
}

// planned is what a write would do with a page as it is now.
func (e *Engine) planned(ctx context.Context, st *store, rel string, plan func(draft) (pimento.Plan, error)) (pimento.Plan, draft, error) {
	d, err := st.draft(ctx, rel)
	if err != nil {
		return pimento.Plan{}, d, err
	}
	st.CatchUp(ctx, rel, d.digest)
	p, err := plan(d)
	if err == nil {
		p, err = e.keepIndex(ctx, st, p)
	}
	if err == nil {
		err = st.besideSealed(ctx, p)
	}
	return p, d, err
}

// besideSealed refuses to begin a plain page where an encrypted one of its name
// stands: what was meant to be kept secret would stand there for all to read, and
// the encrypted page could not be decrypted any more.
func (st *store) besideSealed(ctx context.Context, p pimento.Plan) error {
	if st.scope == pimento.Local {
		return nil // it holds one page, which is never encrypted
	}
	for _, c := range p.Changes {
		sealed := vault.SealedPage(c.Page)
		if c.Before != "" || vault.Sealed(c.Page) || slices.ContainsFunc(p.Changes, func(o pimento.Change) bool { return o.Page == sealed }) {
			continue
		}
		switch _, _, err := st.root.Read(ctx, sealed); {
		case err == nil:
			return &pimento.Error{Op: p.Verb, Path: c.Page, Kind: pimento.KindRefused, Err: errors.New("the page is encrypted"),
				Hint: "name another page, or first: pimento decrypt --apply " + sealed}
		case !errors.Is(err, fs.ErrNotExist):
			return err
		}
	}
	return nil
}

// draft reads a page for planning.
func (st *store) draft(ctx context.Context, rel string) (draft, error) {
	b, _, err := st.root.Read(ctx, rel)
	if errors.Is(err, fs.ErrNotExist) {
		like, _, _ := st.root.Read(ctx, page.Memory) // a team whose files end lines in CRLF has new ones that do
		return draft{page: page.Blank(rel, like)}, nil
	}
	if err != nil {
		return draft{}, err
	}
	return draft{page.Parse(rel, b), pimento.DigestOf(b)}, nil
}

// commitTime is what a write may take after its page is changed, for locks that
// others hold.
const commitTime = 5 * time.Second

// commit stages, applies and commits a plan for one page.
func (e *Engine) commit(ctx context.Context, st *store, rel string, d draft, p pimento.Plan) (*page.Page, error) {
	e.complete(ctx, st, &p)
	if len(p.Changes) == 0 {
		if len(p.Events) == 0 {
			return d.page, nil
		}
		return d.page, st.journal.Append(ctx, p.Events)
	}
	p.Heading = headingOf(rel, d, p)
	data, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	staged := e.event(pimento.Staged, p)
	staged.Data = data
	if err := st.journal.Append(ctx, []pimento.Event{staged}); err != nil {
		return nil, err
	}
	if err := st.apply(ctx, p.Changes); err != nil {
		return nil, errors.Join(err, e.reject(ctx, st, p, err))
	}
	// The page is changed: whoever asked for it, and has gone, is not asked again. It
	// is changed, too, where this cannot be noted; the plan is pending, and replayed.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), commitTime)
	defer cancel()
	_ = e.committed(ctx, st, p)
	for _, c := range p.Changes {
		if c.Page != rel && !page.Archived(c.Page) {
			e.takeUp(ctx, st, c.Page, p)
		}
	}
	return e.takeUp(ctx, st, rel, p), nil
}

// headingOf is the heading under which a plan for a page writes, or under which
// what it takes away stands; "" where there is none, and for an encrypted page.
func headingOf(rel string, d draft, p pimento.Plan) string {
	c := p.Changes[0]
	if c.Page != rel || vault.Sealed(rel) || len(p.Events) == 0 {
		return ""
	}
	after, _ := pimento.ApplySplices(d.page.Bytes(), c.Splices) // one that does not fit is refused by its own digests
	for _, pg := range []*page.Page{page.Parse(rel, after), d.page} {
		for _, en := range pg.Entries() {
			if en.Statement == p.Events[0].Statement {
				return text.OneLine(en.Heading, 200)
			}
		}
	}
	return ""
}

// apply makes the changes of a plan in their order, all of them or none: when a
// later page was changed meanwhile, what was made of the earlier ones is unmade.
// What somebody has written over by then stays.
func (st *store) apply(ctx context.Context, changes []pimento.Change) error {
	var undo []pimento.Change
	for i, c := range changes {
		if i+1 < len(changes) {
			back, err := st.inverse(ctx, c)
			if err != nil {
				return errors.Join(err, st.unmake(ctx, undo))
			}
			undo = append(undo, back)
		}
		if _, err := st.root.Apply(ctx, c); err != nil {
			return errors.Join(err, st.unmake(ctx, undo[:min(i, len(undo))]))
		}
	}
	return nil
}

// inverse is the change that takes another one back.
func (st *store) inverse(ctx context.Context, c pimento.Change) (pimento.Change, error) {
	back := pimento.Change{Scope: c.Scope, Page: c.Page, Before: c.After, After: c.Before}
	if c.Before == "" {
		return back, nil
	}
	d, err := st.draft(ctx, c.Page)
	if err != nil {
		return back, err
	}
	was := d.page.Bytes()
	after, _ := pimento.ApplySplices(was, c.Splices) // one that does not fit is refused by its own digests
	if c.After == "" {
		after = nil
	}
	back.Splices = []pimento.Splice{{Del: len(after), Ins: was}}
	return back, nil
}

func (st *store) unmake(ctx context.Context, undo []pimento.Change) error {
	var errs []error
	for _, c := range slices.Backward(undo) {
		_, err := st.root.Apply(context.WithoutCancel(ctx), c)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// committed ends a plan whose changes are made: what it took away leaves the
// frozen prefixes, and its events become true. A crash before the end leaves
// the plan pending, and replay comes here again.
func (e *Engine) committed(ctx context.Context, st *store, p pimento.Plan) error {
	switch p.Verb {
	case "forget", "purge", "restore":
		if err := e.bumpForget(st); err != nil {
			return err
		}
	}
	return st.journal.Append(ctx, append([]pimento.Event{e.event(pimento.Committed, p)}, p.Events...))
}

// complete fills in what every event of a plan says alike.
func (e *Engine) complete(ctx context.Context, st *store, p *pimento.Plan) {
	if len(p.Events) == 0 {
		return
	}
	project := e.projectID(ctx, st)
	for i := range p.Events {
		ev := &p.Events[i]
		ev.V, ev.Txn, ev.Project = pimento.EventVersion, p.ID, project
		if ev.ID == "" {
			ev.ID = e.newID()
		}
		if ev.Time.IsZero() {
			ev.Time = e.Now()
		}
		if ev.Scope == "" {
			ev.Scope = st.scope
		}
		if ev.Turn == "" {
			ev.Turn = e.prompts.of(ev.Session)
		}
	}
}

func (e *Engine) event(typ pimento.EventType, p pimento.Plan) pimento.Event {
	return pimento.Event{ID: e.newID(), Time: e.Now(), Type: typ, Txn: p.ID}
}

// reject records that a staged plan was given up, and why.
func (e *Engine) reject(ctx context.Context, st *store, p pimento.Plan, why error) error {
	ev := e.event(pimento.Rejected, p)
	ev.Reason = why.Error()
	return st.journal.Append(context.WithoutCancel(ctx), []pimento.Event{ev})
}

// takeUp tells the index about a page that we wrote ourselves. The page is nil when it
// cannot be read any more.
func (e *Engine) takeUp(ctx context.Context, st *store, rel string, plan pimento.Plan) *page.Page {
	if vault.Sealed(rel) {
		return nil // no index holds it
	}
	e.stirred(st)
	p := st.Wrote(ctx, rel, func(now pimento.Digest) bool {
		return slices.ContainsFunc(plan.Changes, func(c pimento.Change) bool { return c.Page == rel && c.After == now })
	})
	if p != nil && rel == st.memoryPage() && len(p.Bytes()) > 0 && e.paged() &&
		regular.Write(e.shapesFile(st), inject.EncodeShapes(pimento.DigestOf(p.Bytes()), st.Entries(p))) == nil { // derived, like the index
		st.reshape.Store(false)
	}
	return p
}

// replay finishes what a crash left between staged and committed. It runs
// under the root's lock. A page with the after-digest is done, one with the
// before-digest gets the change now, a torn append is completed, and anything
// else is given up, with both texts kept for the user.
func (e *Engine) replay(ctx context.Context, st *store) error {
	plans, err := st.journal.Pending(ctx)
	if err != nil {
		return err
	}
	for _, p := range plans {
		if p.Root != st.root.Key() {
			continue
		}
		if err := e.replayOne(ctx, st, p); err != nil {
			return err
		}
	}
	return nil
}

func (e *Engine) replayOne(ctx context.Context, st *store, p pimento.Plan) error {
	for _, c := range p.Changes {
		if _, err := st.root.Replay(ctx, c); err != nil {
			if pimento.KindOf(err) != pimento.KindConflict {
				return err
			}
			if err := e.keepLost(ctx, p, c); err != nil {
				return err
			}
			return e.reject(ctx, st, p, err)
		}
	}
	e.complete(ctx, st, &p)
	return e.committed(ctx, st, p)
}

// keepLost puts the text of a change that cannot be made any more where
// `pimento restore` finds it.
func (e *Engine) keepLost(ctx context.Context, p pimento.Plan, c pimento.Change) error {
	var lost []byte
	for _, s := range c.Splices {
		lost = append(lost, s.Ins...)
	}
	return e.setAside(ctx, p.ID, remember.Payload{V: 1, Verb: lostVerb, Time: e.Now(), Scope: c.Scope, Page: c.Page, Text: string(lost)})
}

// projectID is what events of this call belong to.
func (e *Engine) projectID(ctx context.Context, st *store) string {
	if st.project != "" {
		return st.project
	}
	if p, ok, err := e.opt.Dirs.Project(ctx, e.opt.Dir); err == nil && ok {
		return p.ID
	}
	return ""
}

// forgetFile changes its content whenever something is forgotten in a root;
// frozen prefixes hang on it.
func (e *Engine) forgetFile(st *store) string {
	return filepath.Join(e.opt.Dirs.State, "forgets", st.root.Key())
}

// bumpForget makes every frozen prefix that shows this root outdated.
func (e *Engine) bumpForget(st *store) error {
	if err := regular.Write(e.forgetFile(st), []byte(e.newID())); err != nil {
		return fmt.Errorf("forget: %w", err)
	}
	return nil
}
