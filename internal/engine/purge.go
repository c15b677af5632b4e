package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/guard"
	"github.com/pimento-memory/pimento/internal/journal"
	"github.com/pimento-memory/pimento/internal/regular"
	"github.com/pimento-memory/pimento/internal/remember"
	"github.com/pimento-memory/pimento/internal/session"
)

// A PurgeReport lists what a purge reached and what it cannot reach.
type PurgeReport struct {
	ID        string   `json:"id"`
	Removed   []string `json:"removed"`
	Untouched []string `json:"untouched"`
}

// A purged entry is what must leave no trace.
type purged struct {
	statement pimento.Statement
	text      string
}

// Purge removes an entry for good: from its page (if it still stands there),
// from recovery, from the text that journals, traces and sessions keep, and
// from the index. The journal keeps only its digest. id may be an entry's or a
// recovery's. Recovery keeps the text until all else is done, so that a purge that
// did not end can be asked for again.
func (e *Engine) Purge(ctx context.Context, id string, by Actor) (PurgeReport, error) {
	rep := PurgeReport{ID: id, Untouched: unreachable()}
	own := e.newID()
	gone, err := e.purgePage(ctx, id, own, by, &rep)
	if err != nil {
		return rep, err
	}
	archived := e.purgeArchived(ctx, gone, by, &rep)
	for _, at := range e.quoting(ctx, gone.text) {
		rep.Untouched = append(rep.Untouched, at+", which quotes it")
	}
	elsewhere, err := e.purgeOffPage(ctx, id, own, gone, &rep)
	if err = errors.Join(archived, err); err != nil {
		hint := "ask again: pimento purge " + cmp.Or(string(gone.statement), id)
		if first := pimento.HintOf(err); first != "" {
			hint = first + ", then " + hint
		}
		err = &pimento.Error{Op: "purge", Path: id, Kind: pimento.KindOf(err), Err: fmt.Errorf("it is on no page any more, but not gone everywhere: %w", err), Hint: hint}
	}
	return rep, errors.Join(err, elsewhere)
}

// purgeOffPage purges what is on no page any more; elsewhere is what kept it from
// journals of other projects.
func (e *Engine) purgeOffPage(ctx context.Context, id, own string, gone purged, rep *PurgeReport) (elsewhere, err error) {
	if gone.statement != "" { // else a damaged payload, which says nothing of what it held
		v := e.look(ctx)
		all, err := e.former(ctx, v, gone, rep)
		if err == nil {
			elsewhere, err = e.erase(ctx, v, all, rep)
		}
		if err != nil {
			return elsewhere, err
		}
	}
	n, err := e.purgeRecovery(ctx, id, own, gone)
	if n > 0 {
		rep.Removed = append(rep.Removed, "what recovery kept of it")
	}
	return elsewhere, err
}

// WouldPurge is the entry that a purge would remove; it has no page if only
// recovery holds it.
func (e *Engine) WouldPurge(ctx context.Context, id string) (pimento.Entry, error) {
	en, _, err := e.resolve(ctx, e.lookSynced(ctx), "purge", id)
	if gone, ok := e.inRecovery(ctx, id, err); ok {
		return pimento.Entry{Text: gone.text}, nil
	}
	if found := e.onlyInArchive(ctx, id, err); len(found) > 0 {
		return found[0], nil
	}
	return en, err
}

// inRecovery is what recovery holds under an id that was not found on a page.
func (e *Engine) inRecovery(ctx context.Context, id string, err error) (purged, bool) {
	if err == nil || pimento.KindOf(err) != pimento.KindNotFound && pimento.KindOf(err) != pimento.KindUsage {
		return purged{}, false
	}
	return e.recovered(ctx, id)
}

// former is a purged entry and what it said before it was edited, joined with more
// or written in another way, unless that is what another entry says now; recovery
// is rid of it.
func (e *Engine) former(ctx context.Context, v *view, gone purged, rep *PurgeReport) ([]purged, error) {
	all, n := []purged{gone}, 0
	known := map[pimento.Statement]bool{gone.statement: true}
	for _, st := range v.stores {
		said, err := st.saidBefore(ctx, gone)
		if err != nil {
			return nil, err
		}
		for _, was := range said {
			if known[was.statement] {
				continue
			}
			known[was.statement] = true
			if len(e.matches(ctx, v, idQuery{statement: string(was.statement), n: -1})) > 0 {
				continue
			}
			held, err := e.purgeRecovery(ctx, "", "", was)
			if err != nil {
				return nil, err
			}
			n += held
			all = append(all, was)
		}
	}
	if n > 0 {
		rep.Removed = append(rep.Removed, "what recovery kept of what it said before")
	}
	return all, nil
}

// saidBefore is what a purged entry was, by its history, and the entries that were
// no more than some of its lines. Those go without their text: others may quote
// so little of it.
func (st *store) saidBefore(ctx context.Context, gone purged) (all []purged, err error) {
	evs, err := st.history(ctx, gone.statement)
	if err != nil {
		return nil, err
	}
	for _, ev := range evs {
		if ev.Text != "" {
			all = append(all, purged{ev.Statement, ev.Text})
		}
	}
	lines := bareLines(gone.text)
	err = st.journal.Each(ctx, nil, func(ev pimento.Event) {
		if s := bareLines(ev.Text); s != "\n" && ev.Statement != "" && strings.Contains(lines, s) {
			all = append(all, purged{statement: ev.Statement})
		}
	})
	return all, err
}

// bareLines are the lines of a text without what makes them items of a list, each
// between two line ends.
func bareLines(text string) string {
	out := "\n"
	for line := range strings.Lines(text) {
		if line = strings.TrimLeft(strings.TrimSpace(line), "-*+ \t"); line != "" {
			out += line + "\n"
		}
	}
	return out
}

// unreachable is where a text may stand that we cannot take it out of.
func unreachable() []string {
	return []string{"the history of git and its remotes", "the transcripts that agents keep of their sessions",
		"other worktrees of the project", "backups"}
}

// erase takes the text of entries that are off their page, and out of recovery,
// out of all else that we keep. Journals of other projects that cannot be rewritten
// keep it from nothing.
func (e *Engine) erase(ctx context.Context, v *view, gone []purged, rep *PurgeReport) (elsewhere, err error) {
	gone = asKeptToo(gone)
	told := map[string]bool{} // the roots that ever held it
	for _, st := range v.stores {
		held, err := e.purgeStore(ctx, st, gone, rep)
		if err != nil {
			return elsewhere, err
		}
		if held {
			told[st.root.Key()] = true
		}
	}
	n, elsewhere := e.purgeElsewhere(ctx, v, gone)
	if n > 0 {
		rep.Removed = append(rep.Removed, "text in the journals of other projects, and the index of every project")
		if err := os.RemoveAll(filepath.Join(e.opt.Dirs.Cache, "index")); err != nil { // theirs have names of their own
			return elsewhere, err
		}
	}
	anywhere := n > 0 || elsewhere != nil || len(told) == 0
	n, err = e.purgePasts(ctx, gone)
	if err != nil {
		return elsewhere, err
	}
	if n > 0 {
		anywhere = true
		rep.Removed = append(rep.Removed, "what was kept of past sessions that held it")
	}
	if ok, err := e.purgeDream(gone); err != nil {
		return elsewhere, err
	} else if ok {
		rep.Removed = append(rep.Removed, "the record of a dream that held it")
	}
	if ok, err := e.purgeAudit(v, gone); err != nil {
		return elsewhere, err
	} else if ok {
		rep.Removed = append(rep.Removed, "the record of an audit that held it")
	}
	e.recorded()
	for _, dir := range []string{"traces", "telemetry", "tables"} {
		if err := os.RemoveAll(filepath.Join(e.opt.Dirs.State, dir)); err != nil {
			return elsewhere, err
		}
	}
	if err := e.discardTemps(); err != nil {
		return elsewhere, err
	}
	// Not the sessions themselves: they know which of them are silenced.
	shown := func(f session.Frozen) bool {
		for root := range f.Marks {
			if told[root] {
				return true
			}
		}
		return anywhere
	}
	if _, err := e.sessions.RemoveFrozen(ctx, shown); err != nil {
		return elsewhere, err
	}
	rep.Removed = append(rep.Removed, "all traces, figures of use and page tables", "the frozen prefixes of all sessions that it was shown to (each takes a new one on its next prompt)")
	return elsewhere, nil
}

// tempAge is how old a temporary file of private state must be for nobody to be at
// work on it.
const tempAge = time.Minute

// discardTemps removes what crashes left in private state, all of it: nobody reads it,
// and it may hold the text.
func (e *Engine) discardTemps() error {
	return filepath.WalkDir(e.opt.Dirs.State, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || filepath.Ext(name) != regular.TempExt {
			return nil
		}
		info, err := d.Info()
		if err != nil || e.opt.Clock().Sub(info.ModTime()) < tempAge {
			return nil
		}
		if err := os.Remove(name); !errors.Is(err, fs.ErrNotExist) { // somebody else may have tidied up
			return err
		}
		return nil
	})
}

// tellingWords is how many words a text must have beside its secret to be looked
// for without it: fewer stand in texts that are none of its business.
const tellingWords = 3

// asKeptToo adds what stands in reports, past sessions and the inbox in place of a
// text that has a secret in it.
func asKeptToo(gone []purged) []purged {
	all := slices.Clone(gone)
	for _, g := range gone {
		hidden := guard.Hide(g.text)
		if hidden == g.text {
			continue
		}
		words := -2 * strings.Count(hidden, "[secret: ") // its mark has two
		if words += len(strings.Fields(hidden)); words >= tellingWords {
			all = append(all, purged{g.statement, hidden})
		}
	}
	return all
}

// purgeStore takes the text of entries out of a root's journal, and its words
// out of the index, which is made anew by the next call that needs it. held says
// that the root knows of it.
func (e *Engine) purgeStore(ctx context.Context, st *store, gone []purged, rep *PurgeReport) (held bool, err error) {
	pending, err := pendingIn(ctx, st.journal)
	if err != nil {
		return false, err
	}
	n := 0
	err = st.journal.Rewrite(ctx, func(ev *pimento.Event) bool {
		mine := slices.ContainsFunc(gone, func(g purged) bool { return g.in(ev) })
		held = held || mine
		// A finished plan holds pages' bytes, and nobody needs them any more.
		if mine || ev.Type == pimento.Staged && !pending[ev.Txn] {
			if mine && (ev.Text != "" || len(ev.Data) > 0) {
				n++
			}
			ev.Data = nil
		}
		if mine {
			ev.Text = ""
		}
		return true
	})
	if err != nil {
		return held, err
	}
	if n > 0 {
		rep.Removed = append(rep.Removed, "text in the journal of "+string(st.scope))
	}
	left := 0
	err = e.underLock(ctx, st, func() (err error) {
		left, err = st.root.Discard(ctx, func(b []byte) bool {
			return slices.ContainsFunc(gone, func(g purged) bool { return kept{Bytes: b}.holds(g) })
		})
		return err
	})
	if err != nil {
		return held, err
	}
	if left > 0 {
		rep.Removed = append(rep.Removed, "what a crash had left beside the pages of "+string(st.scope))
	}
	return held, st.Erase()
}

// pendingIn are the ids of the plans that are staged and not ended.
func pendingIn(ctx context.Context, j *journal.Journal) (map[string]bool, error) {
	plans, err := j.Pending(ctx)
	ids := map[string]bool{}
	for _, p := range plans {
		ids[p.ID] = true
	}
	return ids, err
}

// purgeElsewhere takes the text of entries out of the journals of projects that
// are not open here, and says of how many events: what a user said, and what was
// proposed, is kept where it was said. One that fails keeps no other from it.
func (e *Engine) purgeElsewhere(ctx context.Context, v *view, gone []purged) (n int, err error) {
	all := filepath.Join(e.opt.Dirs.State, "journals")
	dirs, err := os.ReadDir(all)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	errs := []error{err}
	for _, d := range dirs {
		dir := filepath.Join(all, d.Name())
		if slices.ContainsFunc(v.stores, func(st *store) bool { return st.journal.Dir() == dir }) {
			continue
		}
		j, err := journal.Open(dir)
		if err == nil {
			var m int
			m, err = purgeQuotes(ctx, j, gone)
			n += m
		}
		errs = append(errs, err)
	}
	return n, errors.Join(errs...)
}

// purgeQuotes leaves a journal as it is where nothing in it quotes the text.
func purgeQuotes(ctx context.Context, j *journal.Journal, gone []purged) (n int, err error) {
	defer func() { err = errors.Join(err, j.Close()) }()
	pending, err := pendingIn(ctx, j)
	if err != nil {
		return 0, err
	}
	quotes := func(ev *pimento.Event) bool {
		if ev.Type == pimento.Staged {
			return !pending[ev.Txn] && slices.ContainsFunc(gone, func(g purged) bool { return g.planned(ev) })
		}
		return (ev.Text != "" || len(ev.Data) > 0) && slices.ContainsFunc(gone, func(g purged) bool { return g.in(ev) })
	}
	err = j.Each(ctx, nil, func(ev pimento.Event) {
		if quotes(&ev) {
			n++
		}
	})
	if err != nil || n == 0 {
		return 0, err
	}
	return n, j.Rewrite(ctx, func(ev *pimento.Event) bool {
		if quotes(ev) {
			ev.Text, ev.Data = "", nil
		}
		return true
	})
}

// purgePage takes the entry out of its page. What only recovery or an archive holds it
// only finds.
func (e *Engine) purgePage(ctx context.Context, id, own string, by Actor, rep *PurgeReport) (purged, error) {
	gone, err := e.takeForGood(ctx, id, own, e.resolve, by, rep)
	if kept, ok := e.inRecovery(ctx, id, err); ok {
		return kept, nil
	}
	if found := e.onlyInArchive(ctx, id, err); len(found) > 0 {
		return purged{found[0].Statement, found[0].Text}, nil
	}
	return gone, err
}

// takeForGood takes an entry out of the page where find finds it, and puts it under an
// id of its own into recovery before that.
func (e *Engine) takeForGood(ctx context.Context, id, own string, find finder, by Actor, rep *PurgeReport) (purged, error) {
	r, err := e.onEntry(ctx, "purge", id, find, by, nil, func(t remember.Target, o pimento.Occurrence, b remember.By) (pimento.Plan, error) {
		p, payload, err := remember.Forget(t, o, b)
		if err != nil || p.Action == pimento.Refuse {
			return p, err
		}
		p.Verb = "purge"
		for i := range p.Events {
			p.Events[i].Type = pimento.Purged
		}
		return p, e.setAside(ctx, own, payload)
	})
	switch {
	case err == nil && r.Action == pimento.Refuse:
		return purged{}, &pimento.Error{Op: "purge", Path: id, Kind: pimento.KindRefused, Err: errors.New(r.Reason)}
	case err == nil:
		rep.Removed = append(rep.Removed, string(r.Scope)+":"+r.Page)
		return purged{r.ID, r.Was}, nil
	}
	return purged{}, err
}

// in says whether an event is about a purged entry, or quotes it.
func (g purged) in(ev *pimento.Event) bool {
	return ev.Statement == g.statement || ev.From == g.statement ||
		g.text != "" && (quotes(ev.Text, g.text) || proposes(*ev, g.text))
}

// planned says whether a staged plan's own events are about a purged entry.
func (g purged) planned(staged *pimento.Event) bool {
	var p pimento.Plan
	return json.Unmarshal(staged.Data, &p) == nil && slices.ContainsFunc(p.Events, func(ev pimento.Event) bool { return g.in(&ev) })
}

// proposes says whether an event of the inbox holds a text, as what it proposes
// or as why: it contradicts an entry.
func proposes(ev pimento.Event, text string) bool {
	if ev.Type != pimento.Proposed && ev.Type != pimento.Answered {
		return false
	}
	var p pimento.Proposal
	return json.Unmarshal(ev.Data, &p) == nil && (quotes(p.Text, text) || quotes(p.Reason, text))
}

// quotes says whether a text stands in another one, on whatever lines, and not only
// as the beginning or the end of longer words: who purges "Use Go" does not mean "Use
// Google Cloud".
func quotes(s, text string) bool {
	letter := func(c byte) bool {
		return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' // other scripts may join words as they like
	}
	s, text = strings.Join(strings.Fields(s), " "), strings.Join(strings.Fields(text), " ")
	for from := 0; text != ""; {
		i := strings.Index(s[from:], text)
		if i < 0 {
			return false
		}
		i, from = from+i, from+i+1
		end := i + len(text)
		if (i == 0 || !letter(s[i-1]) || !letter(text[0])) && (end == len(s) || !letter(s[end]) || !letter(text[len(text)-1])) {
			return true
		}
	}
	return false
}
