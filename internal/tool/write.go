package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
)

func writeTool() Tool {
	return Tool{
		Name:  "memory_write",
		Label: "Memory write",
		Description: "Write to memory. target long_term is MEMORY.md (facts, decisions, preferences that should last); " +
			"target daily is today's log (what happened, what was tried). Both append; overwrite replaces MEMORY.md.",
		Snippet: "Write a lasting fact or today's note to memory",
		Guidelines: []string{
			"When the user says to remember something, call memory_write in the same turn; do not just promise it.",
		},
		Parameters: json.RawMessage(`{
  "type": "object",
  "properties": {
    "target": {"type": "string", "enum": ["long_term", "daily"], "description": "long_term: MEMORY.md. daily: today's log."},
    "content": {"type": "string", "description": "What to write, in markdown. One fact at a time; #tags and [[links]] help to find it."},
    "mode": {"type": "string", "enum": ["append", "overwrite"], "description": "append (default), or overwrite to replace all of MEMORY.md. The daily log is always appended to."},
    "scope": {"type": "string", "enum": ["global", "project", "local"], "description": "global: every project of this user. project: shared with this project's team. local: this user's notes about this project. Leave it out for the usual place."},
    "kind": {"type": "string", "enum": ["fact", "preference", "lesson", "pattern", "decision", "done", "mistake"], "description": "What sort of statement it is, when that is clear."},
    "pinned": {"type": "boolean", "description": "Always show it. Only when the user asks for that."}
  },
  "required": ["target", "content"],
  "additionalProperties": false
}`),
		run: write,
	}
}

func write(ctx context.Context, r request) Output {
	target := r.args.choice("target", "", "long_term", "daily")
	if target == "" {
		r.args.need("target", ": long_term or daily")
	}
	p, _ := r.engine.Profile(ctx)
	note := engine.Note{
		Text:      r.args.need("content", ""),
		Daily:     target == "daily",
		Overwrite: r.args.choice("mode", "append", "append", "overwrite") == "overwrite" && target != "daily",
		Scope:     pimento.Scope(r.args.choice("scope", "", "global", "project", "local")),
		Kind: pimento.Kind(r.args.choice("kind", "", "fact", "preference", "lesson", "pattern", "decision",
			"done", "mistake")),
		Pinned:  r.args.flag("pinned"),
		Stamped: p.Stamped,
		Actor:   r.by.Name,
		Session: r.by.Session,
	}
	if err := r.args.done(); err != nil {
		return failure(err)
	}
	if !note.Daily && !note.Overwrite && !note.Stamped {
		if items := bullets(note.Text); len(items) > 1 {
			return putEach(ctx, r, note, items, p.Writes.Preview)
		}
		note.Text = WithoutBullet(note.Text)
	}
	out, was := put(ctx, r, note, p.Writes.Preview)
	out.Text = withBefore(out.Text, was)
	return out
}

// putEach writes the bullets of a list as the entries that they are.
func putEach(ctx context.Context, r request, note engine.Note, items []string, preview bool) Output {
	var all Output
	var lines, written []string
	was := "" // before the first of them
	for i, item := range items {
		note.Text = item
		out, before := put(ctx, r, note, preview)
		line := out.Text
		if out.IsError {
			line += ": " + OneLine(item, 80)
		}
		if i == 0 || out.IsError {
			all = out
		}
		if i == 0 {
			was = before
		}
		lines = append(lines, line)
		written = append(written, out.Details["ids"].([]string)...)
	}
	all.Text = withBefore(strings.Join(lines, "\n"), was)
	all.Details["ids"] = ids(written)
	return all
}

// withBefore puts what a page held before below what was done to it.
func withBefore(said, was string) string {
	if was == "" {
		return said
	}
	return said + "\n\n" + was
}

// put writes one note. With a preview, or where it took something away, was is what
// was there before.
func put(ctx context.Context, r request, note engine.Note, preview bool) (out Output, was string) {
	res, err := r.engine.Remember(ctx, note)
	if err != nil {
		return failure(err), ""
	}
	if res.Text == "" { // it stands on another page
		res.Text = note.Text
	}
	out = outcome(res, written(note, res))
	out.Details["target"] = "long_term"
	if note.Daily {
		out.Details["target"] = "daily"
	}
	out.Details["mode"] = mode(note)
	return out, before(note, res, preview)
}

func mode(n engine.Note) string {
	if n.Overwrite {
		return "overwrite"
	}
	return "append"
}

// written says what a successful write did.
func written(n engine.Note, res engine.Result) string {
	switch {
	case res.Action == pimento.Reinforce:
		return fmt.Sprintf("Already known, now reinforced: %s (id %s, %s:%s)", OneLine(res.Text, 200), res.ID, res.Scope, res.Page)
	case res.Action == pimento.Propose:
		return "Proposed, waits for the user's yes: " + res.Reason
	case n.Overwrite:
		return "Overwrote " + res.Page + idNote(res)
	}
	said := "Appended to " + res.Page
	if n.Daily {
		said = "Appended to daily log: " + res.Path
	}
	return said + idNote(res) + beside(res)
}

// before shows what a page held before a write.
func before(n engine.Note, res engine.Result, preview bool) string {
	switch {
	case res.Action != pimento.Put:
		return ""
	case n.Overwrite:
		return existing(res.Page, res.Was, "middle")
	case !preview:
		return ""
	case n.Daily:
		return existing("daily log", res.Was, "end")
	}
	return existing(res.Page, res.Was, "middle")
}

// beside says what speaks against what was written, with the entries that do.
func beside(res engine.Result) string {
	if res.Action != pimento.Put || res.Reason == "" {
		return ""
	}
	near := res.Near
	if said := saying(slices.Concat(res.Against, res.Earlier)); len(said) > 0 {
		near = said
	}
	return strings.Join(append([]string{"\n" + res.Reason}, near...), "\n- ")
}

// saying lists entries by their ids, with what they say.
func saying(entries []pimento.Entry) (lines []string) {
	for _, en := range entries {
		lines = append(lines, en.String()+": "+Defang(OneLine(en.Text, 160)))
	}
	return lines
}

// idNote lets a model name what it just wrote, to forget or correct it.
func idNote(res engine.Result) string {
	if res.ID == "" {
		return ""
	}
	note := " (id " + string(res.ID) + ", " + string(res.Scope)
	if res.Recovery != "" {
		note += ", recovery id " + res.Recovery + " for what was replaced"
	}
	return note + ")"
}

// outcome is a write's answer: an error when it was refused, else text, with
// the facts for the harness.
func outcome(res engine.Result, text string) Output {
	d := map[string]any{
		"ids": ids(res.IDs()), "id": string(res.ID), "scope": string(res.Scope), "page": res.Page,
		"path": res.Path, "action": string(res.Action),
	}
	if res.Recovery != "" {
		d["recovery"] = res.Recovery
	}
	if res.Action == pimento.Refuse {
		text = "Not written: " + res.Reason
		if len(res.Near) > 0 {
			d["near"] = res.Near
		}
		return Output{Text: text, Details: d, IsError: true, Kind: pimento.KindRefused}
	}
	if len(res.Quoted) > 0 {
		text += "\n" + stillQuoted(res)
	}
	return Output{Text: text, Details: d}
}

// ids is never null in JSON.
func ids(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// usersYes keeps a model from taking for its next step what a person is told to do.
const usersYes = "Only the user may agree to this: ask them, do not run it yourself."

// failure is an error as a tool's answer.
func failure(err error) Output {
	text := Message(err)
	if hint := pimento.HintOf(err); hint != "" {
		text += "\n" + hint
	}
	if strings.Contains(text, "pimento trust") {
		text += "\n" + usersYes
	}
	return Output{Text: "Error: " + text, Details: map[string]any{"ids": []string{}}, IsError: true, Kind: pimento.KindOf(err)}
}
