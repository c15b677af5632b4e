package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/guard"
	"github.com/pimento-memory/pimento/internal/remember"
	"github.com/pimento-memory/pimento/internal/score"
	"github.com/pimento-memory/pimento/internal/session"
	"github.com/pimento-memory/pimento/internal/upkeep"
)

// A Dreaming says how to dream.
type Dreaming struct {
	Apply  bool // do all of it, and what waits of earlier dreams
	DryRun bool // only look: nothing goes to the inbox, no session counts as read
	Auto   bool // nobody asked for this one: it runs only if the user turned that on
}

// What became of an act.
const (
	DreamShown   = "shown"
	DreamWaits   = "waiting"
	DreamApplied = "applied"
	DreamRefused = "refused"

	dreamRejected = "rejected" // the user said no to it earlier: it is not told again
)

// A DreamAct is one change that a dream proposes, and what became of it. Its
// JSON form is the contract of docs/FORMATS.md.
type DreamAct struct {
	ID       string          `json:"id,omitempty"` // of the proposal
	Act      string          `json:"act"`          // write, merge, drop
	State    string          `json:"state"`
	Text     string          `json:"text,omitempty"`
	Kind     pimento.Kind    `json:"kind,omitempty"`
	Scope    pimento.Scope   `json:"scope"`
	Relation upkeep.Relation `json:"relation,omitempty"`
	Reason   string          `json:"reason,omitempty"`
	Refusal  string          `json:"refusal,omitempty"`
	Replaces []Told          `json:"replaces,omitempty"`
	Model    bool            `json:"model,omitempty"` // a language model proposed it
	Undo     []Undo          `json:"undo,omitempty"`
}

// A DreamReport is what came of a dream.
type DreamReport struct {
	Time    time.Time       `json:"time"`
	By      string          `json:"by,omitempty"` // the model, if one was asked
	Tokens  int             `json:"tokens,omitempty"`
	Read    []string        `json:"read"` // sessions
	Passed  int             `json:"passed,omitempty"`
	Left    int             `json:"left,omitempty"`
	Acts    []DreamAct      `json:"acts"`
	Decide  []Twins         `json:"decide"` // contradictions
	Skills  []upkeep.Skill  `json:"skills"`
	Thrown  []string        `json:"thrown,omitempty"`
	Applied int             `json:"applied"`
	Undone  bool            `json:"undone,omitempty"`
	Faults  []pimento.Fault `json:"faults"`
}

// dreamTime is how long one dream may take in all.
const dreamTime = 30 * time.Minute

// ErrNoAutoDream is the error of an automatic dream that nobody turned on.
var ErrNoAutoDream = errors.New("dreams by themselves are off")

// Dream looks through memory and, if there is a language model, through sessions
// that were not read yet. It proposes what to write, merge and drop. What it finds
// waits in the inbox, unless it is asked to apply it or the profile says so. One
// dream runs at a time, but for those that only look; the error is of KindConflict
// when another one does.
func (e *Engine) Dream(ctx context.Context, how Dreaming, by Actor) (DreamReport, error) {
	v := e.look(ctx)
	r := DreamReport{Time: e.Now(), Read: []string{}, Acts: []DreamAct{}, Decide: []Twins{}, Skills: []upkeep.Skill{}, Faults: []pimento.Fault{}}
	switch {
	case how.Auto && !v.autoDream:
		return r, &pimento.Error{Op: "dream", Kind: pimento.KindRefused, Err: ErrNoAutoDream, Hint: "turn them on: pimento dream auto on"}
	case !v.enabled || v.diary() == nil:
		return r, &pimento.Error{Op: "dream", Kind: pimento.KindUnavailable, Err: errors.New("there is no memory to dream about"), Hint: hintDoctor}
	}
	ctx, cancel := context.WithTimeout(ctx, dreamTime)
	defer cancel()
	if !how.DryRun {
		end, err := e.dreams().Begin(ctx, e.Now())
		if err != nil {
			return r, err
		}
		defer end()
		if by.Session != "" { // which may end first
			v.faultErr("dream", e.dreams().Mark(projectKey(v)))
		}
	}
	e.syncAll(ctx, v)
	d, err := e.dreamt(ctx, v)
	v.faultErr("thinker", err)
	r.tell(d)
	if err = ctx.Err(); err != nil {
		return r, &pimento.Error{Op: "dream", Kind: pimento.KindUnavailable, Err: fmt.Errorf("it was cut off: %w", err)}
	}
	if !how.DryRun {
		err = e.wake(ctx, v, how, &r, d, by)
	}
	if !how.DryRun && ctx.Err() == nil {
		e.dreams().Unmark(projectKey(v))
	}
	r.Faults = append(r.Faults, v.faults...)
	return r, err
}

func (e *Engine) dreams() session.Dreams {
	return session.NewDreams(filepath.Join(e.opt.Dirs.State, "dreams"))
}

// dreamt gathers the facts of a dream, and dreams. What is missing is a fault.
func (e *Engine) dreamt(ctx context.Context, v *view) (upkeep.Dreamt, error) {
	f := upkeep.DreamFacts{Now: e.Now(), Entries: e.known(ctx, v), Scope: v.defaultScope(), Policy: score.Policy(v.profile.Scoring)}
	th, err := e.openThinker(v)
	v.faultErr("thinker", err)
	if th == nil {
		return upkeep.Dream(ctx, f, nil)
	}
	defer th.Close()
	f.Most = v.profile.Dream.Sessions
	if f.Sessions, err = e.unread(ctx, v); err != nil {
		v.faultErr("sessions", err)
	}
	return upkeep.Dream(ctx, f, th)
}

// unread are the sessions of the project that no dream has read, oldest first.
func (e *Engine) unread(ctx context.Context, v *view) ([]upkeep.Session, error) {
	mark, err := e.dreamMark(ctx, v)
	if err != nil {
		return nil, err
	}
	all, err := e.pasts(v).All()
	if err != nil {
		return nil, err
	}
	at := map[string]int{}
	var out []upkeep.Session
	for _, p := range all {
		i, known := at[p.Session]
		if !known {
			i = len(out)
			at[p.Session] = i
			out = append(out, upkeep.Session{ID: p.Session})
		}
		s := &out[i]
		if p.Time.After(s.Time) {
			s.Time = p.Time
		}
		if p.Kind == session.Said {
			s.Said, s.Messages = p.Text, p.N
		} else {
			s.Summaries = append(s.Summaries, p.Text)
		}
	}
	out = slices.DeleteFunc(out, func(s upkeep.Session) bool {
		return s.Time.Before(mark.Through) || s.Time.Equal(mark.Through) && slices.Contains(mark.Sessions, s.ID)
	})
	slices.SortStableFunc(out, func(a, b upkeep.Session) int { return a.Time.Compare(b.Time) })
	return out, e.deeds(ctx, v, out)
}

// dreamMark is how far the last dream about this project came.
func (e *Engine) dreamMark(ctx context.Context, v *view) (mark pimento.Dream, err error) {
	err = v.diary().journal.Each(ctx, []pimento.EventType{pimento.Dreamed}, func(ev pimento.Event) {
		var d pimento.Dream
		if ev.Project == v.project.ID && json.Unmarshal(ev.Data, &d) == nil && d.Through.After(mark.Through) {
			mark = d
		}
	})
	return mark, err
}

// deeds adds to sessions which files their agents wrote.
func (e *Engine) deeds(ctx context.Context, v *view, sessions []upkeep.Session) error {
	if len(sessions) == 0 {
		return nil
	}
	return v.diary().journal.Each(ctx, []pimento.EventType{pimento.Acted}, func(ev pimento.Event) {
		i := slices.IndexFunc(sessions, func(s upkeep.Session) bool { return s.ID == ev.Session })
		if i < 0 {
			return
		}
		for _, p := range editedIn(ev) {
			if !slices.Contains(sessions[i].Edited, p) {
				sessions[i].Edited = append(sessions[i].Edited, p)
			}
		}
	})
}

// tell fills a report with what was dreamt. The report is kept, and so it is
// without the secrets that a model repeated.
func (r *DreamReport) tell(d upkeep.Dreamt) {
	r.By, r.Tokens, r.Passed, r.Left = d.Thought.By, d.Thought.In+d.Thought.Out, d.Passed, d.Left
	r.Read = append(r.Read, d.Read...)
	for _, s := range d.Thrown {
		r.Thrown = append(r.Thrown, guard.Hide(s))
	}
	for _, s := range d.Skills {
		s.Name, s.Description, s.Steps = guard.Hide(s.Name), guard.Hide(s.Description), slices.Clone(s.Steps)
		for i, step := range s.Steps {
			s.Steps[i] = guard.Hide(step)
		}
		r.Skills = append(r.Skills, s)
	}
	for _, p := range d.Decide {
		r.Decide = append(r.Decide, Twins{Relation: p.Relation, Alike: p.Alike, Reason: guard.Hide(p.Reason), Keep: told(p.Keep), Drop: told(p.Drop), Act: ActDecide})
	}
	for _, a := range d.Acts {
		act := DreamAct{Act: a.What, State: DreamShown, Text: guard.Hide(a.Proposal.Text), Kind: a.Proposal.Kind, Scope: a.Proposal.Scope,
			Relation: a.Relation, Reason: guard.Hide(a.Proposal.Reason), Model: a.ByAnother}
		for _, k := range a.Replaced {
			act.Replaces = append(act.Replaces, told(k))
		}
		r.Acts = append(r.Acts, act)
	}
}

// wake puts what was dreamt into the inbox, applies what is to be applied, and
// writes down how far the dream came.
func (e *Engine) wake(ctx context.Context, v *view, how Dreaming, r *DreamReport, d upkeep.Dreamt, by Actor) error {
	for i := range r.Acts {
		if err := e.proposeAct(ctx, v, &r.Acts[i], d.Acts[i], by); err != nil {
			return err
		}
	}
	r.Acts = slices.DeleteFunc(r.Acts, func(a DreamAct) bool { return a.State == dreamRejected })
	err := e.applyDream(ctx, v, how, r, by)
	err = errors.Join(err, e.settle(context.WithoutCancel(ctx), r))
	mark := pimento.Dream{Through: d.Through, Sessions: d.AtOnce, Acts: len(r.Acts), Applied: r.Applied, Tokens: r.Tokens}
	data, jerr := json.Marshal(mark)
	if jerr != nil {
		return errors.Join(err, jerr)
	}
	ev := pimento.Event{ID: e.newID(), Time: e.Now(), Type: pimento.Dreamed, Actor: by.Name, Session: by.Session,
		Project: v.project.ID, Data: data}
	return errors.Join(err, v.diary().journal.Append(ctx, []pimento.Event{ev}), e.dreams().Keep(projectKey(v), r))
}

// proposeAct puts one act into the inbox. What waits there already is as good, and
// so is what a note beside its like has proposed when it was written, see merges.
func (e *Engine) proposeAct(ctx context.Context, v *view, act *DreamAct, dreamt upkeep.Act, by Actor) error {
	p := dreamt.Proposal
	if told, err := e.mergeOf(ctx, v, act, dreamt); told || err != nil {
		return err
	}
	res, err := e.propose(ctx, v, p, Actor{Name: "harness", Session: by.Session})
	if err != nil {
		return err
	}
	act.ID, act.State = string(res.ID), DreamWaits
	if res.Action != pimento.Refuse {
		return nil
	}
	in, err := e.inboxAt(ctx, v.inboxOf(res.Scope))
	if err != nil {
		return err
	}
	switch answer, known := in.Answer(act.ID); {
	case known && answer == "":
	case answer == remember.Rejected:
		act.State = dreamRejected
	default:
		act.State, act.Refusal = DreamRefused, res.Reason
	}
	return nil
}

// mergeOf looks whether an act says again what was proposed when a note was written
// beside its like, in whichever's favour, and that waits or was rejected. What
// waits in the other's favour is for the person to decide: to apply it would do the
// opposite of what the report says.
func (e *Engine) mergeOf(ctx context.Context, v *view, act *DreamAct, dreamt upkeep.Act) (told bool, err error) {
	if dreamt.Stays.Statement == "" {
		return false, nil
	}
	in, err := e.inboxAt(ctx, v.inboxOf(dreamt.Proposal.Scope))
	if err != nil {
		return false, err
	}
	one, other := dreamt.Stays, dreamt.Replaced[0]
	for _, turned := range [...]bool{false, true} {
		id := remember.ProposalID(pimento.Proposal{Scope: one.Scope, Text: one.Text, Replaces: []string{other.Occurrence.String()}})
		switch answer, known := in.Answer(id); {
		case known && answer == "" && turned:
			act.ID, act.State, act.Refusal = id, DreamRefused, "the other way round waits for a yes or no: pimento inbox"
			return true, nil
		case known && answer == "":
			act.ID, act.State = id, DreamWaits
			return true, nil
		case answer == remember.Rejected:
			act.State = dreamRejected
			return true, nil
		}
		one, other = other, one
	}
	return false, nil
}

// applyDream accepts what the person, or the profile, wants applied. Of equal
// lines the last goes first, so that the others keep their number.
func (e *Engine) applyDream(ctx context.Context, v *view, how Dreaming, r *DreamReport, by Actor) error {
	rule := v.profile.Dream.Apply
	if how.Apply {
		rule = "all"
	}
	if rule == "" {
		return nil
	}
	if how.Apply {
		if err := e.waitingDreams(ctx, v, r); err != nil {
			return err
		}
	}
	order := make([]*DreamAct, len(r.Acts))
	for i := range r.Acts {
		order[i] = &r.Acts[i]
	}
	slices.SortStableFunc(order, func(a, b *DreamAct) int { return cmp.Compare(b.nth(), a.nth()) })
	for _, act := range order {
		if act.State != DreamWaits || rule == "duplicates" && act.Relation != upkeep.Duplicate {
			continue
		}
		by.ahead = func(u Undo) error {
			act.Undo = slices.Insert(act.Undo, 0, u)
			return e.dreams().Keep(projectKey(v), r)
		}
		res, err := e.InboxAccept(ctx, act.ID, by)
		if err != nil {
			return err
		}
		if res.Action == pimento.Refuse {
			act.Refusal = res.Reason
			continue
		}
		act.State = DreamApplied
	}
	return nil
}

func (a *DreamAct) nth() (n int) {
	for _, t := range a.Replaces {
		n = max(n, t.at.N)
	}
	return n
}

// waitingDreams adds to a report what waits of earlier dreams, so that what was shown is
// what is applied.
func (e *Engine) waitingDreams(ctx context.Context, v *view, r *DreamReport) error {
	waiting, err := e.waiting(ctx, v)
	if err != nil {
		return err
	}
	for _, p := range waiting {
		if p.Source != upkeep.DreamSource || slices.ContainsFunc(r.Acts, func(a DreamAct) bool { return a.ID == p.ID }) {
			continue
		}
		act := DreamAct{ID: p.ID, Act: upkeep.ActWrite, State: DreamWaits, Text: p.Text, Kind: p.Kind, Scope: p.Scope, Reason: p.Reason}
		if p.Text == "" {
			act.Act = upkeep.ActDrop
		}
		for _, id := range p.Replaces {
			if en, err := e.Entry(ctx, id); err == nil {
				act.Replaces = append(act.Replaces, told(upkeep.Known{Entry: en}))
			}
		}
		r.Acts = append(r.Acts, act)
	}
	return nil
}
