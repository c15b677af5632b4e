package engine

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/inject"
	"github.com/pimento-memory/pimento/internal/recall"
	"github.com/pimento-memory/pimento/internal/session"
)

// noteEdited keeps, for the session's next prompt, which files the agent wrote,
// at most pimento.MaxEdited of them, the latest. Pages of memory tell for
// themselves that they changed.
func (t *turn) noteEdited(ctx context.Context) {
	if t.v.profile.Reminder.Max == 0 || t.Session == "" || t.silent() {
		return
	}
	edited := slices.DeleteFunc(t.editedPaths(), func(p string) bool { return strings.HasSuffix(p, ".md") && strings.Contains("/"+p, "/memory/") })
	if len(edited) == 0 {
		return
	}
	err := t.e.sessions.Update(ctx, t.Harness, t.Session, func(s *session.State) {
		s.Edited = slices.DeleteFunc(s.Edited, func(p string) bool { return slices.Contains(edited, p) })
		s.Edited = append(s.Edited, edited...)
		s.Edited = s.Edited[max(0, len(s.Edited)-pimento.MaxEdited):]
	})
	t.v.faultErr("session", err)
}

// reminders adds what memory says about the files that the agent wrote since
// the last prompt: of each file what its name finds by words, best first.
func (t *turn) reminders(ctx context.Context, f *inject.Facts) {
	p := t.v.profile.Reminder
	if p.Max == 0 || len(t.state.Edited) == 0 {
		return
	}
	t.reminded = true
	var found []pimento.Hit
	for _, file := range t.state.Edited {
		a := t.e.answer(ctx, t.v, pimento.Query{Text: fileQuery(file), Mode: pimento.Keyword, Limit: p.Max, Now: t.e.Now()},
			recall.Options{MinCoverage: p.MinCoverage, Known: func(id pimento.Statement) bool { return t.known(string(id)) }})
		t.v.faults = append(t.v.faults, a.Faults...)
		found = append(found, a.Hits...)
	}
	slices.SortStableFunc(found, func(a, b pimento.Hit) int { return cmp.Compare(b.Score, a.Score) })
	shown := map[pimento.Statement]bool{}
	for _, h := range found {
		if len(shown) == p.Max {
			break
		}
		if shown[h.Entry.Statement] {
			continue
		}
		shown[h.Entry.Statement] = true
		f.Items[pimento.PickReminder] = append(f.Items[pimento.PickReminder], inject.Item{Entry: h.Entry, Why: h.Why, Standing: t.e.since(ctx, t.v, h.Entry)})
		t.offer(string(h.Entry.Statement), shownEntry{h.Entry.Scope, h.Entry.Page, h.Entry.Text, h.Entry.Kind, h.Score})
	}
}

// fileQuery is what of a path is looked for: the file's name and the folder it
// is in. The folders above are in every path of the project.
func fileQuery(file string) string {
	dir := path.Base(path.Dir(file))
	if dir == "." || dir == "/" {
		return path.Base(file)
	}
	return path.Base(file) + " " + dir
}
