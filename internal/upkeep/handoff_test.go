package upkeep_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/upkeep"
)

const rel = "daily/2026-03-14.md"

var now = time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC)

func facts(log string, open ...string) upkeep.HandoffFacts {
	return upkeep.HandoffFacts{Now: now, Session: "7f3a91c2-1111", Open: open, Log: page.Parse(rel, []byte(log))}
}

// handoff is what a handoff puts into an empty log; ok is false for none.
func handoff(in upkeep.HandoffFacts) (text string, ok bool) {
	p := upkeep.PlanHandoff(in, upkeep.Place{Scope: pimento.Global, Rel: rel, Page: page.Parse(rel, nil)})
	if p.Action != pimento.Put {
		return "", false
	}
	after, ok := pimento.ApplySplices(nil, p.Changes[0].Splices)
	return strings.TrimRight(string(after), "\n"), ok
}

// TestFormat holds the block to the letter.
func TestFormat(t *testing.T) {
	got, ok := handoff(facts("\n\nFirst line\n\nLast line\n\n", "Write the runbook", "Fix the crane\nand its rope"))
	want := `<!-- HANDOFF 2026-03-14 15:09:26 [7f3a91c2] -->
## Session Handoff
**Open scratchpad items:**
- [ ] Write the runbook
- [ ] Fix the crane
  and its rope
**Recent daily log context:**
First line

Last line`
	if d := cmp.Diff(want, got); !ok || d != "" {
		t.Error(d)
	}
}

func TestParts(t *testing.T) {
	const head = "<!-- HANDOFF 2026-03-14 15:09:26 [7f3a91c2] -->\n## Session Handoff\n"
	lines := func(from, to int) string {
		var out []string
		for i := from; i <= to; i++ {
			out = append(out, fmt.Sprintf("line %d", i))
		}
		return strings.Join(out, "\n")
	}
	written := facts("x", "y")
	written.Written = true
	none := facts(lines(1, 20), "y")
	none.LogLines = -1
	three := facts(lines(1, 20))
	three.LogLines = 3
	for _, tt := range []struct {
		name string
		in   upkeep.HandoffFacts
		want string // "" for no handoff
	}{
		{"nothing", facts(""), ""},
		{"no log at all", upkeep.HandoffFacts{Now: now}, ""},
		{"blank items and a blank log", facts(" \n\t\r\n", "", " \n"), ""},
		{"written for this compaction already", written, ""},
		{"only items", facts("", "a"), head + "**Open scratchpad items:**\n- [ ] a"},
		{"only the log", facts("a\n"), head + "**Recent daily log context:**\na"},
		{"fifteen lines are all", facts(lines(1, 15)), head + "**Recent daily log context:**\n" + lines(1, 15)},
		{"the sixteenth goes", facts(lines(1, 16) + "\n\n"), head + "**Recent daily log context:**\n" + lines(2, 16)},
		{"as many as the profile says", three, head + "**Recent daily log context:**\n" + lines(18, 20)},
		{"no log by profile", none, head + "**Open scratchpad items:**\n- [ ] y"},
		{"CRLF, BOM, emoji and stray bytes", facts("\ufeffgr\xfcn\r\n🎉\r\n"), head + "**Recent daily log context:**\ngr\uFFFDn\n🎉"},
		{"without a session", upkeep.HandoffFacts{Now: now, Open: []string{"a"}},
			"<!-- HANDOFF 2026-03-14 15:09:26 -->\n## Session Handoff\n**Open scratchpad items:**\n- [ ] a"},
	} {
		got, ok := handoff(tt.in)
		if d := cmp.Diff(tt.want, got); d != "" || ok != (tt.want != "") {
			t.Errorf("%s: %v\n%s", tt.name, ok, d)
		}
	}
}

// TestEarlierBlocks: handoffs and session summaries are not quoted, wherever
// they stand, and neither is what another program's handoff quoted.
func TestEarlierBlocks(t *testing.T) {
	log := `<!-- 2026-03-14 09:00:00 [7f3a91c2] -->
Profiled the page.

<!-- HANDOFF 2026-03-14 10:00:00 [7f3a91c2] -->
## Session Handoff
**Open scratchpad items:**
- [ ] an old item
**Recent daily log context:**
<!-- 2026-03-14 09:00:00 [7f3a91c2] -->
Profiled the page.

<!-- 2026-03-14 11:00:00 [b81e04d7] -->
Cached the tiles.

<!-- 2026-03-14 12:00:00 [b81e04d7] -->
## Session Summary (auto, exit: /quit)

### Decisions
- None.
`
	got, _ := handoff(facts(log))
	_, quote, _ := strings.Cut(got, "**Recent daily log context:**\n")
	want := `\<!-- 2026-03-14 09:00:00 [7f3a91c2] -->
Profiled the page.

\<!-- 2026-03-14 11:00:00 [b81e04d7] -->
Cached the tiles.`
	if d := cmp.Diff(want, quote); d != "" {
		t.Error(d)
	}
	only := "<!-- HANDOFF 2026-03-14 10:00:00 [aa] -->\n## Session Handoff\n**Open scratchpad items:**\n- [ ] x\n"
	if got, ok := handoff(facts(only)); ok {
		t.Errorf("a log of handoffs alone gives %q", got)
	}
}

// TestManyCompactions: after ten compactions of one day the log holds ten
// handoffs, no entry twice, and no handoff inside another.
func TestManyCompactions(t *testing.T) {
	log := []byte("<!-- 2026-03-14 09:00:00 [7f3a91c2] -->\nProfiled the page. *(pinned)*\n")
	for i := range 10 {
		at := now.Add(time.Duration(i) * time.Minute)
		pg := page.Parse(rel, log)
		in := upkeep.HandoffFacts{Now: at, Session: "7f3a91c2", Open: []string{"Write the runbook"}, Log: pg}
		to := upkeep.Place{Scope: pimento.Global, Rel: rel, Page: pg, Digest: pimento.DigestOf(log)}
		p := upkeep.PlanHandoff(in, to)
		if p.Action != pimento.Put || len(p.Changes) != 1 || !p.Changes[0].Append || p.Changes[0].Before != to.Digest {
			t.Fatalf("%d: %+v", i, p)
		}
		after, ok := pimento.ApplySplices(log, p.Changes[0].Splices)
		if !ok || pimento.DigestOf(after) != p.Changes[0].After {
			t.Fatalf("%d: the change does not hold", i)
		}
		log = after
		es := page.Parse(rel, log).Entries()
		last := es[len(es)-1]
		if len(es) != i+2 || last.Kind != pimento.KindHandoff || last.Pinned || !strings.HasPrefix(string(log[last.Span.Start:]), "<!-- HANDOFF 2026-03-14 15:") {
			t.Fatalf("%d: %d entries, the last is %+v in\n%s", i, len(es), last, log)
		}
		if strings.Count(last.Text, "HANDOFF") > 0 || strings.Count(last.Text, "Profiled") != 1 {
			t.Fatalf("%d: nested: %s", i, last.Text)
		}
		e := p.Events[0]
		if e.Type != pimento.HandedOff || e.Statement != last.Statement || e.N != last.N || e.Page != rel || e.Session != "7f3a91c2" || e.Time != at {
			t.Fatalf("%d: event %+v", i, e)
		}
	}
	if n := strings.Count(string(log), "## Session Handoff"); n != 10 {
		t.Errorf("%d handoffs", n)
	}
}

// TestMarkerInUserText: a note that shows how a handoff looks is quoted, not
// taken for one.
func TestMarkerInUserText(t *testing.T) {
	pg := page.Parse(rel, nil)
	text := "The block begins with\n<!-- HANDOFF 2026-03-14 10:00:00 [aa] -->\n## Session Handoff\nand then the items."
	log, _ := pimento.ApplySplices(nil, pg.Insert(page.New{Text: text, Stamp: now, Session: "aa"}))
	got, ok := handoff(facts(string(log)))
	if !ok || !strings.Contains(got, "and then the items.") || !strings.Contains(got, "The block begins with") {
		t.Errorf("%s", got)
	}
}

func TestPlanOfNothing(t *testing.T) {
	to := upkeep.Place{Scope: pimento.Global, Rel: rel, Page: page.Parse(rel, nil)}
	written := facts("x")
	written.Written = true
	for name, in := range map[string]upkeep.HandoffFacts{"nothing": facts(""), "written": written} {
		if p := upkeep.PlanHandoff(in, to); p.Action != pimento.Refuse || len(p.Changes)+len(p.Events) > 0 || p.Reason == "" {
			t.Errorf("%s: %+v", name, p)
		}
	}
	list := upkeep.Place{Scope: pimento.Global, Rel: "MEMORY.md", Page: page.Parse("MEMORY.md", []byte("- a\n\nEnd.\n"))}
	if p := upkeep.PlanHandoff(facts("x"), list); p.Action != pimento.Refuse {
		t.Errorf("on a list: %+v", p)
	}
}

func FuzzHandoff(f *testing.F) {
	f.Add("<!-- 2026-03-14 09:00:00 [aa] -->\na\n\n<!-- HANDOFF 2026-03-14 09:00:00 [aa] -->\n## Session Handoff\nx", "item")
	f.Add("\ufeff\r\n```\n<!-- HANDOFF", "- [ ] x *(pinned)*")
	f.Fuzz(func(t *testing.T, log, item string) {
		pg := page.Parse(rel, []byte(log))
		in := upkeep.HandoffFacts{Now: now, Session: "7f3a91c2", Open: []string{item}, Log: pg}
		p := upkeep.PlanHandoff(in, upkeep.Place{Scope: pimento.Global, Rel: rel, Page: pg, Digest: pimento.DigestOf([]byte(log))})
		if _, ok := handoff(in); ok != (p.Action == pimento.Put) {
			t.Fatalf("text %v, plan %s %q", ok, p.Action, p.Reason)
		}
		if p.Action != pimento.Put {
			return
		}
		after, _ := pimento.ApplySplices([]byte(log), p.Changes[0].Splices)
		if !strings.HasPrefix(string(after), log) {
			t.Fatal("not an append")
		}
		es := page.Parse(rel, after).Entries()
		if len(es) != len(pg.Entries())+1 || es[len(es)-1].Kind != pimento.KindHandoff {
			t.Fatalf("%d entries became %d", len(pg.Entries()), len(es))
		}
	})
}
