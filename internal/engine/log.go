package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/text"
)

// A Logged is one change of memory, as the journal knows it.
type Logged struct {
	Time    time.Time         `json:"time"`
	What    pimento.EventType `json:"what"`
	Scope   pimento.Scope     `json:"scope"`
	Page    string            `json:"page"`
	ID      pimento.Statement `json:"id,omitempty"`
	Text    string            `json:"text,omitempty"` // the beginning of what was said; "" where nobody knows it any more
	Was     string            `json:"was,omitempty"`  // aliased: what it said before
	By      string            `json:"by,omitempty"`   // user, agent, harness, sync
	Session string            `json:"session,omitempty"`
	Reason  string            `json:"reason,omitempty"`
	Count   int               `json:"count,omitempty"` // of so many that came at once, this is the first
}

// A LogQuery says which changes are wanted; the zero value selects all.
type LogQuery struct {
	Since time.Time // not before
	By    string    // an actor
	Of    string    // an entry's id as recall prints it, or its beginning; or a page or folder, with its scope or without
}

// logged are the events by which memory changes, or what is held of it.
func logged() []pimento.EventType {
	return []pimento.EventType{pimento.Remembered, pimento.Appeared, pimento.Aliased, pimento.Vanished, pimento.Forgotten, pimento.Archived,
		pimento.Restored, pimento.Purged, pimento.Completed, pimento.Reopened, pimento.Pinned, pimento.Unpinned, pimento.Confirmed,
		pimento.Reinforced, pimento.HandedOff}
}

// Log lists what changed in memory, newest first. The error is of KindUsage where q.Of is
// neither an id nor a page.
func (e *Engine) Log(ctx context.Context, q LogQuery) ([]Logged, []pimento.Fault, error) {
	of, err := q.of()
	if err != nil {
		return nil, nil, err
	}
	v := e.lookSynced(ctx)
	out, met := []Logged{}, false
	for _, st := range v.stores {
		l := newLogger(st.scope, q, of)
		if of.statement != "" {
			edits, err := st.aliases(ctx)
			v.faultErr("journal", err)
			for _, ev := range slices.Backward(edits) {
				l.named(pimento.Event{Statement: ev.From, From: ev.Statement}) // what it was before is meant, too
			}
		}
		v.faultErr("journal", st.journal.Each(ctx, logged(), func(ev pimento.Event) {
			if !v.foreign(ev) {
				l.take(ev)
			}
		}))
		out, met = append(out, l.out...), met || l.met
	}
	if of.page != "" && q.bare() && !met {
		return nil, nil, q.unknown()
	}
	for i := range out {
		out[i].Time = out[i].Time.In(e.Now().Location())
	}
	slices.SortStableFunc(out, func(x, y Logged) int { return x.Time.Compare(y.Time) })
	slices.Reverse(out)
	return out, append([]pimento.Fault{}, v.faults...), nil
}

// of is what is asked for: an entry, or all of a page; zero for all there is.
func (q LogQuery) of() (idQuery, error) {
	if q.Of == "" {
		return idQuery{}, nil
	}
	if id, err := parseID("log", q.Of); err == nil {
		return idQuery{statement: id.statement, scope: id.scope}, nil // on any page: it may have moved
	}
	scope, page := scopedPage(q.Of)
	if strings.Contains(page, "#") {
		return idQuery{}, q.unknown()
	}
	return idQuery{scope: scope, page: strings.TrimSuffix(page, "/")}, nil
}

// bare says whether what is asked for is a single word, which may as well be a mistyped id.
func (q LogQuery) bare() bool { return q.Of != "" && !strings.ContainsAny(q.Of, ":./") }

func (q LogQuery) unknown() error {
	return &pimento.Error{Op: "log", Kind: pimento.KindUsage, Err: fmt.Errorf("neither an id nor a page: %q", text.OneLine(q.Of, 60)),
		Hint: "an id has at least 8 hex digits, as recall prints them; a page is named as pages prints it"}
}

// A logger makes changes of one journal's events, which come oldest first.
type logger struct {
	scope pimento.Scope
	q     LogQuery
	of    idQuery
	out   []Logged
	met   bool // what was asked for is a page of which the journal knows

	said   map[pimento.Statement]string             // what each statement says, as far as an event held it
	there  map[pimento.Occurrence]bool              // what stands on which page
	ticked map[pimento.Occurrence]pimento.EventType // what happened to its box last: completed or reopened
	names  map[pimento.Statement]bool               // what the wanted entry was and is
}

func newLogger(scope pimento.Scope, q LogQuery, of idQuery) *logger {
	return &logger{scope: scope, q: q, of: of, said: map[pimento.Statement]string{}, there: map[pimento.Occurrence]bool{},
		ticked: map[pimento.Occurrence]pimento.EventType{}, names: map[pimento.Statement]bool{}}
}

func (l *logger) take(ev pimento.Event) {
	if ev.Text != "" && ev.Statement != "" {
		l.said[ev.Statement] = ev.Text
	}
	at := func(id pimento.Statement) pimento.Occurrence { return pimento.Occurrence{Page: ev.Page, Statement: id} }
	seenAgain := ev.Actor == "sync" && l.holds(ev, at)
	switch ev.Type {
	case pimento.Remembered, pimento.Appeared, pimento.Restored:
		l.there[at(ev.Statement)] = ev.Statement != ""
	case pimento.Vanished, pimento.Forgotten, pimento.Archived, pimento.Purged:
		l.there[at(ev.Statement)] = false
		delete(l.ticked, at(ev.Statement))
	case pimento.Completed, pimento.Reopened:
		l.ticked[at(ev.Statement)] = ev.Type
	case pimento.Aliased:
		l.there[at(ev.From)], l.there[at(ev.Statement)] = false, true
	}
	if seenAgain || !l.wanted(ev) { // written by us, and then seen by a sync
		return
	}
	if n := len(l.out); n > 0 && ev.Reason == pimento.ReasonBulk && ev.Statement != "" {
		if last := &l.out[n-1]; last.Count > 0 && ev.Time.Sub(last.Time) < time.Second {
			last.Count++
			return
		}
	}
	c := Logged{Time: ev.Time, What: ev.Type, Scope: l.scope, Page: ev.Page, ID: ev.Statement, Text: l.said[ev.Statement], By: ev.Actor,
		Session: ev.Session, Reason: ev.Reason}
	switch {
	case ev.Statement == "": // of what came with so many others that they are told as one, too
		c.Text, c.Reason = ev.Text, strings.TrimPrefix(ev.Reason, pimento.ReasonBulk)
	case ev.Reason == pimento.ReasonBulk:
		c.Reason, c.Count = "", 1
	case ev.Type == pimento.Aliased:
		c.Was = l.said[ev.From]
	}
	c.Text, c.Was = text.ClipBytes(c.Text, shownText*2), text.ClipBytes(c.Was, shownText*2)
	l.out = append(l.out, c)
}

// holds says whether what an event tells is so already: we wrote it, or another sync saw it.
func (l *logger) holds(ev pimento.Event, at func(pimento.Statement) pimento.Occurrence) bool {
	is, known := l.there[at(ev.Statement)]
	switch ev.Type {
	case pimento.Appeared:
		return is
	case pimento.Vanished:
		return known && !is
	case pimento.Aliased:
		was, knew := l.there[at(ev.From)]
		return is && knew && !was
	}
	return l.ticked[at(ev.Statement)] == ev.Type
}

// wanted says whether an event is among those that were asked for.
func (l *logger) wanted(ev pimento.Event) bool {
	about := l.named(ev) // an event that is not asked for may say what the entry is called from then on
	if l.of.page != "" {
		if !l.on(ev) {
			return false
		}
		l.met = true
	}
	switch {
	case ev.Time.Before(l.q.Since), l.q.By != "" && ev.Actor != l.q.By, l.of.scope != "" && l.of.scope != l.scope:
		return false
	}
	return about || l.of.statement == ""
}

// on says whether an event happened on the page that was asked for, named with its ending
// or without, or in that folder.
func (l *logger) on(ev pimento.Event) bool {
	rest, ok := strings.CutPrefix(ev.Page, l.of.page)
	return ok && (rest == "" || rest == ".md" || rest[0] == '/')
}

// named says whether an event is about the entry that was asked for, under any text
// that it has had up to then.
func (l *logger) named(ev pimento.Event) bool {
	is := func(id pimento.Statement) bool {
		return id != "" && (l.names[id] || l.of.statement != "" && strings.HasPrefix(string(id), l.of.statement))
	}
	if !is(ev.Statement) && !is(ev.From) {
		return false
	}
	l.names[ev.Statement] = true
	return true
}
