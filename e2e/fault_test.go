package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento/e2e/stub"
)

// The real binary in trouble.

func TestPrintExits(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, stub.Script())
	s.services(50)
	s.print("hello there") // fails when pi outlives the test's patience
	s.noneLeft()
}

// Killing the child between and in prompts loses none of them.
func TestChildKilled(t *testing.T) {
	t.Parallel()
	var p *piRPC
	var s *sandbox
	s = newSandbox(t, func(n int, _ stub.Request) stub.Reply {
		if n == 1 {
			s.killChildren(p.cmd.Process.Pid)
			return stub.Reply{Text: "survived", Delay: 200 * time.Millisecond}
		}
		return stub.Reply{Text: "ok"}
	})
	s.services(400)
	p = s.rpc(nil)
	p.prompt("hello there")
	u := unseen(t, s.request(0), 400)
	p.prompt("the child dies while the model answers this")
	p.prompt(question(u[0]))
	s.killChildren(p.cmd.Process.Pid)
	p.prompt("and again")
	p.prompt(question(u[1]))
	has(t, "the tail after two deaths", tail(s.request(-1)), statement(u[1]))
	for i, r := range s.model.Requests() {
		if r.System != s.request(0).System {
			t.Errorf("the system prompt of request %d differs", i)
		}
	}
	if n := len(s.model.Requests()); n != 5 {
		t.Errorf("%d requests for five prompts", n)
	}
	p.close()
	s.noneLeft()
}

// Private state that cannot be written, not even by root, costs the writing,
// not the reading or the prompt.
func TestNoState(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, stub.Script())
	s.write(s.global("MEMORY.md"), "- Tea is green.\n")
	s.write(filepath.Join(s.home, ".local", "state"), "a file is in the way")
	s.write(filepath.Join(s.home, ".cache"), "here, too")
	s.print("hello there")
	has(t, "the request", s.request(0).Text(), "Tea is green.")
}

// A configuration that does not parse is named, and defaults are used.
func TestMalformedConfig(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, stub.Script())
	s.write(s.global("MEMORY.md"), "- Tea is green.\n")
	broken := "{\n  \"profile\": \"default\",\n  oops\n}\n"
	s.write(s.global("config.json"), broken)
	s.print("hello there")
	has(t, "the request", s.request(0).Text(), "Tea is green.")
	if b, err := os.ReadFile(s.global("config.json")); err != nil || string(b) != broken {
		t.Errorf("config.json was touched: %v %q", err, b)
	}
	r := s.run(pimento(t), "doctor")
	has(t, "doctor", r.out+r.err, "config.json", "3")
}

func TestHugePrompt(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, stub.Script())
	s.services(50)
	p := s.rpc(nil)
	long := strings.Repeat("the quick brown fox \x00\x01 jumps ", 40_000)
	p.prompt(long)
	has(t, "the request", s.request(0).User(), long[:100_000])
	if memorySection(s.request(0)) == "" {
		t.Error("there is no memory section")
	}
	p.close()
}
