package tool

import (
	"context"
	"encoding/json"
	"strings"
)

func consolidateTool() Tool {
	return Tool{
		Name:        "memory_consolidate",
		Label:       "Memory consolidate",
		Effect:      Reads,
		Description: "Report what says the same, what is replaced, what contradicts, what has faded, and how full the topics are. It changes nothing.",
		Snippet:     "Report what in memory can be merged or removed",
		Guidelines:  []string{},
		Parameters:  json.RawMessage(`{"type": "object", "properties": {}, "additionalProperties": false}`),
		run:         consolidate,
	}
}

// consolidateAdvice is what a model is to make of the report.
const consolidateAdvice = `Nothing was changed. Go through it one by one:
- the same said twice: memory_remove the line marked archive, by its id;
- nearly the same: memory_edit the one that stays so that it says all of it, then memory_remove the other;
- a contradiction (either, or): ask the user which one holds;
- faded: memory_reinforce what still holds, leave the rest.
Never touch what is pinned.`

func consolidate(ctx context.Context, r request) Output {
	if err := r.args.done(); err != nil {
		return failure(err)
	}
	c, err := r.engine.Consolidate(ctx, false, r.by)
	if err != nil {
		return failure(err)
	}
	text := strings.TrimSpace(RenderConsolidation(c, Paint{}))
	if len(c.Pairs)+len(c.Cold)+len(c.Stale) > 0 {
		text += "\n\n" + consolidateAdvice
	}
	list, faults := r.engine.Topics(ctx)
	return Output{Text: text + "\n\n" + RenderTopics(list) + missing(faults), Details: map[string]any{"pairs": c.Pairs, "cold": c.Cold, "stale": c.Stale}}
}
