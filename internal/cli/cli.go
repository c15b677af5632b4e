// Package cli is the command line: it reads arguments and environment, opens
// the engine and prints what it answers. It decides nothing about memory.
//
// Starting is on the hot path, because a harness may start the program once for
// every prompt. So `hook`, `rpc` and `--version` are answered before any
// command tree exists, and of the other commands only the one that was asked
// for is built.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/tool"
)

// Env is all that the program knows of the world outside.
type Env struct {
	Args   []string // without the program's name
	Getenv func(string) string
	Dir    string // the working directory
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	Now    func() time.Time // in the local time zone; $PIMENTO_NOW overrides it
}

// Main runs one command and returns the process's exit status, see
// [pimento.ErrorKind.ExitCode].
func Main(ctx context.Context, env Env) int {
	a := &app{env: env}
	if len(env.Args) > 0 {
		switch env.Args[0] {
		case "hook":
			return a.hook(ctx, env.Args[1:])
		case "--version", "version":
			fmt.Fprintln(env.Stdout, "pimento "+Version())
			return 0
		case "rpc":
			if len(env.Args) == 1 {
				return a.complain(a.rpc(ctx))
			}
		}
	}
	root := a.root()
	root.SetArgs(append([]string{}, env.Args...)) // nil would mean the process's own
	return a.complain(root.ExecuteContext(ctx))
}

// An exit is an error that has been shown already; only the status is left.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// complain shows an error and its hint on standard error and returns its exit
// status.
func (a *app) complain(err error) int {
	if err == nil {
		return 0
	}
	if code, ok := errors.AsType[exit](err); ok {
		return int(code)
	}
	p := a.errPaint()
	fmt.Fprintln(a.env.Stderr, p.Bad("pimento:"), tool.Printable(tool.Message(err)))
	if hint := pimento.HintOf(err); hint != "" {
		fmt.Fprintln(a.env.Stderr, p.Faint("hint: ")+tool.Printable(hint))
	}
	if ctxDone(err) && pimento.KindOf(err) == pimento.KindInternal {
		return pimento.KindUnavailable.ExitCode()
	}
	return pimento.KindOf(err).ExitCode()
}

func ctxDone(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

func usageError(hint, format string, args ...any) error {
	return &pimento.Error{Op: "pimento", Kind: pimento.KindUsage, Hint: hint, Err: fmt.Errorf(format, args...)}
}

// root is the tree with the command that was asked for, or with all of them
// when that is not certain from the first argument.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "pimento",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE:          a.noCommand,
	}
	root.SetOut(a.env.Stdout)
	root.SetErr(a.env.Stderr)
	root.SetIn(a.env.Stdin)
	root.SetHelpFunc(a.help)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usageError("see: "+cmd.CommandPath()+" --help", "%w", err)
	})
	f := root.PersistentFlags()
	f.BoolVar(&a.flags.json, "json", false, "print JSON")
	f.StringVar(&a.flags.profile, "profile", "", "use this profile instead of the configured one")
	f.StringVar(&a.flags.dir, "dir", "", "work in this directory")
	f.BoolVar(&a.flags.dryRun, "dry-run", false, "show what would be done, do nothing")
	f.BoolVar(&a.flags.color, "color", false, "colours even into a pipe")
	f.BoolVar(&a.flags.noColor, "no-color", false, "no colours")
	first := ""
	if len(a.env.Args) > 0 {
		first = a.env.Args[0]
	}
	all := specs()
	for _, s := range all {
		if s.name == first {
			root.AddCommand(s.command(a))
			return root
		}
	}
	for _, s := range all {
		root.AddCommand(s.command(a))
	}
	return root
}

// noCommand answers `pimento` alone and a command that does not exist.
func (a *app) noCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		fmt.Fprint(a.env.Stdout, a.overview())
		return nil
	}
	hint := "see: pimento --help"
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		hint = "did you mean: pimento " + near[0]
	}
	return usageError(hint, "unknown command %q", tool.OneLine(args[0], 60))
}

// absolute makes a path that was given on the command line absolute.
func (a *app) absolute(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(a.env.Dir, path)
}
