package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento/e2e/stub"
)

// pi's own MCP client takes the server as it would anybody's, without the extension:
// one session writes, another searches.
func TestMCP(t *testing.T) {
	t.Parallel()
	s := bareSandbox(t, newest, stub.Script(
		stub.Reply{Calls: []stub.Call{{Name: "mcp__pimento__memory_write", Args: map[string]any{
			"target": "long_term", "content": "The staging database listens on port 6432."}}}},
		stub.Reply{Text: "noted"},
		stub.Reply{Calls: []stub.Call{{Name: "mcp__pimento__memory_search", Args: map[string]any{"query": "ports of databases"}}}},
		stub.Reply{Text: "6432"}))
	program(t, "./cmd/pimento-mcp")
	s.write(filepath.Join(s.agent, "mcp.json"), mustJSON(map[string]any{"mcpServers": map[string]any{
		"pimento": map[string]any{"command": pimento(t), "args": []string{"mcp"}, "exposure": "direct"}}}))
	s.print("remember where the staging database is")
	if b, err := os.ReadFile(s.inProject("MEMORY.md")); err != nil || !strings.Contains(string(b), "port 6432") {
		t.Errorf("MEMORY.md: %v\n%s", err, b)
	}
	s.print("which ports do our databases use?")
	has(t, "what the search answered", s.request(3).Last("tool").Text, "project:MEMORY.md:1")
	has(t, "what the search answered", s.request(3).Last("tool").Text, "port 6432")
}
