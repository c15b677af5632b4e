package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

func sessionSearchTool() Tool {
	return Tool{
		Name:        "session_search",
		Label:       "Session search",
		Effect:      Reads,
		Description: "Search past sessions of this project: what the user asked for, and the summaries of long conversations.",
		Snippet:     "Search what was said in past sessions",
		Guidelines:  []string{},
		Parameters: json.RawMessage(`{
  "type": "object",
  "properties": {
    "query": {"type": "string", "description": "What to look for."},
    "limit": {"type": "integer", "minimum": 1, "maximum": 50, "description": "At most so many results, 10 when left out."}
  },
  "required": ["query"],
  "additionalProperties": false
}`),
		run: searchSessions,
	}
}

func searchSessions(ctx context.Context, r request) Output {
	query := r.args.need("query", "")
	limit := r.args.number("limit", 10, 1, maxHits)
	if err := r.args.done(); err != nil {
		return failure(err)
	}
	hits, err := r.engine.SearchSessions(ctx, query, limit, r.by.Session)
	if err != nil {
		return failure(err)
	}
	if len(hits) == 0 {
		return Output{Text: fmt.Sprintf("No past session matches %q.", clip(query, 200))}
	}
	var b strings.Builder
	for _, h := range hits {
		fmt.Fprintf(&b, "- **%s** (%s): %s\n", h.Time.Format("2006-01-02"), Printable(ShortID(h.Session)), h.Snippet)
	}
	return Output{Text: strings.TrimRight(b.String(), "\n")}
}
