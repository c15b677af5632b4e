package engine

import (
	"bytes"
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/inject"
	"github.com/pimento-memory/pimento/internal/journal"
	"github.com/pimento-memory/pimento/internal/mirror"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/score"
	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/vault"
)

// memoryPage is the page of a root that holds its curated memory.
func (st *store) memoryPage() string {
	if st.scope == pimento.Local {
		return page.LocalMemory
	}
	return page.Memory
}

// handoffDays is how many daily pages are searched for the last handoff.
const handoffDays = 14

// maxCandidates bounds the entries of one kinds pick that are ranked by
// standing; of more, the newest are taken.
const maxCandidates = 200

// maxPointers bounds the pages that a pointers pick names.
const maxPointers = 60

// belongsToProject says whether a page of the global root holds what stays
// with the project it was written in: logs, open tasks, and what compactions
// made of its sessions.
func belongsToProject(rel string) bool {
	return rel == page.Scratchpad || strings.HasPrefix(rel, page.DailyDir) || strings.HasPrefix(rel, page.CompactionDir)
}

// facts gathers what the profile's sections need. What cannot be read is a
// fault and an empty section.
func (e *Engine) facts(ctx context.Context, v *view, t pimento.Turn) inject.Facts {
	f := inject.Facts{Profile: v.profile, Today: e.Today(), Now: e.Now(), SystemTokens: t.SystemTokens, Empty: e.empty(ctx, v), Dirs: e.dirsFor(v),
		Texts: map[pimento.Pick][]inject.Text{}, Items: map[pimento.Pick][]inject.Item{}}
	done := map[pimento.Pick]bool{}
	var kinds []pimento.Kind
	for _, s := range v.profile.Sections {
		if s.Pick == pimento.PickKinds {
			kinds = append(kinds, s.Kinds...)
		}
		if s.Pick == pimento.PickDaily {
			e.dailyFacts(ctx, v, &s, &f)
			continue
		}
		if done[s.Pick] {
			continue
		}
		done[s.Pick] = true
		switch s.Pick {
		case pimento.PickPinned:
			f.Items[s.Pick] = e.withTerm(ctx, v, text.FlagPinned)
		case pimento.PickAlways:
			f.Items[s.Pick] = e.always(ctx, v)
		case pimento.PickTasks:
			f.Items[s.Pick] = e.openTasks(ctx, v)
		case pimento.PickHandoff:
			f.Texts[s.Pick] = e.lastHandoff(ctx, v)
		case pimento.PickMemory:
			f.Texts[s.Pick] = e.memoryTexts(ctx, v)
			if v.profile.Paged {
				f.Items[s.Pick] = e.memoryEntries(ctx, v, pagedOut(v.profile, f.Texts[s.Pick]))
			}
		case pimento.PickPointers:
			f.Items[s.Pick] = e.pointers(ctx, v)
		case pimento.PickRules:
			f.Texts[s.Pick] = e.rules(ctx, v, t)
		}
	}
	if len(kinds) > 0 {
		f.Items[pimento.PickKinds] = e.byKind(ctx, v, kinds)
	}
	return f
}

// empty says whether no root holds a page that says something.
func (e *Engine) empty(ctx context.Context, v *view) bool {
	for _, st := range v.stores {
		idx, _ := st.Index(ctx)
		none := true
		_ = mirror.EachPage(ctx, idx, func(p index.Page) bool { none = st.blank(ctx, p); return none })
		if !none {
			return false
		}
	}
	return true
}

// blank says that a page has no text, which is as good as no page. A large one
// is not read for it.
func (st *store) blank(ctx context.Context, p index.Page) bool {
	if p.Stamp.Size > smallPage {
		return false
	}
	b, _, err := st.root.Read(ctx, p.Path)
	return err == nil && len(bytes.TrimSpace(bytes.TrimPrefix(b, []byte("\ufeff")))) == 0
}

// emptied says that a page has no entry, nothing but a heading perhaps that stayed
// when the last one was taken away.
func (st *store) emptied(ctx context.Context, p index.Page) bool {
	if p.Stamp.Size > smallPage {
		return false
	}
	b, _, err := st.root.Read(ctx, p.Path)
	return err == nil && len(st.Entries(page.Parse(p.Path, b))) == 0
}

// smallPage is a size in bytes below which a page may be without text.
const smallPage = 256

// hiddenEntries marks the entries of the global root that belong to another
// project than the one at hand.
func (e *Engine) hiddenEntries(ctx context.Context, v *view, st *store, es []pimento.Entry) map[int]bool {
	if st.scope != pimento.Global || len(es) == 0 || !belongsToProject(es[0].Page) {
		return nil
	}
	sts := make([]pimento.Statement, len(es))
	for i, en := range es {
		sts[i] = en.Statement
	}
	recs, err := v.records(ctx, st, sts)
	v.faultErr("journal", err)
	hidden := map[int]bool{}
	for i, en := range es {
		if err != nil || v.isForeign(recs[en.Statement]) {
			hidden[i] = true // whose it is cannot be told: nobody's, then
		}
	}
	return hidden
}

// records are what the journal of a root says of statements. What one call
// has asked for once it does not ask for again.
func (v *view) records(ctx context.Context, st *store, sts []pimento.Statement) (map[pimento.Statement]journal.Record, error) {
	known := v.known[st]
	if known == nil {
		if v.known == nil {
			v.known = map[*store]map[pimento.Statement]journal.Record{}
		}
		known = make(map[pimento.Statement]journal.Record, 2*len(sts))
		v.known[st] = known
	}
	ask := make([]pimento.Statement, 0, len(sts))
	for _, s := range sts {
		if _, ok := known[s]; !ok {
			ask = append(ask, s)
		}
	}
	if len(ask) == 0 {
		return known, nil
	}
	recs, err := st.journal.Records(ctx, ask)
	if err != nil {
		return known, err
	}
	for _, s := range ask {
		known[s] = recs[s]
	}
	return known, nil
}

// isForeign says whether a record is of another project.
func (v *view) isForeign(r journal.Record) bool {
	return r.Project != "" && r.Project != v.project.ID
}

// memoryEntries are the entries of the curated pages, as they stand, with the
// shapes that were kept of them if some may be needed.
func (e *Engine) memoryEntries(ctx context.Context, v *view, shaped bool) []inject.Item {
	var out []inject.Item
	for _, st := range v.stores {
		p, _, err := st.Parsed(ctx, st.memoryPage())
		if err != nil {
			continue // memoryTexts has told
		}
		entries := st.Entries(p)
		items := make([]inject.Item, len(entries))
		for i, en := range entries {
			items[i].Entry = en
		}
		if shaped {
			e.keptShapes(st, p, entries, items)
		}
		out = append(out, items...)
	}
	return out
}

// dirsFor names the directories of the roots that may be used, as the agent
// reaches them: below its working directory, else below its home. A project that
// has no memory yet is named when the user said yes to it, so that an agent that
// writes with its own tools can begin one.
func (e *Engine) dirsFor(v *view) map[pimento.Scope]string {
	out := map[pimento.Scope]string{pimento.Global: e.nameDir(e.opt.Dirs.Global)}
	if v.hasProject && !e.untrusted && (v.granted() || v.consent.Status == vault.Absent && e.consents.Given(v.project)) {
		out[pimento.Project] = e.nameDir(v.project.Memory)
		out[pimento.Local] = out[pimento.Project]
	}
	return out
}

func (e *Engine) nameDir(dir string) string {
	if rel, err := filepath.Rel(e.opt.Dir, dir); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	if rel, err := filepath.Rel(e.opt.Dirs.Home, dir); err == nil && filepath.IsLocal(rel) {
		return "~/" + filepath.ToSlash(rel)
	}
	return filepath.ToSlash(dir)
}

// dailyFacts are the logs of the day that a section shows.
func (e *Engine) dailyFacts(ctx context.Context, v *view, s *pimento.Section, f *inject.Facts) {
	for days := s.Days; days <= s.Days+s.Back; days++ {
		date, logs := e.daysAgo(days), f.Texts[pimento.PickDaily]
		if slices.ContainsFunc(logs, func(t inject.Text) bool { return t.Date == date }) {
			return // another section has it
		}
		for _, st := range v.stores {
			if t, ok := e.pageText(ctx, v, st, page.DailyPage(date), date); ok {
				logs = append(logs, t)
			}
		}
		if len(logs) > len(f.Texts[pimento.PickDaily]) {
			f.Texts[pimento.PickDaily] = logs
			return
		}
	}
}

// openTasks are the open items of the scratchpads.
func (e *Engine) openTasks(ctx context.Context, v *view) []inject.Item {
	var out []inject.Item
	for _, st := range v.stores {
		p, _, err := st.Parsed(ctx, page.Scratchpad)
		if err != nil {
			if pimento.KindOf(err) != pimento.KindNotFound {
				v.faultErr("vault", err)
			}
			continue
		}
		es := st.Entries(p)
		hidden := e.hiddenEntries(ctx, v, st, es)
		for i, en := range es {
			if en.Task && !en.Done && !hidden[i] {
				out = append(out, inject.Item{Entry: en})
			}
		}
	}
	return out
}

// dailyPages are the paths of a root's daily pages, newest first.
func (e *Engine) dailyPages(ctx context.Context, st *store) []string {
	idx, _ := st.Index(ctx)
	out, _ := mirror.PagePaths(ctx, idx, func(rel string) bool { _, ok := page.Day(rel); return ok })
	slices.Reverse(out)
	return out
}

// lastHandoff is the newest handoff of this project.
func (e *Engine) lastHandoff(ctx context.Context, v *view) []inject.Text {
	var best pimento.Entry
	found := false
	for _, st := range v.stores {
		pages := e.dailyPages(ctx, st)
		for _, rel := range pages[:min(handoffDays, len(pages))] {
			en, ok := e.handoffOn(ctx, v, st, rel)
			if !ok {
				continue
			}
			if !found || en.Stamp.After(best.Stamp) {
				best, found = en, true
			}
			break
		}
	}
	if !found {
		return nil
	}
	day, _ := page.Day(best.Page)
	t := inject.Text{Scope: best.Scope, Page: best.Page, Date: day.Format(time.DateOnly), Body: best.Text,
		IDs: []string{string(best.Statement)}, Spans: []pimento.Span{{End: len(best.Text)}}}
	e.quotedIn(ctx, v, &t)
	e.loggedSince(ctx, v, &t)
	return []inject.Text{t}
}

// loggedSince adds to a handoff of an earlier day what was logged since, up to
// today's log: what it quotes may not hold any more.
func (e *Engine) loggedSince(ctx context.Context, v *view, t *inject.Text) {
	st, handoff, today := v.store(t.Scope), t.IDs[0], page.DailyPage(e.Today())
	if st == nil {
		return
	}
	for _, rel := range slices.Backward(e.dailyPages(ctx, st)) {
		if rel < t.Page || rel >= today {
			continue
		}
		log, ok := e.pageText(ctx, v, st, rel, "")
		if !ok {
			continue
		}
		from, first, lead := 0, 0, "\n\n**"+strings.TrimSuffix(path.Base(rel), ".md")+":**\n"
		if at := slices.Index(log.IDs, handoff); rel == t.Page {
			if at < 0 {
				continue
			}
			from, first, lead = log.Spans[at].End, at+1, "\n\n"
		}
		rest := strings.TrimLeft(log.Body[from:], "\r\n")
		if strings.TrimSpace(rest) == "" {
			continue
		}
		shift := len(t.Body) + len(lead) + len(rest) - len(log.Body)
		for i := first; i < len(log.IDs); i++ {
			t.IDs = append(t.IDs, log.IDs[i])
			t.Spans = append(t.Spans, pimento.Span{Start: log.Spans[i].Start + shift, End: log.Spans[i].End + shift})
		}
		t.Body += lead + rest
	}
}

// quotedIn adds to a handoff the entries of its log that it quotes, so that today's
// log does not say them again.
func (e *Engine) quotedIn(ctx context.Context, v *view, t *inject.Text) {
	st := v.store(t.Scope)
	if st == nil {
		return
	}
	p, _, err := st.Parsed(ctx, t.Page)
	if err != nil {
		return
	}
	for _, en := range st.Entries(p) {
		if at := strings.Index("\n"+t.Body+"\n", "\n"+en.Text+"\n"); at >= 0 && en.Kind != pimento.KindHandoff {
			t.IDs = append(t.IDs, string(en.Statement))
			t.Spans = append(t.Spans, pimento.Span{Start: at, End: at + len(en.Text)})
		}
	}
}

// handoffOn is the last handoff on one daily page.
func (e *Engine) handoffOn(ctx context.Context, v *view, st *store, rel string) (pimento.Entry, bool) {
	p, _, err := st.Parsed(ctx, rel)
	if err != nil {
		return pimento.Entry{}, false
	}
	var es []pimento.Entry
	for _, en := range st.Entries(p) {
		if en.Kind == pimento.KindHandoff {
			es = append(es, en)
		}
	}
	hidden := e.hiddenEntries(ctx, v, st, es)
	for i := len(es) - 1; i >= 0; i-- {
		if !hidden[i] {
			return es[i], true
		}
	}
	return pimento.Entry{}, false
}

// withTerm lists the entries that hold an index term.
func (e *Engine) withTerm(ctx context.Context, v *view, term string) []inject.Item {
	var out []inject.Item
	for _, st := range v.stores {
		for _, f := range e.find(ctx, v, st, term, nil) {
			out = append(out, inject.Item{Entry: f})
		}
	}
	return out
}

// A docAt is an index doc with its page.
type docAt struct {
	rel string
	doc index.Doc
}

// docs lists the docs of a root that hold an index term and pass keep, in page
// order.
func (e *Engine) docs(ctx context.Context, v *view, st *store, term string, keep func(string, index.Doc) bool) []docAt {
	idx, _ := st.Index(ctx)
	var out []docAt
	v.faultErr("index", idx.With(ctx, term, func(rel string, d index.Doc) bool {
		if keep == nil || keep(rel, d) {
			out = append(out, docAt{rel, d})
		}
		return true
	}))
	return out
}

// find reads the entries of a root that hold an index term and pass keep.
func (e *Engine) find(ctx context.Context, v *view, st *store, term string, keep func(string, index.Doc) bool) []pimento.Entry {
	docs := e.docs(ctx, v, st, term, keep)
	out := make([]pimento.Entry, 0, len(docs))
	read := st.root.Reader()
	defer read.Close()
	var rel string
	var on *page.Finder // of the page that rel names, nil for one that cannot be read
	for _, d := range docs {
		if d.rel != rel {
			rel, on = d.rel, nil
			if b, stamp, err := read.Read(ctx, rel); err == nil {
				on = st.Parse(rel, b, stamp).Finder()
			}
		}
		if on == nil {
			continue
		}
		if en, ok := on.Find(d.doc.Statement, d.doc.N); ok {
			en.Scope = st.scope
			out = append(out, en)
		}
	}
	return out
}

// byKind are candidates for the kinds sections with their standings.
func (e *Engine) byKind(ctx context.Context, v *view, kinds []pimento.Kind) []inject.Item {
	var out []inject.Item
	for _, st := range v.stores {
		var es []pimento.Entry
		for _, k := range kinds {
			es = append(es, e.newest(ctx, v, st, text.FlagKind(k))...)
		}
		standings := e.standings(ctx, v, st, es)
		for i, en := range es {
			out = append(out, inject.Item{Entry: en, Standing: standings[i]})
		}
	}
	capped(out, score.Policy(v.profile.Scoring), func(it *inject.Item) (*pimento.Standing, pimento.Kind) { return &it.Standing, it.Entry.Kind })
	return out
}

// capped holds entries to the profile's caps on how many may be active; of is where
// one stands.
func capped[T any](all []T, p score.Policy, of func(*T) (*pimento.Standing, pimento.Kind)) {
	standings, kinds := make([]pimento.Standing, len(all)), make([]pimento.Kind, len(all))
	for i := range all {
		s, k := of(&all[i])
		standings[i], kinds[i] = *s, k
	}
	score.Cap(standings, kinds, p)
	for i := range all {
		s, _ := of(&all[i])
		*s = standings[i]
	}
}

// pointers name the topic pages that say something: one line each, from the path
// alone.
func (e *Engine) pointers(ctx context.Context, v *view) []inject.Item {
	var out []inject.Item
	for _, st := range v.stores {
		idx, _ := st.Index(ctx)
		n := 0
		v.faultErr("index", mirror.EachPage(ctx, idx, func(p index.Page) bool {
			if !page.HoldsTopic(p.Path) || st.emptied(ctx, p) {
				return true
			}
			out = append(out, inject.Item{Entry: pimento.Entry{Kind: pimento.KindReference, Text: page.Pointer(p.Path),
				Occurrence: pimento.Occurrence{Scope: st.scope, Page: p.Path, Statement: pimento.StatementOf(p.Path)}}})
			n++
			return n < maxPointers
		}))
	}
	return out
}
