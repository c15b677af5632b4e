package e2e

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	words "github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/e2e/stub"
)

// The extension by itself, with a child that does what the test wants.

// fakeSandbox is a machine whose `pimento` is the fake child.
func fakeSandbox(t testing.TB, version, mode string, answer func(int, stub.Request) stub.Reply) *sandbox {
	t.Helper()
	s := bareSandbox(t, version, answer)
	s.env["PIMENTO_BIN"] = program(t, "./e2e/fakechild")
	s.env["FAKE_MODE"] = mode
	s.env["FAKE_LOG"] = filepath.Join(s.dir, "child.jsonl")
	s.args = []string{"-e", filepath.Join(repo(t), "extensions", "pi", "index.ts")}
	return s
}

// A sent is one line that the extension sent to its child.
type sent struct {
	Op             string
	V              int
	Name           string
	Args           any
	Session        string
	Cwd            string
	Protocol       struct{ Min, Max int }
	Harness        string
	HarnessVersion string `json:"harness_version"`
	Turn           turnSent
}

type turnSent struct {
	Event, Harness, Session, Parent, Cwd, Prompt, Reason, Compaction string
	InContext                                                        []string `json:"in_context"`
	SystemTokens                                                     int      `json:"system_tokens"`
	Off, Untrusted                                                   bool
	Answer, Summary                                                  string
	Tools                                                            []words.ToolUse
	Edited                                                           []string
	Dropped                                                          []words.Message
	SplitTurn                                                        []words.Message `json:"split_turn"`
}

func childLog(s *sandbox) []sent {
	s.t.Helper()
	b, err := os.ReadFile(s.env["FAKE_LOG"])
	if err != nil {
		return nil
	}
	var all []sent
	for _, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		var one sent
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			s.t.Fatalf("the extension sent %q: %v", clip(line), err)
		}
		all = append(all, one)
	}
	return all
}

// turns are the turns of one event that the child got.
func turns(s *sandbox, event string) []turnSent {
	var found []turnSent
	for _, one := range childLog(s) {
		if one.Turn.Event == event {
			found = append(found, one.Turn)
		}
	}
	return found
}

func TestExtensionInjects(t *testing.T) {
	t.Parallel()
	for _, version := range []string{newest, older, oldest} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			s := fakeSandbox(t, version, "good", stub.Script(
				stub.Reply{Calls: []stub.Call{{Name: "memory_search", Args: map[string]any{"query": "tea", "limit": "3"}}}},
				stub.Reply{Text: "one"}, stub.Reply{Text: "two"}))
			r := s.print("first", "second")
			if strings.TrimSpace(r.out) != "two" {
				t.Errorf("pi printed %q\n%s", r.out, r.err)
			}
			for i, req := range s.model.Requests() {
				if memorySection(req) != "FAKE-PREFIX" {
					t.Errorf("request %d has the section %q", i, memorySection(req))
				}
				has(t, "the tools", strings.Join(req.Tools, " "), "memory_search")
			}
			has(t, "what the user says first", s.request(0).User(), "first", "FAKE-TAIL 1")
			has(t, "what the user says then", s.request(-1).User(), "second", "FAKE-TAIL 2")
			has(t, "the tool's result", s.request(1).Last("tool").Text, "FAKE-RESULT map[limit:3 query:tea]")
			has(t, "the system prompt", s.request(0).System, "Use memory_search for what was said before.")

			log := childLog(s)
			if log[0].Op != "hello" || log[0].Harness != "pi" || log[0].HarnessVersion != version || log[0].Protocol.Max != 1 {
				t.Errorf("hello was %+v", log[0])
			}
			if log[0].Cwd != s.project || log[0].Session == "" || log[0].V != 1 {
				t.Errorf("hello was %+v", log[0])
			}
			prompts := turns(s, "prompt")
			if len(prompts) != 2 || prompts[0].Prompt != "first" || prompts[1].Prompt != "second" {
				t.Fatalf("prompts were %+v", prompts)
			}
			if prompts[0].InContext == nil || len(prompts[0].InContext) != 0 {
				t.Errorf("the first prompt's context was %v, want empty but known", prompts[0].InContext)
			}
			if got := strings.Join(prompts[1].InContext, " "); got != "tail-1 from-tool" {
				t.Errorf("the second prompt's context was %q", got)
			}
			if prompts[0].SystemTokens < 100 || prompts[0].Untrusted || prompts[0].Off {
				t.Errorf("the first prompt was %+v", prompts[0])
			}
			if n := len(turns(s, "session_start")); n != 1 {
				t.Errorf("%d session_start turns", n)
			}
			if len(turns(s, "turn_end")) != 2 || len(turns(s, "session_end")) != 1 {
				t.Errorf("turn_end %d, session_end %d", len(turns(s, "turn_end")), len(turns(s, "session_end")))
			}
		})
	}
}

func TestExtensionFailsOpen(t *testing.T) {
	t.Parallel()
	cases := []struct {
		mode, says string
		prefix     bool
	}{
		{"mute", "too slow", false},
		{"dies", "stopped", false},
		{"garbage", "", true},
		{"alien", "speaks protocol 1 and the program 9", false},
		{"refuses", "disk is gone; plug it in", false},
	}
	for _, c := range cases {
		t.Run(c.mode, func(t *testing.T) {
			t.Parallel()
			s := fakeSandbox(t, newest, c.mode, stub.Script(stub.Reply{Text: "one"}, stub.Reply{Text: "two"}, stub.Reply{Text: "three"}))
			s.env["PIMENTO_DEADLINE_MS"] = "200"
			if c.mode != "mute" {
				s.env["PIMENTO_DEADLINE_MS"] = "600000" // nobody may wait for a child that is gone
			}
			r := s.print("first", "second", "third")
			if strings.TrimSpace(r.out) != "three" || len(s.model.Requests()) != 3 {
				t.Errorf("pi printed %q after %d requests\n%s", r.out, len(s.model.Requests()), r.err)
			}
			if got := memorySection(s.request(-1)) != ""; got != c.prefix {
				t.Errorf("a section stands there: %v", got)
			}
			if n := strings.Count(r.err, "pimento:"); c.says != "" && n != 1 || c.says == "" && n != 0 {
				t.Errorf("said %d times:\n%s", n, r.err)
			}
			has(t, "the notice", r.err, c.says)
		})
	}
}

func TestExtensionSlowChildIsLeftOut(t *testing.T) {
	t.Parallel()
	s := fakeSandbox(t, newest, "slow", stub.Script(stub.Reply{Text: "one"}))
	s.env["FAKE_SLEEP"], s.env["PIMENTO_DEADLINE_MS"] = "10m", "100"
	r := s.print("first")
	has(t, "the answer", r.out, "one")
	has(t, "the notice", r.err, "too slow")
	hasNot(t, "the request", s.request(0).Text(), "FAKE-")
	has(t, "the tools", strings.Join(s.request(0).Tools, " "), "memory_search")
	s.noneLeft()
}

// A program that cannot be used is not kept running.
func TestExtensionLetsAlienGo(t *testing.T) {
	t.Parallel()
	s := fakeSandbox(t, newest, "alien", stub.Script())
	p := s.rpc(nil)
	p.prompt("first")
	s.noneLeft()
	p.close()
}

// A child that keeps dying is started four times in all, and then left alone.
func TestExtensionRestartsLittle(t *testing.T) {
	t.Parallel()
	s := fakeSandbox(t, newest, "dies", stub.Script())
	r := s.print("1", "2", "3", "4", "5", "6", "7")
	if n := len(s.model.Requests()); n != 7 {
		t.Errorf("%d requests for seven prompts", n)
	}
	starts := 0
	for _, one := range childLog(s) {
		if one.Op == "hello" {
			starts++
		}
	}
	if starts != 4 {
		t.Errorf("the child was started %d times", starts)
	}
	has(t, "the notice", r.err, "stopped too often")
}

// Nothing is started by a pi that only shows its help.
func TestExtensionHelpStartsNothing(t *testing.T) {
	t.Parallel()
	s := fakeSandbox(t, newest, "good", stub.Script())
	r := s.run(s.piArgs("--help")...)
	has(t, "the help", r.out, "--no-memory")
	if log := childLog(s); log != nil {
		t.Errorf("the child was started: %+v", log)
	}
}

// Whatever becomes of pi, its child ends with it.
func TestExtensionLeavesNoProcess(t *testing.T) {
	t.Parallel()
	s := fakeSandbox(t, newest, "good", stub.Script())
	s.print("first")
	s.noneLeft()
	p := s.rpc(nil)
	p.prompt("first")
	if len(children(p.cmd.Process.Pid)) == 0 {
		t.Fatal("pi has no child")
	}
	if err := p.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = p.cmd.Wait()
	s.noneLeft()
}

// A child that starts late gets the stored tools, and its own list counts once
// it is there, with what it says of a tool that both have.
func TestExtensionLateHello(t *testing.T) {
	for _, version := range []string{newest, older, oldest} {
		t.Run(version, func(t *testing.T) { t.Parallel(); lateHello(t, version) })
	}
}

func lateHello(t *testing.T, version string) {
	s := fakeSandbox(t, version, "late", func(int, stub.Request) stub.Reply { return stub.Reply{Text: "one", Delay: 3 * time.Second} })
	s.env["FAKE_SLEEP"], s.env["PIMENTO_DEADLINE_MS"] = "3s", "100"
	s.print("first", "second")
	var stored []struct{ Name string }
	b, err := os.ReadFile(filepath.Join(repo(t), "extensions", "pi", "tools.json"))
	if err != nil || json.Unmarshal(b, &stored) != nil {
		t.Fatalf("tools.json: %v", err)
	}
	first := strings.Join(s.request(0).Tools, " ")
	for _, tool := range stored {
		has(t, "the first request's tools", first, tool.Name)
	}
	last := strings.Join(s.request(-1).Tools, " ")
	has(t, "the last request's tools", last, "memory_search")
	hasNot(t, "the last request's tools", last, "memory_write")
	has(t, "the last request", string(s.request(-1).Body), "Search the fake memory", "Use memory_search for what was said before.")
	hasNot(t, "the last request", string(s.request(-1).Body), "Search all of memory")
}

func TestExtensionWithoutProgram(t *testing.T) {
	t.Parallel()
	for _, version := range []string{newest, older, oldest} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			s := fakeSandbox(t, version, "good", stub.Script(stub.Reply{Text: "one"}, stub.Reply{Text: "two"}))
			s.env["PIMENTO_BIN"] = filepath.Join(s.dir, "nowhere", "pimento")
			r := s.print("first", "second")
			has(t, "the answer", r.out, "two")
			if n := strings.Count(r.err, "Install it with: go install -C "); n != 1 {
				t.Errorf("the install command is said %d times:\n%s", n, r.err)
			}
			hasNot(t, "the tools", strings.Join(s.request(0).Tools, " "), "memory")
			hasNot(t, "the request", s.request(1).Text(), "<memory>")
		})
	}
}

// A program that comes later, as in the middle of an upgrade, is used from then on.
func TestExtensionProgramComesLater(t *testing.T) {
	t.Parallel()
	s := fakeSandbox(t, newest, "good", stub.Script())
	fake := s.env["PIMENTO_BIN"]
	s.env["PIMENTO_BIN"] = filepath.Join(s.dir, "pimento")
	p := s.rpc(nil)
	p.prompt("first")
	p.waitNotify("the program is not installed")
	if err := os.Symlink(fake, s.env["PIMENTO_BIN"]); err != nil {
		t.Fatal(err)
	}
	p.prompt("second")
	p.close()
	if got := memorySection(s.request(-1)); got != "FAKE-PREFIX" {
		t.Errorf("the section is %q", got)
	}
}

// The program is also found on PATH, but never in the working directory.
func TestExtensionFindsProgram(t *testing.T) {
	t.Parallel()
	fake, err := os.ReadFile(program(t, "./e2e/fakechild"))
	if err != nil {
		t.Fatal(err)
	}
	install := func(t *testing.T, path string) {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, fake, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, where := range map[string]string{"path": "bin/pimento", "go": "home/go/bin/pimento",
		"local": "home/.local/bin/pimento", "repository": "home/work/proj/pimento"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := fakeSandbox(t, newest, "good", stub.Script())
			delete(s.env, "PIMENTO_BIN")
			s.env["PATH"] = filepath.Dir(s.pi[0]) + ":/usr/bin:/bin:.:" + filepath.Join(s.dir, "bin")
			install(t, filepath.Join(s.dir, where))
			s.print("first")
			if got, want := memorySection(s.request(0)) != "", name != "repository"; got != want {
				t.Errorf("the program was used: %v", got)
			}
		})
	}
}

func TestExtensionNoMemoryFlag(t *testing.T) {
	t.Parallel()
	s := fakeSandbox(t, newest, "good", stub.Script(stub.Reply{Text: "one"}))
	s.args = append(s.args, "--no-memory") // before -p: pi takes a plain word after it as its value
	r := s.print("first")
	hasNot(t, "the request", s.request(0).Text(), "FAKE-")
	hasNot(t, "the tools", strings.Join(s.request(0).Tools, " "), "memory")
	hasNot(t, "the errors", r.err, "pimento")
	for _, one := range childLog(s) {
		if one.Turn.Event != "" && !one.Turn.Off {
			t.Errorf("a turn without off: %+v", one.Turn)
		}
	}
	s.env["PIMENTO_BIN"] = "/nowhere"
	hasNot(t, "the errors", s.print("first").err, "pimento")
}

func TestExtensionCommand(t *testing.T) {
	t.Parallel()
	s := fakeSandbox(t, newest, "good", stub.Script(stub.Reply{Text: "one"}))
	r := s.print("/memory recall green tea", "/memory", "first")
	has(t, "the errors", r.err, "FAKE-COMMAND recall green tea", "FAKE-COMMAND status")
	if strings.TrimSpace(r.out) != "one" {
		t.Errorf("standard output is %q", r.out)
	}
	p := s.rpc(nil)
	p.prompt("/memory why")
	p.waitNotify("FAKE-COMMAND why")
	p.close()
}

func TestExtensionAsksForConsent(t *testing.T) {
	t.Parallel()
	s := fakeSandbox(t, newest, "good", stub.Script())
	s.env["FAKE_CONSENT"] = "1"
	var question string
	p := s.rpc(func(title, message string) bool { question = title + "\n" + message; return true })
	p.waitNotify("FAKE-COMMAND trust")
	p.prompt("hello")
	p.close()
	has(t, "the question", question, "Trust this project's memory?", "/the/project", "3 pages")

	s = fakeSandbox(t, newest, "good", stub.Script())
	s.env["FAKE_CONSENT"] = "1"
	p = s.rpc(nil)
	p.prompt("hello")
	p.close()
	for _, one := range childLog(s) {
		if one.Op == "command" {
			t.Errorf("after a no the extension sent %+v", one)
		}
	}
}

func TestExtensionToolErrors(t *testing.T) {
	t.Parallel()
	s := fakeSandbox(t, newest, "good", stub.Script(
		stub.Reply{Calls: []stub.Call{{Name: "memory_search", Args: map[string]any{"query": "fail"}}}},
		stub.Reply{Calls: []stub.Call{{Name: "memory_search", Args: map[string]any{"limit": 1}}}},
		stub.Reply{Text: "one"}))
	s.print("first")
	has(t, "a refused call", s.request(1).Last("tool").Text, "no such thing")
	has(t, "a malformed call", s.request(2).Last("tool").Text, "Validation failed", "query")
}

// A prompt of 1 MB, even one that JSON multiplies by six, reaches the child without its
// middle, and pi whole.
func TestExtensionCutsPrompt(t *testing.T) {
	t.Parallel()
	s := fakeSandbox(t, newest, "good", stub.Script())
	long := "Why? " + strings.Repeat("é", 500_000) + " And how?"
	p := s.rpc(nil)
	p.prompt(long)
	p.prompt(strings.Repeat("\x01", 1_000_000))
	p.close()
	prompts := turns(s, "prompt")
	if len(prompts) != 2 {
		t.Fatalf("%d prompts reached the child", len(prompts))
	}
	if got := prompts[0].Prompt; len(got) > 200_000 || len(got) < 199_990 || !strings.HasPrefix(got, "Why? éé") || !strings.HasSuffix(got, "éé And how?") || !utf8.ValidString(got) {
		t.Errorf("the child got %d bytes", len(got))
	}
	if got := len(prompts[1].Prompt); got == 0 || got > 200_000 {
		t.Errorf("the child got %d bytes", got)
	}
	has(t, "the model's request", s.request(0).User(), long)
}

// pi 1.x fires session_start twice after new_session; each session gets one
// start, one end, and knows nothing of the other's context.
func TestExtensionNewSessionAndFork(t *testing.T) {
	t.Parallel()
	s := fakeSandbox(t, newest, "good", stub.Script())
	p := s.rpc(nil)
	p.prompt("one")
	first := p.sessionFile()
	p.do(map[string]any{"type": "new_session"})
	p.prompt("two")
	p.do(map[string]any{"type": "switch_session", "sessionPath": first})
	p.prompt("three")
	var messages struct {
		Messages []struct{ EntryID, Text string }
	}
	if err := json.Unmarshal(p.do(map[string]any{"type": "get_fork_messages"}), &messages); err != nil || len(messages.Messages) != 2 {
		t.Fatalf("fork messages: %v %+v", err, messages)
	}
	p.do(map[string]any{"type": "fork", "entryId": messages.Messages[1].EntryID})
	p.prompt("four")
	p.close()

	starts, prompts := turns(s, "session_start"), turns(s, "prompt")
	if len(starts) != 4 || len(prompts) != 4 || len(turns(s, "session_end")) != 4 {
		t.Fatalf("%d starts, %d prompts, %d ends", len(starts), len(prompts), len(turns(s, "session_end")))
	}
	if starts[0].Session != starts[2].Session || starts[0].Session == starts[1].Session {
		t.Errorf("sessions: %+v", starts)
	}
	if starts[3].Parent != starts[0].Session || starts[3].Session == starts[0].Session || starts[0].Parent != "" {
		t.Errorf("the fork's parent is %q, want %q", starts[3].Parent, starts[0].Session)
	}
	for i, want := range []string{"", "", "tail-1", "tail-1"} {
		if got := strings.Join(prompts[i].InContext, " "); got != want {
			t.Errorf("prompt %d: in context %q, want %q", i, got, want)
		}
	}
}

func TestExtensionCompaction(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("lorem ipsum dolor sit amet ", 60)
	s := fakeSandbox(t, newest, "good", stub.Script())
	s.window(8000, 50)
	p := s.rpc(nil)
	p.prompt("one " + long)
	p.prompt("two " + long)
	p.do(map[string]any{"type": "compact"})
	p.prompt("three")
	p.close()
	before, after, prompts := turns(s, "before_compact"), turns(s, "after_compact"), turns(s, "prompt")
	if len(before) != 1 || len(after) != 1 || len(prompts) != 3 {
		t.Fatalf("%d before, %d after, %d prompts", len(before), len(after), len(prompts))
	}
	if before[0].Compaction != after[0].Compaction || len(before[0].Compaction) < 4 {
		t.Errorf("compaction ids %q and %q", before[0].Compaction, after[0].Compaction)
	}
	if before[0].Reason != "manual" {
		t.Errorf("reason %q", before[0].Reason)
	}
	if got := strings.Join(prompts[1].InContext, " "); got != "tail-1" {
		t.Errorf("in context before: %q", got)
	}
	if got := strings.Join(prompts[2].InContext, " "); strings.Contains(got, "tail-1") {
		t.Errorf("in context after the compaction: %q", got)
	}
	if memorySection(s.request(-1)) != "FAKE-PREFIX" {
		t.Errorf("the section after the compaction: %q", memorySection(s.request(-1)))
	}
}

// Killing the child costs one prompt its memory, not the prompt, nor its prefix.
func TestExtensionKeepsPrefixWhenChildDies(t *testing.T) {
	t.Parallel()
	s := fakeSandbox(t, newest, "good", stub.Script())
	p := s.rpc(nil)
	p.prompt("one")
	s.killChildren(p.cmd.Process.Pid)
	p.prompt("two")
	p.prompt("three")
	p.close()
	for i := range 3 {
		if memorySection(s.request(i)) != "FAKE-PREFIX" {
			t.Errorf("request %d has the section %q", i, memorySection(s.request(i)))
		}
	}
	if starts := len(childLog(s)); starts == 0 {
		t.Error("the child got nothing")
	}
	has(t, "the last prompt", s.request(2).User(), "FAKE-TAIL")
}

// child starts the child that serves pi, with both ends of its pipes.
func (s *sandbox) child() (child *exec.Cmd, in io.WriteCloser, out io.ReadCloser) {
	child = exec.Command(program(s.t, "./cmd/pimento"), "rpc")
	child.Dir, child.Env = s.project, s.environ()
	in, err := child.StdinPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if out, err = child.StdoutPipe(); err == nil {
		err = child.Start()
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return child, in, out
}

// The child that serves pi carries out what pi said before it left: a reply that
// nobody reads any more must not kill it.
func TestChildOutlivesItsReader(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, stub.Script())
	child, in, out := s.child()
	_ = out.Close()
	_, _ = io.WriteString(in, `{"id":1,"op":"bogus","v":1}`+"\n"+
		`{"id":2,"op":"tool","v":1,"name":"memory_write","args":{"target":"long_term","content":"Deploys go out on Tuesdays."}}`+"\n")
	_ = in.Close()
	err := child.Wait()
	if child.ProcessState.ExitCode() < 0 {
		t.Errorf("killed: %v", err)
	}
	if page, err := os.ReadFile(s.inProject("MEMORY.md")); !strings.Contains(string(page), "Deploys go out on Tuesdays.") {
		t.Errorf("the last request was not carried out: %v\n%s", err, page)
	}
}
