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
	"sync"
	"unicode/utf8"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/guard"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/index/memindex"
	"github.com/pimento-memory/pimento/internal/index/segment"
	"github.com/pimento-memory/pimento/internal/inject"
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

// A PastHit is a past session that answers a question.
type PastHit struct {
	session.Past
	Snippet string
}

// pasts are the past sessions of one project and their index.
type pasts struct {
	file *session.Pasts
	dir  string // of the indexes of all versions

	mu   sync.Mutex // guards what follows
	idx  index.Index
	byID map[string]session.Past
}

// pasts of the project, or of all work outside of projects.
func (e *Engine) pasts(v *view) *pasts {
	return e.pastsOf(projectKey(v))
}

func (e *Engine) pastsOf(key string) *pasts {
	e.mu.Lock()
	defer e.mu.Unlock()
	p := e.sessionsOf[key]
	if p == nil {
		p = &pasts{file: session.NewPasts(filepath.Join(e.opt.Dirs.State, "pasts", key+".jsonl")),
			dir: filepath.Join(e.opt.Dirs.Cache, "index", "pasts-"+key)}
		e.sessionsOf[key] = p
	}
	return p
}

func (p *pasts) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.idx == nil {
		return nil
	}
	err := p.idx.Close()
	p.idx = nil
	return err
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
	_ = t.e.pasts(t.v).file.Add(ctx, past)
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
func (e *Engine) SearchSessions(ctx context.Context, query string, limit int, but ...string) ([]PastHit, error) {
	v := e.look(ctx)
	hits, faults := e.searchPasts(ctx, v, query, limit, 0, but)
	for _, f := range faults {
		return hits, &pimento.Error{Op: "sessions", Kind: pimento.KindUnavailable, Err: fmt.Errorf("%s: %s", f.Kind, f.Detail)}
	}
	return hits, nil
}

func (e *Engine) searchPasts(ctx context.Context, v *view, query string, limit int, floor float64, but []string) ([]PastHit, []pimento.Fault) {
	p := e.pasts(v)
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := e.syncPasts(ctx, p); err != nil {
		return nil, []pimento.Fault{{Kind: "sessions", Detail: err.Error()}}
	}
	src := recall.Source{Scope: pimento.Global, Reader: p.idx, Text: func(_ context.Context, path string, d index.Doc) (pimento.Entry, error) {
		past, ok := p.byID[path]
		if !ok {
			return pimento.Entry{}, &pimento.Error{Op: "sessions", Path: path, Kind: pimento.KindNotFound, Err: os.ErrNotExist}
		}
		return pastEntry(past), nil
	}}
	opts := recall.Options{MinCoverage: floor, Lexicon: e.lexicon,
		Skip: func(_ pimento.Scope, ms []index.Match) []index.Match {
			return slices.DeleteFunc(ms, func(m index.Match) bool { return slices.Contains(but, p.byID[m.Page].Session) })
		}}
	a := recall.Answer(ctx, pimento.Query{Text: query, Limit: limit, Now: e.Now()}, []recall.Source{src}, opts)
	var hits []PastHit
	for _, h := range a.Hits {
		past := p.byID[h.Entry.Page]
		hits = append(hits, PastHit{Past: past, Snippet: text.Snippet(past.Text, query)})
	}
	if len(a.Faults) > 0 {
		p.byID = nil // the index is compared as a whole the next time
	}
	return hits, a.Faults
}

// pastEntry is a past as the index sees it: a page of its own with one entry.
func pastEntry(p session.Past) pimento.Entry {
	return pimento.Entry{Occurrence: pimento.Occurrence{Scope: pimento.Global, Page: p.ID, Statement: pimento.Statement(p.ID)},
		Kind: pimento.KindNote, Text: p.Text, Stamp: p.Time}
}

// syncPasts brings the index up to the file. The caller holds p.mu.
func (e *Engine) syncPasts(ctx context.Context, p *pasts) error {
	all, err := p.file.All()
	if err != nil {
		return err
	}
	if p.idx == nil {
		p.byID = nil
		idx, err := segment.Open(context.WithoutCancel(ctx), segment.Dir(p.dir), segment.Options{})
		if err != nil {
			p.idx = memindex.New()
		} else {
			p.idx = idx
		}
	}
	before := p.byID
	p.byID = make(map[string]session.Past, len(all))
	var put []index.Page
	analyzer := text.NewAnalyzer()
	for _, past := range all {
		p.byID[past.ID] = past
		if before[past.ID] == past {
			continue // this process has compared it with the index
		}
		digest := pimento.DigestOf([]byte(past.Text))
		if old, ok, err := p.idx.Page(ctx, past.ID); err == nil && ok && old.Digest == digest {
			continue
		}
		en := pastEntry(past)
		put = append(put, index.Page{Path: past.ID, Digest: digest, Docs: recall.Docs(analyzer, past.ID, past.Time, en)})
	}
	var gone []string
	_ = p.idx.Pages(ctx, func(pg index.Page) bool {
		if _, ok := p.byID[pg.Path]; !ok {
			gone = append(gone, pg.Path)
		}
		return true
	})
	if len(put)+len(gone) > 0 {
		_ = p.idx.Apply(ctx, put, gone) // what it could not store holds in memory
	}
	return nil
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
	days := v.profile.Past.Days
	if days <= 0 || !v.keepsSessions() {
		return
	}
	p := e.pasts(v)
	since := e.Now().AddDate(0, 0, -days)
	old := func(x session.Past) bool { return x.Time.Before(since) }
	if all, err := p.file.All(); err == nil && slices.ContainsFunc(all, old) {
		_ = p.file.Rewrite(ctx, func(x session.Past) bool { return !old(x) })
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
		held, perr := e.pastsOf(key).purge(ctx, gone)
		n, err = n+held, errors.Join(err, perr)
	}
	return n, err
}

func (p *pasts) purge(ctx context.Context, gone []purged) (n int, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	err = p.file.Rewrite(ctx, func(x session.Past) bool {
		held := slices.ContainsFunc(gone, func(g purged) bool { return g.text != "" && x.Holds(g.text) })
		if held {
			n++
		}
		return !held
	})
	if err != nil || n == 0 {
		return n, err
	}
	if p.idx != nil {
		_ = p.idx.Close()
		p.idx = nil
	}
	return n, os.RemoveAll(p.dir)
}
