package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento/e2e/stub"
)

// The quickstart of the mind's document: what the user asks to remember, in
// either language, becomes a page of knowledge; the next session's request holds
// it; a question about who owns what brings the triple.
func TestMindQuickstart(t *testing.T) {
	t.Parallel()
	call := func(args map[string]any) stub.Reply {
		return stub.Reply{Calls: []stub.Call{{Name: "remember_this", Args: args}}}
	}
	s := newSandbox(t, stub.Script(
		call(map[string]any{"content": "I prefer pm2 over forever for process management", "type": "user", "tier": "always"}), stub.Reply{Text: "记住了"},
		call(map[string]any{"content": "Answer in short sentences", "type": "user", "tier": "L1"}), stub.Reply{Text: "noted"},
		call(map[string]any{"content": "Alice has run authentication since March.", "type": "project",
			"triples": [][]string{{"alice", "owns", "auth-service"}}}), stub.Reply{Text: "noted"},
		stub.Reply{Text: "You prefer pm2."}, stub.Reply{Text: "Alice."}))
	s.pimento("profile", "use", "mind", "--global")
	s.print("记一下 I prefer pm2 over forever for process management")
	has(t, "the tool's answer", s.request(1).Last("tool").Text, "Remembered: knowledge/")
	s.print("remember: answer in short sentences")
	s.print("alice owns the auth service now")

	files, err := filepath.Glob(s.inProject("knowledge/*.md"))
	if err != nil || len(files) != 3 {
		t.Fatalf("%d pages of knowledge: %v", len(files), err)
	}
	b, err := os.ReadFile(files[0])
	if err != nil || !strings.Contains(string(b), "type: user\ntier: L1\n---\n\nI prefer pm2 over forever") {
		t.Errorf("%v\n%s", err, b)
	}

	before := len(s.model.Requests())
	s.print("what do you know about my preferences?")
	next := s.model.Requests()[before]
	has(t, "the next session's system prompt", memorySection(next), "## Critical Memory", "- I prefer pm2 over forever for process management", "- Answer in short sentences")
	before = len(s.model.Requests())
	s.print("who owns auth-service?")
	has(t, "the request", s.model.Requests()[before].Text(), "## Knowledge Graph", "alice → owns → auth-service")
}
