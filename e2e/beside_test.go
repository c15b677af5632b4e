package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento/e2e/stub"
)

// extension adds another extension to pi, before or after ours.
func (s *sandbox) extension(before bool, code string) {
	file := filepath.Join(s.dir, "another.ts")
	s.write(file, code)
	if before {
		s.args = append([]string{"-e", file}, s.args...)
	} else {
		s.args = append(s.args, "-e", file)
	}
}

// The prefix stands in the system prompt once, whatever else writes there.
func TestPrefixBesideAnotherSystemPrompt(t *testing.T) {
	for _, version := range []string{newest, older, oldest} {
		for _, before := range []bool{true, false} {
			s := realSandbox(t, version, stub.Script())
			s.write(s.global("MEMORY.md"), "- Tea is green.\n")
			s.extension(before, `export default function (pi) {
	pi.on("before_agent_start", async (event) => ({ systemPrompt: event.systemPrompt + "\n\nSpeak like a pirate." }));
}
`)
			s.print("hello there", "hello again")
			for i, r := range s.model.Requests() {
				if n := strings.Count(r.System, "Tea is green"); n != 1 || !strings.Contains(r.System, "pirate") {
					t.Errorf("pi %s, before ours %v, request %d: memory stands %d times\n%s", version, before, i, n, r.System)
				}
			}
		}
	}
}

// A run that an extension's message starts has the same system prompt as any other, also
// where no prompt came before it.
func TestPrefixOfARunThatNobodyAskedFor(t *testing.T) {
	s := newSandbox(t, stub.Script())
	s.write(s.global("MEMORY.md"), "- Tea is green.\n")
	s.extension(false, `export default function (pi) {
	pi.registerCommand("cust", { handler: async () => {
		pi.sendMessage({ customType: "x", content: "From now on the build is always done", display: true }, { triggerTurn: true });
	} });
}
`)
	p := s.rpc(nil)
	run := func() {
		p.prompt("/cust")
		p.wait("settled", func(e event) bool { return e.Type == "agent_settled" })
	}
	run()
	p.prompt("hello there")
	file := p.sessionFile()
	p.close()
	p = s.rpc(nil, "--session", file)
	run()
	p.prompt("/memory refresh")
	run()
	p.close()
	first := s.request(0).System
	has(t, "the first run", first, "Tea is green")
	for i, r := range s.model.Requests() {
		if r.System != first {
			t.Errorf("request %d has another system prompt:\n%s", i, r.System)
		}
	}
	hasNot(t, "inbox", s.pimento("inbox", "--json")+s.pimento("recall", "build done", "--json"), "always done")
}
