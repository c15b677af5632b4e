package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento/e2e/stub"
)

// situation is a machine whose user has chosen the scored profile.
func situation(t *testing.T, answer func(int, stub.Request) stub.Reply) *sandbox {
	t.Helper()
	s := newSandbox(t, answer)
	s.write(filepath.Join(s.home, ".config", "pimento", "config.json"), `{"profile": "situation"}`)
	s.env["PIMENTO_NOW"] = "2026-11-21T12:00:00Z"
	return s
}

// A preference that the model adds in one session stands in the next one's
// report, on its first day and though nothing asks for it; the published
// formula showed it only once it had been said again.
func TestSituationPreferenceIsReportedNextSession(t *testing.T) {
	t.Parallel()
	s := situation(t, stub.Script(
		stub.Reply{Calls: []stub.Call{{Name: "memory_add", Args: map[string]any{
			"text": "User wants tabs, not spaces, in Go code", "category": "preference"}}}},
		stub.Reply{Text: "noted"}))
	s.print("from now on I want tabs in Go code")
	has(t, "the tool's answer", s.request(1).Last("tool").Text, "Added: [preference] User wants tabs")
	tools := strings.Join(s.request(0).Tools, " ")
	has(t, "the tools", tools, "memory_add", "memory_search", "memory_remove", "memory_reinforce", "memory_topics", "memory_edit",
		"memory_reflect", "memory_consolidate", "session_search")
	hasNot(t, "the tools", tools, "memory_write", "scratchpad")
	before := len(s.model.Requests())
	s.print("hello there")
	report := memorySection(s.model.Requests()[before])
	has(t, "the next session's report", report, "## Active Preferences", "User wants tabs, not spaces, in Go code")
	hasNot(t, "the report", report, "%", "score")
}

// What is reinforced stays in the report; what is not said again fades out of
// it, and nothing is taken off its page.
func TestSituationReinforcedOutlivesTheRest(t *testing.T) {
	t.Parallel()
	const kept, faded = "Run the linter before every commit", "Name branches after their ticket"
	reinforce := stub.Reply{Calls: []stub.Call{{Name: "memory_reinforce", Args: map[string]any{"entryText": kept, "category": "preference"}}}}
	s := situation(t, stub.Script(
		stub.Reply{Calls: []stub.Call{
			{Name: "memory_add", Args: map[string]any{"text": kept, "category": "preference"}},
			{Name: "memory_add", Args: map[string]any{"text": faded, "category": "preference"}}}},
		stub.Reply{Text: "noted"},
		reinforce, stub.Reply{Text: "it helped"},
		reinforce, stub.Reply{Text: "it helped again"}))
	s.print("two things to remember")
	s.print("run it")
	s.print("run it once more")
	has(t, "the answer", s.request(-1).Last("tool").Text, "New evidence count: 3")
	before := len(s.model.Requests())
	s.print("good morning")
	has(t, "the report of the first day", memorySection(s.model.Requests()[before]), kept, faded)
	s.env["PIMENTO_NOW"] = "2027-01-05T12:00:00Z" // 45 days on
	before = len(s.model.Requests())
	s.print("good morning")
	report := memorySection(s.model.Requests()[before])
	has(t, "the report 45 days later", report, kept)
	hasNot(t, "the report 45 days later", report, faded)
	has(t, "the scores", s.pimento("status", "--scores"), kept, faded)
}

// /remember is a command of this profile and of no other that does not name it.
func TestSituationRememberCommand(t *testing.T) {
	t.Parallel()
	s := situation(t, stub.Script())
	p := s.rpc(nil)
	p.prompt("/remember answer in short sentences")
	p.waitNotify("Remembered: answer in short sentences")
	p.prompt("hello there")
	p.close()
	has(t, "the page", s.pimento("read", "topics/preferences.md"), "- [preference] answer in short sentences")
	if n := len(s.model.Requests()); n != 1 {
		t.Errorf("the model got %d requests; a command is none", n)
	}

	s = newSandbox(t, stub.Script())
	s.print("/remember answer in short sentences")
	has(t, "without the profile it is a prompt", s.request(0).User(), "/remember answer")
}

// The project's rules files reach a session that a person leads, and not one in
// print or json mode, in which subagents run.
func TestRulesAreForThePerson(t *testing.T) {
	t.Parallel()
	s := situation(t, stub.Script())
	s.write(filepath.Join(s.home, ".config", "pimento", "config.json"), `{"profile": "situation", "overrides": {"sections": {
		"rules": {"zone": "prefix", "pick": "rules", "heading": "## Project Rules", "budget": {"tokens": 200}}}}}`)
	s.write(filepath.Join(s.project, "rules", "style.md"), "Names are whole words.\n")
	s.write(s.inProject("MEMORY.md"), "- The build runs with harborctl.\n")
	s.pimento("trust")
	s.print("hello")
	hasNot(t, "print mode", memorySection(s.request(-1)), "whole words", "Project Rules")
	p := s.rpc(nil)
	p.prompt("hello")
	has(t, "the person's session", memorySection(s.request(-1)), "## Project Rules\n\nNames are whole words.")
	p.close()
	has(t, "pimento inject --main", s.pimento("inject", "--main", "hello"), "Names are whole words.")
	hasNot(t, "pimento inject", s.pimento("inject", "hello"), "whole words")
}

// The report gives way to a long system prompt: it has what 8,000 tokens leave, be it
// nothing. pi tells the size at the start, where the report is taken.
func TestSituationReportGivesWay(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		words int
		shown bool
	}{{"a short one", 10, true}, {"one that fills the window", 9000, false}} {
		s := situation(t, stub.Script())
		s.pimento("remember", "--kind", "preference", "User wants tabs in Go code")
		s.write(filepath.Join(s.project, "AGENTS.md"), strings.Repeat("word ", tt.words))
		s.print("hello there")
		if report := memorySection(s.request(0)); strings.Contains(report, "wants tabs") != tt.shown {
			t.Errorf("beside %s: %q", tt.name, report)
		}
	}
}
