package cli

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/pimento-memory/pimento/internal/setup"
	"github.com/pimento-memory/pimento/internal/tool"
)

// A place is a harness that setup knows, and where its own folder is.
type place struct {
	name, short string
	home        string // below the user's home
	variable    string // names another folder
	mcp         bool   // its tools come from an MCP server
	job         func(home, program, version string) (setup.Job, error)
}

func places() []place {
	return []place{
		{"pi", "pi's extension", ".pi/agent", "PI_CODING_AGENT_DIR", false, setup.Pi},
		{"claude", "a plugin of Claude Code: hooks and an MCP server", ".claude", "CLAUDE_CONFIG_DIR", true, setup.Claude},
		{"codex", "a plugin of Codex: hooks and an MCP server", ".codex", "CODEX_HOME", true, setup.Codex},
		{"opencode", "opencode's plugin", ".config/opencode", "OPENCODE_CONFIG_DIR", true, setup.OpenCode},
	}
}

func harnessNames(between string) string {
	var names []string
	for _, p := range places() {
		names = append(names, p.name)
	}
	return strings.Join(names, between)
}

func setupCmd(a *app) *command {
	use := "use: pimento setup " + harnessNames("|")
	cmd := &command{
		use:     "setup HARNESS",
		long:    "Install into a harness. It shows what it will do, asks, and acts; what it did not write it leaves alone.",
		example: "  pimento setup pi\n  pimento setup pi --remove\n  pimento setup claude",
		args:    anyArgs,
		run: func(_ context.Context, args []string) error {
			if len(args) == 0 {
				return usageError(use, "no harness")
			}
			return usageError(use, "unknown harness %q", tool.OneLine(args[0], 60))
		},
	}
	for _, p := range places() {
		cmd.add(a.setupInto(p))
	}
	return cmd
}

func (a *app) setupInto(p place) *command {
	var yes, remove bool
	cmd := &command{
		use: p.name + " [--remove]", short: p.short, args: noArgs,
		long:    "Install " + p.short + ", into the harness's own folder ($" + p.variable + ", else ~/" + p.home + ").",
		example: "  pimento setup " + p.name + " --dry-run\n  pimento setup " + p.name + " --yes",
		run:     func(ctx context.Context, _ []string) error { return a.setup(ctx, p, yes, remove) },
	}
	cmd.flagSet().BoolVar(&yes, "yes", false, "do not ask")
	cmd.flagSet().BoolVar(&remove, "remove", false, "take it out again")
	return cmd
}

func (a *app) setup(ctx context.Context, p place, yes, remove bool) error {
	program, err := executable()
	if err != nil {
		return err
	}
	own := a.env.Getenv(p.variable)
	home, config := a.dirs().Home, a.env.Getenv("XDG_CONFIG_HOME")
	switch {
	case own != "":
		own = a.absolute(expandHome(home, own))
	case home != "":
		own = filepath.Join(home, filepath.FromSlash(p.home))
		if below, ok := strings.CutPrefix(p.home, ".config/"); ok && filepath.IsAbs(config) {
			own = filepath.Join(config, below)
		}
	default:
		return usageError("set HOME or "+p.variable, "no home directory to find %s in", p.name)
	}
	job, err := p.job(own, program, Version())
	if err != nil {
		return err
	}
	job.Remove = remove
	if len(job.Deeds) > 0 {
		job.Tool, _ = exec.LookPath(job.Name)
	}
	plan, err := job.Plan()
	if err != nil {
		return err
	}
	if p.mcp && !remove {
		if _, err := exec.LookPath(ours("pimento-mcp")); err != nil {
			plan.Notes = append(plan.Notes, "The memory's tools need pimento-mcp beside pimento or on PATH: go install ./cmd/pimento-mcp")
		}
	}
	if a.flags.json {
		if err := a.printJSON(plan); err != nil {
			return err
		}
	} else if err := a.say(plan.Text()); err != nil {
		return err
	}
	if a.flags.dryRun || plan.Empty() {
		return nil
	}
	if !yes {
		if err := a.confirm("Do this?"); err != nil {
			return err
		}
	}
	if err := plan.Apply(ctx); err != nil {
		return err
	}
	if a.flags.json {
		return nil
	}
	return a.say(plan.Done())
}

func expandHome(home, path string) string {
	if home != "" && (path == "~" || len(path) > 1 && path[:2] == "~/") {
		return filepath.Join(home, path[1:])
	}
	return path
}
