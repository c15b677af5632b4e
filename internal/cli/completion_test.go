package cli

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestCompletionNamesEverything: no command and no flag is without completion.
func TestCompletionNamesEverything(t *testing.T) {
	a := &app{env: Env{Getenv: func(string) string { return "" }}}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		code, script, complaint := run(t, "", "completion", shell)
		if code != 0 || complaint != "" {
			t.Fatalf("%s: exit status %d, %s", shell, code, complaint)
		}
		var each func(at string, c *command)
		each = func(at string, c *command) {
			_, page, ok := strings.Cut(script, "'"+at+"'")
			if !ok {
				t.Errorf("%s: nothing about %q", shell, at)
			}
			page, _, _ = strings.Cut(page, map[string]string{"bash": ";;", "zsh": ";;", "fish": "case"}[shell])
			c.flagSet().VisitAll(func(f *flag.Flag) {
				if !strings.Contains(page, dashed(f.Name)) {
					t.Errorf("%s: %q lacks %s", shell, at, dashed(f.Name))
				}
			})
			for _, sub := range c.subs {
				each(at+" "+sub.word(), sub)
			}
		}
		for _, s := range specs() {
			each(" "+s.name, s.command(a))
		}
	}
	if code, _, complaint := run(t, "", "completion", "csh"); code != 2 || !strings.Contains(complaint, "bash|zsh|fish") {
		t.Errorf("exit status %d, %s", code, complaint)
	}
}

// TestShellsComplete asks the shells themselves.
func TestShellsComplete(t *testing.T) {
	const asked = `COMP_WORDS=($2); [[ $2 == *" " ]] && COMP_WORDS+=(""); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _pimento; printf '%s\n' "${COMPREPLY[@]}"`
	// Zsh reads the script for bash, and calls what it defines as here.
	const forBash = `setopt kshArrays shWordSplit; `
	lines := map[string]string{
		"pimento rec":                       "recall",
		"pimento scratch ":                  "add clear done list undo",
		"pimento scratch u":                 "undo",
		"pimento --dir scratch pin":         "pin",
		"pimento --json plot decay --s":     "--svg",
		"pimento remember -- --sc":          "",
		"pimento remember add --sc":         "--scope",
		"pimento remember some a":           "",
		"pimento scratch --profile ":        "",
		"pimento scratch --profile list un": "undo",
		"pimento scratch --json=true un":    "undo",
		"pimento scratch undo ":             "",
		"pimento nothing s":                 "",
	}
	for shell, args := range map[string][]string{
		"bash": {"--norc", "-c", `source "$1"; ` + asked, "-"},
		"zsh":  {"-f", "-c", `source "$1"; ` + forBash + asked, "-"},
		"fish": {"--no-config", "-c", "source $argv[1]; complete -C $argv[2]"},
	} {
		t.Run(shell, func(t *testing.T) {
			path, err := exec.LookPath(shell)
			if err != nil {
				t.Skip(shell + " is not installed")
			}
			_, script, _ := run(t, "", "completion", shell)
			dir := t.TempDir()
			file := filepath.Join(dir, "script")
			if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
				t.Fatal(err)
			}
			for line, want := range lines {
				cmd := exec.Command(path, append(slices.Clone(args), file, line)...)
				cmd.Dir, cmd.Env = t.TempDir(), append(os.Environ(), "HOME="+dir)
				out, err := cmd.CombinedOutput()
				word := line[strings.LastIndexByte(line, ' ')+1:]
				var got []string
				for row := range strings.Lines(string(out)) {
					if name, _, _ := strings.Cut(strings.TrimSpace(row), "\t"); name != "" && strings.HasPrefix(name, word) {
						got = append(got, name)
					}
				}
				slices.Sort(got)
				if s := strings.Join(got, " "); err != nil || s != want {
					t.Errorf("%q\n got %s\nwant %s\n%s%v", line, s, want, out, err)
				}
			}
		})
	}
}
