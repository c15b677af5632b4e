package cli

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/pimento-memory/pimento/internal/engine"
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
	own, err := a.folderOf(p)
	if err != nil {
		return err
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
	if p.mcp && !remove && toolless(program) {
		plan.Notes = append(plan.Notes, "The memory's tools need pimento-mcp beside pimento or on PATH: "+getTools)
	}
	if a.flags.json {
		if err := a.printJSON(plan); err != nil {
			return err
		}
	} else if err := a.say(a.paint().Fit(plan.Text())); err != nil {
		return err
	}
	if err := plan.Writable(); err != nil || a.flags.dryRun || plan.Empty() {
		return err
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

const getTools = "go install ./cmd/pimento-mcp"

// toolless says whether a program of ours would look in vain for the one that speaks MCP.
func toolless(program string) bool {
	if _, err := os.Stat(filepath.Join(filepath.Dir(program), "pimento-mcp"+filepath.Ext(program))); err == nil {
		return false
	}
	_, err := exec.LookPath("pimento-mcp")
	return err != nil
}

// folderOf is the harness's own folder.
func (a *app) folderOf(p place) (string, error) {
	own, home, config := a.env.Getenv(p.variable), a.dirs().Home, a.env.Getenv("XDG_CONFIG_HOME")
	below, configured := strings.CutPrefix(p.home, ".config/")
	switch {
	case own != "":
		return a.absolute(expandHome(home, own)), nil
	case home != "" && configured && filepath.IsAbs(config):
		return filepath.Join(config, below), nil
	case home != "":
		return filepath.Join(home, filepath.FromSlash(p.home)), nil
	}
	return "", usageError("set HOME or "+p.variable, "no home directory to find %s in", p.name)
}

// installed checks what setup wrote into harnesses.
func (a *app) installed() (checks []engine.Check) {
	for _, p := range places() {
		own, err := a.folderOf(p)
		if err != nil {
			continue // there is none to find it in
		}
		job, err := p.job(own, "", Version())
		if err != nil {
			continue // what we carry is whole, or tests say so
		}
		in, ok, err := job.Installed()
		hint := "to put it right: pimento setup " + p.name
		switch {
		case err != nil:
			checks = append(checks, engine.Check{Name: p.name, Detail: tool.Message(err), Hint: hint})
		case ok && len(in.Gone)+len(in.Undone) > 0:
			checks = append(checks, engine.Check{Name: p.name, Detail: in.String(), Hint: hint})
		case ok && p.mcp && toolless(in.Program):
			checks = append(checks, engine.Check{Name: p.name, Detail: in.String() + "; not found: pimento-mcp, for the memory's tools", Hint: getTools})
		case ok:
			checks = append(checks, engine.Check{Name: p.name, OK: true, Detail: in.String()})
		}
	}
	return checks
}

func expandHome(home, path string) string {
	if home != "" && (path == "~" || len(path) > 1 && path[:2] == "~/") {
		return filepath.Join(home, path[1:])
	}
	return path
}
