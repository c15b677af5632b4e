package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/guard"
	"github.com/pimento-memory/pimento/internal/inject"
	"github.com/pimento-memory/pimento/internal/mirror"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/recall"
	"github.com/pimento-memory/pimento/internal/remember"
	"github.com/pimento-memory/pimento/internal/session"
	"github.com/pimento-memory/pimento/internal/text"
)

// What the session store takes up: a message and a summary shorter than this,
// in runes, say nothing that a later session would look for.
const (
	minMessage = 15
	minSummary = 50
)

// pasts of the project, or of all work outside of projects.
func (e *Engine) pasts(v *view) *mirror.Pasts {
	return e.pastsOf(projectKey(v))
}

func (e *Engine) pastsOf(key string) *mirror.Pasts {
	e.mu.Lock()
	defer e.mu.Unlock()
	p := e.sessionsOf[key]
	if p == nil {
		p = mirror.NewPasts(filepath.Join(e.opt.Dirs.State, "pasts", key+".jsonl"), filepath.Join(e.opt.Dirs.Cache, "index", "pasts-"+key))
		e.sessionsOf[key] = p
	}
	return p
}

// projectKey names what is kept for each project, "global" outside of one.
func projectKey(v *view) string {
	if v.hasProject {
		return v.project.ID
	}
	return "global"
}

// keepsSessions says whether anything makes use of past sessions at all; where
// nothing does, nothing is kept.
func (v *view) keepsSessions() bool {
	return v.profile.Past.Keep || v.profile.Dream.Sessions > 0 && (v.autoDream || v.thinker.On()) ||
		slices.Contains(v.profile.Tools, "session_search") || v.profile.SectionOf(pimento.PickSessions) != nil
}

// remind keeps what the user said in this turn, or what a compaction made of
// the session, for later sessions.
func (t *turn) remind(ctx context.Context) {
	if !t.keeps() || t.e.untrusted || t.Event == pimento.AfterCompact && t.quotesSealed() {
		return
	}
	if t.v.profile.Past.Compactions && t.Event == pimento.AfterCompact {
		t.fileCompaction(ctx)
	}
	if !t.v.keepsSessions() {
		return
	}
	past := session.Past{Session: t.Session, Time: t.e.Now()}
	switch t.Event {
	case pimento.PromptTurn:
		if t.ByAgent {
			return // a past is what its user said
		}
		past.Kind, past.Text = session.Said, promptQuery(t.Prompt, 2000)
		if utf8.RuneCountInString(past.Text) < minMessage || text.Command(past.Text) {
			return
		}
	case pimento.AfterCompact:
		past.Kind, past.Text = session.Summary, t.Summary
		if utf8.RuneCountInString(past.Text) < minSummary {
			return
		}
	default:
		return
	}
	past.Text = guard.Hide(past.Text)
	_ = t.e.pasts(t.v).Add(ctx, past)
}

// fileCompaction makes a page of what a compaction made of the session. It goes
// into the user's own memory, where it stays with its project, and not into the
// repository, because it may hold anything that was said; but where pi-mind kept
// the project's memory, these pages stay where they have always been.
func (t *turn) fileCompaction(ctx context.Context) {
	if utf8.RuneCountInString(t.Summary) < minSummary {
		return
	}
	text := guard.Hide(t.Summary)
	front := page.Meta{Type: page.TypeCompaction, Tier: page.TierRelevant}
	scope := pimento.Global
	if t.v.hasProject && t.v.granted() && t.v.project.Mind {
		scope = pimento.Project
	}
	dir := strings.TrimSuffix(page.CompactionDir, "/")
	if st := t.v.store(scope); st != nil && st.filed(ctx, remember.ArticlePath(dir, text, front, t.e.Now())) {
		return
	}
	_, _ = t.e.Remember(ctx, Note{Text: text, Scope: scope, Page: dir, Front: &front, Actor: "harness", Session: t.Session})
}

// filed reports whether a page has the name of an article but for its moment: then
// it says the same.
func (st *store) filed(ctx context.Context, rel string) (found bool) {
	dir, name := path.Split(rel)
	_, hash, _ := strings.Cut(name, "_")
	_, _ = st.root.Sweep(ctx, func(rel string, _ pimento.Stamp) {
		found = found || strings.HasPrefix(rel, dir) && strings.HasSuffix(rel, "_"+hash)
	}, nil)
	return found
}

// SearchSessions finds past sessions of the project, best first, except those named
// in but.
func (e *Engine) SearchSessions(ctx context.Context, query string, limit int, but ...string) ([]mirror.PastHit, error) {
	v := e.look(ctx)
	hits, faults := e.searchPasts(ctx, v, query, limit, 0, but)
	for _, f := range faults {
		return hits, &pimento.Error{Op: "sessions", Kind: pimento.KindUnavailable, Err: fmt.Errorf("%s: %s", f.Kind, f.Detail), Hint: f.Hint}
	}
	return hits, nil
}

func (e *Engine) searchPasts(ctx context.Context, v *view, query string, limit int, floor float64, but []string) ([]mirror.PastHit, []pimento.Fault) {
	return e.pasts(v).Search(ctx, pimento.Query{Text: query, Limit: limit, Now: e.Now()}, recall.Options{MinCoverage: floor, Lexicon: e.lexicon}, but)
}

// sessionHits adds the past sessions that bear on the prompt.
func (t *turn) sessionHits(ctx context.Context, f *inject.Facts, query string) {
	sec := t.v.profile.SectionOf(pimento.PickSessions)
	if sec == nil {
		return
	}
	limit := cmp.Or(sec.Max, t.v.profile.Recall.Hits)
	hits, faults := t.e.searchPasts(ctx, t.v, query, limit, t.v.profile.Recall.MinCoverage, []string{t.Session, t.Parent})
	t.v.faults = append(t.v.faults, faults...)
	t.pastIDs = map[string]bool{}
	for _, h := range hits {
		t.pastIDs[h.ID] = true
		f.Items[pimento.PickSessions] = append(f.Items[pimento.PickSessions], inject.Item{Entry: pimento.Entry{
			Occurrence: pimento.Occurrence{Page: "session " + short(h.Session), Statement: pimento.Statement(h.ID)},
			Kind:       pimento.KindNote, Text: fmt.Sprintf("**%s** (%s): %s", h.Time.Format("2006-01-02"), short(h.Session), h.Snippet)}})
	}
}

// short is as much of a session's id as a stamp shows.
func short(session string) string { return text.OneLine(text.ClipBytes(session, 8), 8) }

// expirePasts drops what is older than the profile keeps it.
func (e *Engine) expirePasts(ctx context.Context, v *view) {
	if days := v.profile.Past.Days; days > 0 && v.keepsSessions() {
		e.pasts(v).Expire(ctx, e.Now().AddDate(0, 0, -days))
	}
}

// purgePasts takes out the past sessions that hold a purged text, those of all
// projects: what is everybody's is spoken of everywhere. Their indexes are made
// anew.
func (e *Engine) purgePasts(ctx context.Context, gone []purged) (n int, err error) {
	names, err := os.ReadDir(filepath.Join(e.opt.Dirs.State, "pasts"))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	for _, d := range names {
		key, ok := strings.CutSuffix(d.Name(), ".jsonl")
		if !ok {
			continue
		}
		held, perr := e.pastsOf(key).Purge(ctx, func(x session.Past) bool {
			return slices.ContainsFunc(gone, func(g purged) bool { return g.text != "" && x.Holds(g.text) })
		})
		n, err = n+held, errors.Join(err, perr)
	}
	return n, err
}
