package mcpserver

import (
	"context"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/tool"
)

// instructions are what the model is told about this server. Clients put them
// into the system prompt, some of them cut to 2 or 4 kB, so what is said elsewhere
// as well stands last: what each tool is for.
func (s *server) instructions(ctx context.Context) string {
	e, err := s.engine()
	if err != nil {
		return ""
	}
	p, _ := e.Profile(ctx)
	set := tool.Set(p)
	parts := []string{s.purpose(tool.Search(set))}
	if !s.opt.ToolsOnly {
		parts = append(parts, s.memory(ctx, e))
	}
	parts = append(parts, uses(set))
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "\n\n")
}

// purpose says what the server is for, and when to ask it.
func (s *server) purpose(search string) string {
	text := "Pimento remembers across sessions, in files of the user's."
	switch {
	case search == "":
		return text
	case s.opt.ToolsOnly:
		return text + " What bears on a prompt is shown beside it; " + search + " finds the rest."
	}
	return text + " Nothing is recalled unasked here, whatever is said below: call " + search +
		" at the beginning of each task, and again when the subject changes."
}

// memory is what a session's start puts in front of a model.
func (s *server) memory(ctx context.Context, e *engine.Engine) string {
	rep, after := tool.Turn(ctx, e, pimento.Turn{Event: pimento.SessionStart, Harness: engine.MCPHarness, Session: s.session, Dir: e.Dir(), Main: true})
	s.books.Go(func() { after(context.WithoutCancel(ctx)) })
	if rep.Notice != "" {
		s.log.Warn(tool.Below(rep.Notice))
	}
	for _, f := range rep.Block.Faults {
		s.log.Warn(tool.Below(f.Kind + ": " + f.Detail))
	}
	return tool.Fenced(rep.Block.Prefix)
}

// uses is a line for each tool.
func uses(set []tool.Tool) string {
	var lines []string
	for _, t := range set {
		lines = append(lines, strings.Join(append([]string{"- " + t.Name + ": " + t.Snippet + "."}, t.Guidelines...), " "))
	}
	return strings.Join(lines, "\n")
}
