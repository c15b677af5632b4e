package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/recall"
)

func topicsTool() Tool {
	return Tool{
		Name:        "memory_topics",
		Label:       "Memory topics",
		Effect:      Reads,
		Description: "List the topic files: entries, hotness (the sum of their scores), tokens.",
		Snippet:     "List the topic files of memory",
		Guidelines:  []string{},
		Parameters:  json.RawMessage(`{"type": "object", "properties": {}, "additionalProperties": false}`),
		run:         topics,
	}
}

func topics(ctx context.Context, r request) Output {
	if err := r.args.done(); err != nil {
		return failure(err)
	}
	list, faults := r.engine.Topics(ctx)
	return Output{Text: RenderTopics(list) + missing(faults), Details: map[string]any{"topics": list}}
}

// missing says what was missing from an answer.
func missing(faults []pimento.Fault) (note string) {
	for _, f := range faults {
		note += "\n\n(" + f.Kind + ": " + f.Detail + ")"
	}
	return note
}

// RenderTopics is the list of topic files, hottest first.
func RenderTopics(list []engine.Topic) string {
	if len(list) == 0 {
		return "No topics yet."
	}
	var b strings.Builder
	for _, t := range list {
		name := Path(t.Name)
		if slices.ContainsFunc(list, func(o engine.Topic) bool { return o.Name == t.Name && o.Scope != t.Scope }) {
			name = PageName(t.Scope, t.Name)
		}
		fmt.Fprintf(&b, "- **%s**: %s, hotness: %.2f, %s", name, Plural(t.Entries, "entry"), t.Hotness, Plural(t.Tokens, "token"))
		if t.Pinned > 0 {
			fmt.Fprintf(&b, ", %d pinned", t.Pinned)
		}
		if t.Limit > 0 && t.Chars*5 >= t.Limit*4 {
			fmt.Fprintf(&b, ", %d of %d characters", t.Chars, t.Limit)
		}
		if t.Cold {
			b.WriteString(", cold")
		}
		b.WriteString("\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

func editTool() Tool {
	return Tool{
		Name:        "memory_edit",
		Label:       "Memory edit",
		Effect:      Changes,
		Description: "Change a memory in place (op update), or take out one that something else replaced (op invalidate).",
		Snippet:     "Correct or invalidate a memory",
		Guidelines:  []string{},
		Parameters: json.RawMessage(`{
  "type": "object",
  "properties": {
    "op": {"type": "string", "enum": ["update", "invalidate"], "description": "update: another text, the same history. invalidate: take it out, restorable."},
    "text": {"type": "string", "description": "The exact text of the memory as it is."},` + oneEntry + `,
    "newText": {"type": "string", "description": "op update: what it says from now on, on one line."},
    "supersededBy": {"type": "string", "description": "op invalidate: what replaced it, in a few words."}
  },
  "required": ["op"],
  "additionalProperties": false
}`),
		run: edit,
	}
}

func edit(ctx context.Context, r request) Output {
	op := r.args.choice("op", "", "update", "invalidate")
	if op == "" {
		r.args.need("op", ": update or invalidate")
	}
	next := strings.TrimSpace(r.args.text("newText"))
	by := r.args.text("supersededBy")
	id, said, err := named(ctx, r, "memory_edit", "text")
	if err == nil && op == "update" && (next == "" || strings.ContainsAny(next, "\n\r")) {
		err = &pimento.Error{Op: "memory_edit", Kind: pimento.KindUsage, Err: errors.New("op update needs newText, on one line")}
	}
	if err != nil {
		return failure(err)
	}
	if op == "invalidate" {
		res, err := r.engine.Forget(ctx, id, r.by)
		if err != nil {
			return failure(err)
		}
		out := outcome(res, "Invalidated: "+OneLine(res.Text, 300)+"\nRecovery id: "+res.Recovery+" (pimento restore brings it back)")
		if by != "" {
			out.Details["superseded_by"] = clip(by, 400)
		}
		return out
	}
	res, err := r.engine.Edit(ctx, id, WithoutBullet(next), r.by)
	if err != nil {
		return failure(err)
	}
	if said == "" {
		said = res.Was
	}
	return outcome(res, "Updated: "+OneLine(said, 200)+"\nNow: "+OneLine(res.Text, 200)+idNote(res))
}

// reflected is how many memories a reflection looks at.
const reflected = 15

func reflectTool() Tool {
	return Tool{
		Name:        "memory_reflect",
		Label:       "Memory reflect",
		Effect:      Reads,
		Description: "Gather up to 15 memories that bear on a question, to think about as a whole.",
		Snippet:     "Gather memories on a question to reflect on",
		Guidelines:  []string{},
		Parameters: json.RawMessage(`{
  "type": "object",
  "properties": {"query": {"type": "string", "description": "What to reflect on."}},
  "required": ["query"],
  "additionalProperties": false
}`),
		run: reflect,
	}
}

func reflect(ctx context.Context, r request) Output {
	query := r.args.need("query", "")
	if err := r.args.done(); err != nil {
		return failure(err)
	}
	ans, err := Recall(ctx, r.engine, query, reflected, r.by)
	if err != nil {
		return failure(err)
	}
	text, ids := scoredLines(ctx, r.engine, ans.Hits)
	if len(ids) == 0 {
		return Output{Text: fmt.Sprintf("No memories found matching %q.", clip(query, 200)), Details: map[string]any{"status": string(ans.Status)}}
	}
	return Output{Text: fmt.Sprintf("%s on %q:\n%s\n\nWhat do they add up to? Name contradictions and what is out of date; "+
		"write a lasting conclusion with memory_add, and remove what it replaces.", Plural(len(ids), "memory"), clip(query, 200), text),
		Details: map[string]any{"ids": ids, "status": string(ans.Status)}}
}

// scoredLines are hits as one line each, with what their standing is. What is
// called similarity is the share of the best hit.
func scoredLines(ctx context.Context, e *engine.Engine, hits []pimento.Hit) (text string, ids []string) {
	es := make([]pimento.Entry, len(hits))
	for i, h := range hits {
		es[i] = h.Entry
	}
	var b strings.Builder
	shares := recall.Shares(hits)
	for i, s := range e.Standings(ctx, es) {
		b.WriteString(scoredLine(es[i], s))
		if shares[i] > 0 {
			fmt.Fprintf(&b, ", similarity: %.3f", shares[i])
		}
		fmt.Fprintf(&b, ", id: %s\n", es[i].Statement)
		ids = append(ids, string(es[i].Statement))
	}
	return strings.TrimRight(b.String(), "\n"), ids
}

// scoredLine is one memory with its score and evidence.
func scoredLine(en pimento.Entry, s pimento.Standing) string {
	line := fmt.Sprintf("- [%s] %s", en.Kind, OneLine(en.Text, 400))
	if en.Pinned {
		line += " (pinned)"
	}
	return line + fmt.Sprintf(" - score: %s, evidence: %d", scoreOf(s), s.Evidence)
}
