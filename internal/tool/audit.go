package tool

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento/internal/engine"
)

func markAuditTool() Tool {
	return Tool{
		Name:        "mark_daily_audit_complete",
		Label:       "Mark daily audit complete",
		Description: "Record that the daily audit of memory is done, and what came of it. The notice that it is overdue then rests for a day.",
		Snippet:     "Record that the daily audit of memory is done",
		Guidelines:  []string{"Call mark_daily_audit_complete only at the end of the daily-audit skill."},
		Parameters: json.RawMessage(`{
  "type": "object",
  "properties": {
    "summary": {"type": "string", "description": "What was looked at, what was put right, what is left for the user; at most 500 characters."}
  },
  "required": ["summary"],
  "additionalProperties": false
}`),
		run: markAudit,
	}
}

func markAudit(ctx context.Context, r request) Output {
	summary := r.args.need("summary", "")
	if err := r.args.done(); err != nil {
		return failure(err)
	}
	last, err := r.engine.MarkAudit(ctx, summary, r.by)
	if err != nil {
		return failure(err)
	}
	return Output{Text: "Audit recorded at " + last.Time.Format("2006-01-02 15:04") + ": " + Defang(last.Summary)}
}

// RenderAudit words what an auditor should look at.
func RenderAudit(a engine.Audit, p Paint) string {
	var b strings.Builder
	b.WriteString(RenderLastAudit(a.Last, p))
	looked := "When you have looked: " + p.Cmd(`audit done "what came of it"`) + "\n"
	switch {
	case a.Overdue:
		b.WriteString(p.Warn("It is overdue.") + " " + looked)
	case a.Last.Time.IsZero():
		b.WriteString(looked)
	}
	counts := func(title, none string, n map[string]int) {
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(n)) {
			parts = append(parts, fmt.Sprintf("%s %d", Printable(name), n[name]))
		}
		row(&b, p, title, cmp.Or(strings.Join(parts, ", "), none))
	}
	done := map[string]int{}
	for kind, n := range a.Done {
		done[changeWord(kind)] += n
	}
	since := "since then"
	if a.Last.Time.IsZero() {
		since = "so far"
	}
	counts(since, "nothing was decided", done)
	counts("lint", "nothing to complain about", a.Findings)
	row(&b, p, "entries", fmt.Sprintf("%d may be out of date, %d wait in the inbox", a.Stale, a.Waiting))
	for _, f := range a.Raw {
		fmt.Fprintf(&b, "%s  %s, %d bytes, %d new\n", p.Bold(PageName(f.Scope, f.Folder)), Plural(f.Files, "file"), f.Bytes, len(f.New))
		for _, name := range f.New {
			b.WriteString("  " + Path(name) + "\n")
		}
	}
	if len(a.Sample) > 0 {
		fmt.Fprintf(&b, "\n%s\n", p.Bold("A sample of what agents decided"))
	}
	for _, d := range a.Sample {
		said, at := d.Text, fmt.Sprintf("%s:%s:%d", d.Scope, d.Page, d.Line)
		if d.Line == 0 {
			said, at = "(it is not there now)", fmt.Sprintf("%s:%s", d.Scope, d.Page)
		}
		fmt.Fprintf(&b, "- %s  %s  %s  %s\n  %s\n", d.Time.Format(time.DateOnly), changeWord(d.Did), Printable(at), p.Faint(string(d.ID)), Printable(said))
	}
	return b.String()
}

// RenderLastAudit words when the last audit was, and what came of it.
func RenderLastAudit(l engine.LastAudit, p Paint) string {
	if l.Time.IsZero() {
		return "No audit has been done yet.\n"
	}
	return "Last audit: " + l.Time.Format("2006-01-02 15:04") + "  " + p.Faint(Printable(l.Summary)) + "\n"
}
