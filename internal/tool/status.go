package tool

import (
	"context"
	"encoding/json"
)

func statusTool() Tool {
	return Tool{
		Name:        "memory_status",
		Label:       "Memory status",
		Description: "Show the state of memory: profile, pages and entries of each scope, open tasks, what is missing or broken.",
		Snippet:     "Show the state of memory",
		Guidelines:  []string{},
		Parameters:  json.RawMessage(`{"type": "object", "properties": {}, "additionalProperties": false}`),
		run:         status,
	}
}

func status(ctx context.Context, r request) Output {
	if err := r.args.done(); err != nil {
		return failure(err)
	}
	rep, err := r.engine.Status(ctx, r.by.Session)
	if err != nil {
		return failure(err)
	}
	return Output{Text: RenderStatus(rep, Paint{Width: 100})}
}
