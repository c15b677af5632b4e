package engine

import (
	"context"
	"strconv"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/text"
)

// A StatusReport is what `pimento status` shows.
type StatusReport struct {
	Version string            `json:"version,omitempty"`
	Profile string            `json:"profile"`
	Enabled bool              `json:"enabled"`
	Session string            `json:"session,omitempty"`
	Off     bool              `json:"off"` // this session is silenced
	Scopes  []ScopeStatus     `json:"scopes"`
	Project string            `json:"project,omitempty"` // directory
	Consent string            `json:"consent"`           // granted, missing, absent, none, or why it does not hold
	Dirs    map[string]string `json:"dirs"`
	Last    *pimento.Trace    `json:"last,omitempty"`    // last injection
	Thinker *ThinkerStatus    `json:"thinker,omitempty"` // nil when no language model is turned on and none was lately
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
}

// Status says what memory there is, which of it is on, and what is wrong.
func (e *Engine) Status(ctx context.Context, id string) (StatusReport, error) {
	v := e.look(ctx)
	e.syncAll(ctx, v)
	s := StatusReport{Profile: v.profile.Name, Enabled: v.enabled, Session: id, Scopes: []ScopeStatus{}, Consent: "none",
		Dirs: map[string]string{"global": e.opt.Dirs.Global, "state": e.opt.Dirs.State, "cache": e.opt.Dirs.Cache, "config": e.opt.Dirs.Config}}
	if v.hasProject {
		s.Project, s.Consent = v.project.Dir, v.consentWord()
	}
	for _, st := range v.stores {
		sc, err := e.scopeStatus(ctx, st)
		v.faultErr("index", err)
		s.Scopes = append(s.Scopes, sc)
	}
	if list, err := e.traces(v).List(ctx, 1); err == nil && len(list) > 0 {
		s.Last = &list[0]
	}
	if id != "" {
		s.Off = e.SessionOff(ctx, "pi", id) || e.SessionOff(ctx, "", id)
	}
	s.Thinker = e.thinkerStatus(ctx, v)
	s.Faults = append([]pimento.Fault{}, v.faults...)
	return s, nil
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
	s := ScopeStatus{Scope: st.scope, Dir: st.root.Dir(), Exists: st.root.Exists()}
	idx, _ := e.index(ctx, st)
	err := eachPage(ctx, idx, func(p index.Page) bool {
		s.Pages++
		s.Bytes += p.Stamp.Size
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

// Summary is the report in one line.
func (s StatusReport) Summary() string {
	n, pages := 0, 0
	for _, sc := range s.Scopes {
		n += sc.Entries
		pages += sc.Pages
	}
	return strconv.Itoa(n) + " entries on " + strconv.Itoa(pages) + " pages, profile " + s.Profile
}
