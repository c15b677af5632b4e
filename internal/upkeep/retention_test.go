package upkeep_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/upkeep"
)

// Each type expires on its own day, and what names no type or date, or must not
// fade, never does.
func TestExpired(t *testing.T) {
	policy := pimento.Retention{Types: map[string]int{"agent-feedback": 60, "reference": 90}}
	now := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		front string
		age   int
		gone  bool
	}{
		{"type: reference", 90, false}, {"type: reference", 91, true},
		{"type: agent-feedback", 60, false}, {"type: agent-feedback", 61, true},
		{"type: user", 4000, false}, {"type: project", 4000, false},
		{"type: Reference", 4000, false}, {"type: note", 4000, false}, {"tags: [x]", 4000, false},
		{"type: reference\ntier: L1", 4000, false}, {"type: reference\ntier: L2", 4000, true},
		{"type: reference\ndate: soon", -1, false}, {"type: reference\nbroken: [", 4000, false},
	} {
		front := c.front
		if c.age >= 0 {
			front += "\ndate: " + now.AddDate(0, 0, -c.age).Format(time.RFC3339)
		}
		p := &upkeep.LintPage{Rel: "knowledge/x.md", Page: page.Parse("knowledge/x.md", []byte("---\n"+front+"\n---\nText.\n"))}
		got := upkeep.Expired(policy, pimento.Project, []*upkeep.LintPage{p}, now)
		if (len(got) == 1) != c.gone {
			t.Errorf("%q at %d days: %+v", c.front, c.age, got)
		}
		if c.gone && (got[0].Age != c.age || got[0].Delete || got[0].Reason() != fmt.Sprintf("retention: %s, %d days old, kept for %d", got[0].Type, c.age, got[0].Limit)) {
			t.Errorf("%+v", got[0])
		}
	}
	if _, gone := upkeep.ExpiredFile(pimento.Retention{Raw: map[string]int{"raw/sessions": 14}}, pimento.Project, "raw/sessions", "raw/sessions/a.jsonl", now.AddDate(0, 0, -14), now); gone {
		t.Error("a file of 14 days")
	}
	if x, gone := upkeep.ExpiredFile(pimento.Retention{Raw: map[string]int{"raw/sessions": 14}}, pimento.Project, "raw/sessions", "raw/sessions/a.jsonl", now.AddDate(0, 0, -15), now); !gone || !x.Delete {
		t.Errorf("a file: %+v", x)
	}
	if _, gone := upkeep.ExpiredFile(pimento.Retention{}, pimento.Project, "raw/other", "raw/other/a.jsonl", now.AddDate(-9, 0, 0), now); gone {
		t.Error("a folder that the policy does not name")
	}
}
