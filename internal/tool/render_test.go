package tool_test

import (
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/fault"
	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/tool"
)

func TestWithoutBullet(t *testing.T) {
	for in, want := range map[string]string{
		"- x":             "x",
		"* x y ":          "x y",
		"+ x":             "x",
		" - x\n":          "x",
		"x":               "x",
		"-x":              "-x",
		"- x\n- y":        "- x\n- y",
		"- x\n  more":     "- x\n  more",
		"- [ ] x":         "- [ ] x",
		"- [x](y.md)":     "- [x](y.md)",
		"- [name] x":      "[name] x",
		"- - -":           "- - -",
		"-- x":            "-- x",
		"* *":             "* *",
		"":                "",
		"-":               "-",
		"- ":              "- ",
		"-5 degrees":      "-5 degrees",
		"2 - 1 is 1":      "2 - 1 is 1",
		"- a\u00a0b  c\t": "a\u00a0b  c",
	} {
		if got := tool.WithoutBullet(in); got != want {
			t.Errorf("WithoutBullet(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestSectionsAccountForEveryToken adds up the rows of each zone.
func TestSectionsAccountForEveryToken(t *testing.T) {
	b := pimento.Block{Prefix: "# Memory\n\nwhat it is\n\n## A\n\n- one two three", Tail: "<m>\n- four\n</m>",
		Sections: []pimento.SectionUse{{Name: "a", Zone: pimento.Prefix, Tokens: 5}, {Name: "hits", Zone: pimento.Tail, Tokens: 2}}}
	got := tool.RenderSections(b, tool.Paint{})
	for _, z := range []struct{ name, text string }{{"prefix", b.Prefix}, {"tail", b.Tail}} {
		if want := z.name + " " + strconv.Itoa(text.Tokens(z.text)) + " tokens"; !strings.Contains(got, want) {
			t.Errorf("lacks %q:\n%s", want, got)
		}
	}
	if strings.Count(got, "(frame)") != 2 {
		t.Errorf("no frames:\n%s", got)
	}
	if got := tool.RenderSections(pimento.Block{}, tool.Paint{}); !strings.Contains(got, "Nothing was injected") {
		t.Error(got)
	}
}

func TestAlreadyShown(t *testing.T) {
	const id = "0123456789abcdef"
	b := pimento.Block{Trace: []pimento.Decision{
		{Entry: id, Decision: "dropped", Reason: "already stands in the block"},
		{Entry: id, Decision: "dropped", Reason: "already in the session's context"},
		{Entry: "standing", Decision: "dropped", Reason: "already stands in the block: 4"}, // a count
		{Entry: id, Decision: "dropped", Reason: "no room"},
		{Entry: id, Decision: "full", Reason: "hits"},
	}}
	if got := tool.AlreadyShown(b); len(got) != 2 {
		t.Errorf("got %v", got)
	}
}

func TestAWholePageIsNamedByItsPlace(t *testing.T) {
	res := engine.Result{Scope: pimento.Project, Page: "MEMORY.md", ID: "0123456789abcdef", Action: pimento.Put}
	if got := tool.RenderWrite(res, "Restored", tool.Paint{}); got != "Restored: project:MEMORY.md" {
		t.Errorf("%q", got)
	}
}

// TestNarrow lays status and doctor out for a narrow terminal, in colour.
func TestNarrow(t *testing.T) {
	p := tool.Paint{Width: 40, Color: true}
	st := engine.StatusReport{Enabled: true, Project: "/home/somebody/work", Consent: "mismatch: the project has moved here from /there",
		Profile: "default", Scopes: []engine.ScopeStatus{{Scope: pimento.Global, Dir: "/home/somebody/.pi/memory", Exists: true, Entries: 12, Pages: 1}}}
	checks := tool.RenderChecks([]engine.Check{{Name: "project journal", OK: true, Detail: "fine"},
		{Name: "global", Detail: "some words that are too many for the line", Hint: "some more words which do not fit it either"}}, p)
	faults := tool.RenderFaultHistory([]fault.Fault{{Kind: fault.PinnedMiss, Time: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC),
		Detail: "of 1 pinned entries 0 are shown too short and 1 not at all: the budget is too small for them"}}, p)
	if n := strings.Count(faults, "\n"); n > 7 {
		t.Errorf("a fault takes %d lines:\n%s", n, faults)
	}
	got := tool.RenderStatus(st, p) + "\n" + checks + "\n" + faults
	if strings.Contains(got, "Nothing is remembered") {
		t.Error("a memory without consent is not an empty one")
	}
	for line := range strings.Lines(got) {
		plain := strings.NewReplacer("\x1b[0m", "", "\x1b[1m", "", "\x1b[2m", "", "\x1b[31m", "", "\x1b[32m", "", "\x1b[33m", "").
			Replace(strings.TrimRight(line, "\n"))
		if n := utf8.RuneCountInString(plain); n > 42 || plain != strings.TrimRight(plain, " ") {
			t.Errorf("%d columns: %q", n, plain)
		}
	}
}

func TestNothingFoundInTimeIsNotNothingThere(t *testing.T) {
	ans := pimento.Answer{Status: pimento.NoMatch, Faults: []pimento.Fault{{Kind: "deadline", Detail: "the index is still being built"}}}
	if got := tool.RenderHits(ans, "deploys", tool.Paint{}); !strings.Contains(got, "still being built") {
		t.Error(got)
	}
}

// TestNamesWriteNoLines: a directory or file whose name holds line breaks and escapes
// cannot write a line of a report, in a terminal or a pipe.
func TestNamesWriteNoLines(t *testing.T) {
	const name = "/repo\x1b[2J\nok   consent granted\n"
	for _, width := range []int{0, 40, 100} {
		p := tool.Paint{Width: width}
		for what, text := range map[string]string{
			"status": tool.RenderStatus(engine.StatusReport{Enabled: true, Project: name, Consent: "missing",
				Scopes: []engine.ScopeStatus{{Scope: pimento.Project, Exists: true, Dir: name}}, Faults: []pimento.Fault{{Kind: "vault", Detail: name}}}, p),
			"doctor":  tool.RenderChecks([]engine.Check{{Name: "project", Detail: name + " is not used", Hint: name}}, p),
			"trust":   tool.RenderTrusted(tool.Trusted{Faults: []pimento.Fault{{Kind: "vault", Detail: name}}}, tool.Paint{}),
			"message": tool.Below("vault: " + name),
			"why":     tool.RenderWhy(tool.WhyView{Trace: pimento.Trace{Session: name}}, p),
			"recall":  tool.RenderWhy(tool.WhyView{Trace: pimento.Trace{Session: name, Recall: &pimento.Recalled{}}}, p),
		} {
			if strings.Contains(text, "\x1b[2J") || strings.Contains(text, "\nok   consent granted") {
				t.Errorf("%s, %d columns: %q", what, width, text)
			}
		}
	}
	if got := tool.OneLine("a\u202eb\u2066c\x1bd", 20); got != "abcd" {
		t.Errorf("a line is %q", got)
	}
	if tool.Path("/a b/ü") != "/a b/ü" {
		t.Error("a good name is changed")
	}
}

// TestInboxNamesWhatOpposes: what waits shows which entries it cannot hold beside.
func TestInboxNamesWhatOpposes(t *testing.T) {
	at := pimento.Occurrence{Scope: pimento.Project, Page: "MEMORY.md", Statement: "322fd2f9d99bb458"}
	list := []pimento.Proposal{{ID: "3f9c2a7100000000", Text: "the release is on Friday", Scope: pimento.Project,
		Against: []pimento.Entry{{Text: "the release moved to Monday", Occurrence: at}}}}
	if got := tool.RenderInbox(list, "pimento inbox", tool.Paint{}); !strings.Contains(got, "it cannot hold beside project:MEMORY.md#322fd2f9d99bb458: the release moved to Monday") {
		t.Error(got)
	}
}
