package tool

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
)

func statusTool() Tool {
	return Tool{
		Name:        "memory_status",
		Label:       "Memory status",
		Effect:      Reads,
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
	state := r.engine.Status(ctx, r.by.Session)
	text := RenderStatus(state, r.paint(ctx))
	if state.Consent == "declined" || r.engine.Waits(ctx) != "" {
		text += "\n" + usersYes
	}
	return Output{Text: text}
}

// paint is for what a model reads, which gives a command by the tool that does the
// same, where its profile has that one.
func (r request) paint(ctx context.Context) Paint {
	p, _ := r.engine.Profile(ctx)
	tools := map[string]string{"remember": "memory_write", "restore": "memory_restore"}
	return Paint{Width: 100, Door: func(command string) string {
		name, rest, _ := strings.Cut(command, " ")
		if t := tools[name]; slices.Contains(p.Tools, t) {
			return t + " " + rest
		}
		return Paint{}.Cmd(command)
	}}
}
