//go:build !unix

package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"

	"github.com/pimento-memory/pimento"
)

// become runs another program in this one's place, which waits for it.
func become(ctx context.Context, path string, args []string) error {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	if ended, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit(max(ended.ExitCode(), 1))
	}
	if err != nil {
		return &pimento.Error{Op: "mcp", Path: path, Kind: pimento.KindUnavailable, Err: fmt.Errorf("starting it: %w", err)}
	}
	return nil
}
