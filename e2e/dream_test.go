package e2e

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento/e2e/stub"
)

// dreamer is a model that answers a dream's question, and anything else with
// "fine".
func dreamer(_ int, r stub.Request) stub.Reply {
	if strings.Contains(r.Text(), "You look after the memory of a coding agent") {
		return stub.Reply{Text: `{"remember":[{"text":"The canary takes ten minutes","kind":"lesson","why":"the user corrected it"},` +
			`{"text":"The moon is made of cheese","kind":"fact","why":"I am sure"}],"merge":[],"drop":[],"skills":[]}`}
	}
	return stub.Reply{Text: "fine"}
}

// thinkWithPi turns pi itself on as the language model, as the document does.
func (s *sandbox) thinkWithPi() {
	s.t.Helper()
	s.args, s.env["PIMENTO_DEADLINE_MS"] = append([]string{}, s.args...), "5000"
	args := append([]string{"think", "use", "--timeout", "110", "--"}, s.pi...)
	s.pimento(append(args, "--provider", "stub", "--model", "stub-model", "-p", "--no-tools", "--no-extensions", "--no-session")...)
}

// work is what a person says in a session from which there is something to learn.
var work = []string{"no, the canary takes ten minutes, so deploys must wait for it", "use pnpm instead of npm in the web folder",
	"the staging database listens on port 6432"}

// With the real pi: a dream proposes, the user accepts, the next session shows
// it. The model is the user's own agent, and none of its words are taken that
// nobody said.
func TestDreamInPi(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, dreamer)
	s.thinkWithPi()
	p := s.rpc(nil)
	for _, said := range work {
		p.prompt(said)
	}
	p.prompt("/memory dream last")
	p.waitNotify("No dream has gone through this memory yet")
	if p.notified("dreaming") {
		t.Error("it dreams when it is asked about the last one")
	}
	p.prompt("/dream")
	p.waitNotify("dreaming, it says when it is done")
	p.waitNotify("new      [lesson] The canary takes ten minutes")
	if p.notified("new      [fact]") {
		t.Error("it believed the model")
	}
	id := s.waiting()
	if id == "" {
		t.Fatal("nothing waits")
	}
	hasNot(t, "the memory before the yes", mustJSON(files(s.inProject(""))), "canary")
	p.prompt("/memory inbox accept " + id)
	p.close()
	s.print("hello")
	has(t, "the next session's memory", memorySection(s.request(-1)), "The canary takes ten minutes")
	has(t, "what it cost", s.pimento("think"), "1 call: dream")
}

// waiting is the id of what waits in the inbox, "" for nothing.
func (s *sandbox) waiting() string {
	s.t.Helper()
	var list []struct{ ID string }
	if err := json.Unmarshal([]byte(s.pimento("inbox", "--json")), &list); err != nil {
		s.t.Fatal(err)
	}
	if len(list) == 0 {
		return ""
	}
	return list[0].ID
}

// Turned on, a dream comes when the session ends, in a process of its own: pi
// does not wait for a model that takes its time.
func TestDreamComesAtTheEnd(t *testing.T) {
	t.Parallel()
	ended := make(chan struct{})
	s := newSandbox(t, func(n int, r stub.Request) stub.Reply {
		if strings.Contains(r.Text(), "You look after the memory") {
			<-ended
		}
		return dreamer(n, r)
	})
	s.thinkWithPi()
	p := s.rpc(nil)
	p.prompt("/dream-auto on")
	p.waitNotify("Dreams come by themselves: every 3 hours")
	for _, said := range work {
		p.prompt(said)
	}
	p.close()
	close(ended) // only now may the model answer
	for limit := time.Now().Add(patience); s.waiting() == ""; time.Sleep(200 * time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatalf("no dream came: %s", s.pimento("dream", "last"))
		}
	}
	has(t, "the inbox", s.pimento("inbox"), "The canary takes ten minutes", "dream")
}

// The clock of dreams: as often as the program says, in a process of its own, in
// a session with a person, and when pi is quit; not in print or json mode, in
// which subagents run, not with memory off, not when the session is only left.
func TestDreamClock(t *testing.T) {
	t.Parallel()
	runs := func(s *sandbox) (n int) {
		for _, one := range childLog(s) {
			if one.Op == "run" {
				n++
				if fmt.Sprint(one.Args) != "[dream --auto]" || one.Cwd != s.project {
					t.Errorf("%+v", one)
				}
			}
		}
		return n
	}
	start := func(t *testing.T, hours string) *sandbox {
		t.Parallel()
		s := fakeSandbox(t, newest, "good", dreamer)
		s.env["FAKE_DREAM"] = hours
		return s
	}
	// seen waits for the detached process, which writes its line when it gets to it.
	seen := func(t *testing.T, s *sandbox, want int) {
		t.Helper()
		for limit := time.Now().Add(patience); runs(s) < want; time.Sleep(50 * time.Millisecond) {
			if time.Now().After(limit) {
				t.Fatalf("%d dreams, want %d", runs(s), want)
			}
		}
	}
	t.Run("live", func(t *testing.T) {
		s := start(t, "0.0001")
		p := s.rpc(nil)
		p.prompt("hello")
		seen(t, s, 2)
		p.close()
	})
	t.Run("quit", func(t *testing.T) {
		s := start(t, "24")
		p := s.rpc(nil)
		p.prompt("hello")
		p.do(map[string]any{"type": "new_session"})
		p.prompt("hello again")
		if n := runs(s); n != 0 {
			t.Errorf("%d dreams for a session that was only left", n)
		}
		p.close()
		seen(t, s, 1)
	})
	t.Run("never", func(t *testing.T) {
		s := start(t, "0.0001")
		s.print("hello")
		if r := s.run(s.piArgs("--mode", "json", "-p", "hello")...); r.code != 0 {
			t.Errorf("exit %d\n%s", r.code, r.err)
		}
		p := s.rpc(nil, "--no-memory")
		p.prompt("hello")
		p.close()
		s.env["FAKE_DREAM"] = "0"
		p = s.rpc(nil)
		p.prompt("hello")
		p.close()
		if n := runs(s); n != 0 {
			t.Errorf("%d dreams", n)
		}
	})
}

// A dream ends with the session that it was asked for in. The next one's person is told, once.
func TestDreamCutOffByANewSession(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, stub.Script())
	began := filepath.Join(s.dir, "began")
	s.write(filepath.Join(s.home, ".config", "pimento", "config.json"), mustJSON(map[string]any{
		"thinker": map[string]any{"command": []string{"sh", "-c", "touch '" + began + "'; while :; do sleep 0.1; done"}}}))
	p := s.rpc(nil)
	for _, said := range work {
		p.prompt(said)
	}
	p.prompt("/dream")
	waitFor(t, began)
	p.do(map[string]any{"type": "new_session"})
	for limit := time.Now().Add(patience); !p.notified("was cut off by the end of its session; begin it anew: /memory dream"); time.Sleep(200 * time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatalf("nobody was told: %s", s.pimento("status"))
		}
		p.prompt("hello")
	}
	p.close()
	has(t, "the last dream", s.pimento("dream", "last"), "No dream has gone through this memory yet")
	hasNot(t, "the status", s.pimento("status"), "cut off")
}
