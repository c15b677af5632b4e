package engine

import (
	"context"
	"slices"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/inject"
	"github.com/pimento-memory/pimento/internal/mirror"
	"github.com/pimento-memory/pimento/internal/text"
)

// A StatusReport is what `pimento status` shows.
type StatusReport struct {
	Version string            `json:"version,omitempty"`
	Profile string            `json:"profile"`
	Enabled bool              `json:"enabled"`
	Session string            `json:"session,omitempty"`
	Off     bool              `json:"off"` // this session is silenced
	Without bool              `json:"-"`   // by its harness, which runs without memory
	Scopes  []ScopeStatus     `json:"scopes"`
	Project string            `json:"project,omitempty"` // directory
	Consent string            `json:"consent"`           // granted, untrusted (granted, but the harness says no), missing, declined (the user said no), absent, none, or why it does not hold
	Dirs    map[string]string `json:"dirs"`
	Last    *pimento.Trace    `json:"last,omitempty"`          // last injection
	Thinker *ThinkerStatus    `json:"thinker,omitempty"`       // nil when no language model is turned on and none was lately
	Tables  []Sidecar         `json:"tables,omitempty"`        // the page table's files, under a profile that pages
	Waiting int               `json:"waiting,omitempty"`       // proposals in the inbox
	Broken  *time.Time        `json:"dream_cut_off,omitempty"` // when a dream began that its session's end cut off, until somebody is told
	Faults  []pimento.Fault   `json:"faults"`
}

// ScopeStatus counts what one readable scope holds.
type ScopeStatus struct {
	Scope   pimento.Scope `json:"scope"`
	Dir     string        `json:"dir"`
	Exists  bool          `json:"exists"`
	Pages   int           `json:"pages"`
	Entries int           `json:"entries"`
	Bytes   int64         `json:"bytes"`
	Pinned  int           `json:"pinned"`
	Open    int           `json:"open_tasks"`
	Sealed  int           `json:"encrypted,omitempty"` // pages, which Pages does not count
	Files   []FileStatus  `json:"files"`
}

// A FileStatus is one page of a scope, the curated one first.
type FileStatus struct {
	Page  string `json:"page"`
	Bytes int64  `json:"bytes"`
	// Shown is how much of the curated page stands in front of a model in full;
	// nil for any other page, where the profile shows no page, and while memory is off.
	Shown *int64 `json:"shown,omitempty"`
}

// Status says what memory there is, which of it is on, and what is wrong.
func (e *Engine) Status(ctx context.Context, id string) StatusReport {
	v := e.lookSynced(ctx)
	s := StatusReport{Profile: v.profile.Name, Enabled: v.enabled, Session: id, Scopes: []ScopeStatus{}, Consent: "none",
		Dirs: map[string]string{"global": e.opt.Dirs.Global, "state": e.opt.Dirs.State, "cache": e.opt.Dirs.Cache, "config": e.opt.Dirs.Config}}
	if v.hasProject {
		s.Project, s.Consent = v.project.Dir, v.consentWord()
		if s.Consent == "absent" && v.defaultScope() != pimento.Global {
			s.Dirs["project"] = v.project.Memory
		}
	}
	if e.untrusted && s.Consent == "granted" {
		s.Consent = "untrusted"
	}
	if id != "" {
		s.Off = slices.ContainsFunc(harnesses(), func(harness string) bool { return e.SessionOff(ctx, harness, id) })
	}
	sealed := map[*store]int{}
	for _, p := range e.sealedPages(ctx, v) {
		sealed[p.st]++
	}
	var stands map[string]bool
	if s.Enabled && !s.Off {
		stands = e.standing(ctx, v)
	}
	for _, st := range v.stores {
		sc, err := e.scopeStatus(ctx, st)
		v.faultErr("index", err)
		sc.Sealed = sealed[st]
		st.curatedFirst(ctx, sc.Files, stands)
		s.Scopes = append(s.Scopes, sc)
		in, err := e.inboxAt(ctx, st)
		v.faultErr("journal", err)
		s.Waiting += len(in.Waiting())
	}
	if tr, ok, err := e.traces(v).Last(ctx, ""); err == nil && ok {
		s.Last = &tr
	}
	if since, broken := e.dreams().Broken(projectKey(v)); broken {
		s.Broken = &since
	}
	s.Thinker = e.thinkerStatus(ctx, v)
	if v.profile.Paged {
		var err error
		s.Tables, err = e.sidecars(ctx, v, false)
		v.faultErr("table", err)
	}
	s.Faults = append([]pimento.Fault{}, v.faults...)
	return s
}

// WithoutMemory makes it the report of a session whose harness runs without
// memory.
func (s *StatusReport) WithoutMemory() {
	s.Off, s.Without = true, true
	for _, sc := range s.Scopes {
		for i := range sc.Files {
			sc.Files[i].Shown = nil
		}
	}
}

// SessionOff says whether the user silenced a session.
func (e *Engine) SessionOff(ctx context.Context, harness, id string) bool {
	if id == "" {
		return false
	}
	st, err := e.sessions.Load(ctx, harness, id)
	return err == nil && st.Off
}

func (e *Engine) scopeStatus(ctx context.Context, st *store) (ScopeStatus, error) {
	s := ScopeStatus{Scope: st.scope, Dir: st.root.Dir(), Exists: st.root.Exists(), Files: []FileStatus{}}
	idx, _ := st.Index(ctx)
	err := mirror.EachPage(ctx, idx, func(p index.Page) bool {
		s.Pages++
		s.Bytes += p.Stamp.Size
		s.Files = append(s.Files, FileStatus{Page: p.Path, Bytes: p.Stamp.Size})
		return true
	})
	if err != nil {
		return s, err
	}
	stats, err := idx.Stats(ctx, []string{text.FlagPinned, text.FlagOpen})
	if err != nil {
		return s, err
	}
	s.Pinned, s.Open = stats.DF[0], stats.DF[1]
	s.Entries, err = entriesIn(ctx, idx)
	return s, err
}

// standing are the statements that a prefix taken now would hold in full; nil
// when the profile shows no curated page.
func (e *Engine) standing(ctx context.Context, v *view) map[string]bool {
	if v.profile.SectionOf(pimento.PickMemory) == nil {
		return nil
	}
	ids := map[string]bool{}
	for _, id := range inject.Build(e.facts(ctx, v, pimento.Turn{})).PrefixIDs {
		ids[id] = true
	}
	return ids
}

// curatedFirst puts the curated page first and says how much of it stands.
func (st *store) curatedFirst(ctx context.Context, files []FileStatus, stands map[string]bool) {
	at := slices.IndexFunc(files, func(f FileStatus) bool { return f.Page == st.memoryPage() })
	if at < 0 {
		return
	}
	curated := files[at]
	copy(files[1:at+1], files[:at])
	files[0] = curated
	if stands == nil {
		return
	}
	d, err := st.draft(ctx, st.memoryPage())
	if err != nil {
		return
	}
	shown, all := int64(0), true
	for _, en := range d.page.Entries() {
		if stands[string(en.Statement)] {
			shown += int64(en.Span.Len())
		} else {
			all = false
		}
	}
	if all {
		shown = files[0].Bytes
	}
	files[0].Shown = &shown
}

// entriesIn counts the entries of an index; each has a kind.
func entriesIn(ctx context.Context, idx index.Index) (n int, err error) {
	var terms []string
	for _, k := range pimento.EntryKinds() {
		terms = append(terms, text.FlagKind(k))
	}
	stats, err := idx.Stats(ctx, terms)
	for _, df := range stats.DF {
		n += df
	}
	return n, err
}
