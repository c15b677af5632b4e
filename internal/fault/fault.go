// Package fault finds, in what was recorded, the moments at which memory let an
// agent down. It is pure: events and traces go in, faults come out.
//
// The six kinds are those of ClawVM (arXiv 2604.10352, table 2). Each is read
// off facts that are kept anyway: the journal says what was written, at which
// boundaries a session lost its context and what the agent did; a trace says
// what of memory stood in front of it. Nothing is asked of a model, and nothing
// is guessed: a fault names the events that show it.
package fault

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
)

// A Kind is one way in which memory fails an agent.
type Kind string

const (
	// Refetch: the agent opened a page again that a compaction had taken from
	// it, or one of which the block held less than there was.
	Refetch Kind = "refetch"
	// DuplicateTool: the agent made the same call again, with nothing changed in
	// between, because a compaction had taken the first answer from it.
	DuplicateTool Kind = "duplicate-tool"
	// PinnedMiss: the budget could not hold what must stand.
	PinnedMiss Kind = "pinned-invariant-miss"
	// Bootstrap: the first prompt after a compaction came without something that
	// must stand and stood before.
	Bootstrap Kind = "post-compaction-bootstrap"
	// SilentRecall: memory was asked, could not answer, and the model was given
	// an empty answer that looks like "nothing known".
	SilentRecall Kind = "silent-recall"
	// FlushMiss: a session reached a boundary with a write that was neither
	// committed nor rejected.
	FlushMiss Kind = "flush-miss"
)

// Kinds lists all of them.
func Kinds() []Kind {
	return []Kind{Refetch, DuplicateTool, PinnedMiss, Bootstrap, SilentRecall, FlushMiss}
}

// A Fault is one of these moments.
type Fault struct {
	Kind    Kind      `json:"kind"`
	Time    time.Time `json:"time"`
	Session string    `json:"session,omitempty"`
	Detail  string    `json:"detail"`
	// Controllable says that another choice under the same budget would have
	// avoided it; where even the least set does not fit, none would.
	Controllable bool `json:"controllable"`
}

// compaction is the reason of the boundary that takes a session's context away.
const compaction = "compaction"

// A moment is an event or a trace, in time.
type moment struct {
	at    time.Time
	event *pimento.Event
	trace *pimento.Trace
}

// Find returns the faults, oldest first. Events and traces may come in any
// order; what is of one session is looked at by itself, but for writes, which
// are everybody's.
func Find(events []pimento.Event, traces []pimento.Trace) []Fault {
	var all []moment
	for i := range events {
		all = append(all, moment{events[i].Time, &events[i], nil})
	}
	for i := range traces {
		if traces[i].Recall != nil {
			continue // a question stands for itself, and its door says what it lacked
		}
		all = append(all, moment{traces[i].Time, nil, &traces[i]})
	}
	slices.SortStableFunc(all, func(a, b moment) int { return a.at.Compare(b.at) })
	f := finder{sessions: map[string]*session{}, staged: map[string]*pimento.Event{}, missed: map[string]miss{}, gone: map[string]time.Time{}}
	for _, m := range all {
		if m.trace != nil {
			f.prompt(m.trace)
		} else {
			f.happened(m.event)
		}
	}
	return slices.DeleteFunc(f.out, func(x Fault) bool { return x.Kind == "" })
}

// underWay is how long a write may take: one that has its end by then was being
// written when another session ended, and nothing was left behind.
const underWay = 10 * time.Second

// A miss is a write without an end at a boundary.
type miss struct {
	staged time.Time
	at     int // in what was found
}

type finder struct {
	out      []Fault
	sessions map[string]*session
	staged   map[string]*pimento.Event // plans without an end, by transaction
	missed   map[string]miss           // flush misses, by transaction
	gone     map[string]time.Time      // statements that were taken away or changed, and when
}

// A session is what one conversation has seen and done.
type session struct {
	calls    map[string]int    // successful calls, by tool and arguments, and the epoch they were made in
	opened   map[string]int    // pages that the agent opened, and the epoch
	epoch    int               // compactions so far
	short    map[string]bool   // pages of which the last block held less than there was
	required map[string]string // statements that must stand and stood, and why
	stood    time.Time
	lacks    string // what the last block had no room for
	fresh    bool   // a compaction came since the last prompt
}

func (f *finder) session(id string) *session {
	s := f.sessions[id]
	if s == nil {
		s = &session{calls: map[string]int{}, opened: map[string]int{}, short: map[string]bool{}, required: map[string]string{}}
		f.sessions[id] = s
	}
	return s
}

func (f *finder) add(k Kind, at time.Time, session, detail string, controllable bool) {
	f.out = append(f.out, Fault{k, at, session, detail, controllable})
}

// happened takes one event of a journal.
func (f *finder) happened(ev *pimento.Event) {
	switch ev.Type {
	case pimento.Staged:
		f.staged[ev.Txn] = ev
	case pimento.Committed, pimento.Rejected:
		delete(f.staged, ev.Txn)
		if m, ok := f.missed[ev.Txn]; ok && ev.Time.Sub(m.staged) < underWay {
			f.out[m.at].Kind = ""
		}
	case pimento.Boundary:
		f.boundary(ev)
	case pimento.Acted:
		f.acted(ev)
	case pimento.Forgotten, pimento.Purged, pimento.Vanished, pimento.Unpinned, pimento.Archived, pimento.Completed:
		f.gone[string(ev.Statement)] = ev.Time
	case pimento.Aliased:
		f.gone[string(ev.From)] = ev.Time
	}
}

// boundary is where a session loses its context or its end: what is staged then
// and not done is dirty.
func (f *finder) boundary(ev *pimento.Event) {
	for _, txn := range slices.Sorted(maps.Keys(f.staged)) {
		st := f.staged[txn]
		f.add(FlushMiss, ev.Time, ev.Session, fmt.Sprintf("a write to %s was staged and not finished at: %s", pageOf(st), ev.Reason), true)
		f.missed[txn] = miss{st.Time, len(f.out) - 1}
		delete(f.staged, txn) // once for each
	}
	s := f.session(ev.Session)
	switch ev.Reason {
	case compaction:
		s.epoch++
		s.fresh = true
	case "new":
		delete(f.sessions, ev.Session)
	}
}

func pageOf(staged *pimento.Event) string {
	var p pimento.Plan
	if json.Unmarshal(staged.Data, &p) == nil && len(p.Changes) > 0 {
		return string(p.Changes[0].Scope) + ":" + p.Changes[0].Page
	}
	return "a page"
}

// acted is what an agent did since a prompt.
func (f *finder) acted(ev *pimento.Event) {
	var d pimento.Deed
	if json.Unmarshal(ev.Data, &d) != nil {
		return
	}
	s := f.session(ev.Session)
	for _, u := range d.Tools {
		if u.Error {
			continue
		}
		if page := MemoryPage(u.Path); page != "" && !writes(u.Name) {
			s.open(f, ev, page)
			continue
		}
		if u.Args == "" {
			continue
		}
		call := u.Name + " " + u.Args
		if before, ok := s.calls[call]; ok && before < s.epoch {
			f.add(DuplicateTool, ev.Time, ev.Session, fmt.Sprintf("%s was called again with the same arguments (%s) after a compaction", u.Name, u.Args), true)
		}
		s.calls[call] = s.epoch
	}
	if len(d.Edited) > 0 {
		clear(s.calls) // the same call may answer otherwise now
	}
	for _, path := range d.Edited {
		delete(s.opened, MemoryPage(path))
	}
}

func writes(tool string) bool { return tool == "edit" || tool == "write" }

// open is the agent opening a page of memory.
func (s *session) open(f *finder, ev *pimento.Event, page string) {
	before, again := s.opened[page]
	switch {
	case again && before < s.epoch:
		f.add(Refetch, ev.Time, ev.Session, page+" was opened again after a compaction", true)
	case s.short[page]:
		f.add(Refetch, ev.Time, ev.Session, page+" was opened because the block held less of it than there is", true)
		delete(s.short, page)
	}
	s.opened[page] = s.epoch
}

// MemoryPage is the name of the memory page that a path means, below its root;
// "" for any other file. Paths come from an agent, so the roots are known by
// their usual places.
func MemoryPage(path string) string {
	for _, root := range []string{".pi/memory/", ".pi/agent/memory/"} {
		if i := strings.LastIndex(path, root); i >= 0 && (i == 0 || path[i-1] == '/') && strings.HasSuffix(path, ".md") {
			return path[i+len(root):]
		}
	}
	return ""
}

// prompt is what stood in front of the model with one prompt.
func (f *finder) prompt(tr *pimento.Trace) {
	s := f.session(tr.Session)
	lacks := ""
	for _, x := range tr.Block.Faults {
		switch {
		case x.Kind == string(PinnedMiss):
			if lacks = x.Detail; lacks != s.lacks { // once, however many prompts the prefix stands for
				f.add(PinnedMiss, tr.Time, tr.Session, x.Detail, false)
			}
		case unanswered(x.Kind):
			f.add(SilentRecall, tr.Time, tr.Session, x.Kind+": "+x.Detail, true)
		}
	}
	s.lacks = lacks
	stands := map[string]bool{}
	for _, id := range slices.Concat(tr.Block.PrefixIDs, tr.Block.TailIDs) {
		stands[id] = true
	}
	required, short := map[string]string{}, map[string]bool{}
	for _, d := range tr.Block.Trace {
		if d.Decision != "dropped" {
			stands[d.Entry] = true // in a shorter shape it stands, too
		}
		if why := mustStand(d); why != "" && d.Decision != "dropped" {
			required[d.Entry] = why
		}
		if d.Page != "" && (d.Decision == "structured" || d.Decision == "pointer" || d.Decision == "brief" || d.Decision == "excerpt") {
			short[d.Page] = true
		}
	}
	if s.fresh && lacks == "" { // what the budget could not hold is told already
		s.bootstrap(f, tr, stands)
	}
	if len(required) > 0 {
		s.required, s.stood = required, tr.Time
	}
	if len(short) > 0 || len(required) > 0 {
		s.short = short
	}
	s.fresh = false
}

// bootstrap compares the first prompt after a compaction with what stood before.
func (s *session) bootstrap(f *finder, tr *pimento.Trace, stands map[string]bool) {
	var missing []string
	for _, id := range slices.Sorted(maps.Keys(s.required)) {
		if at, gone := f.gone[id]; !stands[id] && !(gone && !at.Before(s.stood)) {
			missing = append(missing, id)
		}
	}
	if len(missing) > 0 {
		f.add(Bootstrap, tr.Time, tr.Session, fmt.Sprintf("the first prompt after a compaction came without %d that must stand: %s",
			len(missing), strings.Join(missing[:min(3, len(missing))], " ")), true)
	}
}

// mustStand says of a decision why its entry has to stand, "" when it has not.
func mustStand(d pimento.Decision) string {
	for _, class := range []string{"pinned", "policy", "constraint", "plan"} {
		if d.Reason == class || strings.HasSuffix(d.Reason, ", "+class) {
			return class
		}
	}
	return ""
}

// unanswered says whether a fault of a block means that memory could not be
// asked.
func unanswered(kind string) bool { return kind == "recall" || kind == "index" || kind == "deadline" }
