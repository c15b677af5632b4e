package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/remember"
)

// Limits of what a model may file.
const (
	maxTags        = 5
	maxTriples     = 20
	maxRecallLimit = 20
)

const tripleRows = `
    "triples": {"type": "array", "maxItems": 20, "items": {"type": "array", "items": {"type": "string"}, "minItems": 3, "maxItems": 3}, "description": "How things are related: [[subject, predicate, object], ...], for example [[\"alice\", \"owns\", \"auth-service\"]]. For people, roles, schedules, dependencies."}`

func rememberThisTool() Tool {
	return Tool{
		Name:        "remember_this",
		Label:       "Remember this",
		Description: "File one fact, decision, preference or lesson as a page of knowledge, with a type, a tier, tags and triples.",
		Snippet:     "File durable knowledge",
		Guidelines:  []string{"When the user says remember this (记一下), corrects you, or decides something, call remember_this in the same turn."},
		Parameters: json.RawMessage(`{
  "type": "object",
  "properties": {
    "content": {"type": "string", "description": "What to remember: self-contained, one subject. [[page-name]] links to another page."},
    "type": {"type": "string", "enum": ["` + strings.Join(page.Types(), `", "`) + `"], "description": "What it is about. user: the person. project: decisions and facts of the project. agent-feedback: what you learned about how to work. reference: facts looked up (default)."},
    "tier": {"type": "string", "enum": ["always", "relevant", "L1", "L2"], "description": "always (L1): in every prompt, only for durable preferences and rules. relevant (L2, default): when it bears on the prompt."},
    "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 5, "description": "Topic keywords."},` + tripleRows + `
  },
  "required": ["content"],
  "additionalProperties": false
}`),
		run: rememberThis,
	}
}

func rememberThis(ctx context.Context, r request) Output {
	text := r.args.need("content", "")
	front := page.Meta{
		Type:    r.args.choice("type", "reference", page.Types()...),
		Tier:    tierOf(r.args.choice("tier", "relevant", "always", "relevant", "L1", "L2")),
		Tags:    r.args.texts("tags", maxTags),
		Triples: r.args.triples("triples", maxTriples),
	}
	if err := r.args.done(); err != nil {
		return failure(err)
	}
	res, err := r.engine.Remember(ctx, engine.Note{Text: text, Page: "knowledge", Front: &front, Actor: r.by.Name, Session: r.by.Session})
	if err != nil {
		return failure(err)
	}
	told := "Remembered: " + res.Page
	switch res.Action {
	case pimento.Reinforce:
		told = "Skipped (duplicate of existing memory): " + res.Page
	case pimento.Propose:
		told = "Proposed, waits for the user's yes: " + res.Reason
	}
	if res.Action == pimento.Put && res.Reason != "" {
		told += "\n" + res.Reason
	}
	return outcome(res, told+idNote(res))
}

// tierOf is a tier as front matter spells it.
func tierOf(s string) string {
	if s == "always" || s == "L1" {
		return page.TierAlways
	}
	return page.TierRelevant
}

func recallMemoryTool() Tool {
	return Tool{
		Name:        "recall_memory",
		Label:       "Recall memory",
		Effect:      Reads,
		Description: "Search memory by a question: pages of knowledge and what happened, what they link to, and how the things you name are related.",
		Snippet:     "Search memory by a question",
		Guidelines:  []string{"Before you answer about the past, or ask what you may have been told, call recall_memory."},
		Parameters: json.RawMessage(`{
  "type": "object",
  "properties": {
    "query": {"type": "string", "description": "What you want to know, in words: a question, a name, an error text."},
    "limit": {"type": "integer", "minimum": 1, "maximum": 20, "description": "At most so many pages, 5 when left out."}
  },
  "required": ["query"],
  "additionalProperties": false
}`),
		run: recallMemory,
	}
}

func recallMemory(ctx context.Context, r request) Output {
	query := r.args.need("query", "")
	limit := r.args.number("limit", 5, 1, maxRecallLimit)
	if err := r.args.done(); err != nil {
		return failure(err)
	}
	ans, err := Recall(ctx, r.engine, query, limit, r.by)
	if err != nil {
		return failure(err)
	}
	return searchOutput(ctx, r.engine, ans, query, string(pimento.Hybrid))
}

func observeTool() Tool {
	return Tool{
		Name:        "observe",
		Label:       "Observe",
		Description: "Write down what you noticed while working, as it happened, without deciding yet what it means.",
		Snippet:     "Note an observation",
		Guidelines:  []string{},
		Parameters: json.RawMessage(`{
  "type": "object",
  "properties": {
    "note": {"type": "string", "description": "What you noticed."},
    "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 5, "description": "Topic keywords."}
  },
  "required": ["note"],
  "additionalProperties": false
}`),
		run: observe,
	}
}

func observe(ctx context.Context, r request) Output {
	text := r.args.need("note", "")
	front := page.Meta{Tags: r.args.texts("tags", maxTags)}
	if err := r.args.done(); err != nil {
		return failure(err)
	}
	res, err := r.engine.Remember(ctx, engine.Note{Text: text, Page: "raw/observations", Front: &front, Actor: r.by.Name, Session: r.by.Session})
	if err != nil {
		return failure(err)
	}
	return outcome(res, "Observed: "+res.Page+idNote(res))
}

func updateMemoryTool() Tool {
	return Tool{
		Name:        "update_memory",
		Label:       "Update memory",
		Effect:      Changes,
		Description: "Correct a page of knowledge by one exact replacement.",
		Snippet:     "Correct a page of knowledge",
		Guidelines:  []string{"When knowledge turned out wrong or out of date, correct it with update_memory instead of adding a second page."},
		Parameters: json.RawMessage(`{
  "type": "object",
  "properties": {
    "file_path": {"type": "string", "description": "The page below knowledge/, as recall_memory names it."},
    "old_text": {"type": "string", "description": "The exact text to replace; it must stand there once."},
    "new_text": {"type": "string", "description": "What stands there afterwards."},
    "reason": {"type": "string", "description": "Why, in at most 200 characters; kept in the front matter."}
  },
  "required": ["file_path", "old_text", "new_text"],
  "additionalProperties": false
}`),
		run: updateMemory,
	}
}

func updateMemory(ctx context.Context, r request) Output {
	name := r.args.need("file_path", "")
	x := remember.Patch{Old: r.args.raw("old_text"), New: r.args.raw("new_text"), Reason: r.args.text("reason")}
	if err := r.args.done(); err != nil {
		return failure(err)
	}
	res, err := r.engine.Patch(ctx, placeName(name), x, r.by)
	if err != nil {
		return failure(err)
	}
	told := "Updated: " + res.Page
	if why := remember.Reason(x.Reason); why != "" {
		told += " (reason: " + why + ")"
	}
	return outcome(res, told+idNote(res))
}

// placeName is the page of a place as search results name it, scope:page:line.
func placeName(s string) string {
	s = strings.TrimSpace(s)
	if i := strings.LastIndex(s, ".md:"); i >= 0 {
		return s[:i+3]
	}
	return s
}

// texts is a list of strings, white space at their ends taken off.
func (a *arguments) texts(name string, most int) []string {
	raw, ok := a.value(name)
	if !ok {
		return nil
	}
	var list []string
	if json.Unmarshal(raw, &list) != nil || len(list) > most {
		a.complain(name, raw, fmt.Sprintf("a list of at most %d strings", most))
		return nil
	}
	var out []string
	for _, s := range list {
		if s = strings.Join(strings.Fields(s), " "); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// triples are rows of three strings, none of them blank.
func (a *arguments) triples(name string, most int) []pimento.Triple {
	raw, ok := a.value(name)
	if !ok {
		return nil
	}
	var rows [][]string
	if json.Unmarshal(raw, &rows) != nil || len(rows) > most {
		a.complain(name, raw, fmt.Sprintf("a list of at most %d rows of three strings, [[\"subject\", \"predicate\", \"object\"]]", most))
		return nil
	}
	var out []pimento.Triple
	for _, row := range rows {
		for i := range row {
			row[i] = strings.Join(strings.Fields(row[i]), " ")
		}
		if len(row) != 3 || row[0] == "" || row[1] == "" || row[2] == "" || len(row[0]) > 500 || len(row[1]) > 100 || len(row[2]) > 500 {
			b, _ := json.Marshal(row)
			a.complain(name, b, "rows of three texts that are not blank (500, 100, 500 bytes)")
			return nil
		}
		out = append(out, pimento.Triple{Subject: row[0], Predicate: row[1], Object: row[2]})
	}
	return out
}

// raw is a string that must be there and of which every byte counts; it may be
// empty.
func (a *arguments) raw(name string) string {
	raw, ok := a.value(name)
	var s string
	switch {
	case !ok && a.err == nil:
		a.err = &pimento.Error{Op: a.tool, Kind: pimento.KindUsage, Err: errors.New(`"` + name + `" is required`)}
	case ok && json.Unmarshal(raw, &s) != nil:
		a.complain(name, raw, "a string")
	}
	return s
}
