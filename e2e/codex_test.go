package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/pimento-memory/pimento/e2e/stub"
)

// `pimento setup codex` does for the real Codex what `setup claude` does for Claude Code,
// and Codex's own settings are the same afterwards.
func TestCodex(t *testing.T) {
	t.Parallel()
	triple := map[string]string{"x64": "x86_64", "arm64": "aarch64"}[arch()] + "-unknown-linux-musl"
	codex := installed(t, "codex-"+codexIs, "@openai", "codex-linux-"+arch(), "vendor", triple, "bin", "codex")
	s := machine(t, stub.Script(
		stub.Reply{Calls: []stub.Call{{Namespace: "mcp__pimento", Name: "memory_write", Args: map[string]any{
			"target": "long_term", "content": "The staging database listens on port 6432."}}}},
		stub.Reply{Text: "noted"}))
	s.env["PATH"] = filepath.Dir(codex) + ":/usr/local/bin:/usr/bin:/bin"
	s.env["STUB_KEY"] = "stub-key"
	s.alone()
	own := filepath.Join(s.home, ".codex")
	settings := fmt.Sprintf(`# mine
model = "stub-model"
model_provider = "stub"
check_for_update_on_startup = false

[model_providers.stub] # a comment
name = "Stub"
base_url = %q
env_key = "STUB_KEY"
wire_api = "responses"

[analytics]
enabled = false
# the end
`, s.model.URL)
	s.write(filepath.Join(own, "config.toml"), settings)
	ask := func(prompt string) {
		s.ok(codex, "exec", "--dangerously-bypass-hook-trust", "--skip-git-repo-check", prompt)
	}
	s.memories()

	bin := s.awkward()
	s.ok(bin, "setup", "codex", "--yes")
	has(t, "a second setup", s.ok(bin, "setup", "codex", "--yes"), "up to date")

	ask("who owns service number 37?")
	has(t, "the first request", s.request(0).Text(), "<memory>", "- Deploys go through the staging cluster", "<pimento-memory>", "owned by team 37")
	has(t, "what the tool answered", s.request(1).Last("tool").Text, "Appended to MEMORY.md")
	ask("hello")
	has(t, "the next session", s.request(2).Text(), "<memory>", "- The staging database listens on port 6432.")
	hasNot(t, "the next session", s.request(2).Text(), "<pimento-memory>")

	// What is piped in is no word of the user's.
	s.ok("sh", "-c", `printf '%s' "$0" | "$@"`, says("pipe")+"\n", codex, "exec", "--dangerously-bypass-hook-trust", "--skip-git-repo-check", "who owns service number 37?")
	has(t, "the request with a page piped in", s.request(-1).Text(), says("pipe"), "owned by team 37")
	hasNot(t, "memory", s.pimento("recall", "which package manager", "--json")+s.pimento("inbox"), says("pipe"))

	s.ok(bin, "setup", "codex", "--remove", "--yes")
	ask("hello")
	hasNot(t, "the request after removal", s.request(-1).Text(), "staging cluster", "pimento")
	if exists(filepath.Join(own, "pimento")) || files(own)["config.toml"] != settings {
		t.Errorf("after removal: config.toml\n%s", files(own)["config.toml"])
	}
	if left, _ := os.ReadDir(filepath.Join(own, "plugins", "cache", "pimento")); len(left) > 0 {
		t.Errorf("a copy is left: %v", left)
	}
}
