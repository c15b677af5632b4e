package setup

import (
	"io/fs"
	"path/filepath"
	"strings"

	ocext "github.com/pimento-memory/pimento/extensions/opencode"
	piext "github.com/pimento-memory/pimento/extensions/pi"
	"github.com/pimento-memory/pimento/internal/plainjson"
)

// Pi is pi's extension, into pi's own directory.
func Pi(agent, program, version string) (Job, error) {
	files, err := carried(piext.Files)
	return Job{
		Harness: "pi", Name: "pi", Home: agent, Dir: filepath.Join(agent, "extensions", "pimento"),
		Files: files, Entry: "index.ts", Program: program, Version: version,
		Next: "Start pi in a project, and try: /memory",
	}, err
}

// carried are the files that this program holds.
func carried(files fs.FS) (map[string][]byte, error) {
	all := map[string][]byte{}
	return all, fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		all[name], err = fs.ReadFile(files, name)
		return err
	})
}

// Claude is a plugin of hooks and an MCP server, into the folder below Claude Code's
// own from which it loads plugins by itself.
func Claude(config, program, version string) (Job, error) {
	files, err := plugin("claude", "memory", program, version, map[string]int{"PreCompact": 30, "SessionEnd": 30})
	return Job{
		Harness: "Claude Code", Name: "claude", Home: config, Dir: filepath.Join(config, "skills", "pimento"),
		Files: files, Entry: manifestOf("claude"), Program: program, Version: version,
		Next: "Claude Code loads it at its next start; `claude plugin list` shows pimento@skills-dir.\n" +
			"It asks before each use of a memory tool. To allow them all, use /permissions, or put into " + filepath.Join(config, "settings.json") + ":\n" +
			`  {"permissions": {"allow": ["mcp__plugin_pimento_memory"]}}`,
	}, err
}

// Codex is the same, into a folder that Codex's own program takes a copy of. To edit
// its config.toml is not for us: it drops comments when it writes there, and puts tables between others'.
func Codex(home, program, version string) (Job, error) {
	dir := filepath.Join(home, "pimento")
	files, err := plugin("codex", "pimento", program, version, map[string]int{"PreCompact": 30, "SessionEnd": 3}) // of more it warns
	if err != nil {
		return Job{}, err
	}
	type object = map[string]any
	files[".agents/plugins/marketplace.json"], err = plainjson.Marshal(object{"name": "pimento", "plugins": []object{
		{"name": "pimento", "source": object{"source": "local", "path": "./"}}}}, "  ")
	return Job{
		Harness: "Codex", Name: "codex", Home: home, Dir: dir,
		Files: files, Entry: ".agents/plugins/marketplace.json", Program: program, Version: version,
		Moved: "CODEX_HOME", Settings: filepath.Join(home, "config.toml"),
		Deeds: []Deed{
			{Do: []string{"plugin", "marketplace", "add", dir}, Undo: []string{"plugin", "marketplace", "remove", "pimento"}, Mark: "[marketplaces.pimento]"},
			{Do: []string{"plugin", "add", "pimento@pimento"}, Undo: []string{"plugin", "remove", "pimento@pimento"}, Mark: `[plugins."pimento@pimento"]`},
		},
		Next: "At its next start Codex asks whether you trust the hooks. Until you do, there or in /hooks, none of them runs.",
	}, err
}

// OpenCode is opencode's plugin, one file among others that it loads.
func OpenCode(config, program, version string) (Job, error) {
	files, err := carried(ocext.Files)
	return Job{
		Harness: "opencode", Name: "opencode", Home: config, Dir: filepath.Join(config, "plugins"), Shared: true,
		Files: files, Entry: "pimento.js", Program: program, Version: version,
		Next: "opencode loads it at its next start.",
	}, err
}

// hookEvents are what a plugin is told, of the tools only what ours answered.
var hookEvents = [...]struct{ name, matcher string }{
	{"SessionStart", ""}, {"SubagentStart", ""}, {"UserPromptSubmit", ""}, {"PostToolUse", "mcp__.*pimento.*__.*"},
	{"PreCompact", ""}, {"PostCompact", ""}, {"Stop", ""}, {"SessionEnd", ""},
}

// manifestOf is the file by which a harness knows a folder as a plugin.
func manifestOf(harness string) string { return "." + harness + "-plugin/plugin.json" }

// plugin are the files of a plugin, in the form that Claude Code and Codex share. A
// hook may take ten seconds, unless its event is named.
func plugin(harness, server, program, version string, seconds map[string]int) (map[string][]byte, error) {
	type object = map[string]any
	hooks := object{}
	for _, e := range hookEvents {
		if e.name == "SubagentStart" && harness != "claude" {
			continue
		}
		limit := seconds[e.name]
		if limit == 0 {
			limit = 10
		}
		group := object{"hooks": []object{{"type": "command", "command": quoted(program) + " hook " + harness, "timeout": limit}}}
		if e.matcher != "" {
			group["matcher"] = e.matcher
		}
		hooks[e.name] = []object{group}
	}
	started := object{"command": program, "args": []string{"mcp", "--tools-only"}}
	if harness == "claude" {
		started["alwaysLoad"] = true // else its model must ask for a tool's schema before it can call one
	}
	files := map[string][]byte{}
	for name, v := range map[string]object{
		manifestOf(harness): {"name": "pimento", "version": version, "license": "MIT", "author": object{"name": "Pimento"},
			"description": "Memory for coding agents, in markdown files that are yours"},
		"hooks/hooks.json": {"hooks": hooks},
		".mcp.json":        {"mcpServers": object{server: started}},
	} {
		raw, err := plainjson.Marshal(v, "  ")
		if err != nil {
			return nil, err
		}
		files[name] = raw
	}
	return files, nil
}

// quoted is one word to a shell.
func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
