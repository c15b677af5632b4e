package engine

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/guard"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/remember"
	"github.com/pimento-memory/pimento/internal/vault"
)

// topicPages are the paths of a root's topic pages as they lie on the disk now,
// sorted.
func (st *store) topicPages(ctx context.Context) ([]string, error) {
	var rels []string
	_, err := st.root.Sweep(ctx, func(rel string, _ pimento.Stamp) {
		if page.HoldsTopic(rel) {
			rels = append(rels, rel)
		}
	}, nil)
	slices.Sort(rels)
	return rels, err
}

// An Article is a topic article to be written whole.
type Article struct {
	File     string // "topic--kw1,kw2.md"
	Content  string
	Scope    pimento.Scope // "" means the profile's default
	Replaces []string      // files whose place it takes; they go to the archive
	Actor
}

// An ArticleResult is what became of an article.
type ArticleResult struct {
	Result
	Created bool
	Lines   int      // of the article
	Files   int      // topic pages of the scope afterwards
	Moves   []Move   // what was replaced
	Notes   []string // what a person or model should know beside it
}

// WriteArticle writes a topic article whole, by the rules of the profile, on the
// one write path: the article, what goes to the archive for it, and the
// generated index are one plan. A refusal is a result, not an error; nothing was
// written then, not even a folder.
func (e *Engine) WriteArticle(ctx context.Context, a Article) (ArticleResult, error) {
	v := e.look(ctx)
	scope, policy := a.Scope, v.profile.Topics
	if scope == "" {
		scope = v.scopeOf(page.TopicsDir)
	}
	refused := func(rel, reason string) ArticleResult {
		return ArticleResult{Result: Result{Scope: scope, Page: rel, Action: pimento.Refuse, Reason: reason}}
	}
	if scope == pimento.Local {
		return ArticleResult{}, &pimento.Error{Op: "article", Path: a.File, Kind: pimento.KindUsage,
			Err: errors.New("the local scope has one page, " + page.LocalMemory), Hint: "use scope project or global"}
	}
	rel, reason := page.CheckTopicFile(a.File, policy)
	if reason != "" {
		return refused(a.File, reason), nil
	}
	w := articleWrite{e: e, by: e.by(a.Actor), rel: rel}
	w.in = remember.Article{Content: a.Content, By: w.by, Policy: policy, Findings: guard.Check(a.Content, guard.Options{}),
		Target: remember.Target{Scope: scope, Rel: rel, Page: page.Parse(rel, nil)}}
	if p, _ := remember.PutArticle(w.in); p.Action == pimento.Refuse {
		return refused(rel, p.Reason), nil // before a folder is made for it
	}
	st, err := e.writable(ctx, v, "article", scope)
	if err != nil {
		return ArticleResult{}, err
	}
	e.syncAll(ctx, v)
	w.st = st
	if reason, err := w.takes(a.Replaces); err != nil || reason != "" {
		return refused(rel, reason), err
	}
	p, after, err := e.write(ctx, st, rel, func(d draft) (pimento.Plan, error) { return w.plan(ctx, d) })
	if err != nil {
		return ArticleResult{}, err
	}
	return w.result(p, after), nil
}

// An articleWrite is one article on its way.
type articleWrite struct {
	e       *Engine
	st      *store
	by      remember.By
	in      remember.Article
	rel     string
	replace []string // pages of the root

	was     string
	created bool
	files   int
	fault   string // of the index's markers
	moves   []Move
	undo    string // recovery id of what the article was
}

// takes reads the names of the files that the article replaces.
func (w *articleWrite) takes(names []string) (refusal string, err error) {
	for _, name := range names {
		rel := strings.TrimSpace(name)
		if !strings.HasSuffix(rel, ".md") {
			rel += ".md"
		}
		if err := vault.CheckPage(rel); err != nil {
			return "", err
		}
		if !page.HoldsTopic(rel) {
			return "replaces names " + rel + ", which is no topic file; name only files that memory_index lists", nil
		}
		if rel != w.rel && !slices.Contains(w.replace, rel) {
			w.replace = append(w.replace, rel)
		}
	}
	return "", nil
}

// plan gathers the rest of the facts under the root's lock, asks for the plan,
// and keeps what it takes away.
func (w *articleWrite) plan(ctx context.Context, d draft) (pimento.Plan, error) {
	topics, err := w.st.topicPages(ctx)
	if err != nil {
		return pimento.Plan{}, err
	}
	in := w.in
	in.Target = w.st.target(w.rel, d)
	in.Others = slices.DeleteFunc(slices.Clone(topics), func(rel string) bool { return rel == w.rel })
	in.Lines = func(rel string) int {
		b, _, _ := w.st.root.Read(ctx, rel) // one that cannot be read is as long as nothing
		return page.Lines(b)
	}
	if in.Replaces, err = w.replaced(ctx); err != nil {
		return pimento.Plan{}, err
	}
	p, kept := remember.PutArticle(in)
	if p.Action == pimento.Refuse {
		return p, nil
	}
	w.was, w.created = string(d.page.Bytes()), d.digest == ""
	w.files = len(in.Others) - len(in.Replaces) + 1
	if err := w.keep(ctx, kept); err != nil {
		return p, err
	}
	return w.index(ctx, p)
}

// replaced are the pages that go to the archive, with their places there.
func (w *articleWrite) replaced(ctx context.Context) (out []remember.Replaced, err error) {
	for _, rel := range w.replace {
		from, err := w.st.draft(ctx, rel)
		if err != nil {
			return nil, err
		}
		to, at, err := w.st.archivePlace(ctx, rel)
		if err != nil {
			return nil, err
		}
		out = append(out, remember.Replaced{From: w.st.target(rel, from), To: w.st.target(at, to)})
	}
	return out, nil
}

// keep stores what the plan takes away, before the pages change.
func (w *articleWrite) keep(ctx context.Context, kept []remember.Payload) error {
	w.moves, w.undo = nil, ""
	for _, payload := range kept {
		id := w.e.newID()
		if err := w.e.setAside(ctx, id, payload); err != nil {
			return err
		}
		if payload.Archive == "" {
			w.undo = id
			continue
		}
		was := page.Parse(payload.Page, payload.Raw)
		w.moves = append(w.moves, Move{Scope: payload.Scope, Page: payload.Page, To: payload.Archive, Entries: len(was.Entries()),
			Text: was.Title(), Recovery: id})
	}
	return nil
}

// index begins the generated index where there is none, unless there was one
// that somebody took away.
func (w *articleWrite) index(ctx context.Context, p pimento.Plan) (pimento.Plan, error) {
	memory, err := w.st.draft(ctx, page.Memory)
	if err != nil {
		return p, err
	}
	w.fault = memory.page.IndexFault()
	begin := w.in.Policy.Index
	if begin && memory.digest != "" {
		if _, has := memory.page.Generated(); !has {
			err = w.st.journal.Each(ctx, []pimento.EventType{pimento.Indexed}, func(pimento.Event) { begin = false })
		}
	}
	if err != nil {
		return p, err
	}
	return w.e.withIndex(ctx, w.st, p, memory, begin, w.by)
}

// result says what became of it.
func (w *articleWrite) result(p pimento.Plan, after *page.Page) ArticleResult {
	r := ArticleResult{Result: w.e.result(w.st, w.rel, p, after), Created: w.created, Files: w.files, Moves: w.moves}
	r.Page, r.Path, r.Was = w.rel, w.st.path(w.rel), w.was
	if after != nil {
		r.Lines = page.Lines(after.Bytes())
	}
	if p.Action == pimento.Refuse {
		return r
	}
	r.Recovery = w.undo
	for i := range r.Moves {
		r.Moves[i].Notices = r.Notices
	}
	r.Notes = w.in.Policy.Notes(w.files)
	if w.fault != "" {
		r.Notes = append(r.Notes, "The index in "+page.Memory+" was not changed: its "+w.fault+"; keep one pair of markers, or none.")
	}
	return r
}

// withIndex completes a plan for a root with the generated index of its memory
// page, as the pages will be when it is carried out.
func (e *Engine) withIndex(ctx context.Context, st *store, p pimento.Plan, memory draft, begin bool, by remember.By) (pimento.Plan, error) {
	rels, err := st.topicPages(ctx)
	if err != nil {
		return p, err
	}
	for _, c := range p.Changes {
		at, found := slices.BinarySearch(rels, c.Page)
		switch {
		case !page.HoldsTopic(c.Page):
		case c.After == "" && found:
			rels = slices.Delete(rels, at, at+1)
		case c.After != "" && !found:
			rels = slices.Insert(rels, at, c.Page)
		}
	}
	return remember.WithIndex(p, st.target(page.Memory, memory), rels, begin, by), nil
}

// keepIndex is withIndex for every other write: an index that is there follows
// the pages, whatever was done to them since.
func (e *Engine) keepIndex(ctx context.Context, st *store, p pimento.Plan) (pimento.Plan, error) {
	if len(p.Changes) == 0 || st.scope == pimento.Local {
		return p, nil
	}
	memory, err := st.draft(ctx, page.Memory)
	if err != nil {
		return p, nil // it is not what the write is about; doctor reads every page
	}
	if _, has := memory.page.Generated(); !has {
		return p, nil
	}
	return e.withIndex(ctx, st, p, memory, false, remember.By{Now: e.Now()})
}

// A TopicInfo is one topic page in a listing.
type TopicInfo struct {
	Page     string   `json:"page"`
	Topic    string   `json:"topic"`
	Keywords []string `json:"keywords"`
	Lines    int      `json:"lines"`
	About    string   `json:"about"` // its title, "" when it has none
	Failed   bool     `json:"failed,omitempty"`
}

// A TopicIndex is the topic pages of one scope.
type TopicIndex struct {
	Scope  pimento.Scope `json:"scope"`
	Dir    string        `json:"dir"` // as the agent reaches it
	Topics []TopicInfo   `json:"topics"`
}

// TopicIndexes lists the topic pages of the readable scopes, or of one. It reads
// the files as they are and writes nothing. The error is about a scope that may
// not be read.
func (e *Engine) TopicIndexes(ctx context.Context, scope pimento.Scope) ([]TopicIndex, error) {
	v := e.look(ctx)
	if scope == pimento.Project && v.store(scope) == nil {
		switch {
		case !v.hasProject:
			return nil, errNoProject("index", "")
		case v.waits():
			return nil, errNoConsent("index", v)
		}
	}
	var out []TopicIndex
	for _, st := range v.stores {
		if scope != "" && st.scope != scope || st.scope == pimento.Local {
			continue
		}
		rels, err := st.topicPages(ctx)
		if err != nil {
			return out, err
		}
		x := TopicIndex{Scope: st.scope, Dir: e.nameDir(st.root.Dir()), Topics: []TopicInfo{}}
		for _, rel := range rels {
			x.Topics = append(x.Topics, st.topicInfo(ctx, rel))
		}
		out = append(out, x)
	}
	return out, nil
}

func (st *store) topicInfo(ctx context.Context, rel string) TopicInfo {
	topic, keywords := page.Topic(rel)
	info := TopicInfo{Page: rel, Topic: topic, Keywords: keywords}
	if keywords == nil {
		info.Keywords = []string{}
	}
	b, _, err := st.root.Read(ctx, rel)
	if err != nil {
		info.Failed = true
		return info
	}
	info.Lines, info.About = page.Lines(b), page.Parse(rel, b).Heading()
	return info
}
