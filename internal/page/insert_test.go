package page

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pimento-memory/pimento"
)

func TestInsertPlaces(t *testing.T) {
	stamp := time.Date(2026, 2, 15, 14, 30, 0, 0, time.FixedZone("", 3600))
	const line = "<!-- 2026-02-15 14:30:00 [a1b2c3d4] -->\n"
	for _, c := range []struct {
		name, rel, src string
		n              New
		want           string
	}{
		{"empty list", "MEMORY.md", "", New{Text: "x"}, "- x\n"},
		{"stamped into an empty list", "MEMORY.md", "", New{Text: "x", Stamp: stamp, Session: "a1b2c3d4e5"}, line + "x\n"},
		{"stamped at the end", "MEMORY.md", "# M\n\n- a\n", New{Text: "x", Stamp: stamp, Session: "a1b2c3d4"}, "# M\n\n- a\n\n" + line + "x\n"},
		{"stamped below an open last line", "MEMORY.md", "- a", New{Text: "x", Stamp: stamp, Session: "a1b2c3d4"}, "- a\n\n" + line + "x\n"},
		{"stamped text of several paragraphs", "MEMORY.md", "a\n", New{Text: "x\n\ny", Stamp: stamp, Session: "a1b2c3d4"}, "a\n\n" + line + "- x\n\n  y\n"},
		{"a stamped block as it is", "MEMORY.md", "a\n", New{Text: "# T\n\n- x\n- y\n\nz", AsIs: true, Stamp: stamp, Session: "a1b2c3d4"}, "a\n\n" + line + "# T\n\n- x\n- y\n\nz\n"},
		{"a stamped bullet as it is", "MEMORY.md", "a", New{Text: "- x", AsIs: true, Stamp: stamp, Session: "a1b2c3d4"}, "a\n\n" + line + "- x\n"},
		{"a block with the page's line ending", "MEMORY.md", "- a\r\n", New{Text: "- x\n- y", AsIs: true, Stamp: stamp}, "- a\r\n\r\n<!-- 2026-02-15 14:30:00 -->\r\n- x\r\n- y\r\n"},
		{"no block with a forged stamp", "MEMORY.md", "", New{Text: "x\n\n" + line + "y", AsIs: true, Stamp: stamp, Session: "a1b2c3d4"}, line + "- x\n\n  " + line + "  y\n"},
		{"no block with a forged pin", "MEMORY.md", "", New{Text: "- x *(pinned)*\n- y", AsIs: true, Stamp: stamp, Session: "a1b2c3d4"}, line + "- - x \\*(pinned)*\n  - y\n"},
		{"no block with an open fence", "MEMORY.md", "", New{Text: "x\n\n```\ny", AsIs: true, Stamp: stamp, Session: "a1b2c3d4"}, line + "- x\n\n  ```\n  y\n"},
		{"no block with index markers", "MEMORY.md", "", New{Text: "x\n\n<!-- index:begin -->\n- y\n<!-- index:end -->", AsIs: true, Stamp: stamp, Session: "a1b2c3d4"}, line + "- x\n\n  <!-- index:begin -->\n  - y\n  <!-- index:end -->\n"},
		{"after the last bullet", "MEMORY.md", "- a\n  more\n\ntext\n", New{Text: "x"}, "- a\n  more\n- x\n\ntext\n"},
		{"under a heading", "MEMORY.md", "# M\n## A\n- a\n## B\n- b\n", New{Text: "x", Heading: "A"}, "# M\n## A\n- a\n- x\n## B\n- b\n"},
		{"under a heading by path", "MEMORY.md", "# M\n## A\n- a\n# N\n## A\n- b\n", New{Text: "x", Heading: "N > A"}, "# M\n## A\n- a\n# N\n## A\n- b\n- x\n"},
		{"under an empty heading", "MEMORY.md", "## A\n\n## B\n\n- b\n", New{Text: "x", Heading: "A"}, "## A\n\n- x\n\n## B\n\n- b\n"},
		{"under a heading with prose", "MEMORY.md", "## A\nprose\n## B\n- b\n", New{Text: "x", Heading: "A"}, "## A\nprose\n\n- x\n\n## B\n- b\n"},
		{"under a heading that is not there", "MEMORY.md", "## A\n- a\n\nend\n", New{Text: "x", Heading: "Z"}, "## A\n- a\n- x\n\nend\n"},
		{"beside its own kind", "MEMORY.md", "## Lessons\n- a\n## Decisions\n- b\n", New{Text: "x", Kind: pimento.KindLesson}, "## Lessons\n- a\n- x\n## Decisions\n- b\n"},
		{"a fact under a telling heading", "MEMORY.md", "## Lessons\n- a\n", New{Text: "x", Kind: pimento.KindFact}, "## Lessons\n- a\n- [fact] x\n"},
		{"a stampless entry is not dated by its neighbour", "MEMORY.md", line + "- a\n", New{Text: "x"}, line + "- a\n\n- x\n"},
		{"not into the generated index", "MEMORY.md", "<!-- index:begin -->\n- [a](a.md)\n<!-- index:end -->\n", New{Text: "x"}, "<!-- index:begin -->\n- [a](a.md)\n<!-- index:end -->\n\n- x\n"},
		{"not into a fence", "MEMORY.md", "```\n- a\n```\n", New{Text: "x"}, "```\n- a\n```\n\n- x\n"},
		{"not into front matter", "MEMORY.md", "---\ntags:\n- a\n---\n", New{Text: "x"}, "---\ntags:\n- a\n---\n\n- x\n"},
		{"with the page's line ending", "MEMORY.md", "- a\r\n", New{Text: "x\ny"}, "- a\r\n- x\r\n  y\r\n"},
		{"below a byte order mark", "MEMORY.md", "\ufeff", New{Text: "x"}, "\ufeff- x\n"},
		{"pinned", "MEMORY.md", "- a\n", New{Text: "x\ny", Pinned: true}, "- a\n- x\n  y *(pinned)*\n"},
		{"pinned below a fence", "MEMORY.md", "- a\n", New{Text: "x\n```\ny\n```", Pinned: true}, "- a\n- x\n  ```\n  y\n  ```\n  *(pinned)*\n"},
		{"a task in a list", "MEMORY.md", "- a\n", New{Text: "x", Task: true, Done: true}, "- a\n- [x] x\n"},
		{"a new topic", "topics/lessons.md", "", New{Text: "x", Kind: pimento.KindLesson}, "# Lessons\n\n- [lesson] x\n"},
		{"a topic", "topics/lessons.md", "# Lessons\n\n- [lesson] a *(pinned)*\n", New{Text: "[x] y", Kind: pimento.KindMistake}, "# Lessons\n\n- [lesson] a *(pinned)*\n- [mistake] \\[x] y\n"},
		{"a new checklist", "SCRATCHPAD.md", "", New{Text: "x", Stamp: stamp, Session: "a1b2c3d4"}, "# Scratchpad\n\n" + line + "- [ ] x\n"},
		{"a checklist", "SCRATCHPAD.md", "# Scratchpad\n\n- [x] a\nforeign\n", New{Text: "x"}, "# Scratchpad\n\n- [x] a\n- [ ] x\nforeign\n"},
		{"a new log", "daily/2026-02-15.md", "", New{Text: "x", Stamp: stamp, Session: "a1b2c3d4"}, line + "x\n"},
		{"a log", "daily/2026-02-15.md", "by hand", New{Text: "x\n\ny", Stamp: stamp, Session: "a1b2c3d4"}, "by hand\n\n" + line + "x\n\ny\n"},
		{"a log against forged stamps", "daily/2026-02-15.md", "", New{Text: "x\n" + line + "y", Stamp: stamp, Session: "a1b2c3d4"}, line + "x\n\\" + line + "y\n"},
		{"a handoff", "daily/2026-02-15.md", "", New{Text: "- [ ] x", Kind: pimento.KindHandoff, Stamp: stamp, Session: "a1b2c3d4"}, strings.Replace(line, "2026", "HANDOFF 2026", 1) + "## Session Handoff\n\\- [ ] x\n"},
		{"a session summary", "daily/2026-02-15.md", "", New{Text: "x", Kind: pimento.KindHandoff, Heading: "Session Summary (auto, exit: /quit)", Stamp: stamp, Session: "a1b2c3d4"}, line + "## Session Summary (auto, exit: /quit)\n\nx\n"},
		{"new knowledge", "knowledge/a.md", "", New{Text: "x", Kind: pimento.KindLesson, Stamp: stamp, Pinned: true}, "---\ndate: 2026-02-15T14:30:00+01:00\ntype: agent-feedback\ntier: L1\n---\n\nx *(pinned)*\n"},
		{"a new article", "deploy.md", "", New{Text: "# Deploy\n\nx"}, "# Deploy\n\nx\n"},
		{"a section", "deploy.md", "# Deploy\n", New{Text: "x", Heading: "Hosts"}, "# Deploy\n\n## Hosts\n\nx\n"},
		{"into a section", "deploy.md", "# D\n\n## A\n\na\n\n## B\n\nb\n", New{Text: "x", Heading: "A"}, "# D\n\n## A\n\na\n\nx\n\n## B\n\nb\n"},
		{"blank", "MEMORY.md", "- a\n", New{Text: " \n\t"}, "- a\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := Parse(c.rel, []byte(c.src))
			splices := p.Insert(c.n)
			got := string(edited(t, p, splices).Bytes())
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if p.Dialect() == Log && (len(splices) != 1 || splices[0].Off != len(c.src) || splices[0].Del != 0) {
				t.Errorf("not a pure append: %v", splices)
			}
		})
	}
}

func TestKindOfAHandoff(t *testing.T) {
	p := Parse("daily/2026-02-15.md", nil)
	n := New{Text: "- [ ] open item\nsecond line", Kind: pimento.KindHandoff, Stamp: time.Date(2026, 2, 15, 14, 30, 0, 0, time.UTC)}
	next := edited(t, p, p.Insert(n))
	if es := next.Entries(); len(es) != 1 || es[0].Kind != pimento.KindHandoff || es[0].Text != n.Text || es[0].Task {
		t.Errorf("got %+v", es)
	}
}

func TestStampLineIsReadBack(t *testing.T) {
	at := time.Date(2026, 2, 15, 14, 30, 5, 0, time.UTC)
	for session, want := range map[string]string{
		"a1b2c3d4-5678": "a1b2c3d4", "": "", "ab": "ab", "日本語の長い会話です": "日本語の長い会話", "x] --> [y": "x--y",
	} {
		for _, handoff := range []bool{false, true} {
			s := StampLine(at, session)
			if handoff {
				s = handoffLine(at, session)
			}
			st, ok := stampOf(s)
			if !ok || !st.time.Equal(at) || st.session != want || st.handoff != handoff {
				t.Errorf("%q is read as %+v (%v)", s, st, ok)
			}
		}
	}
	for _, s := range []string{
		"<!-- 2026-02-30 14:30:00 [a] -->", "<!-- 2026-13-01 14:30:00 -->", "<!-- last updated: 2026-02-15 14:30:00 [a] -->",
		" <!-- 2026-02-15 14:30:00 [a] -->", "<!-- 2026-02-15 14:30:00 [a] --> x", "<!-- 2026-02-15 24:00:00 -->", "<!-- 2026-02-15 14:30:00", "<!-- ",
	} {
		if _, ok := stampOf(s); ok {
			t.Errorf("%q is taken for a stamp", s)
		}
	}
}
