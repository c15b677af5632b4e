package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/inject"
	"github.com/pimento-memory/pimento/internal/journal"
	"github.com/pimento-memory/pimento/internal/mirror"
	"github.com/pimento-memory/pimento/internal/news"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/session"
	"github.com/pimento-memory/pimento/internal/text"
)

// freeze finds the prefix of this session, or makes it. One that stood before another one
// did, as when a profile is taken up again, is not repeated: the session was told since
// what changed, and would not be told again.
func (t *turn) freeze(ctx context.Context) {
	t.repeat(ctx)
	if t.isNew || !t.frozen.Taken.Before(t.state.Taken) {
		return
	}
	err := t.e.sessions.Update(ctx, t.Harness, t.Session, func(s *session.State) {
		if s.Epoch == t.state.Epoch {
			s.Epoch, s.Taken = s.Epoch+1, time.Time{}
		}
		t.state = *s
	})
	if t.v.faultErr("session", err); err == nil {
		t.repeat(ctx)
	}
}

// repeat finds the prefix of this session and epoch, or makes it. The first
// process of a session writes the bytes; every later one repeats them.
func (t *turn) repeat(ctx context.Context) {
	key := session.Key{Harness: t.Harness, Session: t.Session, Epoch: t.state.Epoch,
		Profile: t.v.digest, Consent: t.e.consentDigest(t.v.stores) + t.rulesMark(), Pages: t.pagesDigest(ctx)}
	if t.Session == "" {
		t.frozen, t.isNew = t.build(ctx, key), true
		return
	}
	if f, ok := t.e.kept(key); ok {
		t.frozen = f
		return
	}
	defer func() { t.e.keep(t.frozen) }()
	if t.ephemeral() {
		t.frozen, t.isNew = t.build(ctx, key), true
		return
	}
	var err error
	t.frozen, t.isNew, err = t.e.sessions.Freeze(ctx, key, func() (session.Frozen, error) {
		if f, ok := t.parentPrefix(ctx, key); ok {
			return f, nil
		}
		if f, ok := t.prefixBeforeProject(ctx, key); ok {
			return f, nil
		}
		return t.build(ctx, key), nil
	})
	t.v.faultErr("session", err)
}

// ephemeral says whether a session ends with its process: an MCP server's, of which
// nothing is told but its start. Each client starts one whenever it starts itself.
func (t *turn) ephemeral() bool { return t.Harness == MCPHarness }

// pagesDigest is a digest of the stamps of all pages, for a profile whose prefix
// is taken anew when one changes; "" for any other. The index has just been
// brought up to the files, so it knows them. A page that was only touched gives
// another digest and the same bytes.
func (t *turn) pagesDigest(ctx context.Context) string {
	if t.v.profile.Snapshot != "current" {
		return ""
	}
	sum := sha256.New()
	for _, st := range t.v.stores {
		idx, _ := st.Index(ctx)
		t.v.faultErr("index", mirror.EachPage(ctx, idx, func(p index.Page) bool {
			fmt.Fprintf(sum, "%s:%s %v\n", st.scope, p.Path, p.Stamp)
			return true
		}))
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// maxKept bounds the frozen prefixes that a long-lived process keeps.
const maxKept = 16

// kept is a frozen prefix from an earlier turn of this process. Under its key
// it never changes.
func (e *Engine) kept(key session.Key) (session.Frozen, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	f, ok := e.frozen[key]
	return f, ok
}

func (e *Engine) keep(f session.Frozen) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.frozen == nil || len(e.frozen) >= maxKept {
		e.frozen = map[session.Key]session.Frozen{}
	}
	e.frozen[f.Key] = f
}

// tellLater keeps what was decided about a prefix that a session's start took, for
// the record of the first prompt it stands for.
func (e *Engine) tellLater(key session.Key, decided []pimento.Decision) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.untold == nil || len(e.untold) >= maxKept {
		e.untold = map[session.Key][]pimento.Decision{}
	}
	e.untold[key] = decided
}

// told takes what waits of a prefix to be told.
func (e *Engine) told(key session.Key) []pimento.Decision {
	e.mu.Lock()
	defer e.mu.Unlock()
	decided := e.untold[key]
	delete(e.untold, key)
	return decided
}

// parentPrefix is the prefix of the session that this one was forked from: the
// same bytes keep the provider's cache.
func (t *turn) parentPrefix(ctx context.Context, key session.Key) (session.Frozen, bool) {
	if t.Parent == "" || key.Epoch != 0 {
		return session.Frozen{}, false
	}
	f, ok, err := t.e.sessions.LatestFrozen(ctx, t.Harness, t.Parent)
	if err != nil || !ok || f.Key.Profile != key.Profile || f.Key.Consent != key.Consent || f.Key.Pages != key.Pages {
		return session.Frozen{}, false
	}
	f.Key = key
	return f, true
}

// prefixBeforeProject is the prefix that this session had before a first write made the
// project's memory: its own, or one of a tool in another process. All that is written
// there since is told as a change.
func (t *turn) prefixBeforeProject(ctx context.Context, key session.Key) (session.Frozen, bool) {
	f, ok, err := t.e.sessions.LatestFrozen(ctx, t.Harness, t.Session)
	if err != nil || !ok || f.Prefix == "" || f.Key.Epoch != key.Epoch || f.Key.Profile != key.Profile || f.Key.Pages != key.Pages {
		return session.Frozen{}, false
	}
	before, marks := []*store{}, maps.Clone(f.Marks)
	for _, st := range t.v.stores {
		if _, had := marks[st.root.Key()]; had {
			before = append(before, st)
			continue
		}
		if st.scope == pimento.Project && !t.began(ctx, st, f.Taken) {
			return session.Frozen{}, false
		}
		marks[st.root.Key()], _ = json.Marshal(journal.Mark{})
	}
	if t.e.consentDigest(before)+t.rulesMark() != f.Key.Consent {
		return session.Frozen{}, false
	}
	f.Key, f.Marks = key, marks
	return f, true
}

// began says whether what a root's journal begins with was written, by this session or
// since a moment. What a file brought is no such beginning: a clone's memory is news as
// a whole.
func (t *turn) began(ctx context.Context, st *store, since time.Time) bool {
	n, begins := 0, false
	err := st.journal.Each(ctx, news.Types(), func(ev pimento.Event) {
		if n++; n == 1 {
			begins = ev.Session == t.Session || ev.Type == pimento.Remembered && !ev.Time.Before(since)
		}
	})
	return err == nil && begins
}

// prefixTime is the least time that a prefix is given, however late it is: it
// is taken once for a whole session, and one that lacks half of what it should
// hold would stay so.
const prefixTime = 300 * time.Millisecond

// build renders a new prefix and remembers where the journals stood, so that
// later turns can tell what changed since.
func (t *turn) build(ctx context.Context, key session.Key) session.Frozen {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), max(prefixTime, t.e.opt.Deadline))
	defer cancel()
	f := session.Frozen{Key: key, Taken: t.e.Now(), Marks: map[string]json.RawMessage{}, Statements: map[string]string{}}
	earlier := t.earlierMarks(ctx)
	for _, st := range t.v.stores {
		if evs := t.fresh[st]; len(evs) > 0 {
			// What this sync saw is part of the prefix: it stands before the mark.
			if err := st.journal.Note(ctx, evs); err == nil {
				delete(t.fresh, st)
			}
		}
		if mark, ok := earlier[st.root.Key()]; ok {
			f.Marks[st.root.Key()] = mark
		} else if mark, err := st.journal.Mark(ctx); err == nil {
			f.Marks[st.root.Key()], _ = json.Marshal(mark)
		} else {
			t.v.faultErr("journal", err)
		}
	}
	facts := t.prefixFacts(ctx)
	block := inject.Build(facts)
	t.builtFrom = &facts
	f.Prefix, f.IDs, f.Faults = block.Prefix, block.PrefixIDs, block.Faults
	for _, s := range block.Sections {
		if s.Zone == pimento.Prefix {
			f.Sections = append(f.Sections, s)
		}
	}
	texts := statementTexts(facts)
	for _, id := range f.IDs {
		if s, ok := texts[id]; ok {
			f.Statements[id] = s
		}
	}
	t.frozenTrace = block.Trace
	return f
}

// earlierMarks are where the journals stood at the session's last prefix that showed
// their roots, as long as something that was shown beside one is still in the context.
// A new prefix does not unsay that, so what happened to it since must still be told.
func (t *turn) earlierMarks(ctx context.Context) map[string]json.RawMessage {
	if len(t.inCtx) == 0 {
		return nil
	}
	for _, id := range []string{t.Session, t.Parent} {
		if id == "" {
			continue
		}
		if marks := t.e.sessions.LatestMarks(ctx, t.Harness, id); marks != nil {
			return marks
		}
	}
	return nil
}

// statementTexts maps the statements of some facts to what they say, cut to
// what a session keeps.
func statementTexts(f inject.Facts) map[string]string {
	out := map[string]string{}
	for _, items := range f.Items {
		for _, it := range items {
			out[string(it.Entry.Statement)] = text.OneLine(it.Entry.Text, shownText)
		}
	}
	for pick, texts := range f.Texts {
		for _, t := range texts {
			for _, en := range page.Parse(t.Page, []byte(t.Body)).Entries() {
				out[string(en.Statement)] = text.OneLine(en.Text, shownText)
			}
			if pick == pimento.PickHandoff { // its first id is that of all of it
				out[t.IDs[0]] = text.OneLine(t.Body, shownText)
			}
		}
	}
	return out
}
