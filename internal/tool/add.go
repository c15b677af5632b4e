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
	"github.com/pimento-memory/pimento/internal/score"
)

// categories are the kinds that one-line memories have.
func categories() []string {
	return []string{"preference", "lesson", "pattern", "decision", "done", "mistake"}
}

func addTool() Tool {
	return Tool{
		Name:        "memory_add",
		Label:       "Memory add",
		Description: "Add one memory: a preference, lesson, pattern, decision, completed work (done) or mistake, on one line.",
		Snippet:     "Add a one-line memory of a category",
		Guidelines:  []string{"When the user states a preference or corrects you, call memory_add in the same turn."},
		Parameters: json.RawMessage(`{
  "type": "object",
  "properties": {
    "text": {"type": "string", "description": "What to remember: one self-contained line of about 100 characters."},
    "category": {"type": "string", "enum": ["preference", "lesson", "pattern", "decision", "done", "mistake"], "description": "preference: what the user wants. lesson: what was learned. pattern: how things are done here. decision: what was decided, and why. done: completed work. mistake: what went wrong."},
    "pinned": {"type": "boolean", "description": "Always keep it in front of the model. Only when the user asks for that."}
  },
  "required": ["text", "category"],
  "additionalProperties": false
}`),
		run: add,
	}
}

func add(ctx context.Context, r request) Output {
	note := engine.Note{
		Text:    r.args.need("text", ""),
		Kind:    category(r.args, true),
		Pinned:  r.args.flag("pinned"),
		Actor:   r.by.Name,
		Session: r.by.Session,
	}
	if err := r.args.done(); err != nil {
		return failure(err)
	}
	note.Text = WithoutBullet(note.Text)
	res, err := r.engine.Remember(ctx, note)
	if err != nil {
		return failure(err)
	}
	if res.Text == "" {
		res.Text = note.Text
	}
	stands := pimento.Entry{Kind: note.Kind, Pinned: note.Pinned}
	if res.Action == pimento.Reinforce && len(res.Near) > 0 { // maybe of another category
		if en, err := r.engine.Entry(ctx, res.Near[0]); err == nil {
			stands = en
		}
	}
	line := "[" + string(stands.Kind) + "] " + OneLine(res.Text, 300)
	text := "Added: " + line
	switch {
	case res.Action == pimento.Reinforce:
		text = "Already exists - reinforced instead: " + line
	case res.Action == pimento.Propose:
		text = "Proposed, waits for the user's yes: " + res.Reason
	}
	if stands.Pinned {
		text += " (pinned)"
	}
	text += idNote(res)
	if note.Pinned && !stands.Pinned {
		text += "\n" + res.Reason
	}
	text += beside(res)
	out := outcome(res, text)
	if len(res.Near) > 0 {
		out.Details["near"] = res.Near
	}
	return out
}

// category is a kind of one-line memory. A wrong one is answered with those
// there are.
func category(a *arguments, needed bool) pimento.Kind {
	s := strings.ToLower(strings.TrimSpace(a.text("category")))
	switch {
	case s == "" && !needed, slices.Contains(categories(), s):
	case a.err == nil:
		a.err = &pimento.Error{Op: a.tool, Kind: pimento.KindUsage,
			Err: fmt.Errorf("invalid category %q; valid: %s", clip(s, 40), strings.Join(categories(), ", "))}
	}
	return pimento.Kind(s)
}

const oneEntry = `
    "category": {"type": "string", "enum": ["preference", "lesson", "pattern", "decision", "done", "mistake"], "description": "Its category; any when left out."},
    "id": {"type": "string", "description": "Instead of the text: the entry's id, at least 8 of its hex digits or all of scope:page#id."}`

func removeTool() Tool {
	return Tool{
		Name:        "memory_remove",
		Label:       "Memory remove",
		Effect:      Changes,
		Description: "Remove a memory by its exact text and category, or by its id. It can be brought back.",
		Snippet:     "Remove a wrong or outdated memory",
		Guidelines:  []string{"Find the exact text with memory_search before you call memory_remove."},
		Parameters: json.RawMessage(`{
  "type": "object",
  "properties": {
    "text": {"type": "string", "description": "The exact text of the memory."},` + oneEntry + `
  },
  "additionalProperties": false
}`),
		run: remove,
	}
}

func remove(ctx context.Context, r request) Output {
	id, said, err := named(ctx, r, "memory_remove", "text")
	if err != nil {
		return failure(err)
	}
	res, err := r.engine.Forget(ctx, id, r.by)
	if err != nil {
		return failure(err)
	}
	if said == "" {
		said = res.Text
	}
	return outcome(res, "Removed: "+OneLine(said, 300)+"\nRecovery id: "+res.Recovery+" (pimento restore brings it back)")
}

// named is the id of the one entry that a call names by its exact text and
// category, or by an id. Several entries with the same text are never taken for
// one: the error lists them.
func named(ctx context.Context, r request, op, key string) (id, said string, err error) {
	said, kind := r.args.text(key), category(r.args, false)
	id = strings.TrimSpace(r.args.text("id"))
	if err := r.args.done(); err != nil {
		return "", "", err
	}
	return sole(ctx, r.engine, op, id, said, kind)
}

// sole is named for arguments that were read already.
func sole(ctx context.Context, e *engine.Engine, op, id, said string, kind pimento.Kind) (string, string, error) {
	if id != "" {
		return id, said, nil
	}
	if said == "" {
		return "", "", &pimento.Error{Op: op, Kind: pimento.KindUsage, Err: errors.New("name the memory by its exact text and category, or by its id")}
	}
	said = WithoutBullet(said)
	found, err := e.Saying(ctx, op, said, kind)
	if err != nil {
		return "", "", err
	}
	if len(found) > 1 {
		var ids []string
		for _, en := range found {
			ids = append(ids, en.Occurrence.String())
		}
		return "", "", &pimento.Error{Op: op, Kind: pimento.KindConflict, Err: fmt.Errorf("%d entries say exactly that; nothing was changed", len(found)),
			Hint: "pass one of these as id:\n  " + strings.Join(ids, "\n  ")}
	}
	return found[0].Occurrence.String(), found[0].Text, nil
}

func reinforceTool() Tool {
	return Tool{
		Name:        "memory_reinforce",
		Label:       "Memory reinforce",
		Description: "Reinforce a memory that was right and helped: its evidence grows and its decay starts anew.",
		Snippet:     "Strengthen a memory that helped",
		Guidelines:  []string{"Call memory_reinforce when a memory was relevant to the work at hand."},
		Parameters: json.RawMessage(`{
  "type": "object",
  "properties": {
    "entryText": {"type": "string", "description": "The exact text of the memory."},` + oneEntry + `
  },
  "additionalProperties": false
}`),
		run: reinforce,
	}
}

func reinforce(ctx context.Context, r request) Output {
	id, _, err := named(ctx, r, "memory_reinforce", "entryText")
	if err != nil {
		return failure(err)
	}
	res, err := r.engine.Reinforce(ctx, id, r.by)
	if err != nil {
		return failure(err)
	}
	en, err := r.engine.Entry(ctx, id)
	if err != nil {
		return failure(err)
	}
	s := r.engine.Standings(ctx, []pimento.Entry{en})[0]
	out := outcome(res, fmt.Sprintf("Reinforced: [%s] %s\nNew evidence count: %d, score: %s", en.Kind, OneLine(en.Text, 300), s.Evidence, scoreOf(s)))
	out.Details["evidence"], out.Details["score"] = s.Evidence, s.Score
	return out
}

// scoreOf is a standing's score for a person or a model: a pin has none.
func scoreOf(s pimento.Standing) string {
	if s.Score >= score.PinnedScore {
		return "pinned"
	}
	return fmt.Sprintf("%.3f", s.Score)
}
