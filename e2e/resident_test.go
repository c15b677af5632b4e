package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento/e2e/stub"
)

// residentSandbox is a user of the profile resident in a project whose memory
// they agreed to.
func residentSandbox(t *testing.T, project string, answer func(int, stub.Request) stub.Reply) *sandbox {
	t.Helper()
	s := newSandbox(t, answer)
	s.pimento("profile", "use", "resident", "--global")
	if project != "" {
		s.write(s.inProject("MEMORY.md"), project)
		s.pimento("trust")
	}
	return s
}

// reader answers with the lines of its system prompt's memory that hold a word.
func reader(word string) func(int, stub.Request) stub.Reply {
	return func(_ int, r stub.Request) stub.Reply {
		var said []string
		for line := range strings.SplitSeq(memorySection(r), "\n") {
			if strings.Contains(line, word) {
				said = append(said, line)
			}
		}
		return stub.Reply{Text: "I remember: " + strings.Join(said, "; ")}
	}
}

// The document's own question, in every mode without a terminal: the model can
// answer it, and has no tool of ours.
func TestResidentAnswersWithoutATool(t *testing.T) {
	t.Parallel()
	const asked = "what do you remember about this project?"
	s := residentSandbox(t, "## Build\n\n- The build runs with harborctl, never with make.\n", reader("harborctl"))
	for mode, r := range map[string]result{"print": s.print(asked), "json": s.run(s.piArgs("--mode", "json", asked)...)} {
		if r.code != 0 {
			t.Fatalf("%s: exit %d\n%s", mode, r.code, r.err)
		}
		has(t, mode+" mode's answer", r.out, "I remember: - The build runs with harborctl, never with make.")
	}
	p := s.rpc(nil)
	p.prompt(asked)
	p.close()
	for i := range s.model.Requests() {
		r := s.request(i)
		has(t, "the request", memorySection(r), "## Persistent memory", "### Project MEMORY.md  (.pi/memory/MEMORY.md)\n\n##### Build\n\n- The build runs with harborctl")
		hasNot(t, "the tools", strings.Join(r.Tools, " "), "memory", "scratchpad")
		if memorySection(r) != memorySection(s.request(0)) {
			t.Errorf("request %d has another memory:\n%s", i, memorySection(r))
		}
	}
}

// A correction is written with pi's own edit tool, and stands in the next
// prompt of the session, and in the next session.
func TestResidentCorrectionLands(t *testing.T) {
	t.Parallel()
	const wrong, right = "- Tests run with make check.", "- Tests run with ./check.sh, make is gone."
	edit := stub.Reply{Calls: []stub.Call{{Name: "edit", Args: map[string]any{"path": ".pi/memory/MEMORY.md",
		"edits": []map[string]any{{"oldText": wrong, "newText": right}}}}}}
	s := residentSandbox(t, "## Build\n\n"+wrong+"\n- sccache breaks -Werror\n", stub.Script(
		edit, stub.Reply{Text: "corrected"}, stub.Reply{Text: "yes"}, stub.Reply{Text: "yes"}))
	p := s.rpc(nil)
	p.prompt("No: make is gone, the tests run with ./check.sh. Remember that.")
	has(t, "the first request", memorySection(s.request(0)), wrong)
	b, err := os.ReadFile(s.inProject("MEMORY.md"))
	if want := "## Build\n\n" + right + "\n- sccache breaks -Werror\n"; err != nil || string(b) != want {
		t.Fatalf("MEMORY.md holds %q, %v", b, err)
	}
	p.prompt("how do the tests run?")
	p.close()
	s.print("how do the tests run?")
	for _, n := range []int{-2, -1} {
		has(t, "the next prompt", memorySection(s.request(n)), right)
		hasNot(t, "the next prompt", memorySection(s.request(n)), wrong)
	}
	has(t, "the faults", s.pimento("faults"), "No faults")
}

// A first memory is written with pi's own write tool; nothing is made before.
func TestResidentLazyFolders(t *testing.T) {
	t.Parallel()
	write := stub.Reply{Calls: []stub.Call{{Name: "write", Args: map[string]any{"path": "~/.pi/agent/memory/MEMORY.md", "content": "- Answers are short.\n"}}}}
	begin := stub.Reply{Calls: []stub.Call{{Name: "write", Args: map[string]any{"path": ".pi/memory/MEMORY.md", "content": "- Releases are tagged.\n"}}}}
	s := residentSandbox(t, "", stub.Script(stub.Reply{Text: "hello"}, write, stub.Reply{Text: "noted"}, stub.Reply{Text: "yes"},
		begin, stub.Reply{Text: "noted"}, stub.Reply{Text: "yes"}))
	s.print("hello there")
	has(t, "the request", memorySection(s.request(0)), "## Persistent memory", "~/.pi/agent/memory/")
	hasNot(t, "the request", memorySection(s.request(0)), "### ", "{")
	if exists(s.global("")) || exists(filepath.Join(s.project, ".pi")) {
		t.Error("a folder was made for nothing")
	}
	s.print("remember that I like short answers")
	s.print("hello again")
	has(t, "the next session", memorySection(s.request(-1)), "### Global MEMORY.md  (~/.pi/agent/memory/MEMORY.md)\n\n- Answers are short.")
	hasNot(t, "the next session", memorySection(s.request(-1)), ".pi/memory/")
	s.pimento("trust") // a yes before there is anything: the agent may begin the project's memory
	if exists(filepath.Join(s.project, ".pi")) {
		t.Error("the yes made a folder")
	}
	s.print("remember for this project that releases are tagged")
	has(t, "the request after the yes", memorySection(s.request(-2)), "- Project memory, committed and shared with the team: .pi/memory/")
	s.print("how do releases go?")
	has(t, "the last session", memorySection(s.request(-1)), "### Project MEMORY.md  (.pi/memory/MEMORY.md)\n\n- Releases are tagged.")
}

// A project that nobody agreed to is not read, not named and not changed.
func TestResidentUntrustedIsInert(t *testing.T) {
	t.Parallel()
	s := residentSandbox(t, "", stub.Script())
	s.print("what do you remember about this project?")
	clean := memorySection(s.request(-1))
	s.hostile()
	before := files(s.inProject(""))
	r := s.print("what do you remember about this project?")
	if got := memorySection(s.request(-1)); got != clean {
		t.Errorf("the untrusted project shows:\n%s", got)
	}
	hasNot(t, "the request", s.request(-1).Text(), ".pi/memory/MEMORY.md", "Project memory", "hunter2")
	hasNot(t, "the answer", r.out, "hunter2")
	after := files(s.inProject(""))
	for path, text := range before {
		if after[path] != text {
			t.Errorf("%s was changed", path)
		}
	}
	if len(before) != len(after) {
		t.Errorf("%d files became %d", len(before), len(after))
	}
	has(t, "the overview", s.print("/memory").err, "its memory waits for your yes")
}

// pi's own no counts for a project that was agreed to.
func TestResidentPisOwnNo(t *testing.T) {
	t.Parallel()
	s := residentSandbox(t, "- The build runs with harborctl.\n", reader("harborctl"))
	has(t, "the answer", s.print("what do you remember about this project?").out, "harborctl")
	s.args = append(s.args, "--no-approve")
	r := s.print("/memory", "what do you remember about this project?")
	hasNot(t, "the answer after pi's no", r.out, "harborctl")
	hasNot(t, "the request after pi's no", memorySection(s.request(-1)), "harborctl", "Project memory")
	has(t, "the overview after pi's no", r.err, "off for this session: your agent does not trust the project")
}

// The index is capped at the exact byte and the exact line, whichever comes
// first, for each scope.
func TestResidentCaps(t *testing.T) {
	t.Parallel()
	line := func(i int) string { return fmt.Sprintf("- line %03d %s\n", i, strings.Repeat("x", 64-12)) } // 64 bytes
	page := func(n int) string {
		var b strings.Builder
		for i := 1; i <= n; i++ {
			b.WriteString(line(i))
		}
		return b.String()
	}
	short := func(n int) string {
		var b strings.Builder
		for i := 1; i <= n; i++ {
			fmt.Fprintf(&b, "- line %03d\n", i)
		}
		return b.String()
	}
	s := residentSandbox(t, page(128), stub.Script())
	s.write(s.global("config.json"), `{"profile": "resident", "pageTableInjection": false}`)
	prompt := func(project, global string) string {
		s.write(s.inProject("MEMORY.md"), project)
		s.write(s.global("MEMORY.md"), global)
		s.print("hello there")
		return memorySection(s.request(-1))
	}
	whole := prompt(page(128), short(200)) // 8,192 bytes; 200 lines
	has(t, "the whole index", whole, "line 128", "line 200")
	hasNot(t, "the whole index", whole, "truncated")
	byteMore := prompt(strings.TrimSuffix(page(128), "\n")+"é\n", short(201))
	has(t, "the cut index", byteMore, "line 127", "[Index truncated: showing 8128 of 8194 bytes.", "line 200\n[Index truncated: showing 2200 of 2211 bytes.")
	hasNot(t, "the cut index", byteMore, "line 128 x", "line 201")
}

// What was decided before a compaction waits for a yes after it, and what must
// stand stands in the first prompt behind it.
func TestResidentCompaction(t *testing.T) {
	t.Parallel()
	s := residentSandbox(t, "## Rules\n\n- Never push to main on a Friday.\n", func(_ int, r stub.Request) stub.Reply {
		if strings.Contains(r.User(), "queue") {
			return stub.Reply{Text: "We decided to keep the queue in postgres, one table for each tenant. " + lorem}
		}
		return stub.Reply{Text: "fine " + lorem}
	})
	s.window(128000, 10)
	p := s.rpc(nil)
	p.prompt("where does the queue go? " + lorem)
	p.prompt("and then? " + lorem)
	p.do(map[string]any{"type": "compact"})
	p.prompt("go on")
	p.close()
	has(t, "the first request after the compaction", memorySection(s.request(-1)), "Never push to main on a Friday.")
	has(t, "the inbox", s.pimento("inbox"), "We decided to keep the queue in postgres, one table for each tenant.", "compaction")
	has(t, "the faults", s.pimento("faults"), "No faults")
	var traces []struct{ ID string }
	if err := json.Unmarshal([]byte(s.pimento("traces", "--json")), &traces); err != nil || len(traces) != 3 {
		t.Fatalf("%d traces, %v", len(traces), err)
	}
	for _, tr := range traces {
		has(t, "a replay", s.pimento("replay", tr.ID), "Never push to main on a Friday.")
	}
}

// The language model that the user turned on reads what a compaction takes away,
// which waits for nobody, and says more of it than its words do.
func TestResidentCompactionIsRead(t *testing.T) {
	t.Parallel()
	s := residentSandbox(t, "## Rules\n\n- Never push to main on a Friday.\n", func(_ int, r stub.Request) stub.Reply {
		if strings.Contains(r.User(), "pool") {
			return stub.Reply{Text: "pgbouncer runs with pool_mode session since prepared statements need it. " + lorem}
		}
		return stub.Reply{Text: "fine " + lorem}
	})
	s.window(128000, 10)
	asked := filepath.Join(s.dir, "asked")
	const answer = `{"remember":[{"text":"pgbouncer runs with pool_mode session, since prepared statements need it","kind":"decision"}]}`
	script := `in=$(cat); case "$in" in *"about to be dropped"*) printf '%s' "$in" >` + asked + `; echo '` + answer + `' ;; *) echo '{"remember":false}' ;; esac`
	s.write(filepath.Join(s.home, ".config", "pimento", "config.json"), mustJSON(map[string]any{"profile": "resident", "worth": "all",
		"thinker": map[string]any{"command": []string{"sh", "-c", script}}}))
	p := s.rpc(nil)
	p.prompt("which pool? " + lorem)
	p.prompt("and then? " + lorem)
	p.do(map[string]any{"type": "compact"})
	for limit := time.Now().Add(patience); s.waiting() == ""; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatal("nothing waits")
		}
	}
	p.close()
	has(t, "the inbox", s.pimento("inbox"), "pgbouncer runs with pool_mode session, since prepared statements need it", "compaction")
	has(t, "what the model read", files(s.dir)["asked"], "which pool?", "assistant: pgbouncer runs with pool_mode session")
	has(t, "the account", s.pimento("think", "--json"), `"compaction"`)
}
