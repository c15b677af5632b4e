// Command pimento is memory for coding agents. See package cli.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/pimento-memory/pimento/internal/cli"
)

func main() {
	cli.Calm(os.Args[1:])
	ctx, stop := context.Background(), func() {}
	if cli.Interruptible(os.Args[1:]) {
		ctx, stop = signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	}
	if cli.Outlives(os.Args[1:]) {
		signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // not Ignore: children would inherit that
	}
	dir, _ := os.Getwd() // "" is refused where a directory is needed
	code := cli.Main(ctx, cli.Env{Args: os.Args[1:], Getenv: os.Getenv, Dir: dir,
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Now: time.Now})
	stop()
	os.Exit(code)
}
