package remember_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/remember"
)

func proposed(t *testing.T, p pimento.Proposal) pimento.Event {
	t.Helper()
	data, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	return pimento.Event{Type: pimento.Proposed, Txn: remember.ProposalID(p), Data: data}
}

func answered(p pimento.Proposal, how string) pimento.Event {
	return pimento.Event{Type: pimento.Answered, Txn: remember.ProposalID(p), Reason: how}
}

func TestInboxFold(t *testing.T) {
	tabs := pimento.Proposal{Text: "Prefer tabs.", Scope: pimento.Global}
	spaces := pimento.Proposal{Text: "Prefer spaces.", Scope: pimento.Global}
	tea := pimento.Proposal{Text: "Tea is green.", Scope: pimento.Global}
	edit := answered(tabs, remember.Edited)
	edit.Data = json.RawMessage(`{"scope":"global","text":"Prefer spaces."}`)
	purged := proposed(t, tabs)
	purged.Data = nil
	cases := []struct {
		name   string
		events []pimento.Event
		want   string
	}{
		{"nothing", nil, "[]"},
		{"two wait", []pimento.Event{proposed(t, tabs), proposed(t, tea)}, "[Prefer tabs. Tea is green.]"},
		{"the same twice", []pimento.Event{proposed(t, tabs), proposed(t, tabs)}, "[Prefer tabs.]"},
		{"accepted", []pimento.Event{proposed(t, tabs), answered(tabs, remember.Accepted), proposed(t, tea)}, "[Tea is green.]"},
		{"edited", []pimento.Event{proposed(t, tabs), edit}, "[Prefer spaces.]"},
		{"rejected does not come back", []pimento.Event{proposed(t, tabs), answered(tabs, remember.Rejected), proposed(t, tabs)}, "[]"},
		{"rejected as edited", []pimento.Event{proposed(t, tabs), edit, answered(tabs, remember.Rejected), proposed(t, spaces), proposed(t, tabs), proposed(t, tea)}, "[Tea is green.]"},
		{"edited into what waits, and rejected", []pimento.Event{proposed(t, spaces), proposed(t, tabs), edit, answered(tabs, remember.Rejected)}, "[]"},
		{"accepted and found again", []pimento.Event{proposed(t, tabs), answered(tabs, remember.Accepted), proposed(t, tabs)}, "[Prefer tabs.]"},
		{"an answer to nothing", []pimento.Event{answered(tabs, remember.Accepted)}, "[]"},
		{"purged", []pimento.Event{purged}, "[]"},
		{"damaged", []pimento.Event{{Type: pimento.Proposed, Txn: "x", Data: json.RawMessage(`[]`)}}, "[]"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var in remember.Inbox
			for _, ev := range c.events {
				in.Take(ev)
			}
			texts := []string{}
			for _, p := range in.Waiting() {
				texts = append(texts, p.Text)
			}
			if got := fmt.Sprint(texts); got != c.want {
				t.Errorf("waiting %s, want %s", got, c.want)
			}
		})
	}
}

// What it says decides, not how it is written or who found it.
func TestProposalID(t *testing.T) {
	base := pimento.Proposal{Text: "Prefer tabs.", Scope: pimento.Global, Replaces: []string{"a", "b"}}
	same, other := base, base
	same.Text, same.Reason, same.Source, same.Replaces = "prefer  TABS", "another", "dream", []string{"b", "a"}
	other.Replaces = []string{"a"}
	elsewhere := base
	elsewhere.Scope = pimento.Project
	if remember.ProposalID(base) != remember.ProposalID(same) {
		t.Error("the same change has two ids")
	}
	if remember.ProposalID(base) == remember.ProposalID(other) || remember.ProposalID(base) == remember.ProposalID(elsewhere) {
		t.Error("two changes have one id")
	}
}

func TestAdmitProposal(t *testing.T) {
	var in remember.Inbox
	old := pimento.Proposal{Text: "old", Scope: pimento.Global}
	in.Take(proposed(t, old))
	no := pimento.Proposal{Text: "no", Scope: pimento.Global}
	in.Take(proposed(t, no))
	in.Take(answered(no, remember.Rejected))
	cases := map[string]pimento.Proposal{
		"":                              {Text: "new"},
		"it changes nothing":            {Text: " "},
		"it waits in the inbox already": old,
		"you said no to it earlier":     no,
		"it holds a secret":             {Text: "secret"},
	}
	for want, p := range cases {
		p.ID = remember.ProposalID(p)
		refused := ""
		if p.Text == "secret" {
			refused = want
		}
		if got := remember.AdmitProposal(&in, p, refused); got != want {
			t.Errorf("%q: %q, want %q", p.Text, got, want)
		}
	}
	for i := range remember.MaxWaiting {
		in.Take(proposed(t, pimento.Proposal{Text: fmt.Sprint("p", i), Scope: pimento.Global}))
	}
	if got := remember.AdmitProposal(&in, pimento.Proposal{ID: "z", Text: "one more"}, ""); got == "" {
		t.Error("the inbox has no end")
	}
}
