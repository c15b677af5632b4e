package mirror

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/pimento-memory/pimento"
)

// A page that reads as a plan under way leaves it was not changed by other hands: what
// the plan does is told once, when it ends. What else is new there is told.
func TestAPlanUnderWayIsNoNews(t *testing.T) {
	m := synced(t)
	const ours, theirs = "The crane of yard 1 turns.", "The crane of yard 2 stands still."
	text := "- " + ours + "\n- " + theirs + "\n"
	rewrite(t, m, "topics/yards.md", text, 0)
	ev := pimento.Event{V: pimento.EventVersion, ID: "e1", Time: m.opt.Now(), Type: pimento.Remembered, Scope: m.opt.Scope, Page: "topics/yards.md",
		Statement: pimento.StatementOf(ours), Text: ours, Cue: "explicit", Actor: "agent", Txn: "t1"}
	plan := pimento.Plan{ID: "t1", Root: m.opt.Root.Key(), Verb: "remember", Action: pimento.Put, Events: []pimento.Event{ev},
		Changes: []pimento.Change{{Scope: m.opt.Scope, Page: ev.Page, After: pimento.DigestOf([]byte(text))}}}
	data, err := json.Marshal(plan)
	if err != nil {
		t.Fatal(err)
	}
	staged := pimento.Event{V: pimento.EventVersion, ID: "e0", Time: ev.Time, Type: pimento.Staged, Txn: "t1", Data: data}
	if err := m.opt.Journal.Append(t.Context(), []pimento.Event{staged}); err != nil {
		t.Fatal(err)
	}
	if _, s, _ := m.Sync(t.Context(), Occasion{}); s.Behind || s.Err != nil {
		t.Fatalf("%+v", s)
	}
	ended := pimento.Event{V: pimento.EventVersion, ID: "e2", Time: ev.Time, Type: pimento.Committed, Txn: "t1"}
	if err := m.opt.Journal.Append(t.Context(), []pimento.Event{ended, ev}); err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, ev := range journaled(t, m) {
		if ev.Page == "topics/yards.md" {
			told = append(told, string(ev.Type)+": "+ev.Text)
		}
	}
	if want := []string{"appeared: " + theirs, "remembered: " + ours}; !slices.Equal(told, want) {
		t.Errorf("%q, want %q", told, want)
	}
	recs, err := m.opt.Journal.Records(t.Context(), []pimento.Statement{ev.Statement})
	if err != nil || recs[ev.Statement].Evidence != 1 {
		t.Errorf("%+v, %v", recs, err)
	}
}
