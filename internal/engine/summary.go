package engine

import (
	"context"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/guard"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/think"
	"github.com/pimento-memory/pimento/internal/upkeep"
)

// The values of a profile's key exit_summary.
const (
	summaryListed  = "listed"  // what the session wrote into memory
	summaryThought = "thought" // a language model's, when the user turned one on, else listed
)

const (
	// summaryTime bounds the summary of a session that is over; the person has
	// left, and a model that hangs must not keep a process for ever.
	summaryTime = 60 * time.Second
	// transcriptRunes is how much of a session's end a model is shown.
	transcriptRunes = 80_000
	summaryTokens   = 900
	maxEditedListed = 10

	// What stands before a listed line that is no entry as it stands.
	editedList, doneItem = "Edited: ", "Done: "
)

// sumsUp says whether this turn ends a session that leaves a summary. A reload,
// a fork or a switch to another session ends nothing.
func (t *turn) sumsUp() bool {
	how := t.v.profile.ExitSummary
	return t.Event == pimento.SessionEnd && t.Session != "" && !t.silent() && (how == summaryListed || how == summaryThought) &&
		(t.Reason == "" || t.Reason == "quit")
}

// grace is how long a turn's bookkeeping may take beyond a moment. A door that
// is about to end waits so long for it, and a person never.
func (t *turn) grace() time.Duration {
	switch {
	case t.sumsUp():
		return summaryTime
	case len(t.later) > 0:
		return laterFor
	}
	return 0
}

// Transcript says whether a session's end should bring along what was said in
// it, for a language model that the user turned on.
func (e *Engine) Transcript(ctx context.Context) bool {
	v := e.look(ctx)
	return v.profile.ExitSummary == summaryThought && v.thinker.On()
}

// sumUp writes the summary of a session that is over into today's log.
func (t *turn) sumUp(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), summaryTime)
	defer cancel()
	e, v := t.e, t.v
	rel := page.DailyPage(e.Today())
	st := e.handoffStore(v, rel)
	if st == nil && v.scopeOf(rel) == pimento.Global { // a first session has none yet, and no project is written to unasked
		st, _ = e.writable(ctx, v, "exit summary", pimento.Global)
	}
	if st == nil {
		return nil
	}
	s, err := t.thought(ctx)
	if err != nil || s.Empty() {
		s = t.listed(ctx, st)
	}
	_, _, err = e.write(ctx, st, rel, func(d draft) (pimento.Plan, error) {
		return upkeep.PlanSummary(s, e.Now(), t.Session,
			upkeep.Place{Scope: st.scope, Rel: rel, Page: d.page, Digest: d.digest}), nil
	})
	return err
}

// thought asks the language model that the user turned on; without one the
// summary is empty.
func (t *turn) thought(ctx context.Context) (s upkeep.Summary, err error) {
	if t.v.profile.ExitSummary != summaryThought || len(t.Dropped) == 0 || t.quotesSealed() {
		return s, nil
	}
	thinker, err := t.e.openThinker(t.v)
	if thinker == nil {
		return s, err
	}
	defer thinker.Close()
	ask := think.Ask{For: "exit summary", Task: upkeep.SummaryTask, Max: summaryTokens}
	ask.Material = []think.Material{{Name: "the end of the session", Text: transcript(t.Dropped, thinker.Room(ask))}}
	answer, err := thinker.Think(ctx, ask)
	if err != nil {
		return s, err
	}
	s, _ = upkeep.ReadSummary(answer.Text)
	return fit(s), nil
}

// fit is a summary without the lines that may not be written: a model repeats
// what it was shown, secrets included.
func fit(s upkeep.Summary) upkeep.Summary {
	for _, list := range []*[]string{&s.Decisions, &s.Lessons, &s.Notes, &s.FollowUps} {
		*list = slices.DeleteFunc(*list, func(line string) bool {
			return len(guard.Check(line, guard.Options{})) > 0
		})
	}
	return s
}

// transcript is the end of a conversation, as much of it as fits into so many
// tokens.
func transcript(said []pimento.Message, room int) string {
	var b strings.Builder
	for _, m := range said {
		if m.Role == "user" || m.Role == "assistant" || m.Role == "summary" {
			b.WriteString(m.Role + ": " + strings.TrimSpace(m.Text) + "\n\n")
		}
	}
	r := []rune(strings.TrimSpace(b.String()))
	r = r[max(0, len(r)-transcriptRunes):]
	for len(r) > 0 && text.Tokens(string(r)) > room {
		r = r[len(r)/8+1:]
	}
	return string(r)
}

// listed is what the session wrote into memory and did, as the journals have
// it, as far as it may stand in the log.
func (t *turn) listed(ctx context.Context, log *store) (s upkeep.Summary) {
	var edited []string
	for _, st := range t.v.stores {
		if !st.mayStandIn(log) {
			continue
		}
		var wrote []pimento.Event
		_ = st.journal.Each(ctx, []pimento.EventType{pimento.Remembered, pimento.Completed, pimento.Reopened, pimento.Acted},
			func(ev pimento.Event) {
				if ev.Session != t.Session {
					return
				}
				if ev.Type == pimento.Acted {
					edited = append(edited, editedIn(ev)...)
				} else if !strings.HasPrefix(ev.Page, page.DailyDir) { // the log says that already
					wrote = append(wrote, ev)
				}
			})
		t.list(ctx, st, wrote, &s)
	}
	if log.scope == pimento.Project { // where else the user works is nobody's business there
		edited = slices.DeleteFunc(edited, filepath.IsAbs)
	}
	if edited = distinct(edited); len(edited) > 0 {
		s.Notes = append(s.Notes, editedList+strings.Join(edited[:min(len(edited), maxEditedListed)], ", "))
	}
	return s
}

// list sorts what a session wrote into a root, as it stands there now.
func (t *turn) list(ctx context.Context, st *store, wrote []pimento.Event, s *upkeep.Summary) {
	seen := map[pimento.Statement]bool{}
	for _, ev := range wrote {
		if seen[ev.Statement] {
			continue
		}
		seen[ev.Statement] = true
		es := t.e.saying(ctx, t.v, st, ev.Statement)
		if len(es) == 0 {
			continue // taken back since
		}
		put(s, es[0])
	}
}

// quotes says whether an entry only repeats what stands, or stood, elsewhere in memory:
// a handoff, and a summary that lists what its session wrote and did.
func (t *turn) quotes(ctx context.Context, en pimento.Entry) bool {
	if en.Kind != pimento.KindHandoff || page.IsHandoff(&en) {
		return en.Kind == pimento.KindHandoff
	}
	s, ok := upkeep.ReadSummary(en.Text)
	said := map[pimento.Statement]bool{}
	for _, line := range slices.Concat(s.Decisions, s.Lessons, s.Notes, s.FollowUps) {
		if !strings.HasPrefix(line, editedList) {
			said[pimento.StatementOf(strings.TrimPrefix(line, doneItem))] = true
		}
	}
	for _, st := range t.v.stores {
		recs, err := st.journal.Records(ctx, slices.Collect(maps.Keys(said)))
		t.v.faultErr("journal", err)
		for id := range recs {
			delete(said, id)
		}
	}
	return ok && len(said) == 0
}

// put adds an entry to the section that it belongs to.
func put(s *upkeep.Summary, en pimento.Entry) {
	tagged := func(tags ...string) bool {
		return slices.ContainsFunc(tags, func(tag string) bool { return slices.Contains(en.Tags, tag) })
	}
	into := &s.Notes
	switch {
	case en.Task && en.Done:
		en.Text = doneItem + en.Text
	case en.Task:
		into = &s.FollowUps
	case en.Kind == pimento.KindDecision || tagged("decision"):
		into = &s.Decisions
	case en.Kind == pimento.KindLesson || en.Kind == pimento.KindMistake || tagged("lesson", "bug"):
		into = &s.Lessons
	}
	*into = append(*into, en.Text)
}

func editedIn(ev pimento.Event) []string {
	var d pimento.Deed
	_ = json.Unmarshal(ev.Data, &d) // of another version: nothing is known of it
	return d.Edited
}

func distinct(list []string) (out []string) {
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
