package rpc_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
)

// typist types what follows /memory, and looks for what the answer must hold.
func typist(t *testing.T, m machine) func(args string, wants ...string) {
	c, n := start(t, m.open), 0
	return func(args string, wants ...string) {
		t.Helper()
		n++
		c.send(fmt.Sprintf(`{"id":%d,"op":"command","v":1,"session":"s1","args":%q}`, n, args))
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
}

// What is said to do next can be typed where it is said: in the chat after /memory,
// unless only a shell knows the command.
func TestHintsFitTheChat(t *testing.T) {
	say := typist(t, newMachine(t))
	say("", "Try: /memory remember prefer small commits")
	say("pages", "Write the first: /memory remember prefer small commits")
	say("traces", "Try: pimento inject --session try")
	say("forget 0123456789abcdef", "find ids with: /memory recall WORDS")
	say("trace nonsense", "list them with: /memory traces")
	say("remember Tea is green.", "Remembered: Tea is green.")
	id := string(pimento.StatementOf("Tea is green."))
	say("forget "+id, "to undo: /memory restore ")
	say("read a page that nobody wrote", "list pages with: /memory pages")
	say("dream-auto", "Turn them on: /memory dream-auto on")
	say("remember project The launch is on Friday.", "Remembered")
	say("untrust", "is off")
	say("forget 0123456789abcdef", "you said no to this project's memory; to use it: /memory trust\n")
}

// What a person types after /memory inbox.
func TestInboxCommand(t *testing.T) {
	m := newMachine(t)
	say := typist(t, m)
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
	for _, verb := range []string{"accept", "edit", "reject"} {
		say("inbox "+verb, "warning /memory inbox "+verb+" needs an id", "see what waits: /memory inbox")
	}
	say("recall spaces", "Prefer spaces.")
}

// What the resident's document lets a person type after /memory.
func TestMemoryCommands(t *testing.T) {
	m := newMachine(t)
	say := typist(t, m)
	say("", "info memory", "empty")
	say("remember global Deploys go through staging.", "Remembered: Deploys go through staging.", "global:MEMORY.md")
	say("remember project Tests run with make.", "project:MEMORY.md")
	say("remember project", "warning /memory remember project needs a text")
	say("remember The key is AKIAZ7QPLM3N5XW2VB4T.", "warning Not written", "secret")
	say("", "MEMORY.md  30 B, all of it in the prefix", ".pi/agent/memory")
	say("pages", "global:MEMORY.md", "project:MEMORY.md")
	say("verify", "global", "written", "page-table.jsonl", "writeback-journal.jsonl")
	say("pages", "valid")
	say("flush", "Nothing was left half written.")
	say("recall staging", "Deploys go through staging.")
	say("faults", "No faults")
	say("traces", "1 hit", "recall: staging")
	say("trace 01M7ZP9RJSCD", "warning", "no such trace")
	say("trace", "a trace's id")
	say("stale", "info")
	say("off")
	say("", "off for this session")
	say("on")
}

// The verbs of one entry, in the chat as in a shell.
func TestEntryCommands(t *testing.T) {
	say := typist(t, newMachine(t))
	say("restore", "info Nothing was taken out")
	say("remember\nTea is green.\nCoffee is black.", "info Remembered: Tea is green. Coffee is black.")
	id := string(pimento.StatementOf("Tea is green.\nCoffee is black."))
	say("edit "+id, "warning no new text", "/memory edit ID TEXT")
	say("edit "+id+" Tea is black.", "info Edited: Tea is black.")
	id = string(pimento.StatementOf("Tea is black."))
	say("reinforce "+id, "info Reinforced: Tea is black.")
	say("forget "+id, "info Forgot: Tea is black.")
	say("restore", "info", "Tea is black.", "Bring one back: /memory restore ID")
	say("restore "+id, "info Restored: Tea is black.")
	say("restore 01ARZ3NDEKTSV4RRFFQ69G5FAV", "warning no such recovery id", "/memory restore")
	say("purge "+id, "warning", "/memory purge "+id+" --yes")
	say("purge "+id+" --yes", "info Purged "+id, "removed")
	say("recall tea", "Nothing about")
	say("remember project Tests run with make.")
	say("untrust")
	say("recall make", "Nothing about", "you said no to this project's memory; to use it: /memory trust")
}

// What a turn has to say to the person names commands as the chat has them.
func TestNoticesFitTheChat(t *testing.T) {
	m := newMachine(t)
	notice := func(turn string) string {
		t.Helper()
		c := start(t, m.open)
		c.send(`{"id":1,"op":"turn","v":1,"turn":` + turn + `}`)
		var r struct{ Notice string }
		if err := json.Unmarshal([]byte(c.receive()), &r); err != nil {
			t.Fatal(err)
		}
		return r.Notice
	}
	prompt := `{"event":"prompt","harness":"pi","session":"s1","main":true,"in_context":[],"prompt":"I always run the tests with the race detector on."}`
	if got, want := notice(prompt), "remember this? I always run the tests with the race detector on; it waits in: /memory inbox"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	typist(t, m)("remember project Tests run with make.", "project:MEMORY.md")
	old := filepath.Join(m.home, "moved")
	if err := os.Rename(m.repo, old); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(m.repo, os.DirFS(old)); err != nil { // another one at the same place
		t.Fatal(err)
	}
	got := notice(`{"event":"session_start","harness":"pi","session":"s2","main":true}`)
	if !strings.HasPrefix(got, "this project's memory is inactive (") || !strings.HasSuffix(got, "; see /memory doctor") {
		t.Errorf("%q", got)
	}
}
