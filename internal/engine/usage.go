package engine

import (
	"context"
	"encoding/json"
	"math"
	"path/filepath"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/session"
	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/usage"
)

// rowText is how much of a memory a row of the telemetry shows, in runes.
const rowText = 100

// telemetry is the file of figures about turns: the project's, or the user's
// outside any project.
func (e *Engine) telemetry(v *view) *session.Rows {
	return session.NewRows(filepath.Join(e.opt.Dirs.State, "telemetry", projectKey(v)+".jsonl"))
}

// keeps says whether anything may be kept of what happens in this turn: it is of a
// session, memory is on, and records are wanted.
func (t *turn) keeps() bool { return t.Session != "" && !t.silent() && t.v.traces }

// ended notes what the next prompt must find, before the turn's end is
// answered: the files that the agent wrote, and the trace that the answer is
// judged by, which a next prompt would replace.
func (t *turn) ended(ctx context.Context) {
	t.noteEdited(ctx)
	if !t.keeps() {
		return
	}
	if t.Answer != "" {
		tr, ok, err := t.e.traces(t.v).Last(ctx, t.Session)
		t.v.faultErr("usage", err)
		if ok {
			t.judges = &tr
		}
	}
}

// shownRow puts what a prompt got into the telemetry.
func (t *turn) shownRow(ctx context.Context) {
	if t.Event != pimento.PromptTurn || !t.keeps() {
		return
	}
	row := usage.Row{Time: t.e.Now(), Session: t.Session, Prompt: t.asked(), Class: t.class}
	sessions := 0
	for _, id := range t.block.TailIDs {
		if o, ok := t.shown[id]; ok && o.Kind != "" {
			row.Injected = append(row.Injected, usage.Shown{ID: id, Text: text.OneLine(o.Text, rowText), Category: string(o.Kind), Similarity: o.Score})
		} else if t.pastIDs[id] {
			sessions++
		}
	}
	best := 0.0
	for _, s := range row.Injected {
		best = max(best, s.Similarity)
	}
	for i := range row.Injected { // a share of the best, as a search says it: scores have no upper end
		if best > 0 {
			row.Injected[i].Similarity = max(0, math.Round(row.Injected[i].Similarity/best*1000)/1000)
		}
	}
	rows := t.e.telemetry(t.v)
	if len(row.Injected) > 0 {
		_ = rows.Add(ctx, row)
	}
	if sessions > 0 {
		_ = rows.Add(ctx, usage.Row{Time: row.Time, Event: usage.RowSession, Session: t.Session, Prompt: row.Prompt, SessionCount: sessions})
	}
}

// retrieved are the events of what was found for the prompt and not shown.
func (t *turn) retrieved(st *store) []pimento.Event {
	var evs []pimento.Event
	shown := map[string]bool{}
	for _, id := range t.block.TailIDs {
		shown[id] = true
	}
	for _, f := range t.found {
		if f.Scope != st.scope || shown[string(f.Statement)] {
			continue
		}
		reason := "no room"
		if t.known(string(f.Statement)) {
			reason = "known"
		}
		evs = append(evs, pimento.Event{ID: t.e.newID(), Time: t.e.Now(), Type: pimento.Retrieved, Scope: f.Scope,
			Page: f.Page, Statement: f.Statement, Reason: reason, Actor: "harness", Session: t.Session})
	}
	return evs
}

// judged are the events of what the answer made of the memories in front of the
// model, by root, and its row in the telemetry. What a turn's end that is
// reported twice finds has the same ids, and is counted once.
func (t *turn) judged(ctx context.Context) map[*store][]pimento.Event {
	if t.judges == nil {
		return nil
	}
	block := t.judges.Block
	tail := map[string]bool{}
	var memories []usage.Memory
	var entries []pimento.Entry
	for i, id := range append(append([]string{}, block.TailIDs...), block.PrefixIDs...) {
		if strings.HasPrefix(id, "~") {
			continue
		}
		for _, en := range t.e.standingAs(ctx, t.v, pimento.Statement(id)) {
			memories, entries = append(memories, usage.Memory{ID: id, Text: en.Text}), append(entries, en)
			tail[id] = i < len(block.TailIDs)
			break
		}
	}
	prompt := t.Prompt
	if prompt == "" {
		prompt = t.judges.Prompt
	}
	out := map[*store][]pimento.Event{}
	row := usage.Row{Time: t.e.Now(), Event: usage.RowUsage, Session: t.Session}
	for i, verdict := range usage.Judge(prompt, t.said(), memories) {
		en := entries[i]
		if tail[verdict.ID] {
			tokens := text.Tokens(en.Text)
			row.InjectedCount++
			row.Tokens += tokens
			if !verdict.Used {
				row.Wasted += tokens
			}
		}
		shown := usage.Shown{ID: verdict.ID, Text: text.OneLine(en.Text, rowText), Category: string(en.Kind)}
		switch {
		case verdict.Contradicted:
			row.Contradicted = append(row.Contradicted, shown)
			t.verdictEvent(out, pimento.Opposed, en, verdict.Why)
		case verdict.Used:
			if tail[verdict.ID] {
				row.UsedCount++
				row.Used = append(row.Used, shown)
			} else {
				row.PrefixUsed++
			}
			t.verdictEvent(out, pimento.Used, en, verdict.Why)
		}
	}
	if len(memories) > 0 {
		row.UsageRate = usage.Rate(row.UsedCount, row.InjectedCount)
		_ = t.e.telemetry(t.v).Add(ctx, row)
	}
	return out
}

// said is all that the agent said and ran.
func (t *turn) said() string {
	var b strings.Builder
	b.WriteString(t.Answer)
	for _, u := range t.Tools {
		b.WriteString("\n" + u.Command + "\n" + u.Path)
	}
	return b.String()
}

func (t *turn) verdictEvent(out map[*store][]pimento.Event, typ pimento.EventType, en pimento.Entry, why string) {
	st := t.v.store(en.Scope)
	if st == nil {
		return
	}
	id := "u" + digestOf(string(typ)+t.judges.ID+string(en.Statement))
	out[st] = append(out[st], pimento.Event{ID: id, Time: t.e.Now(), Type: typ,
		Scope: en.Scope, Page: en.Page, Statement: en.Statement, Reason: why, Actor: "harness", Session: t.Session, Txn: t.judges.ID})
}

// A DeadWeight is an entry that was injected often and never used.
type DeadWeight struct {
	Entry    pimento.Entry
	Injected int
}

// Usage sums up what answers made of the memories that they were given, as far
// as the telemetry of this project reaches back.
func (e *Engine) Usage(ctx context.Context) (usage.Sum, []DeadWeight, error) {
	v := e.lookSynced(ctx)
	var sum usage.Sum
	if err := e.telemetry(v).Each(sum.Add); err != nil {
		return sum, nil, err
	}
	var dead []DeadWeight
	for _, id := range sum.Dead() {
		for _, en := range e.standingAs(ctx, v, pimento.Statement(id)) { // what is gone weighs nothing
			dead = append(dead, DeadWeight{en, sum.Times[id]})
			break
		}
	}
	return sum, dead, nil
}

// UsageRows calls visit for every row of this project's telemetry, oldest first.
func (e *Engine) UsageRows(ctx context.Context, visit func(json.RawMessage)) error {
	return e.telemetry(e.look(ctx)).Each(func(line []byte) { visit(line) })
}
