// Package tool holds each operation that a model may ask for, once: its schema, the rules
// of its arguments, what it does, and the text it answers with. [Set] gives the [Tool]s of a
// profile, and [Call] runs one. Every door serves the same set (the pi child over rpc, an
// MCP server, the command line as `pimento tool NAME JSON`), so an answer reads the same
// everywhere.
//
// The package also holds the texts that several doors share when they answer a person: the
// state of memory, the story of the last block, a list of hits (the functions that begin
// with Render). All of it checks and renders; the engine does the work. [Turn] answers a
// turn for every door and makes an empty block of a panic.
package tool

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
)

// A Tool is one operation as a harness registers it.
type Tool struct {
	Name        string          `json:"name"`
	Label       string          `json:"label"`       // for a person: "Memory write"
	Description string          `json:"description"` // for the model, from the profile's texts
	Parameters  json.RawMessage `json:"parameters"`  // a JSON Schema of type object
	Snippet     string          `json:"snippet"`     // one line for the harness's list of tools
	Guidelines  []string        `json:"guidelines"`  // rules for the system prompt, each naming its tool
	Effect      Effect          `json:"-"`           // for a harness that asks before some calls and not before others

	run func(context.Context, request) Output
}

// IDs is the member of a tool answer's _meta, in MCP, that lists what the answer holds.
const IDs = "pimento/ids"

// An Effect is what a call does to memory, by its purpose. Whatever it takes out
// can be restored.
type Effect uint8

const (
	Adds    Effect = iota
	Reads          // and does nothing
	Changes        // replaces or takes out
)

// An Output is what a tool answered: the text for the model and what a door
// needs besides.
type Output struct {
	Text    string
	Details map[string]any    // always has "ids", a []string: see [pimento.Block]
	IsError bool              // the call failed; Text says why and what to do
	Kind    pimento.ErrorKind // of the failure, meaningful with IsError
}

// A request is one call on its way to a tool's run.
type request struct {
	engine *engine.Engine
	args   *arguments
	by     engine.Actor
}

// Set is exactly the profile's toolset, in the profile's order, with the
// profile's descriptions. A name that no tool has is left out.
func Set(p pimento.Profile) []Tool {
	set := []Tool{}
	for _, name := range p.Tools {
		t, ok := find(name)
		if !ok {
			continue
		}
		if text := p.ToolTexts[name]; text != "" {
			t.Description = text
		}
		set = append(set, t)
	}
	return set
}

// Search is the tool of a set with which to ask what is known, else the one that
// lists it; "" for none.
func Search(set []Tool) string {
	for _, name := range []string{"memory_search", "recall_memory", "memory_index"} {
		if slices.ContainsFunc(set, func(t Tool) bool { return t.Name == name }) {
			return name
		}
	}
	return ""
}

// Names lists every tool there is, in the order in which help names them.
func Names() []string {
	var names []string
	for _, t := range all() {
		names = append(names, t.Name)
	}
	return names
}

// Call runs the named tool. The args are a JSON object; empty means {}. It
// never fails otherwise than by an Output with IsError.
func Call(ctx context.Context, e *engine.Engine, name string, args json.RawMessage, by engine.Actor) Output {
	t, ok := find(name)
	if !ok {
		return failure(unknownTool(name))
	}
	a, err := parseArguments(name, args)
	if err != nil {
		return failure(err)
	}
	out := t.run(ctx, request{engine: e, args: a, by: by})
	if out.IsError {
		out.Text = forModel(ctx, e, out.Text)
	}
	if out.Details == nil {
		out.Details = map[string]any{}
	}
	if _, ok := out.Details["ids"]; !ok {
		out.Details["ids"] = []string{}
	}
	out.Text = limit(Defang(out.Text)) // whatever of it came from memory
	return out
}

// forModel names the tool that searches where an error's hint names the command that
// does, which a model may have no shell for.
func forModel(ctx context.Context, e *engine.Engine, text string) string {
	const command = "with: pimento recall WORDS"
	if !strings.Contains(text, command) {
		return text
	}
	p, _ := e.Profile(ctx)
	if search := Search(Set(p)); search != "" {
		text = strings.ReplaceAll(text, command, "with: "+search)
	}
	return text
}

func find(name string) (Tool, bool) {
	for _, t := range all() {
		if t.Name == name {
			return t, true
		}
	}
	return Tool{}, false
}

// all is a function, not a variable, so that a program that serves no tool
// pays nothing for them at its start.
func all() []Tool {
	return []Tool{
		writeTool(),
		readTool(),
		searchTool(),
		scratchpadTool(),
		forgetTool(),
		restoreTool(),
		statusTool(),
		sessionSearchTool(),
		rememberThisTool(),
		recallMemoryTool(),
		observeTool(),
		updateMemoryTool(),
		markAuditTool(),
		addTool(),
		removeTool(),
		reinforceTool(),
		topicsTool(),
		editTool(),
		reflectTool(),
		consolidateTool(),
		indexTool(),
		updateTool(),
		archiveTool(),
	}
}
