package tool

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/pimento-memory/pimento"
)

func scratchpadTool() Tool {
	return Tool{
		Name:  "scratchpad",
		Label: "Scratchpad",
		Description: "The checklist of things to keep in mind until they are done. " +
			"Actions: add, done, undo (by part of an item's text), clear_done, list.",
		Snippet:    "Keep a checklist of open items across sessions",
		Guidelines: []string{},
		Parameters: json.RawMessage(`{
  "type": "object",
  "properties": {
    "action": {"type": "string", "enum": ["add", "done", "undo", "clear_done", "list"], "description": "What to do."},
    "text": {"type": "string", "description": "For add: the item. For done and undo: part of its text."}
  },
  "required": ["action"],
  "additionalProperties": false
}`),
		run: scratchpad,
	}
}

func scratchpad(ctx context.Context, r request) Output {
	action := r.args.choice("action", "", "add", "done", "undo", "clear_done", "list")
	if action == "" {
		r.args.need("action", ": add, done, undo, clear_done or list")
	}
	text := strings.TrimSpace(r.args.text("text"))
	if err := r.args.done(); err != nil {
		return failure(err)
	}
	if text == "" && (action == "add" || action == "done" || action == "undo") {
		return failure(&pimento.Error{Op: "scratchpad", Kind: pimento.KindUsage,
			Err: plainError("'text' is required for " + action + ".")})
	}
	if action == "add" {
		text = WithoutBox(text)
	}
	pad, err := r.engine.Scratch(ctx, strings.TrimSuffix(action, "_done"), text, r.by)
	if err != nil {
		out := failure(err)
		if len(pad.Recoveries) > 0 { // cleared before another scratchpad failed
			p, undo := r.paint(ctx), make([]string, len(pad.Recoveries))
			for i, id := range pad.Recoveries {
				undo[i] = p.Cmd("restore " + id)
			}
			out.Text += "\n" + pad.Message + " To undo: " + strings.Join(undo, ", ")
		}
		return out
	}
	if action == "list" {
		return scratchList(pad.Text, pad.Items)
	}
	out := outcome(pad.Result, pad.Message)
	if out.IsError {
		out.Text = pad.Message
		return out
	}
	if shown := preview(pad.Text, "start"); shown != "" {
		out.Text += "\n\n" + shown
	}
	return out
}

func scratchList(text string, items []pimento.Entry) Output {
	open, done := 0, 0
	for _, it := range items {
		if it.Done {
			done++
		} else {
			open++
		}
	}
	if strings.TrimSpace(text) == "" {
		text = "Scratchpad is empty."
	}
	return Output{Text: text, Details: map[string]any{"ids": ids(heldBy(items)), "open": open, "done": done}}
}

func heldBy(items []pimento.Entry) []string {
	var out []string
	for _, it := range items {
		out = append(out, string(it.Statement))
	}
	return out
}
