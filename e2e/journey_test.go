package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento/e2e/stub"
)

// The journeys: the real pi, the real extension, the real binary.

const fenceOpen, fenceClose = "<pimento-memory>", "</pimento-memory>"

// tail is what stands beside the last prompt of a request.
func tail(r stub.Request) string {
	_, rest, ok := strings.Cut(r.User(), fenceOpen)
	if !ok {
		return ""
	}
	text, _, _ := strings.Cut(rest, fenceClose)
	return text
}

// name is a made-up word; different numbers share no stem.
func name(i int) string {
	const consonants, vowels = "bdfgklmnprtvz", "aeiou"
	var b strings.Builder
	for range 4 {
		b.WriteByte(consonants[i%13])
		b.WriteByte(vowels[(i/13+i)%5])
		i = i/13*7 + i%13*3 + 11
	}
	return fmt.Sprintf("%s%c", b.String(), consonants[i%13])
}

// statement is what the memory knows of the i-th service.
func statement(i int) string {
	return fmt.Sprintf("The %s service listens on port %d behind the %s gateway.", name(i), 20000+i, name(i+5000))
}

func question(i int) string { return "On which port does the " + name(i) + " service listen?" }

// services fills the global memory with n services, and returns the first that
// the prefix of a session does not already show.
func (s *sandbox) services(n int) {
	s.t.Helper()
	for from := 0; from < n; from += 50 {
		var b strings.Builder
		fmt.Fprintf(&b, "# Services %d\n\n", from)
		for i := from; i < min(n, from+50); i++ {
			fmt.Fprintf(&b, "- [fact] %s\n", statement(i))
		}
		s.write(s.global(fmt.Sprintf("topics/services-%03d.md", from)), b.String())
	}
}

// unseen are services of which the request says nothing.
func unseen(t testing.TB, r stub.Request, n int) []int {
	t.Helper()
	var found []int
	for i := 0; i < n; i++ {
		if !strings.Contains(r.Text(), name(i)) {
			found = append(found, i)
		}
	}
	if len(found) < 5 {
		t.Fatalf("the prefix shows all but %d services", len(found))
	}
	return found
}

// Session 1 writes a memory with the tool; session 2, another process, asks
// about it in other words and gets it, though nobody searches.
func TestRemembersTomorrow(t *testing.T) {
	t.Parallel()
	for _, version := range []string{newest, older, oldest} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			s := realSandbox(t, version, stub.Script(
				stub.Reply{Calls: []stub.Call{{Name: "memory_write", Args: map[string]any{
					"target": "long_term", "content": "The staging database listens on port 6432, not 5432."}}}},
				stub.Reply{Text: "noted"}))
			s.print("remember where the staging database is")
			has(t, "the tool's answer", s.request(1).Last("tool").Text, "MEMORY.md")
			if b, err := os.ReadFile(s.inProject("MEMORY.md")); err != nil || !strings.Contains(string(b), "port 6432") {
				t.Errorf("MEMORY.md: %v\n%s", err, b)
			}
			before := len(s.model.Requests())
			s.print("which ports do our databases use?")
			all := s.model.Requests()[before:]
			if len(all) != 1 {
				t.Fatalf("%d requests for one question", len(all))
			}
			has(t, "the second session's request", all[0].Text(), "port 6432, not 5432")
			if memorySection(all[0]) == "" {
				t.Error("there is no memory section")
			}
		})
	}
}

// realSandbox is newSandbox with any version of pi.
func realSandbox(t testing.TB, version string, answer func(int, stub.Request) stub.Reply) *sandbox {
	t.Helper()
	s := bareSandbox(t, version, answer)
	s.env["PIMENTO_BIN"] = pimento(t)
	s.args = []string{"-e", filepath.Join(repo(t), "extensions", "pi", "index.ts")}
	return s
}

// What does not fit the prefix is recalled by the prompt.
func TestRecallsForThePrompt(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, stub.Script())
	s.services(400)
	s.print("hello there")
	target := unseen(t, s.request(0), 400)[3]
	s.print("Please tell me where " + name(target) + "'s services are listening.")
	has(t, "the tail", tail(s.request(1)), statement(target))
}

func TestPrefixIsFrozen(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, stub.Script())
	s.services(400)
	s.print("hello there")
	u := unseen(t, s.request(0), 400)
	before := len(s.model.Requests())
	s.print(question(u[0]), question(u[1]), question(u[0]), "thanks", "Translate to French: the weather was lovely at the seaside.")
	all := s.model.Requests()[before:]
	if len(all) != 5 {
		t.Fatalf("%d requests for five prompts", len(all))
	}
	for i, r := range all {
		if r.System != all[0].System {
			t.Errorf("the system prompt of request %d differs:\n%s", i, clip(r.System))
		}
	}
	if memorySection(all[0]) == "" {
		t.Error("there is no memory section")
	}
	last := all[4].Text()
	for _, i := range u[:2] {
		if n := strings.Count(last, statement(i)); n != 1 {
			t.Errorf("statement %d stands %d times in the last request", i, n)
		}
	}
	for i := range 400 {
		if n := strings.Count(last, statement(i)); n > 1 {
			t.Errorf("statement %d stands %d times in the last request", i, n)
		}
	}
	for _, i := range []int{3, 4} {
		if got := tail(all[i]); got != "" {
			t.Errorf("prompt %d has the tail %q", i, got)
		}
	}
}

// lorem is a prompt long enough to be worth compacting.
var lorem = strings.Repeat("lorem ipsum dolor sit amet ", 60)

func TestCompactionBringsBackWhatIsNeeded(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, stub.Script())
	s.window(16000, 50)
	s.services(400)
	p := s.rpc(nil)
	p.prompt("hello there " + lorem)
	target := unseen(t, s.request(0), 400)[2]
	p.prompt(question(target))
	has(t, "the tail", tail(s.request(-1)), statement(target))
	p.prompt("and once more: " + question(target))
	hasNot(t, "the second tail", tail(s.request(-1)), statement(target))
	p.prompt("now something else " + lorem)
	p.do(map[string]any{"type": "compact"})
	p.prompt(question(target))
	if n := strings.Count(s.request(-1).Text(), statement(target)); n != 1 {
		t.Errorf("after the compaction the statement stands %d times in the request", n)
	}
	p.close()
}

// An edit by hand, by another process or with pi's own tool is told by the next
// prompt.
func TestChangesAreTold(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, func(n int, r stub.Request) stub.Reply {
		if strings.Contains(r.Last("user").Text, "use your edit tool") || strings.Contains(r.User(), "use your edit tool") {
			if r.Messages[len(r.Messages)-1].Role != "tool" {
				return stub.Reply{Calls: []stub.Call{{Name: "edit", Args: map[string]any{"path": homeOf(r),
					"edits": []any{map[string]any{"oldText": "Deploys happen on Tuesdays.", "newText": "Deploys happen on Wednesdays."}}}}}}
			}
		}
		return stub.Reply{Text: "ok"}
	})
	page := s.global("MEMORY.md")
	s.write(page, "- Deploys happen on Mondays.\n- Lunch is at noon.\n")
	s.write(s.global("SCRATCHPAD.md"), "# Scratchpad\n\n- [ ] rotate the signing key\n- [ ] water the plants\n")
	p := s.rpc(nil)
	p.prompt("good morning")
	has(t, "the prefix", memorySection(s.request(0)), "Mondays", "Lunch is at noon", "rotate the signing key")

	s.write(page, "- Deploys happen on Tuesdays.\n- Lunch is at noon.\n- The office closes at six.\n")
	p.prompt("what is new?")
	got := tail(s.request(-1))
	has(t, "the tail after an edit by hand", got, "Deploys happen on Mondays.", "Deploys happen on Tuesdays.", "The office closes at six.")
	if !regexp.MustCompile(`(?m)^- added: .*The office closes at six\.`).MatchString(got) {
		t.Errorf("the addition is not told as one:\n%s", got)
	}

	p.prompt("use your edit tool on " + page)
	p.prompt("and now?")
	has(t, "the tail after pi's edit tool", tail(s.request(-1)), "Wednesdays")

	s.write(page, "- Deploys happen on Wednesdays.\n- The office closes at six.\n")
	p.prompt("and what about food?")
	if !regexp.MustCompile(`(?m)^- withdrawn: .*Lunch is at noon`).MatchString(tail(s.request(-1))) {
		t.Errorf("the removal is not told:\n%s", tail(s.request(-1)))
	}

	s.pimento("remember", "--scope", "global", "The coffee machine needs descaling in March.")
	p.prompt("anything else?")
	has(t, "the tail after another process wrote", tail(s.request(-1)), "descaling in March")

	s.write(s.global("SCRATCHPAD.md"), "# Scratchpad\n\n- [x] rotate the signing key\n- [ ] water the plants\n")
	p.prompt("go on")
	if !regexp.MustCompile(`(?m)^- done: .*rotate the signing key`).MatchString(tail(s.request(-1))) {
		t.Errorf("the finished item is not told:\n%s", tail(s.request(-1)))
	}
	p.prompt("go on then")
	hasNot(t, "a later tail", tail(s.request(-1)), "rotate the signing key", "descaling")
	for i, r := range s.model.Requests() {
		if r.System != s.request(0).System {
			t.Errorf("the system prompt of request %d differs", i)
		}
	}
	p.close()
}

// homeOf finds the page that the prompt names.
func homeOf(r stub.Request) string {
	return regexp.MustCompile(`/\S+MEMORY\.md`).FindString(r.User())
}

func TestHandoffs(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, stub.Script())
	s.window(16000, 50)
	s.services(10)
	s.pimento("scratch", "add", "finish the tidal simulation")
	s.pimento("tool", "memory_write", `{"target":"daily","content":"The lunar term of the tide is still wrong."}`)
	p := s.rpc(nil)
	for range 2 {
		p.prompt("work on it " + lorem)
		p.prompt("go on " + lorem)
		p.do(map[string]any{"type": "compact"})
	}
	p.close()
	var log string
	for path, text := range files(s.home) {
		if strings.Contains(path, "/daily/") && strings.HasSuffix(path, ".md") {
			log += text
		}
	}
	// A handoff that quoted an earlier one would hold its heading again.
	if n := strings.Count(log, "## Session Handoff"); n != 2 {
		t.Errorf("%d handoffs after two compactions:\n%s", n, log)
	}
	if n := strings.Count(log, "<!-- HANDOFF"); n != 2 {
		t.Errorf("%d handoff stamps:\n%s", n, log)
	}
	s.print("good morning")
	has(t, "the next session's prefix", memorySection(s.request(-1)), "## Last handoff", "finish the tidal simulation", "lunar term")
	s.env["PIMENTO_NOW"] = time.Now().Add(24 * time.Hour).UTC().Format(time.RFC3339)
	s.print("good morning")
	has(t, "tomorrow's prefix", memorySection(s.request(-1)), "## Last handoff", "finish the tidal simulation", "lunar term")
}

func TestSilence(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, stub.Script())
	s.services(400)
	p := s.rpc(nil)
	p.prompt("hello there")
	u := unseen(t, s.request(0), 400)
	p.prompt("/memory off")
	p.prompt(question(u[0]))
	hasNot(t, "the silent request", s.request(-1).System, "<memory>")
	hasNot(t, "the silent request", s.request(-1).User(), fenceOpen, statement(u[0]))
	p.prompt("/memory on")
	p.prompt(question(u[1]))
	has(t, "the request", tail(s.request(-1)), statement(u[1]))
	if memorySection(s.request(-1)) == "" {
		t.Error("the section did not come back")
	}
	p.close()

	before := len(s.model.Requests())
	s.args = append(s.args, "--no-memory")
	s.print(question(u[0]))
	hasNot(t, "the request with --no-memory", s.request(before).Text(), "<memory>", fenceOpen)
	hasNot(t, "the tools with --no-memory", strings.Join(s.request(before).Tools, " "), "memory")
}

func TestToolset(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"daybook": "memory_write memory_read scratchpad memory_search memory_forget memory_restore memory_status",
		"default": "memory_write memory_read memory_search scratchpad memory_forget memory_restore memory_status",
	}
	for profile, tools := range want {
		t.Run(profile, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t, stub.Script())
			s.pimento("profile", "use", profile, "--global")
			s.write(s.global("MEMORY.md"), "- Tea is green.\n")
			s.print("hello there")
			var ours []string
			for _, tool := range s.request(0).Tools {
				if strings.HasPrefix(tool, "memory_") || tool == "scratchpad" {
					ours = append(ours, tool)
				}
			}
			if got := strings.Join(ours, " "); got != tools {
				t.Errorf("the tools are %s, want %s", got, tools)
			}
			has(t, "the request", s.request(0).Text(), "Tea is green.")
		})
	}
}
