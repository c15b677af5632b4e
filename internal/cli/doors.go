package cli

import (
	"context"
	"errors"
	"runtime/debug"
	"strings"

	"github.com/pimento-memory/pimento/internal/demo"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/hook"
	"github.com/pimento-memory/pimento/internal/rpc"
	"github.com/pimento-memory/pimento/internal/think"
)

// hook answers one event and exits 0, whatever happens.
func (a *app) hook(ctx context.Context, args []string) int {
	d, ok := dialect(args)
	if !ok {
		a.note("hook: unknown harness; use: pimento hook %s", dialectNames())
		return 0
	}
	if a.flags.dryRun {
		_ = a.wouldDo("answer one event of a harness", d.Name)
		return 0
	}
	brief()
	wait, _ := a.deadline() // a bad value means the default; the turn must not fail for it
	opt := hook.Options{
		Dir:  a.within(),
		Wait: wait,
		Open: func(dir string) (*engine.Engine, error) {
			if a.env.Getenv(think.Thinking) != "" {
				return nil, errors.New("this conversation answers a question of ours, and memory stays out of it")
			}
			opt, _ := a.options(dir) // usable even with an error, see there
			return engine.Open(opt)
		},
	}
	if d.Name == "claude" { // other agents may have been started by it, and have its variables
		opt.Project = a.env.Getenv("CLAUDE_PROJECT_DIR")
		opt.Main = a.env.Getenv("CLAUDE_CODE_SESSION_ATTENDED") == "1"
		opt.Print = a.env.Getenv("CLAUDE_CODE_ENTRYPOINT") == "sdk-cli" // claude -p
	}
	hook.Serve(ctx, d, a.env.Stdin, a.env.Stdout, opt)
	return 0
}

// dialect is that of the harness that a hook was started for.
func dialect(args []string) (hook.Dialect, bool) {
	for _, d := range hook.Dialects() {
		if len(args) > 0 && args[0] == d.Name {
			return d, true
		}
	}
	return hook.Dialect{}, false
}

func dialectNames() string {
	var names []string
	for _, d := range hook.Dialects() {
		names = append(names, d.Name)
	}
	return strings.Join(names, "|")
}

// hookCmd stands in the list of commands; Main answers it earlier.
func hookCmd(a *app) *command {
	return &command{
		use:  "hook " + dialectNames(),
		long: "Answer one event of a harness: it comes as JSON on standard input, in the harness's own words for claude and codex, and the reply goes to standard output. It always exits 0.",
		example: `  echo '{"event":"prompt","session":"s1","prompt":"how do we deploy"}' | pimento hook pi
  echo '{"hook_event_name":"UserPromptSubmit","session_id":"s1","prompt":"how do we deploy"}' | pimento hook claude`,
		args: anyArgs,
		run:  func(ctx context.Context, args []string) error { return exit(a.hook(ctx, args)) },
	}
}

func rpcCmd(a *app) *command {
	return &command{
		use:     "rpc",
		long:    "Serve pi's extension: requests and replies as lines of JSON on standard input and output.",
		example: `  echo '{"id":1,"op":"hello","v":1}' | pimento rpc`,
		run:     func(ctx context.Context, _ []string) error { return a.rpc(ctx) },
	}
}

// lazyGC lets garbage be collected a quarter as often as usual, which costs some
// megabytes: what lives long here is small, what a turn makes is garbage at its end.
const lazyGC = 400

// lazyHeap is the size in bytes up to which that holds: a page of 50 MB makes so much
// garbage that a quarter of the pace would be gigabytes.
const lazyHeap = 256 << 20

// lazily sets that pace.
func lazily() {
	debug.SetGCPercent(lazyGC)
	debug.SetMemoryLimit(lazyHeap)
}

// brief prepares memory for a process that answers one question and ends: it ends
// before it would pay to collect garbage.
func brief() {
	lazily()
	hugeHeap()
}

// serving opens the engines of a long-lived process, which watches the files. The
// directory "" is where the command works.
func (a *app) serving() (open func(dir string) (*engine.Engine, error), err error) {
	base, err := a.workDir()
	if err != nil {
		return nil, err
	}
	return func(dir string) (*engine.Engine, error) {
		if dir == "" {
			dir = base
		}
		opt, _ := a.options(dir) // usable even with an error, see there
		opt.Serve = true
		return engine.Open(opt)
	}, nil
}

// rpc serves until its input ends.
func (a *app) rpc(ctx context.Context) error {
	open, err := a.serving()
	if err != nil {
		return err
	}
	if a.flags.dryRun {
		return a.wouldDo("serve pi's extension", "")
	}
	lazily()
	in, undo := parked(a.env.Stdin)
	defer undo()
	err = rpc.Serve(ctx, in, a.env.Stdout, open, Version())
	if errors.Is(err, context.Canceled) {
		return nil // told to stop
	}
	return err
}

func demoCmd(a *app) *command {
	var keep bool
	cmd := &command{
		use:     "demo",
		long:    "Build a month of a simulated project's memory in a temporary directory, ask three prompts the way pi does, and show what is injected, why, and what was left out. Nothing of yours is read or changed.",
		example: "  pimento demo\n  pimento demo --keep",
		run: func(ctx context.Context, _ []string) error {
			now, err := a.clock()
			if err != nil {
				return err
			}
			opt := demo.Options{Now: now, Watch: a.env.Now, Paint: a.paint(), Keep: keep, Profile: a.flags.profile}
			if isTerminal(a.env.Stdout) && a.live(a.env.Stderr) {
				opt.Waiting = a.env.Stderr
			}
			return demo.Run(ctx, a.env.Stdout, opt)
		},
	}
	cmd.flagSet().BoolVar(&keep, "keep", false, "keep the directory and print its path")
	return cmd
}
