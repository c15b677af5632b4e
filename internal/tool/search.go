package tool

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/inject"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/text"
)

const (
	defaultHits = 5
	maxHits     = 50
)

func searchTool() Tool {
	return Tool{
		Name:   "memory_search",
		Label:  "Memory search",
		Effect: Reads,
		Description: "Search all of memory: long-term pages, topics, daily logs, the scratchpad. " +
			"Finds words, their other forms, identifiers, error texts, #tags and [[links]].",
		Snippet:    "Search memory for what was said before",
		Guidelines: []string{},
		Parameters: json.RawMessage(`{
  "type": "object",
  "properties": {
    "query": {"type": "string", "description": "What to look for: a question, key words, an identifier, an error text."},
    "mode": {"type": "string", "enum": ["keyword", "semantic", "deep", "hybrid"], "description": "hybrid (default): words, and meaning where words do not answer. keyword: the exact words alone. semantic: meaning alone. deep is hybrid."},
    "limit": {"type": "integer", "minimum": 1, "maximum": 50, "description": "At most so many results."},
    "category": {"type": "string", "enum": ["preference", "lesson", "pattern", "decision", "done", "mistake"], "description": "Search only entries of this category."},
    "scope": {"type": "string", "enum": ["global", "project", "local"], "description": "Search only there."}
  },
  "required": ["query"],
  "additionalProperties": false
}`),
		run: search,
	}
}

func search(ctx context.Context, r request) Output {
	p, _ := r.engine.Profile(ctx)
	lines := p.Recall.Layout == "lines"
	query := r.args.text("query")
	if query == "" && !lines {
		query = r.args.need("query", "")
	}
	mode := r.args.choice("mode", "hybrid", "keyword", "semantic", "deep", "hybrid")
	limit := r.args.number("limit", cmp.Or(p.Recall.Search, defaultHits), 1, maxHits)
	kind := category(r.args, false)
	scope := r.args.choice("scope", "", "global", "project", "local")
	if err := r.args.done(); err != nil {
		return failure(err)
	}
	q := pimento.Query{Text: query, Limit: limit, Now: r.engine.Now(), Mode: pimento.Mode(mode)}
	if scope != "" {
		q.Scopes = []pimento.Scope{pimento.Scope(scope)}
	}
	if kind != "" {
		q.Kinds = []pimento.Kind{kind}
	}
	if query == "" {
		return standingList(ctx, r.engine, q)
	}
	ans := r.engine.Ask(ctx, q, r.by)
	if bad := AnswerError(ans); bad != nil {
		return failure(bad)
	}
	if lines {
		return lineOutput(ctx, r.engine, ans, query, mode)
	}
	return searchOutput(ctx, r.engine, ans, query, mode)
}

// lineOutput is an answer with a line for each memory.
func lineOutput(ctx context.Context, e *engine.Engine, ans pimento.Answer, query, mode string) Output {
	text, found := scoredLines(ctx, e, ans.Hits)
	head := fmt.Sprintf("Found %s matching %q:\n", Plural(len(found), "memory"), clip(query, 200))
	if len(found) == 0 {
		head = fmt.Sprintf("No memories found matching %q.", clip(query, 200))
	}
	return Output{Text: head + text + searchNote(ans, mode), Details: map[string]any{"ids": ids(found), "status": string(ans.Status)}}
}

// standingList is what stands best, for a search without a question.
func standingList(ctx context.Context, e *engine.Engine, q pimento.Query) Output {
	all, _ := e.Scores(ctx)
	var b strings.Builder
	var found []string
	for _, s := range all {
		if len(found) == q.Limit {
			break
		}
		if len(q.Kinds) > 0 && s.Entry.Kind != q.Kinds[0] || len(q.Scopes) > 0 && s.Entry.Scope != q.Scopes[0] {
			continue
		}
		b.WriteString(scoredLine(s.Entry, s.Standing) + ", id: " + string(s.Entry.Statement) + "\n")
		found = append(found, string(s.Entry.Statement))
	}
	if len(found) == 0 {
		return Output{Text: "No memories found.", Details: map[string]any{"status": string(pimento.NoMatch)}}
	}
	return Output{Text: fmt.Sprintf("Found %s:\n%s", Plural(len(found), "memory"), strings.TrimRight(b.String(), "\n")),
		Details: map[string]any{"ids": found, "status": string(pimento.OK)}}
}

func searchOutput(ctx context.Context, e *engine.Engine, ans pimento.Answer, query, mode string) Output {
	note, related := searchNote(ans, mode), relationText(ans.Relations)
	if len(ans.Hits) == 0 && related == "" {
		return Output{Text: fmt.Sprintf("No results found for %q (mode: %s).", clip(query, 200), mode) + note,
			Details: map[string]any{"status": string(ans.Status)}}
	}
	e.Dates(ctx, ans.Hits)
	parts, found := make([]string, 0, len(ans.Hits)), []string{}
	for i, h := range ans.Hits {
		parts = append(parts, hitText(i+1, h))
		found = append(found, string(h.Entry.Statement))
		if said, part := Said(h); part {
			found = append(found, inject.ExcerptID(h.Entry.Statement, said))
		}
	}
	if related != "" {
		parts = append(parts, related)
	}
	return Output{Text: strings.Join(parts, "\n\n---\n\n") + note,
		Details: map[string]any{"ids": found, "status": string(ans.Status)}}
}

// searchNote says what an answer was made without.
func searchNote(ans pimento.Answer, mode string) (note string) {
	for _, f := range ans.Faults {
		if f.Kind == "engine" {
			note = "\n\n(" + f.Detail + ")"
		}
		if f.Kind == "embedder" && mode != "keyword" {
			note = "\n\n(searched by words: " + f.Detail + ")"
		}
	}
	if why := cutShort(ans); why != "" {
		note += "\n\n(" + why + ")"
	}
	return note
}

// cutShort says that not all of memory was searched, "" when it was: nothing
// found is not nothing there.
func cutShort(ans pimento.Answer) string {
	for _, f := range ans.Faults {
		if f.Kind == "deadline" {
			return "not all of memory was searched: " + f.Detail
		}
	}
	return ""
}

// hitText is one result: where it stands, how old it is, how well it fits, and
// what it says.
func hitText(n int, h pimento.Hit) string {
	var b strings.Builder
	fmt.Fprintf(&b, "### Result %d\n**Id:** %s\n**File:** %s\n", n, h.Entry.Statement, Place(h.Entry))
	if d := Date(h.Entry); d != "" {
		fmt.Fprintf(&b, "**Date:** %s\n", d)
	}
	if h.Replaced {
		b.WriteString("**Stale:** a result above replaces it\n")
	}
	said, part := Said(h)
	fmt.Fprintf(&b, "**Score:** %.2f\n\n%s", h.Score, said)
	if part {
		fmt.Fprintf(&b, "\n\n(a part of %s: read the file for all of it)", Bytes(int64(len(h.Entry.Text))))
	}
	return b.String()
}

// saidWhole is how many bytes a hit has at most that is shown in full: some 300 tokens,
// as in the default profile's tail.
const saidWhole = 1200

// saidMost is how many bytes are shown of a hit of which no part is known to answer: a
// page that is one entry may have megabytes.
const saidMost = 16 << 10

// Said is what is shown of a hit, and whether that is a part of it.
func Said(h pimento.Hit) (said string, part bool) {
	said = strings.TrimSpace(h.Entry.Text)
	switch {
	case h.Excerpt != "" && len(h.Entry.Text) > saidWhole:
		return h.Excerpt, true
	case len(said) > saidMost:
		return strings.TrimSpace(text.ClipBytes(said, saidWhole)) + " …", true
	}
	return said, false
}

// Place is where an entry stands, as scope:page:line.
func Place(e pimento.Entry) string {
	if e.Line == 0 {
		return PageName(e.Scope, e.Page)
	}
	return PageName(e.Scope, fmt.Sprintf("%s:%d", e.Page, e.Line))
}

// Date is the day of an entry: its own stamp's, else the day of its daily log;
// "" when nothing tells.
func Date(e pimento.Entry) string {
	if !e.Stamp.IsZero() {
		return e.Stamp.Format("2006-01-02")
	}
	if day, ok := page.Day(e.Page); ok {
		return day.Format(time.DateOnly)
	}
	return ""
}

// AnswerError is the error behind an answer that is neither hits nor an honest
// "nothing"; nil for those two.
func AnswerError(ans pimento.Answer) error {
	kind, hint := pimento.KindInternal, ""
	switch ans.Status {
	case pimento.OK, pimento.NoMatch, "":
		return nil
	case pimento.Denied:
		kind, hint = pimento.KindDenied, "look at the project's memory, then run: pimento trust"
	case pimento.Malformed:
		kind = pimento.KindUsage
	case pimento.Unavailable:
		kind = pimento.KindUnavailable
	}
	detail := "search failed: " + string(ans.Status)
	for _, f := range ans.Faults {
		detail += "; " + f.Kind + ": " + f.Detail
	}
	return &pimento.Error{Op: "recall", Kind: kind, Hint: hint, Err: plainError(detail)}
}

// Recall asks the engine; an answer that failed is an error.
func Recall(ctx context.Context, e *engine.Engine, text string, limit int, by engine.Actor) (pimento.Answer, error) {
	ans := e.Ask(ctx, pimento.Query{Text: text, Limit: limit, Now: e.Now()}, by)
	return ans, AnswerError(ans)
}
