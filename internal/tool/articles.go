package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
)

func indexTool() Tool {
	return Tool{
		Name:   "memory_index",
		Label:  "Memory index",
		Effect: Reads,
		Description: "List the topic files of memory, scope by scope: topic, keywords, lines, description, file. " +
			"Look here before you write, to see whether a file on the topic exists.",
		Snippet:    "List the topic files of memory",
		Guidelines: []string{},
		Parameters: json.RawMessage(`{
  "type": "object",
  "properties": {
    "scope": {"type": "string", "enum": ["all", "global", "project", "L1", "L2"], "description": "all (default), global (L1: every project of this user) or project (L2: this project)."}
  },
  "additionalProperties": false
}`),
		run: topicIndex,
	}
}

// tier reads a scope under its own name or as the catalog's tier, L1 or L2.
func tier(a *arguments, def string, allowed ...string) pimento.Scope {
	switch s := a.choice("scope", def, append(allowed, "global", "project", "L1", "L2")...); s {
	case "L1":
		return pimento.Global
	case "L2":
		return pimento.Project
	case "all":
		return ""
	default:
		return pimento.Scope(s)
	}
}

func topicIndex(ctx context.Context, r request) Output {
	scope := tier(r.args, "all", "all")
	if err := r.args.done(); err != nil {
		return failure(err)
	}
	p, _ := r.engine.Profile(ctx)
	list, err := r.engine.TopicIndexes(ctx, scope)
	if err != nil {
		return failure(err)
	}
	var b strings.Builder
	for _, x := range list {
		if len(x.Topics) > 0 {
			b.WriteString("\n" + topicTable(x, p.Topics))
		}
	}
	if b.Len() == 0 {
		return Output{Text: "No memory files found."}
	}
	return Output{Text: "# Memory Index\n" + strings.TrimSuffix(b.String(), "\n"), Details: map[string]any{"scopes": list}}
}

// tierName is the name that the catalog's document has for a scope.
func tierName(s pimento.Scope) string {
	switch s {
	case pimento.Global:
		return "global (L1)"
	case pimento.Project:
		return "project (L2)"
	}
	return ""
}

func topicTable(x engine.TopicIndex, limits pimento.Topics) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s — %s\n\n| topic | keywords | lines | description | file |\n|-------|----------|-------|-------------|------|\n",
		tierName(x.Scope), x.Dir)
	for _, t := range x.Topics {
		lines, about := fmt.Sprint(t.Lines), t.About
		if limits.MaxLines > 0 && t.Lines > limits.MaxLines {
			lines += fmt.Sprintf(" (over %d: split it)", limits.MaxLines)
		}
		if t.Failed {
			about = "(read failed)"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", cell(t.Topic), cell(strings.Join(t.Keywords, ", ")), lines, cell(about), cell(t.Page))
	}
	return b.String()
}

// cell is a text in a table: on one line, with its bars escaped.
func cell(s string) string { return strings.ReplaceAll(OneLine(s, 200), "|", `\|`) }

func updateTool() Tool {
	return Tool{
		Name:  "memory_update",
		Label: "Memory update",
		Description: "Write one topic file of memory, whole. The file name is topic--kw1,kw2.md. " +
			"A refused write changes nothing; the answer says which rule it broke and what to do.",
		Snippet: "Write a topic file of memory, whole",
		Guidelines: []string{
			"Call memory_index before memory_update, and decide: a new file, the old file again, or a merge.",
		},
		Parameters: json.RawMessage(`{
  "type": "object",
  "properties": {
    "fileName": {"type": "string", "description": "topic--kw1,kw2,kw3.md: a short topic, then up to five keywords."},
    "content": {"type": "string", "description": "All of the file, in markdown: a title, a line of keywords, sections. What the file held before is replaced."},
    "scope": {"type": "string", "enum": ["global", "project", "L1", "L2"], "description": "project (L2): this project. global (L1): every project. Leave it out for the usual place."},
    "replaces": {"type": "array", "items": {"type": "string"}, "description": "Files that this one takes the place of, after a merge. They go to the archive in the same write and are no conflict."}
  },
  "required": ["fileName", "content"],
  "additionalProperties": false
}`),
		run: topicUpdate,
	}
}

func topicUpdate(ctx context.Context, r request) Output {
	a := engine.Article{
		File:     r.args.need("fileName", ": topic--kw1,kw2.md"),
		Content:  r.args.need("content", ": all of the file, in markdown"),
		Scope:    tier(r.args, ""),
		Replaces: r.args.list("replaces"),
		Actor:    r.by,
	}
	if err := r.args.done(); err != nil {
		return failure(err)
	}
	res, err := r.engine.WriteArticle(ctx, a)
	if err != nil {
		return failure(err)
	}
	if res.Action == pimento.Refuse {
		return outcome(res.Result, "")
	}
	out := outcome(res.Result, articleText(res))
	out.Details["lines"], out.Details["files"], out.Details["moves"] = res.Lines, res.Files, res.Moves
	return out
}

func articleText(res engine.ArticleResult) string {
	verb := "overwritten"
	if res.Created {
		verb = "created"
	}
	text := fmt.Sprintf("%s: %s (%d lines, %s)", verb, res.Page, res.Lines, res.Scope)
	if res.Reason != "" {
		text = fmt.Sprintf("unchanged: %s (%s)", res.Page, res.Reason)
	}
	if res.Recovery != "" {
		text += "\nWhat it said before can be brought back: pimento restore " + res.Recovery
	}
	for _, m := range res.Moves {
		text += "\narchived: " + m.Page + " -> " + m.To + " (pimento restore " + m.Recovery + ")"
	}
	return strings.Join(append([]string{text}, res.Notes...), "\n")
}

func archiveTool() Tool {
	return Tool{
		Name:   "memory_archive",
		Label:  "Memory archive",
		Effect: Changes,
		Description: "Move a topic file of memory, or one entry by its id, to the archive, because it no longer holds. " +
			"It is not shown any more and can be brought back.",
		Snippet:    "Move an outdated topic file out of sight",
		Guidelines: []string{},
		Parameters: json.RawMessage(`{
  "type": "object",
  "properties": {
    "fileName": {"type": "string", "description": "The file, as memory_index lists it, or the id of an entry."},
    "reason": {"type": "string", "description": "Why it goes, in a few words."},
    "scope": {"type": "string", "enum": ["global", "project", "L1", "L2"], "description": "Where the file is, when both scopes have one of that name."}
  },
  "required": ["fileName", "reason"],
  "additionalProperties": false
}`),
		run: topicArchive,
	}
}

func topicArchive(ctx context.Context, r request) Output {
	name, reason := strings.TrimSpace(r.args.need("fileName", "")), r.args.need("reason", ": why it goes")
	scope := tier(r.args, "")
	if err := r.args.done(); err != nil {
		return failure(err)
	}
	if scope != "" && strings.HasSuffix(name, ".md") {
		name = string(scope) + ":" + name
	}
	moves, err := r.engine.Archive(ctx, []string{name}, reason, true, r.by)
	if err != nil {
		return failure(err)
	}
	m := moves[0]
	return Output{Text: fmt.Sprintf("archived: %s:%s -> %s\nIt can be brought back: pimento restore %s", m.Scope, m.Page, m.To, m.Recovery),
		Details: map[string]any{"ids": ids(m.Notices), "moves": moves}}
}
