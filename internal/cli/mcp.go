package cli

import (
	"context"
	"errors"
	"fmt"
	"os/exec"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
)

// An MCP is what `pimento mcp` serves.
type MCP struct {
	Open      func(dir string) (*engine.Engine, error) // makes the engine of a directory; "" is where the command works
	Version   string
	ToolsOnly bool // hooks put memory in front of the model
	Stays     bool // in that directory, whatever the client's roots are
}

func mcpCmd(a *app) *command {
	var toolsOnly bool
	cmd := &command{
		use: "mcp",
		long: "Serve any agent that speaks MCP, on standard input and output: the profile's tools, and, as the server's instructions, what memory holds. " +
			"It works in the client's first root; in the directory where it was started when the client names none; with --dir in that one. Another program does it, pimento-mcp.",
		example: "  pimento mcp\n  pimento mcp --tools-only --profile mind",
		run:     func(ctx context.Context, _ []string) error { return a.mcp(ctx, toolsOnly) },
	}
	cmd.flagSet().BoolVar(&toolsOnly, "tools-only", false, "the instructions are a few lines: for a client in which hooks show what memory holds")
	return cmd
}

// mcp serves, or becomes the program that can.
func (a *app) mcp(ctx context.Context, toolsOnly bool) error {
	open, err := a.serving()
	if err != nil {
		return err
	}
	if a.flags.dryRun {
		return a.wouldDo("speak MCP", "")
	}
	if a.env.MCP == nil {
		path, err := exec.LookPath(ours("pimento-mcp"))
		if err != nil {
			return &pimento.Error{Op: "mcp", Kind: pimento.KindUnavailable, Hint: "install it beside pimento or on PATH: " + getTools,
				Err: fmt.Errorf("MCP is spoken by a second program, pimento-mcp: %w", plainCause(err))}
		}
		return become(ctx, path, a.env.Args)
	}
	lazily()
	in, undo := parked(a.env.Stdin)
	defer undo()
	err = a.env.MCP(ctx, in, a.env.Stdout, a.env.Stderr, MCP{Open: open, Version: Version(), ToolsOnly: toolsOnly, Stays: a.flags.dir != ""})
	if errors.Is(err, context.Canceled) {
		return nil // told to stop
	}
	return err
}
