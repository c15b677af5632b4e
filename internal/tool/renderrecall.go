package tool

import (
	"context"
	"fmt"
	"strings"

	"github.com/pimento-memory/pimento/internal/engine"
)

// recallTexts looks up what the entries that a question found say now. Those of
// an encrypted page are not found: no index holds them.
func (v *WhyView) recallTexts(ctx context.Context, e *engine.Engine) {
	for i, h := range v.Trace.Recall.Hits {
		if v.List > 0 && i == v.List {
			break
		}
		if en, err := e.Entry(ctx, string(h.ID)); err == nil {
			v.Texts[string(h.ID)] = en.Text
		}
	}
}

// recall is the record of one question for a person.
func (v WhyView) recall(p Paint) string {
	t, r := v.Trace, v.Trace.Recall
	var b strings.Builder
	b.WriteString(p.Bold("recall "+t.ID) + "  " + t.Time.Format("2006-01-02 15:04:05") + p.Faint("  by "+Printable(r.By)))
	if t.Session != "" {
		b.WriteString(p.Faint("  session " + OneLine(t.Session, 80)))
	}
	fmt.Fprintf(&b, "\n%s\n%s, profile %s, status %s, %.1f ms\n", Wrap("question: "+Printable(strings.TrimSpace(r.Question)), p.Columns(), "  "),
		Plural(r.Found, "hit"), t.Block.Profile, t.Block.Status, float64(t.Micros)/1000)
	for i, h := range r.Hits {
		if v.List > 0 && i == v.List {
			break
		}
		line := fmt.Sprintf("%s  %.2f  %s:%s", h.ID, h.Score, h.Scope, Printable(h.Page))
		if says := v.Texts[string(h.ID)]; says != "" {
			line = OneLine(says, p.Columns()-2) + "\n      " + p.Faint(line)
		}
		b.WriteString("  " + line + "\n")
	}
	if n := r.Found - len(r.Hits); n > 0 && (v.List == 0 || v.List > len(r.Hits)) {
		fmt.Fprintf(&b, "  %s\n", p.Faint(fmt.Sprintf("%d more were found and are not on record", n)))
	} else if v.List > 0 && r.Found > v.List {
		fmt.Fprintf(&b, "  %s\n", p.Faint(fmt.Sprintf("... %d more (--all)", r.Found-v.List)))
	}
	b.WriteString(RenderFaults(t.Block.Faults, p))
	return strings.TrimRight(b.String(), "\n")
}
