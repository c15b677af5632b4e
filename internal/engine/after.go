package engine

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/oklog/ulid/v2"
	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/inject"
	"github.com/pimento-memory/pimento/internal/mirror"
	"github.com/pimento-memory/pimento/internal/qmd"
	"github.com/pimento-memory/pimento/internal/session"
	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/vault"
)

// shownText is how much of an injected entry is kept, in characters, to be able
// to say later what was withdrawn.
const shownText = 160

// Sessions are kept so long after they were last in use, and at most so many;
// one that is pruned and goes on takes a new prefix.
const (
	sessionAge   = 90 * 24 * time.Hour
	sessionsKept = 500
)

// after is the bookkeeping of a turn. Its failures cost telemetry, never the
// answer, which is already out.
func (t *turn) after(ctx context.Context) {
	if t.sumsUp() {
		_ = t.sumUp(ctx) // who would read of it has left
	}
	t.rememberLater(ctx)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	t.remind(ctx)
	t.conclude(ctx)
	t.shownRow(ctx)
	if t.Event == pimento.SessionStart || t.unflushed {
		_ = t.e.flush(ctx, t.v) // what a crash left; the answer did not wait for it
	}
	if t.Event == pimento.SessionStart {
		t.e.expirePasts(ctx, t.v)
		t.e.pruneIndexes(t.v)
	}
	if !t.silent() {
		t.e.beginAudits(ctx, t.v)
	}
	diary, judged := append(t.acted(), t.crossed()...), t.judged(ctx)
	for _, st := range t.v.stores {
		evs := slices.Concat(t.fresh[st], t.injected(st), t.retrieved(st), judged[st])
		if st == t.v.diary() {
			evs = append(evs, diary...)
		}
		if len(evs) > 0 {
			_ = st.journal.Note(ctx, evs)
			if t.e.opt.Serve {
				st.journal.Fold(ctx) // the next prompt asks for records
			}
		}
		st.journal.Finish(ctx)
	}
	t.gather(ctx)
	if t.Session != "" && (t.Event == pimento.PromptTurn || t.Event == pimento.SessionStart) {
		t.touch(ctx)
	}
	if !t.silent() && t.v.traces {
		t.record(ctx)
	}
	t.e.reshape(ctx, t.v.stores)
	t.glean(ctx)
	if t.Event == pimento.SessionStart {
		t.e.greetQmd(t.v)
	}
	if t.e.opt.Serve {
		t.e.finishSync(t.v, t.behind)
	} else {
		t.readLeft(ctx)
		t.e.updateQmd() // a hook does not close
	}
}

// newID makes an event or plan id: sortable by the door's clock. A clock that nobody
// has set may stand before 1970, where such ids begin.
func (e *Engine) newID() string {
	return ulid.MustNew(uint64(max(0, e.Now().UnixMilli())), ulid.DefaultEntropy()).String()
}

// injected are the events of the entries that the tail put in front of the
// model, for the journal of the root that owns them.
func (t *turn) injected(st *store) []pimento.Event {
	var evs []pimento.Event
	for _, id := range t.block.TailIDs {
		o, ok := t.shown[id]
		if !ok || t.v.store(o.Scope) != st {
			continue
		}
		evs = append(evs, pimento.Event{ID: t.e.newID(), Time: t.e.Now(), Type: pimento.Injected,
			Scope: o.Scope, Page: o.Page, Statement: pimento.Statement(id), Text: text.OneLine(o.Text, shownText), Actor: "harness", Session: t.Session})
	}
	return evs
}

// lastInjected is what the last injection of a statement that the session knows
// showed of it. It is asked for only when something that a session has seen was
// changed or taken away; then the journal is read once for all such statements.
func (t *turn) lastInjected(ctx context.Context, st *store, id pimento.Statement) string {
	if st == nil {
		return ""
	}
	texts, ok := t.injectedTexts[st]
	if !ok {
		texts = map[pimento.Statement]string{}
		_ = st.journal.Each(ctx, []pimento.EventType{pimento.Injected}, func(ev pimento.Event) {
			if t.known(string(ev.Statement)) {
				texts[ev.Statement] = ev.Text
			}
		})
		if t.injectedTexts == nil {
			t.injectedTexts = map[*store]map[pimento.Statement]string{}
		}
		t.injectedTexts[st] = texts
	}
	return texts[id]
}

// touch notes in the session's file what is in its context now. Where the
// harness keeps that itself, one note at the start is enough; of a session that ends
// with its process, that it was shown what is encrypted.
func (t *turn) touch(ctx context.Context) {
	if t.ephemeral() && t.plain == nil {
		return
	}
	warned := slices.Contains(t.block.TailIDs, inject.CapacityID)
	another := !t.frozen.Taken.IsZero() && !t.frozen.Taken.Equal(t.state.Taken)
	if t.InContext != nil && !t.state.Started.IsZero() && t.seen == nil && !warned && !t.reminded && t.plain == nil && !another {
		return
	}
	_ = t.e.sessions.Update(ctx, t.Harness, t.Session, func(s *session.State) {
		if s.Started.IsZero() {
			s.Started, s.Parent, s.Off = t.started, t.Parent, s.Off || t.state.Off
		}
		s.Warned, s.Sealed = s.Warned || warned, s.Sealed || t.plain != nil
		if another {
			s.Taken = t.frozen.Taken
		}
		if t.reminded {
			s.Edited = slices.DeleteFunc(s.Edited, func(p string) bool { return slices.Contains(t.state.Edited, p) })
		}
		if t.seen != nil {
			if s.SeenFor != t.frozen.Key {
				s.Seen, s.SeenFor = map[string]json.RawMessage{}, t.frozen.Key
			}
			maps.Copy(s.Seen, t.seen)
		}
		if t.InContext == nil {
			s.Shown = append(s.Shown, t.block.TailIDs...)
		}
		t.given(s)
	})
	if t.state.Started.IsZero() {
		_ = t.e.sessions.Prune(ctx, t.Harness, t.Session, sessionAge, sessionsKept)
	}
}

// pruneIndexes lets go of the indexes that other versions of the program have left.
func (e *Engine) pruneIndexes(v *view) {
	for _, st := range v.stores {
		_ = st.Prune() // a cache that stays costs room, and no answer
	}
}

// finishSync goes on with an index, or vectors, that the turn's deadline cut short, and
// looks at roots that were not swept for long. Only a long-lived process does
// so; a hook leaves the rest to the next prompt.
func (e *Engine) finishSync(v *view, behind bool) {
	for _, st := range v.stores {
		vectors := st.Unembedded()
		if !behind && !vectors && !e.watch.Stale(st.root.Key(), e.opt.Clock()) {
			continue
		}
		if st.Busy() || e.life.Err() != nil {
			continue // somebody is at it, or we are closing
		}
		e.background.Go(func() {
			ctx, cancel := context.WithTimeout(e.life, 10*time.Minute)
			defer cancel()
			e.takeNews(ctx, st)
			if vectors {
				e.finishVectors(ctx, v, st)
			}
		})
	}
}

// takeNews brings a root's index up to its files, and journals what was seen.
func (e *Engine) takeNews(ctx context.Context, st *store) {
	_, s, _ := st.Sync(ctx, mirror.Occasion{Idle: true})
	if len(s.Events) > 0 {
		_ = st.journal.Note(ctx, s.Events)
	}
}

// How long a process of its own may read, once its answer is out, what no prompt had
// the time for.
const (
	// endSync, at the end of a turn: the user reads the answer, and a harness that
	// waits for its hooks lets them write the next prompt meanwhile.
	endSync = 5 * time.Second

	// lastSync, at the end of a session: an index of 50 MB takes ten seconds, and
	// every other process would begin it anew.
	lastSync = 20 * time.Second
)

// readLeft reads, where a process ends with this event, what no prompt had the time for.
func (t *turn) readLeft(ctx context.Context) {
	limit := t.leisure()
	if limit <= 0 || t.silent() {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	for _, st := range t.v.stores {
		t.e.takeNews(ctx, st)
	}
}

// leisure is how long a process that ends with this event may still read. A prompt
// waits for the process of its hook, whose deadline that is; after a session's start
// somebody only may.
func (t *turn) leisure() time.Duration {
	switch {
	case t.Event == pimento.SessionEnd:
		return lastSync
	case t.Event == pimento.TurnEnd:
		return endSync
	case !t.behind:
		return 0
	case t.Event == pimento.SessionStart:
		return 2 * t.e.opt.Deadline
	}
	return t.e.opt.Deadline - t.e.opt.Clock().Sub(t.started)
}

// notices are for the person: of several sorts the most important.
func (t *turn) notices() []Notice {
	if len(t.told) > 0 {
		return t.told
	}
	if t.v.hasProject && t.Event == pimento.SessionStart && t.v.consent.Status == vault.Mismatch {
		if why, hint, ok := t.v.moved(); ok {
			return []Notice{{why, hint}}
		}
		return []Notice{{"this project's memory is inactive" + t.v.because(), "see pimento doctor"}}
	}
	if len(t.cooled) > 0 {
		return cooledNotices(t.cooled)
	}
	if said := t.brokenDream(); said != nil {
		return said
	}
	if said := t.badConfiguration(); said != nil {
		return said
	}
	if t.Event == pimento.SessionStart && t.v.engine == qmdEngine && !t.silent() && t.e.qmd().Program == "" {
		return []Notice{{"qmd is not on PATH, so Pimento searches itself", qmd.InstallHint}}
	}
	return nil
}

// badConfiguration tells the person, when a session starts, what of their configuration
// does not count.
func (t *turn) badConfiguration() []Notice {
	i := slices.IndexFunc(t.v.faults, func(f pimento.Fault) bool { return f.Kind == "config" || f.Kind == "profile" })
	if t.Event != pimento.SessionStart || i < 0 || t.silent() {
		return nil
	}
	return []Notice{{t.v.faults[i].Detail, hintDoctor}}
}

// consent is set when the project has memory that waits for the user's yes.
func (t *turn) consent(ctx context.Context) *Consent {
	waits := t.v.consent.Status == vault.Missing || t.v.becameRepository()
	now := t.Event == pimento.SessionStart || t.Event == pimento.PromptTurn && t.v.becameRepository() // by this session, maybe
	if !t.v.hasProject || t.Untrusted || !waits || !now {
		return nil
	}
	n := t.e.countPages(ctx, t.v)
	return &Consent{Needed: true, Project: t.v.project.Dir, Pages: n,
		Detail: "It " + t.v.strange() + ". Until you agree, it is neither read nor shown to the model."}
}

// countPages counts the pages of a project's memory without reading one.
func (e *Engine) countPages(ctx context.Context, v *view) int {
	root, err := vault.OpenRoot(pimento.Project, v.project.Memory, e.opt.Disk)
	if err != nil {
		return 0
	}
	n := 0
	_, _ = root.Sweep(ctx, func(string, pimento.Stamp) { n++ }, nil)
	return n
}
