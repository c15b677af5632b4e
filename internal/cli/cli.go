// Package cli is the command line: it reads arguments and environment, opens
// the engine and prints what it answers. It decides nothing about memory.
//
// Starting is on the hot path, because a harness may start the program once for
// every prompt. So `hook`, `rpc` and `--version` are answered before any
// command tree exists, and of the other commands only the one that was asked
// for is built.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/tool"
	"github.com/pimento-memory/pimento/internal/vault"
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

	// MCP serves the protocol of that name; nil where the program cannot, but
	// becomes one that does.
	MCP func(ctx context.Context, in io.Reader, out, log io.Writer, m MCP) error
}

// Main runs one command and returns the process's exit status, see
// [pimento.ErrorKind.ExitCode].
func Main(ctx context.Context, env Env) int {
	a := &app{env: env, life: ctx}
	if len(env.Args) > 0 {
		switch env.Args[0] {
		case "hook":
			if _, known := dialect(env.Args[1:]); known && len(env.Args) == 2 {
				return a.hook(ctx, env.Args[1:])
			}
			a.complain(a.root().execute(ctx, a, env.Args)) // flags, help or a mistake
			return 0
		case "--version", "version":
			if len(env.Args) == 1 {
				return a.complain(a.version())
			}
		case "rpc":
			if len(env.Args) == 1 {
				return a.complain(a.rpc(ctx))
			}
		}
	}
	return a.complain(a.root().execute(ctx, a, env.Args))
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
	what, kind, hint := tool.Message(err), pimento.KindOf(err), pimento.HintOf(err)
	if sort, do := vault.Classify(err); kind == pimento.KindInternal || hint == "" && sort == kind {
		kind, hint = sort, cmp.Or(hint, do)
	}
	if errors.Is(err, context.Canceled) || hint == "" && a.life.Err() != nil { // nobody else cancels
		what, kind, hint = "interrupted", pimento.KindUnavailable, ""
	}
	fmt.Fprintln(a.env.Stderr, p.Fit(p.Bad("pimento:")+" "+tool.Below(what)))
	if hint != "" {
		fmt.Fprintln(a.env.Stderr, p.Fit(p.Faint("hint: ")+tool.Below(hint)))
	}
	return kind.ExitCode()
}

func usageError(hint, format string, args ...any) error {
	return &pimento.Error{Op: "pimento", Kind: pimento.KindUsage, Hint: hint, Err: fmt.Errorf(format, args...)}
}

// root is the tree of commands. Those below it are built when they are asked
// for.
func (a *app) root() *command {
	return &command{use: "pimento", args: anyArgs, run: a.noCommand, help: a.rootHelp, find: func(name string) *command {
		for _, s := range specs() {
			if s.name == name {
				return s.command(a)
			}
		}
		return nil
	}}
}

// noCommand answers `pimento` alone and a command that does not exist.
func (a *app) noCommand(_ context.Context, args []string) error {
	if len(args) == 0 {
		return a.say(a.overview())
	}
	if root := a.root(); len(args) > 1 && args[0] == "help" && args[1] != "help" && root.sub(args[1]) == nil {
		args = args[1:]
	}
	if args[0] == "help" {
		return a.root().execute(context.Background(), a, append(append([]string{}, args[1:]...), "--help"))
	}
	hint := "see: pimento --help"
	if near := nearest(args[0]); near == args[0] {
		hint = "a -- stands behind the command: pimento " + near + " --"
	} else if near != "" {
		hint = "did you mean: pimento " + near
	}
	return usageError(hint, "unknown command %q", tool.OneLine(args[0], 60))
}

// nearest is the command that a mistyped name probably meant, "" when none is
// within two edits, or one of every three letters of a short name.
func nearest(name string) string {
	var names []string
	for _, s := range specs() {
		names = append(names, s.name)
	}
	return nearestOf(name, names)
}

func nearestOf(name string, names []string) string {
	best, at := "", min(2, len(name)/3)+1
	for _, n := range names {
		if d := text.Distance(name, n); d < at {
			best, at = n, d
		}
	}
	return best
}

// absolute makes a path that was given on the command line absolute: one that is
// not lies below the directory that the command works in.
func (a *app) absolute(path string) string { return within(a.within(), path) }

// within is the directory that the command works in, whether it exists or not.
func (a *app) within() string { return within(a.env.Dir, a.flags.dir) }

func within(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// Interruptible says whether a call should have its context cancelled when the
// process is interrupted. What is answered before any command exists should
// not: catching signals starts a thread, a quarter of what such a call costs,
// and to be killed does it no harm.
func Interruptible(args []string) bool {
	return len(args) == 0 || args[0] != "hook" && args[0] != "--version" && args[0] != "version"
}

// Outlives says whether a call goes on when nobody reads its output any more: a
// harness that leaves does not wait for the session's last bookkeeping. Such a
// process must not die of SIGPIPE.
func Outlives(args []string) bool { return len(args) > 0 && args[0] == "rpc" }
