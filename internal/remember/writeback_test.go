package remember_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/remember"
)

func TestWriteback(t *testing.T) {
	data := func(v any) json.RawMessage {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	first := pimento.Event{Type: pimento.Remembered, Text: "a fact", Actor: "agent", Session: "s", Turn: "t"}
	plan := data(pimento.Plan{Verb: "remember", Heading: "Build", Changes: []pimento.Change{{Scope: pimento.Global, Page: "MEMORY.md", Before: "d"}},
		Events: []pimento.Event{first}})
	waits := data(pimento.Proposal{Text: "a guess", Page: "topics/x.md"})
	for name, c := range map[string]struct {
		events []pimento.Event
		want   []string
	}{
		"a write": {[]pimento.Event{{Type: pimento.Staged, Txn: "1", Data: plan}, {Type: pimento.Committed, Txn: "1"}}, []string{
			"1 staged OK append MEMORY.md Build a fact s", "1 validated OK append MEMORY.md Build a fact s", "1 committed OK append MEMORY.md Build a fact s"}},
		"one that was given up": {[]pimento.Event{{Type: pimento.Staged, Txn: "1", Data: plan}, {Type: pimento.Rejected, Txn: "1", Reason: "conflict"}}, []string{
			"1 staged OK append MEMORY.md Build a fact s", "1 validated OK append MEMORY.md Build a fact s",
			"1 rejected " + string(pimento.CodeDestructive) + " append MEMORY.md Build a fact s"}},
		"one that was purged": {[]pimento.Event{{Type: pimento.Staged, Txn: "1"}}, []string{"1 staged OK     ", "1 validated OK     "}},
		"said again": {[]pimento.Event{{Type: pimento.Reinforced, ID: "e", Page: "MEMORY.md", Text: "a fact"}}, []string{
			"e committed " + string(pimento.CodeDuplicate) + " merge MEMORY.md  a fact "}},
		"said again by a plan": {[]pimento.Event{{Type: pimento.Staged, Txn: "1"}, {Type: pimento.Reinforced, Txn: "1"}}, []string{
			"1 staged OK     ", "1 validated OK     "}},
		"a note that was refused": {[]pimento.Event{{Type: pimento.Rejected, ID: "e", Reason: "secret", Page: "MEMORY.md", Data: remember.RefusedData(true)}}, []string{
			"e rejected secret set-with-version MEMORY.md   "}},
		"a proposal and a yes": {[]pimento.Event{{Type: pimento.Proposed, Txn: "p", Data: waits}, {Type: pimento.Answered, Txn: "p", Reason: remember.Accepted}}, []string{
			"p staged OK append topics/x.md  a guess ", "p validated OK append topics/x.md  a guess "}},
		"a proposal, another text and a no": {[]pimento.Event{{Type: pimento.Proposed, Txn: "p", Data: waits},
			{Type: pimento.Answered, Txn: "p", Reason: remember.Edited, Data: data(pimento.Proposal{Text: "a better guess"})},
			{Type: pimento.Answered, Txn: "p", Reason: remember.Rejected}}, []string{
			"p staged OK append topics/x.md  a guess ", "p staged OK append topics/x.md  a better guess ",
			"p rejected " + string(pimento.CodePolicy) + " append topics/x.md  a better guess "}},
		"one that only takes away": {[]pimento.Event{{Type: pimento.Proposed, Txn: "p", Data: data(pimento.Proposal{Replaces: []string{"x"}})}}, nil},
	} {
		var w remember.Writeback
		for _, ev := range c.events {
			w.Take(ev)
		}
		var got []string
		for _, s := range w.Steps {
			file, heading, session := "", "", ""
			if s.Target != nil {
				file, heading = s.Target.File, s.Target.Heading
			}
			if s.Ref != nil {
				session = s.Ref.Session
			}
			got = append(got, fmt.Sprintf("%s %s %s %s %s %s %s %s", s.Txn, s.Phase, s.Code, s.Op, file, heading, s.Value, session))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", name, got, c.want)
		}
	}
}
