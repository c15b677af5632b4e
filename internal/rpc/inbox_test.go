package rpc_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
)

// What a person types after /memory inbox.
func TestInboxCommand(t *testing.T) {
	m := newMachine(t)
	c := start(t, m.open)
	n := 0
	say := func(args string, wants ...string) {
		t.Helper()
		n++
		c.send(fmt.Sprintf(`{"id":%d,"op":"command","v":1,"args":%q}`, n, args))
		var r struct{ Text, Level string }
		if err := json.Unmarshal([]byte(c.receive()), &r); err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(r.Level+" "+r.Text, want) {
				t.Errorf("/memory %s: %s %s\nlacks %q", args, r.Level, r.Text, want)
			}
		}
	}
	say("inbox", "info", "The inbox is empty")
	e, err := m.open("")
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	var ids []string
	for _, text := range []string{"Prefer tabs.", "Tea is green."} {
		r, err := e.Propose(t.Context(), pimento.Proposal{Text: text, Scope: pimento.Global}, engine.Actor{})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, string(r.ID))
	}
	say("inbox", "Prefer tabs.", "Tea is green.", "2 proposals", "/memory inbox accept ID")
	say("inbox edit "+ids[0]+" Prefer spaces.", "info Edited, still waiting: Prefer spaces.")
	say("inbox accept "+ids[0], "info Accepted: Prefer spaces.")
	say("inbox reject "+ids[1][:8], "info Rejected: Tea is green.")
	say("inbox", "The inbox is empty")
	say("inbox accept "+ids[1], "warning", "nothing waits under this id")
	say("inbox mangle", "warning", "inbox reject ID")
	say("recall spaces", "Prefer spaces.")
}
