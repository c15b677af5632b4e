package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/guard"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/remember"
	"github.com/pimento-memory/pimento/internal/upkeep"
)

// Propose puts a change of memory into the inbox, where it waits for a yes. The
// result's action is proposed, and its ID that of the proposal. What was rejected
// earlier, waits already, stands in memory already, or must never be written is
// refused, with the reason. No folder is made.
func (e *Engine) Propose(ctx context.Context, p pimento.Proposal, by Actor) (Result, error) {
	v := e.lookSynced(ctx)
	return e.propose(ctx, v, p, by)
}

func (e *Engine) propose(ctx context.Context, v *view, p pimento.Proposal, by Actor) (Result, error) {
	if p.Scope == "" {
		p.Scope = v.defaultScope()
	}
	p.ID, p.Session, p.Reason = remember.ProposalID(p), by.Session, guard.Hide(p.Reason)
	res := Result{ID: pimento.Statement(p.ID), Scope: p.Scope, Page: p.Page, Text: p.Text, Action: pimento.Refuse}
	st := v.inboxOf(p.Scope)
	if st == nil {
		return res, &pimento.Error{Op: "propose", Kind: pimento.KindUnavailable, Err: errors.New("there is no memory to propose it for"), Hint: hintDoctor}
	}
	in, err := e.inboxAt(ctx, v.stores...) // a project that had no memory then may have one now
	if err != nil {
		return res, err
	}
	refused, code, err := e.refusesProposal(ctx, v, p)
	if err != nil {
		return res, err
	}
	res.Code = pimento.CodePolicy
	if res.Reason = remember.AdmitProposal(in, p, refused); res.Reason != "" {
		if res.Reason == refused {
			res.Code = code
		}
		return res, nil
	}
	data, err := json.Marshal(p)
	if err != nil {
		return res, err
	}
	ev := e.inboxEvent(v, pimento.Proposed, p, by)
	ev.Cue, ev.Data = p.Cue, data
	res.Action, res.Code, res.Reason = pimento.Propose, pimento.CodeOK, p.Reason
	return res, st.journal.Append(ctx, []pimento.Event{ev})
}

// refusesProposal is what speaks against writing the text at all: a secret, that
// it was forgotten, that it stands there already.
func (e *Engine) refusesProposal(ctx context.Context, v *view, p pimento.Proposal) (reason string, code pimento.Code, err error) {
	if p.Text == "" {
		return "", "", nil
	}
	n := Note{Text: p.Text, Kind: p.Kind, Scope: p.Scope, Page: p.Page, Cue: p.Cue, Implicit: true}
	rel, err := n.target(p.Scope, e.Today())
	if err != nil {
		return "", "", err
	}
	if res, ok := refusedOutright(n, p.Scope, rel); ok {
		return res.Reason, res.Code, nil
	}
	st := v.store(p.Scope)
	if st == nil || len(p.Replaces) > 0 { // a merge may keep a text that stands there
		return "", "", nil
	}
	in, err := e.admission(ctx, v, st, n)
	if err != nil {
		return "", "", err
	}
	in.Target = remember.Target{Scope: p.Scope, Rel: rel, Page: page.Parse(rel, nil)}
	if d, err := st.draft(ctx, rel); err == nil {
		in.Target = st.target(rel, d)
	}
	switch plan := remember.Admit(in); plan.Action {
	case pimento.Refuse:
		return plan.Reason, plan.Outcome(), nil
	case pimento.Reinforce:
		return standsAlready, plan.Outcome(), nil
	}
	return "", "", nil
}

// standsAlready is why what memory says is not proposed.
const standsAlready = "it stands there already"

// inboxOf is the root whose journal keeps the proposals of a scope. A project
// that has no memory yet keeps its own with the user's, under its id.
func (v *view) inboxOf(scope pimento.Scope) *store {
	if st := v.store(scope); st != nil {
		return st
	}
	return v.diary()
}

// inboxAt folds the proposals of roots that concern this project.
func (e *Engine) inboxAt(ctx context.Context, roots ...*store) (*remember.Inbox, error) {
	in := &remember.Inbox{}
	for _, st := range roots {
		project := e.projectID(ctx, st)
		err := st.journal.Each(ctx, []pimento.EventType{pimento.Proposed, pimento.Answered}, func(ev pimento.Event) {
			if ev.Scope == pimento.Global || ev.Project == project {
				in.Take(ev)
			}
		})
		if err != nil {
			return in, err
		}
	}
	return in, nil
}

// Inbox lists what waits for an answer, oldest first. What memory came to contradict
// meanwhile names the entries beside which it cannot hold.
func (e *Engine) Inbox(ctx context.Context) ([]pimento.Proposal, error) {
	v := e.lookSynced(ctx)
	out, err := e.waiting(ctx, v)
	for i := range out {
		e.oppose(ctx, v, &out[i])
	}
	return out, err
}

// waiting is what waits for an answer, oldest first.
func (e *Engine) waiting(ctx context.Context, v *view) ([]pimento.Proposal, error) {
	var out []pimento.Proposal
	for _, st := range v.stores {
		in, err := e.inboxAt(ctx, st)
		if err != nil {
			return nil, err
		}
		out = append(out, in.Waiting()...)
	}
	slices.SortStableFunc(out, func(a, b pimento.Proposal) int { return a.Time.Compare(b.Time) })
	return out, nil
}

// oppose looks up what a proposal's text cannot hold beside. What it replaces is no part of
// that, nor is a log.
func (e *Engine) oppose(ctx context.Context, v *view, p *pimento.Proposal) {
	st := v.store(p.Scope)
	if st == nil || p.Text == "" {
		return
	}
	id := pimento.StatementOf(p.Text)
	known := []upkeep.Known{{Entry: pimento.Entry{Text: p.Text, Kind: p.Kind, Occurrence: pimento.Occurrence{Scope: p.Scope, Statement: id}}}}
	for _, en := range e.near(ctx, v, st, p.Text, id) {
		if page.DialectOf(en.Page) != page.Log && !page.Archived(en.Page) && !slices.Contains(p.Replaces, en.Occurrence.String()) {
			known = append(known, upkeep.Known{Entry: en})
		}
	}
	for _, x := range upkeep.Beside(known) {
		if x.Relation == upkeep.Contradiction || x.Relation == upkeep.Superseded {
			other := x.Keep.Entry
			if other.Statement == id {
				other = x.Drop.Entry
			}
			p.Opposes, p.Against = append(p.Opposes, other.String()), append(p.Against, other)
		}
	}
}

// InboxAccept says yes to a proposal: its text is written on the one write
// path, and what it replaces is edited into it or forgotten, restorable. The
// proposal is answered only once that is done, so that a failure asks again.
func (e *Engine) InboxAccept(ctx context.Context, id string, by Actor) (Result, error) {
	v, p, st, err := e.proposal(ctx, "accept", id)
	if err != nil {
		return Result{}, err
	}
	res, err := e.carryOut(ctx, p, by)
	if err != nil || res.Action == pimento.Refuse {
		return res, err
	}
	return res, e.answered(ctx, v, st, p, remember.Accepted, nil, by)
}

// InboxReject says no to a proposal: it does not come back.
func (e *Engine) InboxReject(ctx context.Context, id string, by Actor) (pimento.Proposal, error) {
	v, p, st, err := e.proposal(ctx, "reject", id)
	if err != nil {
		return p, err
	}
	return p, e.answered(ctx, v, st, p, remember.Rejected, nil, by)
}

// InboxEdit gives a proposal another text, under which it goes on waiting.
func (e *Engine) InboxEdit(ctx context.Context, id, text string, by Actor) (pimento.Proposal, error) {
	v, p, st, err := e.proposal(ctx, "edit", id)
	if err != nil {
		return p, err
	}
	p.Text = page.Clean(text)
	if res, ok := refusedOutright(Note{Text: p.Text}, p.Scope, p.Page); ok {
		return p, &pimento.Error{Op: "inbox", Path: p.ID, Kind: pimento.KindRefused, Err: errors.New(res.Reason)}
	}
	if len(p.Text) > remember.MaxProposal {
		return p, &pimento.Error{Op: "inbox", Path: p.ID, Kind: pimento.KindRefused, Err: errors.New("the text is too long for the inbox"),
			Hint: "reject the proposal and write the text with: pimento remember"}
	}
	return p, e.answered(ctx, v, st, p, remember.Edited, &pimento.Proposal{Scope: p.Scope, Text: p.Text}, by)
}

// Proposal is the one that waits under an id. op names who asks, for an error.
func (e *Engine) Proposal(ctx context.Context, op, id string) (pimento.Proposal, error) {
	_, p, _, err := e.proposal(ctx, op, id)
	return p, err
}

// proposal finds the one that waits under an id or the beginning of one.
func (e *Engine) proposal(ctx context.Context, op, id string) (*view, pimento.Proposal, *store, error) {
	v := e.look(ctx)
	var found []pimento.Proposal
	var at *store
	id = strings.ToLower(strings.TrimSpace(id))
	for _, st := range v.stores {
		in, err := e.inboxAt(ctx, st)
		if err != nil {
			return v, pimento.Proposal{}, nil, err
		}
		for _, p := range in.Waiting() {
			if len(id) >= minProposalID && strings.HasPrefix(p.ID, id) {
				found, at = append(found, p), st
			}
		}
	}
	switch len(found) {
	case 1:
		return v, found[0], at, nil
	case 0:
		return v, pimento.Proposal{}, nil, &pimento.Error{Op: op, Path: id, Kind: pimento.KindNotFound,
			Err: errors.New("nothing waits under this id"), Hint: "see what waits: pimento inbox"}
	}
	return v, pimento.Proposal{}, nil, &pimento.Error{Op: op, Path: id, Kind: pimento.KindConflict,
		Err: errors.New("several proposals begin so"), Hint: "give more of the id"}
}

// minProposalID is how much of an id must be given at least.
const minProposalID = 4

// An Undo is one step that takes back what an accepted proposal did.
type Undo struct {
	Verb string `json:"verb"`           // forget, edit, restore
	ID   string `json:"id"`             // of the entry, or of its recovery
	Text string `json:"text,omitempty"` // edit: what it said
	Txn  string `json:"txn,omitempty"`  // the plan that it takes back, until it is known to be carried out
}

// foretell gives a plan its id and tells the actor who wants to take it back how
// that will be done, before anything is changed: after a kill it is too late.
func (e *Engine) foretell(by Actor, p *pimento.Plan, u Undo) error {
	if by.ahead == nil || p.Action != pimento.Put {
		return nil
	}
	p.ID = e.newID()
	u.Txn = p.ID
	return by.ahead(u)
}

// changed is the full id of the entry that a plan for a page is about.
func changed(scope pimento.Scope, rel string, p pimento.Plan) string {
	o := pimento.Occurrence{Scope: scope, Page: rel}
	if len(p.Events) > 0 {
		o.Page, o.Statement = cmp.Or(p.Events[0].Page, rel), p.Events[0].Statement
	}
	return o.String()
}

// carryOut makes the change that a proposal is about.
func (e *Engine) carryOut(ctx context.Context, p pimento.Proposal, by Actor) (res Result, err error) {
	gone := p.Replaces
	switch {
	case p.Text == "":
		res = Result{Scope: p.Scope, Page: p.Page, Action: pimento.Put, Code: pimento.CodeOK, Reason: "there is nothing left to take out"}
	case len(gone) > 0 && !e.stands(ctx, p):
		// What it replaces becomes it, so that its history goes on.
		if res, err = e.Edit(ctx, gone[0], p.Text, by); err == nil {
			gone = gone[1:]
			break
		}
		if pimento.KindOf(err) != pimento.KindNotFound {
			return res, err
		}
		fallthrough // it was taken away meanwhile
	default:
		res, err = e.Remember(ctx, Note{Text: p.Text, Kind: p.Kind, Scope: p.Scope, Page: p.Page, Cue: p.Cue, Actor: by.Name, Session: by.Session, ahead: by.ahead})
	}
	if err != nil || res.Action == pimento.Refuse {
		return res, err
	}
	for _, id := range gone {
		if strings.HasSuffix(id, string(pimento.StatementOf(p.Text))) {
			continue // it is what stays
		}
		r, err := e.takeAway(ctx, id, p, by)
		switch {
		case pimento.KindOf(err) == pimento.KindNotFound && err != nil:
			continue // it is gone already
		case err != nil:
			return res, err
		case r.Action == pimento.Refuse:
			return r, nil
		}
		res.Recoveries = append(res.Recoveries, r.Recovery)
		if p.Text == "" {
			r.Recoveries, r.Recovery, r.Reason = res.Recoveries, "", "it was taken out"
			res = r
		}
	}
	return res, nil
}

// takeAway forgets an entry that a proposal replaces, or moves it to the
// archive. What was pinned since nobody but the user takes away.
func (e *Engine) takeAway(ctx context.Context, id string, p pimento.Proposal, by Actor) (Result, error) {
	if !p.Archive {
		return e.Forget(ctx, id, by)
	}
	v := e.lookSynced(ctx)
	en, st, err := e.resolve(ctx, v, "inbox", id)
	switch {
	case err != nil:
		return Result{}, err
	case en.Pinned:
		return Result{ID: en.Statement, Scope: en.Scope, Page: en.Page, Line: en.Line, Text: en.Text, Action: pimento.Refuse,
			Code: pimento.CodePolicy, Reason: "it is pinned; take the pin off first: pimento unpin " + string(en.Statement)}, nil
	case st.scope == pimento.Local: // one page, without an archive
		return e.Forget(ctx, id, by)
	}
	m, err := e.move(ctx, moving{st, en.Page, &en.Occurrence, en.Text}, p.Reason, true, by)
	return Result{ID: en.Statement, Scope: en.Scope, Page: en.Page, Line: en.Line, Text: en.Text, Action: pimento.Put,
		Code: pimento.CodeOK, Recovery: m.Recovery, Notices: m.Notices}, err
}

// stands says whether memory holds the proposal's text already.
func (e *Engine) stands(ctx context.Context, p pimento.Proposal) bool {
	v := e.lookSynced(ctx)
	return len(e.matches(ctx, v, idQuery{statement: string(pimento.StatementOf(p.Text)), scope: p.Scope, n: -1})) > 0
}

// answered journals what a person said to a proposal.
func (e *Engine) answered(ctx context.Context, v *view, st *store, p pimento.Proposal, answer string, to *pimento.Proposal, by Actor) error {
	ev := e.inboxEvent(v, pimento.Answered, p, by)
	ev.Reason = answer
	if to != nil {
		data, err := json.Marshal(to)
		if err != nil {
			return err
		}
		ev.Data = data
	}
	return st.journal.Append(ctx, []pimento.Event{ev})
}

func (e *Engine) inboxEvent(v *view, typ pimento.EventType, p pimento.Proposal, by Actor) pimento.Event {
	ev := pimento.Event{ID: e.newID(), Time: e.Now(), Type: typ, Scope: p.Scope, Page: p.Page,
		Txn: p.ID, Actor: by.Name, Session: by.Session, Project: v.project.ID}
	if p.Text != "" {
		ev.Statement = pimento.StatementOf(p.Text) // by which a purge finds it
	}
	return ev
}
