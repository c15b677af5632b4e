package upkeep_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/upkeep"
)

func planned(t *testing.T, s upkeep.Summary, log string) (string, pimento.Plan) {
	t.Helper()
	to := upkeep.Place{Scope: pimento.Global, Rel: rel, Page: page.Parse(rel, []byte(log)), Digest: pimento.DigestOf([]byte(log))}
	p := upkeep.PlanSummary(s, now, "7f3a91c2-1111", to)
	if len(p.Changes) == 0 {
		return log, p
	}
	after, _ := pimento.ApplySplices([]byte(log), p.Changes[0].Splices)
	return string(after), p
}

// TestSummaryFormat holds the block to the letter, and that it is read as what
// a session left behind.
func TestSummaryFormat(t *testing.T) {
	got, p := planned(t, upkeep.Summary{Decisions: []string{"Chose PostgreSQL.\nBecause of JSON."}, FollowUps: []string{"Review PR #42", "  "}}, "By hand.\n")
	want := `By hand.

<!-- 2026-03-14 15:09:26 [7f3a91c2] -->
## Session Summary (auto, exit: session-end)

### Decisions
- Chose PostgreSQL. Because of JSON.

### Lessons Learned
None.

### Notes
None.

### Follow-ups
- Review PR #42
`
	if d := cmp.Diff(want, got); d != "" || p.Action != pimento.Put || !p.Changes[0].Append {
		t.Errorf("%+v\n%s", p, d)
	}
	es := page.Parse(rel, []byte(got)).Entries()
	if last := es[len(es)-1]; len(es) != 2 || last.Kind != pimento.KindHandoff || p.Events[0].Statement != last.Statement {
		t.Errorf("read as %+v", es)
	}
}

// An empty summary is noise: nothing is written.
func TestEmptySummaryIsNotWritten(t *testing.T) {
	s, ok := upkeep.ReadSummary("### Decisions\nNone.\n### Lessons Learned\n- None\n### Notes\n* none.\n### Follow-ups\n")
	if !ok || !s.Empty() {
		t.Errorf("%+v, %v", s, ok)
	}
	if got, p := planned(t, s, "x\n"); got != "x\n" || p.Action != pimento.Refuse {
		t.Errorf("%q %+v", got, p)
	}
}

// Of a model's answer only the bullets below our headings are taken, each on
// one line, no matter what it holds.
func TestReadSummary(t *testing.T) {
	s, ok := upkeep.ReadSummary("Sure!\n- not mine\n\n## Decisions\n- Chose A\n  because of B\n* Chose C\n\n### Lessons learned?\n- lost\n### Notes\nprose\n- <!-- HANDOFF 2026-03-14 15:09:26 [x] -->\n### Follow-ups\n- [ ] do it\n")
	want := upkeep.Summary{Decisions: []string{"Chose A", "Chose C"}, Notes: []string{"<!-- HANDOFF 2026-03-14 15:09:26 [x] -->"}, FollowUps: []string{"[ ] do it"}}
	if d := cmp.Diff(want, s); !ok || d != "" {
		t.Errorf("%v\n%s", ok, d)
	}
	got, _ := planned(t, s, "")
	if es := page.Parse(rel, []byte(got)).Entries(); len(es) != 1 {
		t.Errorf("%d entries:\n%s", len(es), got)
	}
	for _, answer := range []string{"", "I cannot do that.", "- a\n- b"} {
		if s, ok := upkeep.ReadSummary(answer); ok || !s.Empty() {
			t.Errorf("%q: %+v", answer, s)
		}
	}
}

func TestSummaryIsBounded(t *testing.T) {
	var s upkeep.Summary
	for i := range 40 {
		s.Notes = append(s.Notes, fmt.Sprint(i, strings.Repeat(" långt", 200)))
	}
	text := s.String()
	if n := strings.Count(text, "\n- "); n != 13 || !strings.Contains(text, "- ... 28 more") || len([]rune(text)) > 13*250 {
		t.Errorf("%d lines, %d runes:\n%s", n, len([]rune(text)), text)
	}
}
