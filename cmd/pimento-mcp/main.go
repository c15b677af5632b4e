// Command pimento-mcp is pimento with the library linked that speaks the Model
// Context Protocol. `pimento mcp` becomes it. It is a program of its own so that
// pimento, which is started on every prompt, need not carry net/http, which that
// library links.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/pimento-memory/pimento/internal/cli"
	"github.com/pimento-memory/pimento/internal/mcpserver"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // a client that left does not end what it asked for
	dir, _ := os.Getwd()                                    // "" is refused where a directory is needed
	code := cli.Main(ctx, cli.Env{Args: os.Args[1:], Getenv: os.Getenv, Dir: dir,
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Now: time.Now, MCP: serve})
	stop()
	os.Exit(code)
}

func serve(ctx context.Context, in io.Reader, out, log io.Writer, m cli.MCP) error {
	return mcpserver.Serve(ctx, in, out, log, mcpserver.Options(m))
}
