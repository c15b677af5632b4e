package e2e

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento/e2e/stub"
)

// `pi -p "use daily-audit skill"`, as a timer runs it: memory says that its
// audit is overdue, the skill is there to be read, what it tells to run shows
// what agents filed and all of raw/, and its result rests the notice for a day.
func TestDailyAuditSkill(t *testing.T) {
	t.Parallel()
	location := func(r stub.Request) string {
		m := regexp.MustCompile(`<name>daily-audit</name>\s*<description>[^<]*</description>\s*<location>([^<]*)</location>`).FindStringSubmatch(r.System)
		if m == nil {
			t.Errorf("no skill in the system prompt:\n%s", clip(r.System))
			return "/nowhere"
		}
		return m[1]
	}
	call := func(name string, args map[string]any) stub.Reply {
		return stub.Reply{Calls: []stub.Call{{Name: name, Args: args}}}
	}
	var steps []step
	s := newSandbox(t, func(n int, r stub.Request) stub.Reply {
		if n < len(steps) {
			return steps[n](r)
		}
		return stub.Reply{Text: "ok"}
	})
	steps = []step{
		func(stub.Request) stub.Reply {
			return call("remember_this", map[string]any{"content": "Deploys go out on Tuesdays.", "type": "project"})
		},
		func(stub.Request) stub.Reply { return stub.Reply{Text: "noted"} },
		func(r stub.Request) stub.Reply { return call("read", map[string]any{"path": location(r)}) },
		func(r stub.Request) stub.Reply {
			has(t, "the skill", r.Last("tool").Text, "# Daily audit of memory", "Run `pimento audit`", "mark_daily_audit_complete")
			return call("bash", map[string]any{"command": "pimento audit --json"})
		},
		func(r stub.Request) stub.Reply {
			var a struct {
				Overdue bool
				Sample  []struct{ Text, Page string }
				Raw     []struct{ Folder string }
			}
			if err := json.Unmarshal([]byte(r.Last("tool").Text), &a); err != nil || !a.Overdue || len(a.Sample) != 1 ||
				a.Sample[0].Text != "Deploys go out on Tuesdays." || len(a.Raw) != 1 || a.Raw[0].Folder != "raw/browser" {
				t.Errorf("%v: %s", err, r.Last("tool").Text)
			}
			return call("mark_daily_audit_complete", map[string]any{"summary": "one page looked at, nothing odd"})
		},
		func(r stub.Request) stub.Reply { return stub.Reply{Text: r.Last("tool").Text} },
	}
	s.env["PATH"] = strings.Join([]string{filepath.Dir(pimento(t)), filepath.Dir(s.pi[0]), "/usr/local/bin", "/usr/bin", "/bin"}, ":")
	s.env["PIMENTO_NOW"] = "2026-02-15T14:30:00Z"
	s.pimento("profile", "use", "mind", "--global")
	s.print("deploys go out on Tuesdays, remember that")
	s.write(s.inProject("raw/browser/visit.md"), "Looked at the dashboard.\n")

	s.env["PIMENTO_NOW"] = "2026-02-16T15:30:00Z"
	out := s.print("use daily-audit skill").out
	has(t, "the request", tail(s.request(2)), "## Memory audit", "overdue. It has never been done.")
	has(t, "pi's answer", out, "Audit recorded at 2026-02-16 15:30: one page looked at, nothing odd")

	before := len(s.model.Requests())
	s.print("hello there")
	hasNot(t, "the next session's request", s.model.Requests()[before].Text(), "Memory audit")
	s.env["PIMENTO_NOW"] = "2026-02-17T21:30:00Z"
	before = len(s.model.Requests())
	s.print("hello there")
	has(t, "tomorrow's request", tail(s.model.Requests()[before]), "Last: 30 hours ago (one page looked at, nothing odd).")
}

// The skills are offered by the profiles that name them, and by no other; without memory not at all.
func TestSkillsAreTheProfiles(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, stub.Script())
	s.print("hello there")
	hasNot(t, "the default profile's request", s.request(0).System, "daily-audit", "knowledge-lint")
	s.pimento("profile", "use", "mind", "--global")
	s.print("hello there")
	has(t, "the mind's request", s.request(1).System, "<name>daily-audit</name>", "<name>knowledge-lint</name>")
	s.args = append(s.args, "--no-memory")
	s.print("hello there")
	hasNot(t, "the request without memory", s.request(2).System, "daily-audit", "knowledge-lint")
}
