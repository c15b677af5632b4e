package engine

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/mirror"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/score"
	"github.com/pimento-memory/pimento/internal/text"
)

// A Scored is an entry with its standing and the terms behind its score.
type Scored struct {
	Entry    pimento.Entry
	Standing pimento.Standing
	Terms    score.Terms
}

// Scores are all entries that have a standing, best first: not tasks, logs and
// handoffs. The profile's caps have been applied.
func (e *Engine) Scores(ctx context.Context) ([]Scored, []pimento.Fault) {
	v := e.lookSynced(ctx)
	out := e.allScored(ctx, v)
	slices.SortStableFunc(out, func(a, b Scored) int { return cmp.Compare(b.Standing.Score, a.Standing.Score) })
	return out, v.faults
}

// allScored are the entries of all readable roots that have a standing, root by
// root and kind by kind in page order.
func (e *Engine) allScored(ctx context.Context, v *view) []Scored {
	var roots [][]Scored
	for _, st := range v.stores {
		var kinds [][]pimento.Entry
		for _, k := range pimento.EntryKinds() {
			if k != pimento.KindTask && k != pimento.KindNote && k != pimento.KindHandoff {
				kinds = append(kinds, e.find(ctx, v, st, text.FlagKind(k), nil))
			}
		}
		roots = append(roots, e.explained(ctx, v, st, slices.Concat(kinds...)))
	}
	out := slices.Concat(roots...)
	capped(out, score.Policy(v.profile.Scoring), func(s *Scored) (*pimento.Standing, pimento.Kind) { return &s.Standing, s.Entry.Kind })
	return out
}

// explained are entries of one root with their standings, before the caps.
func (e *Engine) explained(ctx context.Context, v *view, st *store, es []pimento.Entry) []Scored {
	out := make([]Scored, len(es))
	for i, f := range e.scoreFacts(ctx, v, st, es) {
		out[i].Entry = es[i]
		out[i].Standing, out[i].Terms = score.Explain(f, score.Policy(v.profile.Scoring), e.Now())
	}
	return out
}

// Standings are the standings of entries that an answer holds, in their order,
// before the caps.
func (e *Engine) Standings(ctx context.Context, es []pimento.Entry) []pimento.Standing {
	v := e.look(ctx)
	out := make([]pimento.Standing, len(es))
	for i, en := range es {
		if st := v.store(en.Scope); st != nil {
			out[i] = e.standings(ctx, v, st, []pimento.Entry{en})[0]
		}
	}
	return out
}

// Saying lists the entries that say exactly this text, of one kind or of any
// (""), widest scope first. White space counts as in a statement.
func (e *Engine) Saying(ctx context.Context, op, what string, kind pimento.Kind) ([]pimento.Entry, error) {
	v := e.lookSynced(ctx)
	out := slices.DeleteFunc(e.standingAs(ctx, v, pimento.StatementOf(what)), func(en pimento.Entry) bool { return kind != "" && en.Kind != kind })
	if len(out) == 0 {
		return nil, &pimento.Error{Op: op, Kind: pimento.KindNotFound, Err: errors.New("no entry says exactly that" + v.orUnused()),
			Hint: "find the exact text, or its id, with: pimento recall WORDS"}
	}
	return out, nil
}

// A Topic is one topic page.
type Topic struct {
	Scope   pimento.Scope `json:"scope"`
	Page    string        `json:"page"`
	Name    string        `json:"name"`
	Entries int           `json:"entries"`
	Pinned  int           `json:"pinned"`
	Hotness float64       `json:"hotness"` // sum of its entries' scores; pinned ones count nothing
	Tokens  int           `json:"tokens"`
	Chars   int           `json:"chars"`
	Limit   int           `json:"limit,omitempty"` // characters that it may grow to
	Newest  time.Time     `json:"newest,omitzero"` // when something on it was last said
	Cold    bool          `json:"cold"`            // nothing on it was said for long, and nothing is pinned
}

// Topics lists the topic pages with their hotness, hottest first. faults name the
// parts of memory that are missing from the list.
func (e *Engine) Topics(ctx context.Context) (list []Topic, faults []pimento.Fault) {
	v := e.look(ctx)
	n := len(v.faults) // about the configuration
	e.syncAll(ctx, v)
	return e.topics(ctx, v), v.faults[n:]
}

func (e *Engine) topics(ctx context.Context, v *view) []Topic {
	var out []Topic
	for _, st := range v.stores {
		idx, fault := st.Index(ctx)
		if fault != nil {
			v.fault(fault.Kind, fault.Detail)
		}
		pages, err := mirror.PagePaths(ctx, idx, func(rel string) bool { return strings.HasPrefix(rel, page.TopicsDir) })
		v.faultErr("index", err)
		for _, rel := range pages {
			p, _, err := st.Parsed(ctx, rel)
			if err != nil {
				v.faultErr("vault", err)
				continue
			}
			t := Topic{Scope: st.scope, Page: rel, Name: strings.TrimSuffix(strings.TrimPrefix(rel, page.TopicsDir), ".md"),
				Tokens: text.Tokens(string(p.Bytes())), Chars: len([]rune(string(p.Bytes()))), Limit: v.profile.Writes.PageChars}
			t.weigh(e.explained(ctx, v, st, st.Entries(p)), v.profile.Scoring, e.Now())
			out = append(out, t)
		}
	}
	slices.SortStableFunc(out, func(a, b Topic) int { return cmp.Compare(b.Hotness, a.Hotness) })
	return out
}

// weigh sums up a topic's entries. It is cold when each of them was last said
// more than the policy's multiple of its kind's days ago. What does not fade,
// or is pinned, keeps it warm; so does a policy that says nothing of cold.
func (t *Topic) weigh(es []Scored, p pimento.Scoring, now time.Time) {
	t.Entries, t.Cold = len(es), p.ColdAfter > 0 && len(es) > 0
	for _, s := range es {
		if s.Entry.Pinned {
			t.Pinned++
		} else {
			t.Hotness += s.Standing.Score
		}
		if s.Standing.Last.After(t.Newest) {
			t.Newest = s.Standing.Last
		}
		age := now.Sub(s.Standing.Last).Hours() / 24
		if s.Entry.Pinned || s.Terms.Tau <= 0 || s.Standing.Last.IsZero() || age <= p.ColdAfter*p.Days[s.Entry.Kind] {
			t.Cold = false
		}
	}
}
