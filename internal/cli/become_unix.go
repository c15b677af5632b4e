//go:build unix

package cli

import (
	"context"
	"fmt"
	"os"
	"syscall"

	"github.com/pimento-memory/pimento"
)

// become makes this process another program; it returns only when that fails.
func become(_ context.Context, path string, args []string) error {
	err := syscall.Exec(path, append([]string{path}, args...), os.Environ())
	return &pimento.Error{Op: "mcp", Path: path, Kind: pimento.KindUnavailable, Err: fmt.Errorf("starting it: %w", err)}
}
