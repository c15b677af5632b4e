package engine

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/guard"
	"github.com/pimento-memory/pimento/internal/news"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/recall"
	"github.com/pimento-memory/pimento/internal/remember"
	"github.com/pimento-memory/pimento/internal/vault"
)

// nearHits is how many similar entries a write looks at.
const nearHits = 8

// mayWrite is what speaks against a write to a scope's root, before anything is made for it.
func (e *Engine) mayWrite(ctx context.Context, v *view, op string, scope pimento.Scope) error {
	switch {
	case scope == pimento.Global:
	case !v.hasProject:
		return errNoProject(op, "--scope global")
	case e.untrusted:
		return &pimento.Error{Op: op, Path: v.project.Dir, Kind: pimento.KindDenied,
			Err: errors.New("this session does not trust the project"), Hint: "trust the project in your agent, or use scope global"}
	case !v.granted() && (v.consent.Status != vault.Absent || v.consent.Taken):
		return errNoConsent(op, v)
	case scope == pimento.Local && !e.localAllowed(ctx, v):
		return errNotPrivate(op, v)
	}
	return nil
}

// writable opens the root of a scope for a write. A project's folder that does
// not exist yet is made, and with it the consent: who makes it has agreed.
func (e *Engine) writable(ctx context.Context, v *view, op string, scope pimento.Scope) (*store, error) {
	if err := e.mayWrite(ctx, v, op, scope); err != nil {
		return nil, err
	}
	if scope == pimento.Global {
		if st := v.store(scope); st != nil {
			return st, nil
		}
		return e.openStore(scope, e.opt.Dirs.Global, vault.Project{})
	}
	if !v.granted() {
		if err := e.foundProject(ctx, v); err != nil {
			return nil, err
		}
	}
	st, err := e.openStore(scope, v.project.Memory, v.project)
	if err != nil {
		return nil, err
	}
	if scope == pimento.Local {
		if err := vault.ExcludeLocal(ctx, v.project); err != nil {
			return nil, err
		}
	}
	if v.store(scope) == nil {
		v.stores = append(v.stores, st)
	}
	return st, nil
}

// foundProject makes a project's memory folder, with the consent of the user
// whose command makes it.
func (e *Engine) foundProject(ctx context.Context, v *view) error {
	if vault.LeftOut(ctx, v.project) {
		return &pimento.Error{Op: "remember", Path: v.project.Memory, Kind: pimento.KindUnavailable,
			Err: errors.New("a sparse checkout leaves it out of this work tree"), Hint: "git sparse-checkout add .pi/memory"}
	}
	root, err := e.opt.Dirs.OpenRoot(pimento.Project, v.project.Memory, e.opt.Disk)
	if err != nil {
		return err
	}
	err = e.consents.GrantIfCreating(ctx, v.project, e.Now(), func() error { return root.Create(ctx) })
	if err != nil {
		return err
	}
	v.consent = e.consents.Check(v.project)
	if !v.granted() {
		return errNoConsent("remember", v)
	}
	return nil
}

// place finds where a note goes, and fills it in as the profile says.
func (e *Engine) place(ctx context.Context, n Note) (v *view, placed Note, rel string, err error) {
	v = e.look(ctx)
	if n.Scope == "" {
		if err := e.homeless(v); err != nil {
			return nil, n, "", err
		}
		n.Scope = v.defaultScope()
	}
	n = n.placed(v.profile.Writes, n.Scope)
	if n.Front != nil {
		n.Page = remember.ArticlePath(n.Page, n.Text, *n.Front, e.Now())
	}
	rel, err = n.target(n.Scope, e.Today())
	return v, n, rel, err
}

// homeless refuses to take for no project one whose directory was renamed or deleted
// under a session: its notes would be shown in every other project.
func (e *Engine) homeless(v *view) error {
	if v.hasProject {
		return nil
	}
	if _, err := os.Stat(e.opt.Dir); errors.Is(err, fs.ErrNotExist) {
		return &pimento.Error{Op: "remember", Path: e.opt.Dir, Kind: pimento.KindUnavailable, Err: errors.New("the working directory is not there any more"),
			Hint: "begin anew where the project is now, or give the scope global if it is meant for every project"}
	}
	return nil
}

// Preview says where Remember would put a note, or where an accepted proposal
// would, and what speaks against it. It writes nothing and makes no folder.
func (e *Engine) Preview(ctx context.Context, n Note) (Result, error) {
	v, n, rel, err := e.place(ctx, n)
	if err != nil {
		return Result{}, err
	}
	if res, ok := refusedOutright(n, n.Scope, rel); ok {
		return res, nil
	}
	if !n.Implicit { // what waits for a yes is kept in private state
		err = e.mayWrite(ctx, v, "remember", n.Scope)
	}
	return Result{Scope: n.Scope, Page: rel, Action: pimento.Put}, err
}

// Remember writes a note on the one write path. A refusal is a result, not an
// error.
func (e *Engine) Remember(ctx context.Context, n Note) (Result, error) {
	asked := n
	v, n, rel, err := e.place(ctx, n)
	if err != nil {
		return Result{}, err
	}
	scope := n.Scope
	if res, ok := refusedOutright(n, scope, rel); ok {
		e.noteRejected(ctx, v.store(scope), res, n)
		return res, nil // before a folder is made for it
	}
	st, err := e.writable(ctx, v, "remember", scope)
	if err != nil {
		return Result{}, err
	}
	e.syncAll(ctx, v)
	in, err := e.admission(ctx, v, st, n)
	if err != nil {
		return Result{}, err
	}
	var was string
	recovery := e.newID()
	plan, after, err := e.write(ctx, st, rel, func(d draft) (pimento.Plan, error) {
		was = string(d.page.Bytes())
		in.Target = st.target(rel, d)
		if n.Overwrite {
			return e.overwrite(ctx, n, in, recovery)
		}
		if n.Front != nil { // under the lock: somebody may just have begun a page that says the same
			e.syncAll(ctx, v)
			in.Near = e.near(ctx, v, st, n.Text, pimento.StatementOf(n.Text))
		}
		p, err := e.cooled(ctx, st, n, remember.Admit(in))
		if err == nil {
			err = e.foretell(n.actor(), &p, Undo{Verb: "forget", ID: changed(st.scope, rel, p)})
		}
		return p, err
	})
	if err != nil {
		return Result{}, err
	}
	if plan.Action == pimento.Propose {
		return e.propose(ctx, v, asked.proposal(plan.Reason), n.actor())
	}
	res := e.result(st, rel, plan, after)
	if res.Action == pimento.Refuse {
		e.noteRejected(ctx, st, res, n)
	}
	if wrote, ok := writtenBy(plan, rel, after); ok && !n.Overwrite {
		wrote.Scope, wrote.Page = st.scope, rel
		e.merges(ctx, v, st, wrote, in.Near, &res, n.actor())
	}
	res.Was = was
	if n.Overwrite && was != "" && res.Action == pimento.Put {
		res.Recovery = recovery
	}
	if res.Action == pimento.Put {
		e.countWrite(ctx, v, st, n.actor())
	}
	return res, nil
}

// overwrite plans to put a note in the place of a page, and keeps what stood there.
func (e *Engine) overwrite(ctx context.Context, n Note, in remember.Input, recovery string) (pimento.Plan, error) {
	if p, other := remember.OtherVersion(in.Target, n.Version); other {
		return p, nil
	}
	p, payload := remember.Overwrite(in.Target, n.Text, in.By, in.Findings)
	if p.Action == pimento.Refuse || in.Target.Digest == "" {
		return p, nil
	}
	return p, e.setAside(ctx, recovery, payload)
}

// writtenBy is the entry that a plan wrote on a page.
func writtenBy(p pimento.Plan, rel string, after *page.Page) (pimento.Entry, bool) {
	if p.Action != pimento.Put || after == nil {
		return pimento.Entry{}, false
	}
	for _, ev := range p.Events {
		if ev.Type == pimento.Remembered && ev.Page == rel {
			return after.Find(ev.Statement, ev.N)
		}
	}
	return pimento.Entry{}, false
}

// saidBefore is why the same does not count again.
const saidBefore = "it was said a moment ago"

// cooled refuses to count the same again within the note's time.
func (e *Engine) cooled(ctx context.Context, st *store, n Note, p pimento.Plan) (pimento.Plan, error) {
	if p.Action != pimento.Reinforce || n.Again == 0 {
		return p, nil
	}
	same := p.Events[0].Statement
	recs, err := st.journal.Records(ctx, []pimento.Statement{same})
	if err == nil && e.Now().Sub(recs[same].Last) < n.Again {
		p = pimento.Plan{Verb: p.Verb, Action: pimento.Refuse, Reason: saidBefore, Near: p.Near}
	}
	return p, err
}

// proposal is the note as it waits in the inbox. It is placed once it is written.
func (n Note) proposal(reason string) pimento.Proposal {
	return pimento.Proposal{Text: n.Text, Kind: n.Kind, Scope: n.Scope, Page: n.Page, Cue: n.Cue, Source: "agent", Reason: reason}
}

// noteRejected keeps, without a word of its text, that a note was refused.
func (e *Engine) noteRejected(ctx context.Context, st *store, res Result, n Note) {
	if st == nil {
		return
	}
	ev := pimento.Event{ID: e.newID(), Time: e.Now(), Type: pimento.Rejected, Scope: res.Scope, Page: res.Page,
		Reason: string(res.Code), Actor: cmp.Or(n.Actor, "user"), Session: n.Session, Turn: e.prompts.of(n.Session), Project: e.projectID(ctx, st), Data: remember.RefusedData(n.Overwrite)}
	_ = st.journal.Note(ctx, []pimento.Event{ev}) // the refusal stands without it
}

// findings are what the guard says of a note's text.
func (n Note) findings() []guard.Finding {
	return guard.Check(n.Text, guard.Options{AllowSecrets: n.AllowSecret})
}

// refusedOutright refuses what no page can change: a secret, nothing at all.
func refusedOutright(n Note, scope pimento.Scope, rel string) (Result, bool) {
	p := remember.Admit(remember.Input{Note: remember.Note{Text: n.Text}, Findings: n.findings(),
		Target: remember.Target{Scope: scope, Rel: rel, Page: page.Parse(rel, nil)}})
	return Result{Scope: scope, Page: rel, Action: p.Action, Code: p.Outcome(), Reason: p.Reason}, p.Action == pimento.Refuse
}

// placed fills in what the profile says of a note that names no kind or page.
// The local scope has one page, and a log is no matter of kinds.
func (n Note) placed(w pimento.Writes, scope pimento.Scope) Note {
	if n.Daily || n.Overwrite || n.Page != "" {
		return n
	}
	if n.Kind == "" {
		n.Kind = w.Kind
	}
	if scope == pimento.Local {
		return n
	}
	n.Page = w.Pages[n.Kind]
	if n.Page == "" && w.Folder != "" {
		n.Page, n.Front = w.Folder, &page.Meta{Type: page.TypeOf(n.Kind), Tier: page.TierRelevant}
		if n.Kind == pimento.KindPreference { // it bears on every prompt, and few prompts name it
			n.Front.Tier = page.TierAlways
		}
	}
	return n
}

// target is the page that a note goes to.
func (n Note) target(scope pimento.Scope, today string) (string, error) {
	rel := page.Memory
	switch {
	case scope == pimento.Local:
		if n.Daily || n.Page != "" && n.Page != page.LocalMemory {
			return "", &pimento.Error{Op: "remember", Path: n.Page, Kind: pimento.KindUsage,
				Err: errors.New("the local scope has one page, " + page.LocalMemory), Hint: "leave the page out, or use another scope"}
		}
		return page.LocalMemory, nil
	case n.Daily:
		return page.DailyPage(today), nil
	case n.Page != "":
		if rel = n.Page; !strings.HasSuffix(rel, ".md") && !vault.Sealed(rel) {
			rel += ".md"
		}
	}
	return rel, vault.CheckWrite(rel)
}

// admission gathers what the decision about a note depends on, but the page.
func (e *Engine) admission(ctx context.Context, v *view, st *store, n Note) (remember.Input, error) {
	id := pimento.StatementOf(n.Text)
	recs, err := st.journal.Records(ctx, []pimento.Statement{id})
	if err != nil {
		return remember.Input{}, err
	}
	in := remember.Input{
		Note: remember.Note{Text: n.Text, Kind: n.Kind, Heading: n.Heading, Pinned: n.Pinned, Cue: n.Cue,
			Stamped: n.Stamped || n.Daily, Implicit: n.Implicit, Front: n.Front},
		Propose:   n.Implicit && v.capture != captureAuto,
		Strict:    v.strict,
		By:        e.by(n.actor()),
		Findings:  n.findings(),
		Forgotten: recs[id].Forgotten,
		MaxChars:  v.profile.Writes.PageChars,
	}
	if n.Front == nil { // else under the lock, see Remember
		in.Near = e.near(ctx, v, st, n.Text, id)
	}
	return in, nil
}

// near are the entries of a root that may say the same: the statement itself,
// and the best that its words find.
func (e *Engine) near(ctx context.Context, v *view, st *store, text string, id pimento.Statement) []pimento.Entry {
	out := e.saying(ctx, v, st, id)
	for _, en := range e.alike(ctx, st, pimento.Query{Text: text}) {
		if en.Statement != id {
			out = append(out, en)
		}
	}
	return out
}

// alike are the entries of a root that its words find best.
func (e *Engine) alike(ctx context.Context, st *store, q pimento.Query) (out []pimento.Entry) {
	idx, _ := st.Index(ctx)
	q.Limit, q.Now = nearHits, e.Now()
	for _, h := range recall.Answer(ctx, q, []recall.Source{{Scope: st.scope, Reader: idx, Text: st.Entry}}, recall.Options{}).Hits {
		out = append(out, h.Entry)
	}
	return out
}

// quoting are the entries that hold a text as a part of theirs, as a session's summary
// does: what is taken out stands there still.
func (e *Engine) quoting(ctx context.Context, text string) (out []string) {
	for _, st := range e.look(ctx).stores {
		for _, en := range e.alike(ctx, st, pimento.Query{Text: text, All: true}) {
			if quotes(en.Text, text) {
				out = append(out, en.Occurrence.String())
			}
		}
	}
	return out
}

// by says who asks for a change.
func (e *Engine) by(a Actor) remember.By {
	return remember.By{Actor: a.Name, Session: a.Session, Now: e.Now()}
}

// An Actor says who asks for a change.
type Actor struct {
	Name    string // user, agent, harness; "" means user
	Session string

	ahead func(Undo) error // of whoever wants to take the change back
}

// result is what a door shows of a plan that was carried out.
func (e *Engine) result(st *store, rel string, p pimento.Plan, after *page.Page) Result {
	r := Result{Scope: st.scope, Page: rel, Action: p.Action, Code: p.Outcome(), Reason: p.Reason, Near: p.Near,
		Path: st.path(rel)}
	for _, ev := range p.Events {
		r.Notices = append(r.Notices, news.NoticeID(ev))
		if r.ID != "" && ev.Type == pimento.Remembered { // a text of several entries
			r.Notices = append(r.Notices, string(ev.Statement))
		}
		if r.ID == "" {
			r.ID = ev.Statement
			if ev.Page != "" {
				r.Page, r.Path = ev.Page, st.path(ev.Page)
			}
			if after != nil && ev.Page == rel {
				if en, ok := after.Find(ev.Statement, ev.N); ok {
					r.Line, r.Text = en.Line, en.Text
				}
			}
		}
	}
	return r
}
