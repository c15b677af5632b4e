package setup

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"path/filepath"
	"strings"

	piext "github.com/pimento-memory/pimento/extensions/pi"
)

// Pi is pi's extension, into pi's own directory.
func Pi(agent, program, version string) (Job, error) {
	files, err := carried(piext.Files)
	return Job{
		Harness: "pi", Home: agent, Dir: filepath.Join(agent, "extensions", "pimento"),
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
	files, err := plugin("claude", program, version, map[string]int{"PreCompact": 30, "SessionEnd": 30})
	return Job{
		Harness: "Claude Code", Home: config, Dir: filepath.Join(config, "skills", "pimento"),
		Files: files, Entry: manifestOf("claude"), Program: program, Version: version,
		Next: "Claude Code loads it at its next start; `claude plugin list` shows pimento@skills-dir.\n" +
			"It asks before each use of a memory tool. To allow them all, use /permissions, or put into " + filepath.Join(config, "settings.json") + ":\n" +
			`  {"permissions": {"allow": ["mcp__plugin_pimento_memory"]}}`,
	}, err
}

// hookEvents are what a plugin is told, of the tools only what ours answered.
var hookEvents = [...]struct{ name, matcher string }{
	{"SessionStart", ""}, {"UserPromptSubmit", ""}, {"PostToolUse", "mcp__.*pimento.*__.*"},
	{"PreCompact", ""}, {"PostCompact", ""}, {"Stop", ""}, {"SessionEnd", ""},
}

// manifestOf is the file by which a harness knows a folder as a plugin.
func manifestOf(harness string) string { return "." + harness + "-plugin/plugin.json" }

// plugin are the files of a plugin, in the form that Claude Code and Codex share. A
// hook may take ten seconds, unless its event is named.
func plugin(harness, program, version string, seconds map[string]int) (map[string][]byte, error) {
	type object = map[string]any
	hooks := object{}
	for _, e := range hookEvents {
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
	files := map[string][]byte{}
	for name, v := range map[string]object{
		manifestOf(harness): {"name": "pimento", "version": version, "license": "MIT", "author": object{"name": "Pimento"},
			"description": "Memory for coding agents, in markdown files that are yours"},
		"hooks/hooks.json": {"hooks": hooks},
		".mcp.json":        {"mcpServers": object{"memory": object{"command": program, "args": []string{"mcp", "--tools-only"}}}},
	} {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		if err := enc.Encode(v); err != nil {
			return nil, err
		}
		files[name] = b.Bytes()
	}
	return files, nil
}

// quoted is one word to a shell.
func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
