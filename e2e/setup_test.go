package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento/e2e/stub"
)

// `pimento setup pi` installs the extension that the binary carries.
func TestSetupPi(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, stub.Script())
	s.args = nil
	s.write(s.global("MEMORY.md"), "- Tea is green.\n")
	settings := `{"theme":"dark","extensions":[]}` + "\n"
	s.write(filepath.Join(s.agent, "settings.json"), settings)
	untouched := files(s.agent)

	s.pimento("setup", "pi", "--dry-run")
	if r := s.run(pimento(t), "setup", "pi"); r.code != 2 {
		t.Errorf("setup without a terminal and without --yes: exit %d\n%s", r.code, r.err)
	}
	same(t, "the agent folder after a dry run", untouched, files(s.agent))

	s.pimento("setup", "pi", "--yes")
	s.print("hello there")
	has(t, "the request after setup", s.request(-1).Text(), "Tea is green.")
	has(t, "settings.json", files(s.agent)["settings.json"], `"theme"`)

	once := files(s.agent)
	s.pimento("setup", "pi", "--yes")
	again := files(s.agent)
	for _, noise := range []map[string]string{once, again} {
		for path := range noise {
			if dir, _, _ := cutFirst(path); dir == "sessions" {
				delete(noise, path)
			}
		}
	}
	same(t, "the agent folder after a second setup", once, again)

	s.pimento("setup", "pi", "--remove", "--yes")
	s.print("hello there")
	hasNot(t, "the request after removal", s.request(-1).Text(), "Tea is green.", "<memory>")
	has(t, "the memory after removal", files(s.agent)["memory/MEMORY.md"], "Tea is green.")
	has(t, "settings.json after removal", files(s.agent)["settings.json"], `"theme"`)
}

// `pimento setup opencode` puts its plugin among those of the user.
func TestSetupOpencode(t *testing.T) {
	t.Parallel()
	s := newOpencode(t, func(stub.Request) stub.Reply { return stub.Reply{Text: "the stub says"} })
	plugins := filepath.Join(s.home, ".config", "opencode", "plugins")
	s.pimento("setup", "opencode", "--remove", "--yes") // what is there for the other tests
	s.write(filepath.Join(plugins, "mine.js"), "export const Mine = async () => ({});\n")
	mine := files(plugins)
	delete(s.env, "PIMENTO_BIN")
	s.memories()

	bin := s.awkward()
	s.ok(bin, "setup", "opencode", "--yes")
	req, _ := s.ask("who owns service number 37?")
	has(t, "the request after setup", req.Text(), "- Deploys go through the staging cluster", "owned by team 37")
	has(t, "its tools", strings.Join(req.Tools, " "), "pimento_memory_write")

	s.ok(bin, "setup", "opencode", "--remove", "--yes")
	same(t, "the plugins after removal", mine, files(plugins))
	req, _ = s.ask("hello")
	hasNot(t, "the request after removal", req.Text(), "staging cluster", "pimento")
}

func cutFirst(path string) (dir, rest string, ok bool) {
	for i := range path {
		if path[i] == filepath.Separator {
			return path[:i], path[i+1:], true
		}
	}
	return path, "", false
}

func same(t testing.TB, what string, want, got map[string]string) {
	t.Helper()
	for path, text := range want {
		if got[path] != text {
			t.Errorf("%s: %s is %q, was %q", what, path, clip(got[path]), clip(text))
		}
	}
	for path := range got {
		if _, ok := want[path]; !ok {
			t.Errorf("%s: %s is new", what, path)
		}
	}
}
