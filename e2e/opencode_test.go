package e2e

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pimento-memory/pimento/e2e/stub"
)

// An opencode is a machine with opencode, and the plugin as `pimento setup opencode`
// installs it.
type opencode struct {
	*sandbox
	bin string
}

func newOpencode(t *testing.T, answer func(r stub.Request) stub.Reply) *opencode {
	t.Helper()
	plain := "opencode-linux-" + arch()
	bin := filepath.Join(cacheDir(), "opencode-"+opencodeIs, "node_modules", plain+"-baseline", "bin", "opencode")
	if !exists(bin) {
		bin = installed(t, "opencode-"+opencodeIs, plain, "bin", "opencode")
	}
	s := &opencode{bin: bin, sandbox: machine(t, func(_ int, r stub.Request) stub.Reply {
		if titled(r) {
			return stub.Reply{Text: "A title"}
		}
		return answer(r)
	})}
	config := filepath.Join(s.home, ".config", "opencode")
	s.write(filepath.Join(config, "opencode.json"), mustJSON(map[string]any{
		"autoupdate": false, "share": "disabled", "model": "stub/stub-model", "small_model": "stub/stub-model",
		"provider": map[string]any{"stub": map[string]any{"npm": "@ai-sdk/openai-compatible", "name": "Stub",
			"options": map[string]any{"baseURL": s.model.URL, "apiKey": "stub-key"},
			"models":  map[string]any{"stub-model": map[string]any{"name": "Stub", "limit": map[string]any{"context": 128000, "output": 1000}}}}}}))
	// Before it loads plugins opencode installs what it takes them to need, unless
	// this says that it did.
	s.write(filepath.Join(config, "package-lock.json"), mustJSON(map[string]any{
		"packages": map[string]any{"": map[string]any{"dependencies": map[string]any{"@opencode-ai/plugin": opencodeIs}}}}))
	if err := os.Mkdir(filepath.Join(config, "node_modules"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.ok(s.awkward(), "setup", "opencode", "--yes")
	for k, v := range map[string]string{"HTTP_PROXY": "http://127.0.0.1:1", "HTTPS_PROXY": "http://127.0.0.1:1", "NO_PROXY": "127.0.0.1,localhost",
		"OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_LSP_DOWNLOAD": "1"} {
		s.env[k] = v
	}
	return s
}

func titled(r stub.Request) bool { return strings.HasPrefix(r.System, "You are a title generator") }

// asked are the requests so far, those for a title left out.
func (s *opencode) asked() (all []stub.Request) {
	for _, r := range s.model.Requests() {
		if !titled(r) {
			all = append(all, r)
		}
	}
	return all
}

// ask runs `opencode run` and returns its last request and what it said on standard
// error.
func (s *opencode) ask(args ...string) (stub.Request, string) {
	s.t.Helper()
	r := s.run(append([]string{s.bin, "run"}, args...)...)
	all := s.asked()
	if r.code != 0 || !strings.Contains(r.out, "the stub says") || len(all) == 0 {
		s.t.Fatalf("opencode run %q: exit %d\n%s\n%s", args, r.code, r.out, r.err)
	}
	return all[len(all)-1], r.err
}

// One session writes with the tool, another, in a process of its own, is given what
// bears on its prompt, once; that stays in its history, and the system prompt as it is.
func TestOpencode(t *testing.T) {
	t.Parallel()
	s := newOpencode(t, func(r stub.Request) stub.Reply {
		last := r.Last("user").Text
		switch {
		case strings.Contains(last, "USE-THE-TOOL") && r.Messages[len(r.Messages)-1].Role == "user":
			return stub.Reply{Calls: []stub.Call{{Name: "pimento_memory_write", Args: map[string]any{
				"target": "long_term", "content": "The staging database listens on port 6432."}}}}
		case strings.Contains(last, "FILL-THE-WINDOW"):
			return stub.Reply{Text: "the stub says much", Tokens: 127500}
		}
		return stub.Reply{Text: "the stub says ok"}
	})
	s.services(400)
	s.pimento("remember", "Deploys go through the staging cluster.")
	first, said := s.ask("USE-THE-TOOL to remember it")
	if b, err := os.ReadFile(s.inProject("MEMORY.md")); err != nil || !strings.Contains(string(b), "port 6432") {
		t.Fatalf("MEMORY.md: %v\n%s\n%s", err, b, said)
	}
	again, _ := s.ask("-c", "hello again")
	hasNot(t, "what the session wrote itself is no news: the tail", tail(again), "6432")
	if memorySection(first) == "" || again.System != first.System {
		t.Errorf("the system prompt differs:\n%s\n---\n%s", clip(first.System), clip(again.System))
	}

	target := unseen(t, first, 400)[3]
	prompt := "Please tell me where " + name(target) + "'s services are listening."
	other, said := s.ask(prompt)
	has(t, "the next session's prefix", memorySection(other), "port 6432")
	has(t, "the tail", tail(other), statement(target))
	has(t, "the prompt", other.User(), prompt)
	if strings.Contains(said, "pimento:") {
		t.Errorf("said: %s", said)
	}
	for _, r := range s.model.Requests() {
		if titled(r) {
			hasNot(t, "the request for a title", r.System, "<memory>")
		}
	}

	// What is piped in is no word of the user's, and does not drown the question.
	handed := "# Notes\n\nService 12 is owned by billing. Service 14 writes to the archive.\n\n" + says("pipe") + "\n"
	piped := s.run("sh", "-c", `printf '%s' "$0" | "$@"`, handed, s.bin, "run", prompt)
	all := s.asked()
	has(t, "the request with a page piped in: "+piped.err, all[len(all)-1].User(), says("pipe"))
	has(t, "the tail", tail(all[len(all)-1]), statement(target))
	hasNot(t, "memory", s.pimento("recall", "which package manager", "--json")+s.pimento("inbox"), says("pipe"))
	s.ask(prompt)

	s.write(s.inProject("SCRATCHPAD.md"), "- [ ] drain the old queue\n")
	s.ask("-c", "FILL-THE-WINDOW, and once more: "+prompt)
	all = s.asked()
	i := slices.IndexFunc(all, func(r stub.Request) bool { return strings.Contains(r.Last("user").Text, "FILL-THE-WINDOW") })
	full, summary := all[i], all[i+1]
	if full.System != other.System || strings.Count(full.Text(), statement(target)) != 1 {
		t.Errorf("the next prompt of the session:\n%s", clip(full.Text()))
	}
	hasNot(t, "the request for a summary", summary.Text(), "<memory>")
	has(t, "the journal of the project", strings.Join(slices.Collect(maps.Values(files(s.inProject("daily")))), ""), "Session Handoff", "drain the old queue")
	later, _ := s.ask("-c", "Remember that the \"canary\" takes ten minutes. And where are "+name(target)+"'s services listening?")
	has(t, "the tail after the compaction", tail(later), statement(target))
	has(t, "the prefix after the compaction", memorySection(later), "drain the old queue")
	has(t, "MEMORY.md", files(s.inProject(""))["MEMORY.md"], `the "canary" takes ten minutes`)
}

// Where memory cannot or must not be used, opencode answers as if the plugin were not
// there, and the person is told once.
func TestOpencodeWithoutMemory(t *testing.T) {
	t.Parallel()
	s := newOpencode(t, func(stub.Request) stub.Reply { return stub.Reply{Text: "the stub says ok"} })
	s.write(s.inProject("MEMORY.md"), "- strangers listen on port 6432\n")
	before := files(s.project)
	alone := func(what, hint string) {
		t.Helper()
		r, said := s.ask("where do strangers listen?")
		hasNot(t, what+": the request", r.Text(), "6432", "<pimento-memory>")
		if strings.Count(said, "pimento: ") != 1 || !strings.Contains(said, hint) {
			t.Errorf("%s: said %q", what, said)
		}
	}
	alone("without consent", "pimento trust")
	if after := files(s.project); !maps.Equal(after, before) {
		t.Errorf("the project was changed: %v", after)
	}

	s.env["PIMENTO_BIN"] = filepath.Join(s.dir, "missing")
	alone("without the program", "go install")
	hasNot(t, "the system prompt", s.request(-1).System, "<memory>")
	hasNot(t, "the tools", strings.Join(s.request(-1).Tools, " "), "pimento")

	s.env["PIMENTO_BIN"], s.env["PIMENTO_DEADLINE_MS"] = filepath.Join(s.dir, "hangs"), "200"
	pid := filepath.Join(s.dir, "pid")
	s.write(s.env["PIMENTO_BIN"], "#!/bin/sh\necho $$ >"+pid+"\nexec sleep 600\n")
	if err := os.Chmod(s.env["PIMENTO_BIN"], 0o755); err != nil {
		t.Fatal(err)
	}
	alone("with a program that hangs", "too slow")
	hasNot(t, "the tools", strings.Join(s.request(-1).Tools, " "), "pimento")
	b, err := os.ReadFile(pid)
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(patience); syscall.Kill(n, 0) == nil; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the program that hangs outlives opencode")
		}
	}
}
