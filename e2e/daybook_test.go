package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento/e2e/stub"
)

// The end-to-end tests of the daybook's document: six of the core, and four that
// search. Each is what a person says to pi and what must then be so, whichever
// model answers and whatever searches. PI_E2E_PROVIDER and PI_E2E_MODEL name a
// real model beside the stub; its key is taken from the environment.

// A daybookCase is one of them.
type daybookCase struct {
	name   string
	engine string            // qmd: asked for though it is not installed
	memory map[string]string // pages of global memory, there before
	talk   []said            // each in a session of its own
}

// said is one prompt.
type said struct {
	prompt string
	stub   []step                         // what the stub does with it, then it says "ok"
	day    string                         // when, "" for today
	then   func(*testing.T, *sandbox)     // what must be so
	answer []string                       // what pi's answer must hold
	silent bool                           // answered without a tool
	within func(*piRPC, *sandbox)         // instead of the prompt: a session of several
	check  func(*testing.T, stub.Request) // of the last request, with the stub
}

// A step is how the stub answers one request.
type step func(stub.Request) stub.Reply

// calls is a step that uses a tool.
func calls(tool string, args map[string]any) step {
	return func(stub.Request) stub.Reply { return stub.Reply{Calls: []stub.Call{{Name: tool, Args: args}}} }
}

// reads is a step of a model that knows nothing: it says which of the words it
// was told.
func reads(words ...string) step {
	return func(r stub.Request) stub.Reply {
		var known []string
		for _, w := range words {
			if strings.Contains(r.Text(), w) {
				known = append(known, w)
			}
		}
		if len(known) == 0 {
			return stub.Reply{Text: "I do not know."}
		}
		return stub.Reply{Text: strings.Join(known, ", ")}
	}
}

// repeats is a step that says what the last tool said.
func repeats(r stub.Request) stub.Reply { return stub.Reply{Text: r.Last("tool").Text} }

const (
	today  = "2026-02-15"
	before = "2026-02-03" // too long ago for a log that is always shown
)

func daybookCore() []daybookCase {
	scratchpad := func(want string) func(*testing.T, *sandbox) {
		return func(t *testing.T, s *sandbox) { hasLine(t, s, "SCRATCHPAD.md", want) }
	}
	return []daybookCase{
		{name: "1 registers its tools", talk: []said{{
			prompt: "Name every tool you have whose name contains memory or scratchpad, and say nothing else.",
			stub:   []step{func(r stub.Request) stub.Reply { return stub.Reply{Text: strings.Join(r.Tools, " ")} }},
			answer: []string{"memory_write", "memory_read", "scratchpad", "memory_search"}, silent: true}}},
		{name: "2 answers from injected memory", memory: map[string]string{"MEMORY.md": "The staging cluster is called heliotrope-9.\n"},
			talk: []said{{prompt: "What is our staging cluster called? Answer with its name only, without using tools.",
				stub: []step{reads("heliotrope-9")}, answer: []string{"heliotrope-9"}, silent: true}}},
		{name: "3 writes memory, recalls it in a new session", talk: []said{
			{prompt: "Use memory_write with target long_term to remember exactly this: Our test runner is kestrel-42.",
				stub: []step{calls("memory_write", map[string]any{"target": "long_term", "content": "Our test runner is kestrel-42."})},
				then: func(t *testing.T, s *sandbox) {
					hasLine(t, s, "MEMORY.md", `(?m)^<!-- 2026-02-15 14:30:00 \[[0-9a-f-]{8}\] -->\n.*kestrel-42`)
				}},
			{prompt: "Which test runner do we use? Answer with its name only, without using tools.",
				stub: []step{reads("kestrel-42")}, answer: []string{"kestrel-42"}, silent: true}}},
		{name: "4 scratchpad add, done, list", talk: []said{
			{prompt: "Use the scratchpad tool to add exactly this item: rotate the signing key",
				stub: []step{calls("scratchpad", map[string]any{"action": "add", "text": "rotate the signing key"})},
				then: scratchpad(`(?m)^<!-- 2026-02-15 14:30:00 \[[0-9a-f-]{8}\] -->\n- \[ \] rotate the signing key`)},
			{prompt: "Use the scratchpad tool to mark the item about the signing key as done.",
				stub: []step{calls("scratchpad", map[string]any{"action": "done", "text": "signing key"})},
				then: scratchpad(`(?m)^- \[x\] rotate the signing key`)},
			{prompt: "Use the scratchpad tool to list all items and show me the list as it is.",
				stub: []step{calls("scratchpad", map[string]any{"action": "list"}), repeats}, answer: []string{"rotate the signing key"}}}},
		{name: "5 writes a daily entry", talk: []said{{
			prompt: "Use memory_write with target daily to log exactly this: Measured the tidal pump.",
			stub:   []step{calls("memory_write", map[string]any{"target": "daily", "content": "Measured the tidal pump."})},
			then: func(t *testing.T, s *sandbox) {
				hasLine(t, s, "daily/"+today+".md", `(?m)^<!-- 2026-02-15 14:30:00 \[[0-9a-f-]{8}\] -->\n.*Measured the tidal pump\.`)
			}}}},
		{name: "6 memory_search without qmd", engine: "qmd", memory: map[string]string{"daily/" + before + ".md": "The relay is called marigold-3.\n"}, talk: []said{
			{prompt: "Use memory_search with the query: relay. Tell me what it found, word for word.",
				stub: []step{calls("memory_search", map[string]any{"query": "relay"}), repeats}, answer: []string{"marigold-3"}},
			{prompt: "Use memory_search with the query: zebra. Tell me its answer, word for word.",
				stub: []step{calls("memory_search", map[string]any{"query": "zebra"}), repeats}, answer: []string{"No results found"}}}},
	}
}

// Those that the document runs with qmd only; our own engine passes them too.
func daybookSearch() []daybookCase {
	postgres := map[string]string{"daily/" + before + ".md": "<!-- 2026-02-03 09:00:00 [a1b2c3d4] -->\n#decision [[database-choice]] Chose PostgreSQL for all backend services.\n\n" +
		"<!-- 2026-02-03 10:00:00 [a1b2c3d4] -->\n#lesson [[api-versioning]] URL prefixes avoid CDN cache issues.\n"}
	search := func(query, want string) said {
		return said{prompt: "Use memory_search in mode keyword with the query: " + query + " . Tell me what it found, word for word.",
			stub: []step{calls("memory_search", map[string]any{"query": query, "mode": "keyword"}), repeats}, answer: []string{want}}
	}
	return []daybookCase{
		{name: "7 memory_search finds", memory: postgres, talk: []said{search("PostgreSQL backend", "Chose PostgreSQL for all backend services")}},
		{name: "8 a related prompt surfaces a memory", talk: []said{
			{prompt: "Use memory_write with target daily to log exactly this: #decision [[database-choice]] Chose PostgreSQL for all backend services.", day: before,
				stub: []step{calls("memory_write", map[string]any{"target": "daily", "content": "#decision [[database-choice]] Chose PostgreSQL for all backend services."})}},
			{prompt: "What database was chosen?",
				stub: []step{reads("PostgreSQL")}, answer: []string{"PostgreSQL"}, silent: true,
				check: func(t *testing.T, r stub.Request) {
					has(t, "the tail", tail(r), "## Relevant memories (auto-retrieved)", "_daily/"+before+".md_", "Chose PostgreSQL")
					hasNot(t, "the prefix", memorySection(r), "PostgreSQL")
				}}}},
		{name: "9 tags and links are found", memory: postgres, talk: []said{
			search("#lesson", "URL prefixes avoid CDN cache issues"), search("database-choice", "Chose PostgreSQL")}},
		{name: "10 a handoff is seen in a new session", memory: map[string]string{
			"SCRATCHPAD.md": "# Scratchpad\n\n- [ ] finish the tidal simulation\n- [x] water the plants\n"}, talk: []said{
			{within: func(p *piRPC, _ *sandbox) {
				p.prompt("Say ok. " + lorem)
				p.prompt("Say ok once more. " + lorem)
				p.do(map[string]any{"type": "compact"})
			}, then: func(t *testing.T, s *sandbox) {
				hasLine(t, s, "daily/"+today+".md", `(?m)^<!-- HANDOFF 2026-02-15 14:30:00 \[[0-9a-f-]{8}\] -->\n## Session Handoff\n\*\*Open scratchpad items:\*\*\n- \[ \] finish the tidal simulation\n`)
			}},
			{prompt: "Does your memory of today hold a session handoff? If so, answer with the one item that it lists as open, word for word.",
				stub: []step{reads("finish the tidal simulation")}, answer: []string{"finish the tidal simulation"}, silent: true,
				check: func(t *testing.T, r stub.Request) {
					has(t, "the prefix", memorySection(r), "## Daily log: "+today+" (today)", "## Session Handoff", "- [ ] finish the tidal simulation")
					hasNot(t, "the prefix", memorySection(r), "water the plants")
				}}}},
	}
}

// hasLine says what a page of global memory must hold.
func hasLine(t *testing.T, s *sandbox, page, want string) {
	t.Helper()
	b, err := os.ReadFile(s.global(page))
	if err != nil || !regexp.MustCompile(want).Match(b) {
		t.Errorf("%s does not hold %s: %v\n%s", page, want, err, b)
	}
}

func TestDaybookDocument(t *testing.T) {
	t.Parallel()
	for _, c := range append(daybookCore(), daybookSearch()...) {
		t.Run(c.name, func(t *testing.T) { t.Parallel(); c.run(t, nil, "") })
	}
}

// The four that search, with the real qmd.
func TestDaybookDocumentWithQmd(t *testing.T) {
	t.Parallel()
	program := qmdProgram(t)
	for _, c := range daybookSearch() {
		t.Run(c.name, func(t *testing.T) { t.Parallel(); c.run(t, nil, program) })
	}
}

// All ten, with a real model, and those that search with qmd where it is.
func TestDaybookDocumentWithARealModel(t *testing.T) {
	provider, model := os.Getenv("PI_E2E_PROVIDER"), os.Getenv("PI_E2E_MODEL")
	if provider == "" || model == "" {
		t.Skipf("SKIP %s: PI_E2E_PROVIDER and PI_E2E_MODEL name no model", t.Name())
	}
	for _, c := range append(daybookCore(), daybookSearch()...) {
		t.Run(c.name, func(t *testing.T) { c.run(t, []string{provider, model}, "") })
	}
	t.Run("qmd", func(t *testing.T) {
		program := qmdProgram(t)
		for _, c := range daybookSearch() {
			t.Run(c.name, func(t *testing.T) { c.run(t, []string{provider, model}, program) })
		}
	})
}

// qmdProgram is the qmd that is installed for tests, or on PATH.
func qmdProgram(t *testing.T) string {
	t.Helper()
	file := filepath.Join(cacheDir(), "qmd-"+qmdIs, "node_modules", ".bin", "qmd")
	if !exists(file) {
		var err error
		if file, err = exec.LookPath("qmd"); err != nil {
			t.Skipf("SKIP %s: qmd is not installed (./test.sh installs it)", t.Name())
		}
	}
	return file
}

// run plays a case: real names provider and model, nil the stub; qmd is the
// program to search with, "" for our own engine.
func (c daybookCase) run(t *testing.T, real []string, qmd string) {
	t.Helper()
	var todo []step
	s := newSandbox(t, func(_ int, r stub.Request) stub.Reply {
		if len(todo) == 0 {
			return stub.Reply{Text: "ok"}
		}
		next := todo[0]
		todo = todo[1:]
		return next(r)
	})
	s.real = real
	s.window(16000, 50)
	for page, text := range c.memory {
		s.write(s.global(page), text)
	}
	engine := c.engine
	if qmd != "" {
		engine = "qmd"
		s.env["PATH"] = strings.Join([]string{filepath.Dir(qmd), filepath.Dir(s.pi[0]), "/usr/local/bin", "/usr/bin", "/bin"}, ":")
		s.env["PIMENTO_DEADLINE_MS"] = "60000" // of a busy machine
	}
	if engine == "" {
		engine = "own"
	}
	s.write(filepath.Join(s.home, ".config", "pimento", "config.json"), mustJSON(map[string]any{"profile": "daybook", "engine": engine}))
	for i, one := range c.talk {
		day := one.day
		if day == "" {
			day = today
		}
		s.env["PIMENTO_NOW"] = day + "T14:30:00Z"
		if qmd != "" && i > 0 {
			// Pimento makes the collection beside a session that has pages, and goes on
			// when pi has ended; if it had none, or something failed halfway, a search that
			// somebody asks for does.
			s.until("qmd's contexts", "Daily work logs", "sh", "-c", `"$1" recall hello >&2; exec "$2" context list`, "sh", pimento(t), qmd)
			s.until("qmd's update", "", qmd, "update")
		}
		asked := len(s.model.Requests())
		todo = one.stub
		one.play(t, s)
		if len(real) == 0 && one.silent && len(s.model.Requests()) != asked+1 {
			t.Errorf("%q took %d requests", one.prompt, len(s.model.Requests())-asked)
		}
		if len(real) == 0 && one.check != nil {
			one.check(t, s.request(-1))
		}
	}
	if qmd != "" {
		s.until("qmd's collections", "pi-memory", qmd, "collection", "list")
	}
}

// until runs a command until it ends well and says what is wanted.
func (s *sandbox) until(what, want string, argv ...string) {
	s.t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
		r := s.run(argv...)
		if r.code == 0 && strings.Contains(r.out, want) {
			return
		}
		if time.Now().After(end) {
			s.t.Fatalf("%s: exit %d, want %q:\n%s%s", what, r.code, want, r.out, r.err)
		}
	}
}

func (one said) play(t *testing.T, s *sandbox) {
	t.Helper()
	if one.within != nil {
		p := s.rpc(nil)
		one.within(p, s)
		p.close()
	} else {
		has(t, "the answer to "+one.prompt, s.print(one.prompt).out, one.answer...)
	}
	if one.then != nil {
		one.then(t, s)
	}
}

// Who is told that qmd is missing is told how to get it, and that it goes on
// without.
func TestQmdInstallHint(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, stub.Script())
	s.write(filepath.Join(s.home, ".config", "pimento", "config.json"), `{"profile": "daybook", "engine": "qmd"}`)
	p := s.rpc(nil)
	p.prompt("hello there")
	p.waitNotify("qmd is not on PATH, so Pimento searches itself; install it: npm install -g @tobilu/qmd")
	p.close()
}

// A session's end leaves its summary, and pi does not wait for the model that
// writes it: this one answers only once pi has gone.
func TestExitWaitsForNoSummary(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, stub.Script(stub.Reply{Calls: []stub.Call{{Name: "memory_write",
		Args: map[string]any{"target": "long_term", "content": "#decision Deploys go out on Tuesdays."}}}}))
	asked, gone := filepath.Join(s.dir, "asked"), filepath.Join(s.dir, "gone")
	script := "cat >" + asked + ".new; mv " + asked + ".new " + asked + "; while [ ! -e " + gone + " ]; do sleep 0.1; done; " +
		"printf '### Decisions\\n- Deploys on Tuesdays, as agreed.\\n### Lessons Learned\\nNone.\\n### Notes\\nNone.\\n### Follow-ups\\n- Tell the others.\\n'"
	s.write(filepath.Join(s.home, ".config", "pimento", "config.json"),
		mustJSON(map[string]any{"profile": "daybook", "thinker": map[string]any{"command": []string{"sh", "-c", script}}}))
	s.env["PIMENTO_NOW"] = today + "T14:30:00Z"
	s.print("when do deploys go out? Remember what we decide.")
	log := s.global("daily/" + today + ".md")
	if exists(log) {
		t.Fatal("the summary was there before pi ended")
	}
	waitFor(t, asked)
	time.Sleep(6 * time.Second) // longer than anything else that is pending is waited for
	s.write(gone, "")
	waitFor(t, log)
	hasLine(t, s, "daily/"+today+".md", `^<!-- 2026-02-15 14:30:00 \[[0-9a-f-]{8}\] -->
## Session Summary \(auto, exit: session-end\)

### Decisions
- Deploys on Tuesdays, as agreed\.

### Lessons Learned
None\.

### Notes
None\.

### Follow-ups
- Tell the others\.
$`)
	b, err := os.ReadFile(asked)
	if err != nil {
		t.Fatal(err)
	}
	has(t, "what the model was asked", string(b), "when do deploys go out? Remember what we decide.")
}

// waitFor waits until a file is there.
func waitFor(t *testing.T, file string) {
	t.Helper()
	for end := time.Now().Add(patience); !exists(file); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("there is no %s", file)
		}
	}
}
