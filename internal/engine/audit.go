package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/guard"
	"github.com/pimento-memory/pimento/internal/inject"
	"github.com/pimento-memory/pimento/internal/regular"
	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/vault"
)

// An audit is somebody's look at what memory has become: an agent's, by the
// skill daily-audit, or a person's. What is prepared here is what to look at;
// judging it is the auditor's part.

const (
	// auditSample is how many decisions an auditor is shown.
	auditSample = 20
	// auditFiles is how many of the newest raw files are named.
	auditFiles = 10
	// auditSummary is how much of a result is kept, in runes.
	auditSummary = 500
)

// A LastAudit is the record of the last audit. Its JSON form is that of
// audits/PROJECT.json and part of the contract of docs/FORMATS.md.
type LastAudit struct {
	Time    time.Time `json:"time,omitzero"`  // zero when there was none
	Begun   time.Time `json:"begun,omitzero"` // when there was first something to audit; none is overdue before its time
	Summary string    `json:"summary"`
}

// An Audit is what an auditor should look at. Its JSON form is the contract of
// docs/FORMATS.md.
type Audit struct {
	Last     LastAudit                 `json:"last"`
	Overdue  bool                      `json:"overdue"`
	Done     map[pimento.EventType]int `json:"done"`     // what happened since, by kind
	Sample   []Decision                `json:"sample"`   // of what agents decided since, evenly over time
	Raw      []RawFolder               `json:"raw"`      // all of raw/, whoever wrote it
	Findings map[string]int            `json:"findings"` // of lint, by rule
	Stale    int                       `json:"stale"`    // entries that may be out of date
	Waiting  int                       `json:"waiting"`  // proposals in the inbox
	Faults   []pimento.Fault           `json:"faults"`
}

// A Decision is one thing that an agent did to memory.
type Decision struct {
	Did   pimento.EventType `json:"did"`
	Time  time.Time         `json:"time"`
	Scope pimento.Scope     `json:"scope"`
	Page  string            `json:"page"`
	Line  int               `json:"line"` // 0 when it does not stand there now
	Text  string            `json:"text"` // as it stands now; "" when it does not
	ID    pimento.Statement `json:"id"`
	Why   string            `json:"why,omitempty"`
}

// A RawFolder is one folder of raw/.
type RawFolder struct {
	Scope  pimento.Scope `json:"scope"`
	Folder string        `json:"folder"`
	Files  int           `json:"files"`
	Bytes  int64         `json:"bytes"`
	New    []string      `json:"new"` // the latest that changed since the last audit
}

// decisions are the events by which an agent changes what is remembered.
func decisions() []pimento.EventType {
	return []pimento.EventType{pimento.Remembered, pimento.Reinforced, pimento.Forgotten, pimento.Archived, pimento.Aliased,
		pimento.Proposed, pimento.Answered}
}

// Audit prepares an audit: what happened since the last one, and what looks odd
// now. It changes nothing.
func (e *Engine) Audit(ctx context.Context) (Audit, error) {
	findings, _ := e.Lint(ctx)
	v := e.look(ctx)
	waiting, err := e.waiting(ctx, v)
	if err != nil {
		return Audit{}, err
	}
	a := Audit{Last: e.lastAudit(v), Done: map[pimento.EventType]int{}, Sample: []Decision{}, Raw: []RawFolder{},
		Findings: map[string]int{}, Stale: len(e.Stale(ctx).Entries), Waiting: len(waiting)}
	a.Overdue = e.overdue(v, a.Last)
	for _, f := range findings {
		a.Findings[f.Rule]++
	}
	for _, st := range v.stores {
		a.Sample = append(a.Sample, e.decided(ctx, v, st, a.Last.Time, a.Done)...)
		a.Raw = append(a.Raw, e.rawFolders(ctx, v, st, a.Last.Time)...)
	}
	slices.SortStableFunc(a.Sample, func(x, y Decision) int { return x.Time.Compare(y.Time) })
	a.Sample = evenly(a.Sample, auditSample)
	for i := range a.Sample {
		e.fillDecision(ctx, v, &a.Sample[i])
	}
	a.Faults = append([]pimento.Fault{}, v.faults...)
	return a, nil
}

// decided are the decisions that a root's journal holds since a moment.
func (e *Engine) decided(ctx context.Context, v *view, st *store, since time.Time, done map[pimento.EventType]int) (out []Decision) {
	err := st.journal.Each(ctx, decisions(), func(ev pimento.Event) {
		if !ev.Time.After(since) || v.foreign(ev) {
			return
		}
		done[ev.Type]++
		if ev.Type == pimento.Proposed || ev.Type == pimento.Answered {
			return // it changed no page: the inbox shows what waits
		}
		if ev.Actor != "" && ev.Actor != "user" && ev.Actor != "sync" && ev.Statement != "" {
			out = append(out, Decision{Did: ev.Type, Time: ev.Time, Scope: st.scope, Page: ev.Page, ID: ev.Statement, Why: ev.Reason})
		}
	})
	v.faultErr("journal", err)
	return out
}

// evenly picks n of a list, from its whole length.
func evenly(all []Decision, n int) []Decision {
	if len(all) <= n {
		return all
	}
	out := make([]Decision, n)
	for i := range out {
		out[i] = all[(2*i+1)*len(all)/(2*n)]
	}
	return out
}

func (e *Engine) fillDecision(ctx context.Context, v *view, d *Decision) {
	if vault.Sealed(d.Page) {
		return
	}
	es := e.saying(ctx, v, v.store(d.Scope), d.ID)
	if len(es) > 0 {
		d.Page, d.Line, d.Text = es[0].Page, es[0].Line, text.OneLine(es[0].Text, 300)
	}
}

// rawFolders counts what lies below raw/ of a root, by its first folder.
func (e *Engine) rawFolders(ctx context.Context, v *view, st *store, since time.Time) (out []RawFolder) {
	if st.scope == pimento.Local {
		return nil
	}
	files, err := st.root.RawFiles(ctx, vault.RawDir)
	v.faultErr("raw", err)
	slices.SortFunc(files, func(a, b vault.RawFile) int { return cmp.Or(b.Changed.Compare(a.Changed), cmp.Compare(a.Rel, b.Rel)) })
	at := map[string]int{}
	for _, f := range files {
		name := rawFolder(f.Rel)
		i, known := at[name]
		if !known {
			i, at[name] = len(out), len(out)
			out = append(out, RawFolder{Scope: st.scope, Folder: name, New: []string{}})
		}
		out[i].Files++
		out[i].Bytes += f.Bytes
		if f.Changed.After(since) && len(out[i].New) < auditFiles {
			out[i].New = append(out[i].New, f.Rel)
		}
	}
	slices.SortFunc(out, func(a, b RawFolder) int { return cmp.Compare(a.Folder, b.Folder) })
	return out
}

// rawFolder is the folder below raw/ that a file belongs to.
func rawFolder(rel string) string {
	for dir := path.Dir(rel); ; dir = path.Dir(dir) {
		if up := path.Dir(dir); up == vault.RawDir || up == "." {
			return dir
		}
	}
}

// MarkAudit records that an audit is complete, and what came of it.
func (e *Engine) MarkAudit(ctx context.Context, summary string, by Actor) (LastAudit, error) {
	v := e.look(ctx)
	summary = guard.Hide(summary)
	last := LastAudit{Time: e.Now(), Summary: text.OneLine(summary, auditSummary)}
	err := e.saveAudit(v, last)
	if st := v.diary(); st != nil && err == nil {
		err = st.journal.Append(ctx, []pimento.Event{{ID: e.newID(), Time: last.Time, Type: pimento.Audited,
			Actor: by.Name, Session: by.Session, Project: v.project.ID}}) // without the result: a purge could not take that out
	}
	return last, err
}

// beginAudits lets the time to the first audit run.
func (e *Engine) beginAudits(ctx context.Context, v *view) {
	if v.profile.AuditHours <= 0 {
		return
	}
	if _, err := os.Stat(e.auditFile(v)); errors.Is(err, fs.ErrNotExist) && !e.empty(ctx, v) {
		_ = e.saveAudit(v, LastAudit{Begun: e.Now()}) // else the next session does
	}
}

func (e *Engine) saveAudit(v *view, last LastAudit) error {
	b, err := json.Marshal(last)
	if err != nil {
		return err
	}
	file := e.auditFile(v)
	if err := regular.Write(file, b); err != nil {
		return &pimento.Error{Op: "audit", Path: file, Kind: pimento.KindUnavailable, Err: err}
	}
	return nil
}

func (e *Engine) auditFile(v *view) string {
	return filepath.Join(e.opt.Dirs.State, "audits", projectKey(v)+".json")
}

// lastAudit reads the record of the last audit. A damaged one is one of long
// ago; where there is none, the time begins now.
func (e *Engine) lastAudit(v *view) (last LastAudit) {
	b, err := os.ReadFile(e.auditFile(v))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return LastAudit{Begun: e.Now()}
	case err != nil || json.Unmarshal(b, &last) != nil:
		return LastAudit{}
	}
	return last
}

// purgeAudit takes out what came of the last audit when it holds a purged text.
func (e *Engine) purgeAudit(v *view, gone []purged) (bool, error) {
	last := e.lastAudit(v)
	for _, g := range gone {
		if folded := text.OneLine(g.text, len(g.text)); folded != "" && strings.Contains(last.Summary, folded) {
			last.Summary = ""
			return true, e.saveAudit(v, last)
		}
	}
	return false, nil
}

func (e *Engine) overdue(v *view, last LastAudit) bool {
	hours := v.profile.AuditHours
	from := last.Time
	if from.IsZero() {
		from = last.Begun
	}
	return hours > 0 && e.Now().Sub(from) > time.Duration(hours)*time.Hour
}

// auditNotice tells the model that an audit is overdue, where a section of the
// profile shows that; once in a session, because what is in its context already
// is not said again. An empty memory needs none.
func (t *turn) auditNotice(ctx context.Context, f *inject.Facts) {
	if t.v.profile.SectionOf(pimento.PickAudit) == nil {
		return
	}
	last := t.e.lastAudit(t.v)
	if !t.e.overdue(t.v, last) || t.e.empty(ctx, t.v) {
		return
	}
	said := "It has never been done."
	if !last.Time.IsZero() {
		said = "Last: " + ago(t.e.Now().Sub(last.Time))
		if last.Summary != "" {
			said += " (" + last.Summary + ")"
		}
		said += "."
	}
	id := pimento.StatementOf("audit overdue since " + last.Time.UTC().Format(time.RFC3339))
	if t.known(string(id)) {
		return
	}
	f.Items[pimento.PickAudit] = []inject.Item{{Entry: pimento.Entry{Kind: pimento.KindNote,
		Occurrence: pimento.Occurrence{Page: "audit", Statement: id},
		Text:       "The audit of this memory is overdue. " + said + " When the user's work allows it, use the daily-audit skill."}}}
}

// ago words an age in hours, and in days from two on.
func ago(d time.Duration) string {
	if hours := int(d.Hours()); hours < 48 {
		return fmt.Sprintf("%d hours ago", hours)
	}
	return fmt.Sprintf("%d days ago", int(d.Hours())/24)
}
