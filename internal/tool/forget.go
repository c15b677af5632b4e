package tool

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/pimento-memory/pimento"
)

func forgetTool() Tool {
	return Tool{
		Name:   "memory_forget",
		Label:  "Memory forget",
		Effect: Changes,
		Description: "Take one entry out of memory because it is wrong or no longer holds. " +
			"It can be brought back with memory_restore and the recovery id in the answer.",
		Snippet:    "Take a wrong or outdated entry out of memory",
		Guidelines: []string{"Find the id with memory_search before you call memory_forget."},
		Parameters: json.RawMessage(`{
  "type": "object",
  "properties": {
    "id": {"type": "string", "description": "The entry's id: at least 8 of its hex digits."},
    "reason": {"type": "string", "description": "Why it goes, in a few words."}
  },
  "required": ["id"],
  "additionalProperties": false
}`),
		run: forget,
	}
}

func forget(ctx context.Context, r request) Output {
	id := strings.TrimSpace(r.args.need("id", ""))
	reason := r.args.text("reason")
	if err := r.args.done(); err != nil {
		return failure(err)
	}
	res, err := r.engine.Forget(ctx, id, r.by)
	if err != nil {
		return failure(err)
	}
	out := outcome(res, "Forgot ("+string(res.Scope)+":"+res.Page+"): "+OneLine(res.Text, 300)+
		"\nRecovery id: "+res.Recovery+" (memory_restore brings it back)")
	if reason != "" {
		out.Details["reason"] = clip(reason, 400)
	}
	return out
}

func restoreTool() Tool {
	return Tool{
		Name:        "memory_restore",
		Label:       "Memory restore",
		Description: "Bring back what memory_forget took out, by its recovery id.",
		Snippet:     "Bring back a forgotten entry",
		Guidelines:  []string{},
		Parameters: json.RawMessage(`{
  "type": "object",
  "properties": {
    "id": {"type": "string", "description": "The recovery id that memory_forget answered with."}
  },
  "required": ["id"],
  "additionalProperties": false
}`),
		run: restore,
	}
}

func restore(ctx context.Context, r request) Output {
	id := strings.TrimSpace(r.args.need("id", ""))
	if err := r.args.done(); err != nil {
		return failure(err)
	}
	res, err := r.engine.Restore(ctx, id, r.by)
	if err != nil {
		return failure(RestoreError(id, "the answer to forget names it; what was restored or purged is not there any more", err))
	}
	text := "Restored to " + string(res.Scope) + ":" + res.Page
	if res.Text != "" {
		text += ": " + OneLine(res.Text, 300)
	}
	if res.Recovery != "" {
		text += "\nRecovery id: " + res.Recovery + " (memory_restore brings back what gave way)"
	}
	return outcome(res, text)
}

// RestoreHint tells a person, who has a command for it, where a recovery id is found.
const RestoreHint = "list what can be brought back: pimento restore"

// RestoreError says of an error of recovery what a person can use, with a
// hint where to find an id: not the path of the file that is not there. Other
// errors it returns as they are.
func RestoreError(id, hint string, err error) error {
	e, ok := errors.AsType[*pimento.Error](err)
	if !ok || e.Op != "recovery.get" || e.Kind != pimento.KindNotFound && e.Kind != pimento.KindUsage {
		return err
	}
	what := "no such recovery id: "
	if e.Kind == pimento.KindUsage {
		what = "not a recovery id: "
	}
	return &pimento.Error{Op: "restore", Kind: e.Kind, Err: errors.New(what + OneLine(id, 80)), Hint: hint}
}
