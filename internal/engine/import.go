package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/guard"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/session"
	"github.com/pimento-memory/pimento/internal/source"
)

// What a scores file means for an entry.
const (
	ImportCount  = "count"  // its evidence, times and cue are taken over
	ImportKnown  = "known"  // they were taken over earlier
	ImportPin    = "pin"    // the same as count, and it is pinned
	ImportForget = "forget" // its user had it forgotten: it leaves its page, restorable
)

// maxImported is how often an entry may have been said elsewhere: ln(1+n) says
// next to nothing beyond.
const maxImported = 500

// An ImportFile is a file of another system.
type ImportFile struct {
	Path string
	Data []byte
}

// An Import is what files of another system hold, and what is taken over. Its JSON
// form is the contract of docs/FORMATS.md.
type Import struct {
	Applied  bool            `json:"applied"`
	Scores   []ImportScore   `json:"scores"`
	Unknown  []string        `json:"unknown"`  // keys of scores that no entry has
	Sessions int             `json:"sessions"` // past sessions that were found
	Notes    []string        `json:"notes"`
	Faults   []pimento.Fault `json:"faults"`
}

// An ImportScore is what another system kept of one entry.
type ImportScore struct {
	Key      string            `json:"key"`
	ID       pimento.Statement `json:"id"`
	Scope    pimento.Scope     `json:"scope"`
	Page     string            `json:"page"`
	Text     string            `json:"text"`
	Evidence int               `json:"evidence"`
	Cue      string            `json:"cue"`
	First    time.Time         `json:"first"`
	Last     time.Time         `json:"last"`
	Act      string            `json:"act"`
	Recovery string            `json:"recovery,omitempty"`
	at       pimento.Occurrence
	session  string
}

// ImportFiles finds files of another system in the places of this project where
// that system kept them.
func (e *Engine) ImportFiles(ctx context.Context) (found []string) {
	v := e.look(ctx)
	if !v.hasProject {
		return nil
	}
	for _, name := range []string{filepath.Join(v.project.Memory, "memory-scores.json"), filepath.Join(v.project.Memory, "memory-scores.jsonl"),
		filepath.Join(v.project.Memory, "embeddings.json"), filepath.Join(v.project.Dir, ".pi", "data", "session-search.json")} {
		if st, err := os.Stat(name); err == nil && st.Mode().IsRegular() {
			found = append(found, name)
		}
	}
	return found
}

// Import takes over what another system kept beside its pages: how often and when
// each entry was said, and past sessions. Without apply it only says what it would
// do. Files that are not needed (vectors, which are made anew) are named in the
// notes. The same file may be imported again: what is already known is not counted
// twice.
func (e *Engine) Import(ctx context.Context, files []ImportFile, apply bool, by Actor) (Import, error) {
	v := e.look(ctx)
	out := Import{Applied: apply, Scores: []ImportScore{}, Unknown: []string{}, Notes: []string{}}
	if v.waits() {
		return out, errNoConsent("import", v)
	}
	e.syncAll(ctx, v)
	var sessions []source.Session
	for _, f := range files {
		switch name := path.Base(strings.ReplaceAll(f.Path, `\`, "/")); source.Recognize(name, f.Data) {
		case source.ScoresFile:
			s, err := source.ParseScores(f.Data)
			if err != nil {
				return out, errImport(f, err)
			}
			e.matchScores(ctx, v, s, &out)
		case source.SessionsFile:
			s, err := source.ParseSessions(f.Data)
			if err != nil {
				return out, errImport(f, err)
			}
			sessions = append(sessions, s.Entries...)
		case source.VectorsFile:
			out.Notes = append(out.Notes, name+" is not needed: vectors are made anew")
		default:
			return out, &pimento.Error{Op: "import", Path: f.Path, Kind: pimento.KindUsage, Err: errors.New("not a file that can be imported"),
				Hint: "name memory-scores.json, memory-scores.jsonl or session-search.json"}
		}
	}
	out.Sessions = len(sessions)
	if err := e.knownImports(ctx, v, &out); err != nil {
		return out, err
	}
	var err error
	if apply {
		if err = e.takeScores(ctx, v, &out, by); err == nil {
			err = e.takePasts(ctx, v, sessions)
		}
	}
	out.Faults = append([]pimento.Fault{}, v.faults...)
	return out, err
}

func errImport(f ImportFile, err error) error {
	return &pimento.Error{Op: "import", Path: f.Path, Kind: pimento.KindUsage, Err: err, Hint: "is it the file of that system, and whole?"}
}

// matchScores finds the entry that each score is about: the one whose line has
// the score's key. A key of two different lines is nobody's.
func (e *Engine) matchScores(ctx context.Context, v *view, s source.Scores, out *Import) {
	byKey := map[string][]pimento.Entry{}
	for _, x := range e.allScored(ctx, v) {
		key := source.Key(string(x.Entry.Kind), source.Line(x.Entry.Text))
		if same := byKey[key]; len(same) == 0 || same[0].Statement != x.Entry.Statement {
			byKey[key] = append(same, x.Entry)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(s.Entries)) {
		found := byKey[key]
		if len(found) != 1 {
			out.Unknown = append(out.Unknown, key)
			continue
		}
		out.Scores = append(out.Scores, e.importScore(key, s.Entries[key], found[0]))
	}
}

// importScore mends what makes no sense: less than one piece of evidence, a time
// in the future, a reinforcement before the first.
func (e *Engine) importScore(key string, s source.Score, en pimento.Entry) ImportScore {
	x := ImportScore{Key: key, ID: en.Statement, Scope: en.Scope, Page: en.Page, Text: en.Text, Evidence: min(max(s.EvidenceCount, 1), maxImported),
		Cue: s.Cue, First: s.FirstSeen, Last: s.LastReinforced, Act: ImportCount, at: en.Occurrence, session: s.SourceSession}
	now := e.Now()
	if x.Last.IsZero() || x.Last.After(now) {
		x.Last = now
	}
	if x.First.IsZero() || x.First.After(x.Last) {
		x.First = x.Last
	}
	switch {
	case s.UserState == "forgotten":
		x.Act = ImportForget
	case s.UserState == "pinned" && !en.Pinned:
		x.Act = ImportPin
	}
	return x
}

// importID is the id of the n-th piece of evidence of an entry, the same
// whenever the file is imported.
func (x ImportScore) importID(n int) string {
	return "m" + digestOf(fmt.Sprintf("import\n%s\n%s\n%d", x.Scope, x.ID, n))
}

// events are the pieces of evidence: one when it was first said, the others when
// it was said last, which is all that is known of them.
func (x ImportScore) events(by Actor) []pimento.Event {
	var out []pimento.Event
	for n := 1; n <= x.Evidence; n++ {
		ev := pimento.Event{ID: x.importID(n), Time: x.Last, Type: pimento.Imported, Scope: x.Scope, Page: x.Page,
			Statement: x.ID, Cue: x.Cue, Actor: cmp.Or(by.Name, "user"), Session: x.session}
		if n == 1 && x.Evidence > 1 {
			ev.Time = x.First
		}
		out = append(out, ev)
	}
	return out
}

// knownImports marks the scores of which nothing is new.
func (e *Engine) knownImports(ctx context.Context, v *view, out *Import) error {
	for _, st := range v.stores {
		seen, err := imported(ctx, st)
		if err != nil {
			return err
		}
		for i := range out.Scores {
			if x := &out.Scores[i]; x.Scope == st.scope && x.Act == ImportCount && seen[x.importID(x.Evidence)] {
				x.Act = ImportKnown
			}
		}
	}
	return nil
}

// imported are the ids of what a journal has taken over.
func imported(ctx context.Context, st *store) (map[string]bool, error) {
	seen := map[string]bool{}
	err := st.journal.Each(ctx, []pimento.EventType{pimento.Imported}, func(ev pimento.Event) { seen[ev.ID] = true })
	return seen, err
}

// checkImports says that scores of another system lie here and were never taken
// over.
func (e *Engine) checkImports(ctx context.Context, v *view) []Check {
	if v.store(pimento.Project) == nil || !e.scoresWait(ctx, v) {
		return nil
	}
	return []Check{{Name: "import", OK: true, Detail: "scores of another memory system lie here and were not taken over: pimento import"}}
}

// scoresWait says whether scores of another system lie here that were never taken
// over: without them its entries have no history, and are in no report.
func (e *Engine) scoresWait(ctx context.Context, v *view) bool {
	lie := slices.ContainsFunc(e.ImportFiles(ctx), func(name string) bool { return strings.HasPrefix(filepath.Base(name), "memory-scores.json") })
	st := v.store(pimento.Project)
	if !lie || st == nil {
		return lie // without consent nothing was taken over
	}
	seen, err := imported(ctx, st)
	return err == nil && len(seen) == 0
}

// takeScores journals what the scores say, and pins and forgets.
func (e *Engine) takeScores(ctx context.Context, v *view, out *Import, by Actor) error {
	for _, st := range v.stores {
		seen, err := imported(ctx, st)
		if err != nil {
			return err
		}
		var evs []pimento.Event
		for _, x := range out.Scores {
			if x.Scope == st.scope {
				evs = append(evs, slices.DeleteFunc(x.events(by), func(ev pimento.Event) bool { return seen[ev.ID] })...)
			}
		}
		for i := range evs {
			evs[i].Project = e.projectID(ctx, st)
		}
		if len(evs) > 0 {
			if err := st.journal.Append(ctx, evs); err != nil {
				return err
			}
		}
	}
	for i := range out.Scores {
		x := &out.Scores[i]
		switch x.Act {
		case ImportPin:
			if _, err := e.Pin(ctx, x.at.String(), true, by); err != nil {
				return err
			}
		case ImportForget:
			r, err := e.Forget(ctx, x.at.String(), by)
			if err != nil {
				return err
			}
			x.Recovery = r.Recovery
		}
	}
	return nil
}

// takePasts keeps past sessions of another system beside our own.
func (e *Engine) takePasts(ctx context.Context, v *view, all []source.Session) error {
	for _, s := range all {
		if s.Timestamp.IsZero() {
			s.Timestamp = e.Now()
		}
		s.Summary = guard.Hide(s.Summary)
		if err := e.pasts(v).Add(ctx, session.Past{Session: s.ID, Kind: session.Summary, Time: s.Timestamp, Text: s.Summary}); err != nil {
			return err
		}
	}
	return nil
}

// ExportScores returns what is known of a scope's entries of the six categories, as
// a file of the scored-topics system. Entries of which nothing is known are left
// out, because that system knows what to make of them.
func (e *Engine) ExportScores(ctx context.Context, scope pimento.Scope) source.Scores {
	out := source.Scores{Entries: map[string]source.Score{}, LastRebuild: e.Now().UTC()}
	v := e.lookSynced(ctx)
	for _, s := range e.allScored(ctx, v) {
		en := s.Entry
		if s.Standing.Last.IsZero() || en.Scope != scope || !strings.HasPrefix(en.Page, page.TopicsDir) || !slices.Contains(sixKinds(), en.Kind) {
			continue
		}
		state := "auto"
		if en.Pinned {
			state = "pinned"
		}
		out.Entries[source.Key(string(en.Kind), source.Line(en.Text))] = source.Score{Class: string(en.Kind), Score: s.Standing.Score,
			EvidenceCount: s.Standing.Evidence, Cue: s.Terms.Cue, FirstSeen: s.Standing.First.UTC(), LastReinforced: s.Standing.Last.UTC(),
			UserState: state, Lifecycle: s.Standing.Lifecycle}
	}
	return out
}

// sixKinds are the categories of that system.
func sixKinds() []pimento.Kind {
	return []pimento.Kind{pimento.KindPreference, pimento.KindLesson, pimento.KindPattern, pimento.KindDecision, pimento.KindDone, pimento.KindMistake}
}

// ExportSessions returns what is kept of past sessions, as a file of the
// scored-topics system.
func (e *Engine) ExportSessions(ctx context.Context) (source.Sessions, error) {
	out := source.Sessions{Entries: []source.Session{}}
	all, err := e.pasts(e.look(ctx)).All()
	for _, p := range all {
		out.Entries = append(out.Entries, source.Session{ID: p.Session, Timestamp: p.Time.UTC(), Summary: p.Text})
	}
	return out, err
}
