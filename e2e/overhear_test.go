package e2e

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento/e2e/stub"
)

// What a user asks to remember in one session, in words, without a tool, is in
// the next one's request; what may be a preference waits, and is there once the
// user has said yes.
func TestOverheardInOneSessionKnownInTheNext(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, stub.Script(stub.Reply{Text: "好的"}, stub.Reply{Text: "fine"}, stub.Reply{Text: "fine"}, stub.Reply{Text: "fine"}))
	s.print("记一下 I prefer pm2 over forever for process management")
	s.print("ok, I always run the tests with the race detector on")
	s.print("how do I start the worker?")
	next := memorySection(s.request(2))
	has(t, "the next session's system prompt", next, "I prefer pm2 over forever for process management")
	hasNot(t, "the next session's system prompt", next, "race detector")
	var waits []struct{ ID, Text, Reason string }
	if err := json.Unmarshal([]byte(s.pimento("inbox", "--json")), &waits); err != nil || len(waits) != 1 {
		t.Fatalf("%v %+v", err, waits)
	}
	has(t, "the inbox", waits[0].Text+waits[0].Reason, "I always run the tests with the race detector on", "you said so in passing")
	s.pimento("inbox", "accept", waits[0].ID)
	s.print("and the tests?")
	has(t, "the system prompt after the yes", memorySection(s.request(3)), "race detector")
}

// A person who reads pi's terminal is told what was remembered.
func TestOverhearingIsTold(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, stub.Script(stub.Reply{Text: "ok"}))
	p := s.rpc(nil)
	p.prompt("From now on always use pnpm instead of npm.")
	p.waitNotify("remembered: From now on always use pnpm instead of npm.")
	p.close()
}

// Also where memory was too slow for the prompt.
func TestOverhearingIsToldLate(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, stub.Script())
	s.env["PIMENTO_DEADLINE_MS"] = "2000"
	p := s.rpc(nil)
	p.prompt("hello there")
	s.stopChildren(p.cmd.Process.Pid)
	p.prompt("From now on always use pnpm instead of npm.")
	p.waitNotify("too slow")
	s.continueChildren(p.cmd.Process.Pid)
	p.waitNotify("remembered: From now on always use pnpm instead of npm.")
	p.close()
}

// What another agent writes is no word of the user's: a pi out of the shell of another
// one, one that an extension of it starts, one whose answer a program reads, and what an
// extension sends. The same words of a person count.
func TestPromptsOfAgentsAreNotOverheard(t *testing.T) {
	t.Parallel()
	var s *sandbox
	s = newSandbox(t, func(_ int, r stub.Request) stub.Reply {
		if !strings.Contains(r.User(), "run the subagent") || r.Last("").Role == "tool" {
			return stub.Reply{Text: "fine"}
		}
		return stub.Reply{Calls: []stub.Call{{Name: "bash", Args: map[string]any{"command": "exec " + quoted(s.piArgs("-p", says("shell")))}}}}
	})
	s.args = append(s.args, "-e", filepath.Join(s.dir, "others.ts"))
	s.write(filepath.Join(s.dir, "others.ts"), `import { spawnSync } from "node:child_process";
export default function (pi) {
	pi.registerCommand("start", { handler: async (args) => {
		const [command, ...rest] = JSON.parse(args);
		const done = spawnSync(command, rest, { encoding: "utf8" });
		if (done.status !== 0) throw new Error(done.stderr);
		console.error("the other one says " + done.stdout);
	} });
	pi.registerCommand("send", { handler: async (args) => pi.sendUserMessage(args) });
}
`)
	s.pimento("think", "worth", "answers") // asks what a run was about at its end, too
	s.print("run the subagent")
	has(t, "what pi was told", s.print("/start "+mustJSON(s.piArgs("-p", says("spawned")))).err, "the other one says fine")
	if r := s.run(s.piArgs("--mode", "json", "-p", says("program"))...); r.code != 0 {
		t.Fatal(r.err)
	}
	p := s.rpc(nil)
	p.prompt("/send " + says("extension"))
	p.wait("the end of the run", func(e event) bool { return e.Type == "agent_settled" })
	p.prompt(says("person"))
	p.waitNotify("remembered: " + says("person"))
	p.close()
	var asked string
	for _, r := range s.model.Requests() {
		asked += r.User()
	}
	memory := s.pimento("recall", "always use the package manager", "--json") + s.pimento("inbox", "--json")
	for _, who := range []string{"shell", "spawned", "program", "extension", "person"} {
		has(t, "what the model was asked", asked, says(who))
		if who != "person" {
			hasNot(t, "memory", memory, who)
		}
	}
	has(t, "memory", memory, says("person"))
}

// What pi puts into a prompt, a file that was named, a skill, a template or what was piped
// in, is no word of the user's either; what the user typed beside it is, and that is asked of memory.
func TestFilesAndSkillsAreNotTyped(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, stub.Script())
	s.services(100)
	s.write(s.global("topics/notes.md"), "- Exporters listen on 9187.\n- window.go must stay free of time zones.\n")
	handed := "# Notes\n\nService 12 is owned by billing and retries three times. Service 14 writes to the archive.\n"
	s.write(filepath.Join(s.project, "window.go.md"), handed+says("file")+"\n")
	s.write(filepath.Join(s.home, ".pi/agent/skills/style/SKILL.md"), "---\nname: style\ndescription: how we write\n---\n"+handed+says("skill")+"\n")
	s.print("@window.go.md", "which port do the exporters listen on?")
	has(t, "the model's request", s.request(0).User(), says("file"), "which port")
	has(t, "the tail", tail(s.request(0)), "Exporters listen on 9187.")
	s.print("/skill:style which port do the exporters listen on?")
	has(t, "the model's request", s.request(1).User(), says("skill"), "which port")
	has(t, "the tail", tail(s.request(1)), "Exporters listen on 9187.")
	s.print("/skill:style " + says("person"))
	s.write(filepath.Join(s.home, ".pi/agent/prompts/house.md"), says("template")+" Now look at $@.\n")
	s.print("/house the exporters")
	has(t, "the model's request", s.request(3).User(), says("template"), "look at the exporters")
	pipe := append([]string{"sh", "-c", `printf '%s' "$0" | "$@"`, handed + says("pipe")}, s.piArgs("-p", "which port do the exporters listen on?")...)
	if r := s.run(pipe...); r.code != 0 {
		t.Fatal(r.err)
	}
	has(t, "the model's request", s.request(4).User(), says("pipe")+"which port") // pi glues them
	has(t, "the tail", tail(s.request(4)), "Exporters listen on 9187.")
	// Another argument may end like what was typed.
	if r := s.run(append(pipe[:len(pipe)-1:len(pipe)-1], "which port do the exporters listen on, so high", "--thinking", "high")...); r.code != 0 {
		t.Fatal(r.err)
	}
	has(t, "the tail", tail(s.request(5)), "Exporters listen on 9187.")
	s.print(says("first"), "manager.") // two prompts, one of which ends like the other
	memory := s.pimento("recall", "always use the package manager", "--json") + s.pimento("inbox", "--json")
	has(t, "memory", memory, says("person"), says("first"))
	hasNot(t, "memory", memory, says("file"), says("skill"), says("template"), says("pipe"))
}

func says(who string) string { return "From now on always use the " + who + " package manager." }

// quoted is a command line for a shell.
func quoted(argv []string) string {
	var b strings.Builder
	for _, a := range argv {
		b.WriteString("'" + strings.ReplaceAll(a, "'", `'\''`) + "' ")
	}
	return b.String()
}

// After the agent has edited a file, the next prompt's request holds what memory
// says about that file.
func TestReminderAfterAnEdit(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, stub.Script(
		stub.Reply{Calls: []stub.Call{{Name: "write", Args: map[string]any{"path": "src/importer.go", "content": "package src"}}}},
		stub.Reply{Text: "written"}, stub.Reply{Text: "fine"}, stub.Reply{Text: "fine"}))
	s.services(200)
	s.pimento("remember", "--scope", "global", "--page", "topics/lessons.md", "--kind", "done", "importer.go must keep the rows in their order")
	p := s.rpc(nil)
	p.prompt("please begin")
	p.prompt("now paint the fence")
	has(t, "the request after the edit", s.request(2).User(), "## About files edited just now", "importer.go must keep the rows in their order")
	p.close()
}
