package engine

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/news"
	"github.com/pimento-memory/pimento/internal/score"
	"github.com/pimento-memory/pimento/internal/session"
	"github.com/pimento-memory/pimento/internal/vault"
)

// traces are the stored records of what was injected and recalled: the project's, or the
// user's outside any project.
func (e *Engine) traces(v *view) *session.Traces {
	return session.NewTraces(filepath.Join(e.opt.Dirs.State, "traces", projectKey(v)))
}

// Traces lists the newest n records of what was injected and recalled here.
func (e *Engine) Traces(ctx context.Context, n int) ([]pimento.Trace, error) {
	e.recorded()
	return e.traces(e.look(ctx)).List(ctx, n)
}

// Records says whether records of prompts and questions are kept here.
func (e *Engine) Records(ctx context.Context) bool { return e.look(ctx).traces }

// Why is the last record of what was injected, of the session if one is named.
func (e *Engine) Why(ctx context.Context, id string) (pimento.Trace, bool, error) {
	return e.traces(e.look(ctx)).Last(ctx, id)
}

// An EntryStory is everything known of one entry.
type EntryStory struct {
	Entry    pimento.Entry     `json:"-"`
	ID       string            `json:"id"`
	Text     string            `json:"text"`
	Standing pimento.Standing  `json:"standing"`
	Terms    score.Terms       `json:"terms"` // behind the standing's score
	Events   []pimento.Event   `json:"events"`
	Last     *pimento.Decision `json:"last,omitempty"` // in the newest trace that considered it
	LastTime time.Time         `json:"last_time,omitzero"`
	Commit   *vault.Commit     `json:"commit,omitempty"` // by which the team's line was last changed
}

// Entry is the entry of an id.
func (e *Engine) Entry(ctx context.Context, id string) (pimento.Entry, error) {
	v := e.lookSynced(ctx)
	en, _, err := e.resolveStatement(ctx, v, "why", id)
	return en, err
}

// WhyEntry tells the story of one entry: its events, where it stands now, and
// what the last injection decided about it.
func (e *Engine) WhyEntry(ctx context.Context, id string) (EntryStory, error) {
	v := e.lookSynced(ctx)
	en, st, err := e.resolveStatement(ctx, v, "why", id)
	if err != nil {
		return EntryStory{}, err
	}
	s := EntryStory{Entry: en, ID: en.Occurrence.String(), Text: en.Text, Events: []pimento.Event{}}
	s.Standing, s.Terms = score.Explain(e.scoreFacts(ctx, v, st, []pimento.Entry{en})[0], score.Policy(v.profile.Scoring), e.Now())
	events, err := st.history(ctx, en.Statement)
	if err != nil {
		return s, err
	}
	s.Events = append(s.Events, events...)
	if en.Scope == pimento.Project {
		s.Commit = e.blame(ctx, v, st, en)
	}
	return s, e.lastDecision(ctx, v, &s)
}

// blame asks git whose line an entry is; nil where it does not know, or takes long.
func (e *Engine) blame(ctx context.Context, v *view, st *store, en pimento.Entry) *vault.Commit {
	p, _, err := st.Parsed(ctx, en.Page)
	if err != nil {
		return nil // the story is whole without
	}
	lines := strings.Split(string(p.Bytes()), "\n")
	ctx, stop := context.WithTimeout(ctx, 2*time.Second)
	defer stop()
	c := vault.Blame(ctx, v.project, en.Page, lines[max(0, min(en.Line, len(lines))-1)])
	if c != nil {
		c.Time = c.Time.In(e.Now().Location())
	}
	return c
}

// aliases are the edits that a root's journal knows of, oldest first.
func (st *store) aliases(ctx context.Context) (list []pimento.Event, err error) {
	err = st.journal.Each(ctx, []pimento.EventType{pimento.Aliased}, func(ev pimento.Event) { list = append(list, ev) })
	return list, err
}

// history is what happened to a statement, and to those that it was edited from
// until it was.
func (st *store) history(ctx context.Context, of pimento.Statement) (evs []pimento.Event, err error) {
	edits, err := st.aliases(ctx)
	if err != nil {
		return nil, err
	}
	names, now := map[pimento.Statement]bool{of: true}, map[pimento.Statement]bool{of: true}
	for _, ev := range slices.Backward(edits) {
		if names[ev.Statement] {
			names[ev.From], now[ev.From] = true, true
		}
	}
	err = st.journal.Each(ctx, nil, func(ev pimento.Event) {
		switch {
		case ev.Type == pimento.Aliased && names[ev.Statement]:
			now[ev.Statement], now[ev.From] = true, ev.From == of // what says the same again is another entry
		case ev.Type == pimento.Aliased && ev.From == of:
			evs = nil // went along with the edit
		}
		if now[ev.Statement] {
			evs = append(evs, ev)
		}
	})
	return evs, err
}

// lastDecision finds the newest decision about the entry, or about a notice that
// told what became of it.
func (e *Engine) lastDecision(ctx context.Context, v *view, s *EntryStory) error {
	about := map[string]bool{string(s.Entry.Statement): true}
	for _, ev := range s.Events {
		about[news.NoticeID(ev)] = true
	}
	list, err := e.traces(v).List(ctx, 0)
	for _, tr := range list {
		for _, d := range tr.Block.Trace {
			if about[d.Entry] {
				s.Last, s.LastTime = &d, tr.Time
				return nil
			}
		}
	}
	return err
}

// Told returns, for each notice among ids, what it was about.
func (e *Engine) Told(ctx context.Context, ids []string) map[string]string {
	want, told := map[string]bool{}, map[string]string{}
	for _, id := range ids {
		if strings.HasPrefix(id, "~") {
			want[id] = true
		}
	}
	if len(want) == 0 {
		return told
	}
	for _, st := range e.look(ctx).stores {
		_ = st.journal.Each(ctx, news.Types(), func(ev pimento.Event) { // unreadable: the ids stand for themselves
			if id := news.NoticeID(ev); want[id] {
				told[id] = ev.Text
				if ev.Reason == pimento.ReasonBulk {
					told[id] = "many entries that appeared at once, one of them: " + ev.Text
				}
			}
		})
	}
	return told
}
