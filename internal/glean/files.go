package glean

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
)

// The purposes of a command, in the order in which they are told.
const (
	Test  = "test"
	Build = "build"
	Lint  = "lint"
)

// A Command is what a project is tested, built or checked with.
type Command struct {
	Line    string // as one types it
	Purpose string
	From    string // the file that says so, "" for what was seen to be run
}

// Text is the command as a statement. It is the same however it was found.
func (c Command) Text() string {
	switch c.Purpose {
	case Test:
		return "Tests run with `" + c.Line + "`."
	case Build:
		return "Build with `" + c.Line + "`."
	}
	return "Check the code with `" + c.Line + "`."
}

// Sources are the files at the top of a project that name its commands, and
// Workflows the folder of those of its continuous integration.
func Sources() []string {
	return []string{"Makefile", "makefile", "GNUmakefile", "package.json", "go.mod", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb", ".gitlab-ci.yml"}
}

const Workflows = ".github/workflows"

// Commands are the commands that a project's files name, one for each purpose:
// those of a Makefile before those of package.json, then what runs in
// continuous integration, then what the language is known to have. files maps
// paths to what stands in them. Names and lines of a repository are a
// stranger's words, so that only plain ones are taken.
func Commands(files map[string]string) []Command {
	var all []Command
	for _, name := range []string{"Makefile", "makefile", "GNUmakefile"} {
		all = append(all, targets(name, files[name])...)
	}
	all = append(all, scripts(files)...)
	for _, name := range ci(files) {
		all = append(all, workflow(name, files[name])...)
	}
	if files["go.mod"] != "" {
		all = append(all, Command{"go test ./...", Test, "go.mod"}, Command{"go build ./...", Build, "go.mod"})
	}
	var out []Command
	for _, purpose := range []string{Test, Build, Lint} {
		if i := slices.IndexFunc(all, func(c Command) bool { return c.Purpose == purpose }); i >= 0 {
			out = append(out, all[i])
		}
	}
	return out
}

// targets are the commands of a makefile's rules.
func targets(name, text string) (out []Command) {
	for line := range strings.Lines(text) {
		head, rest, ok := strings.Cut(line, ":")
		if !ok || strings.HasPrefix(rest, "=") || strings.ContainsAny(head, " \t=#$") {
			continue
		}
		if p := purposeOf(head); p != "" {
			out = append(out, Command{"make " + head, p, name})
		}
	}
	return shortestFirst(out)
}

// managers are the package managers that run the scripts of a package.json.
func managers() []string { return []string{"npm", "pnpm", "yarn", "bun"} }

// Rivals are the programs one of which a project uses in the place of the one that a
// command runs.
func (c Command) Rivals() []string {
	program, _, _ := strings.Cut(c.Line, " ")
	if !slices.Contains(managers(), program) {
		return nil
	}
	return slices.DeleteFunc(managers(), func(m string) bool { return m == program })
}

// scripts are the commands of a package.json, in the words of the package manager
// that it names, or whose lock file lies beside it.
func scripts(files map[string]string) (out []Command) {
	var pkg struct {
		Scripts        map[string]string
		PackageManager string
	}
	if json.Unmarshal([]byte(files["package.json"]), &pkg) != nil {
		return nil
	}
	run := "npm run "
	named, _, _ := strings.Cut(pkg.PackageManager, "@")
	for _, m := range [...][3]string{{"npm", "", "npm run "}, {"pnpm", "pnpm-lock.yaml", "pnpm "}, {"yarn", "yarn.lock", "yarn "},
		{"bun", "bun.lock", "bun run "}, {"bun", "bun.lockb", "bun run "}} {
		_, locked := files[m[1]]
		if named == m[0] || locked && !slices.Contains(managers(), named) {
			run = m[2]
		}
	}
	for name, body := range pkg.Scripts {
		line := run + name
		if line == "npm run test" {
			line = "npm test"
		}
		if p := purposeOf(name); p != "" && !strings.Contains(body, "no test specified") {
			out = append(out, Command{line, p, "package.json"})
		}
	}
	return shortestFirst(out)
}

// shortestFirst puts the plain names first: "test" before "test-all".
func shortestFirst(all []Command) []Command {
	slices.SortFunc(all, func(a, b Command) int {
		if d := len(a.Line) - len(b.Line); d != 0 {
			return d
		}
		return strings.Compare(a.Line, b.Line)
	})
	return all
}

// purposeOf is what a rule or script of this name is for, "" for something else.
func purposeOf(name string) string {
	switch name {
	case "test", "tests", "check", "unit-test", "test-unit", "test:unit", "test-all":
		return Test
	case "build", "all", "compile":
		return Build
	case "lint", "vet", "typecheck", "type-check":
		return Lint
	}
	return ""
}

func ci(files map[string]string) (names []string) {
	for name := range files {
		if path.Dir(name) == Workflows || name == ".gitlab-ci.yml" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// workflow are the commands that a file of continuous integration runs.
func workflow(name, text string) (out []Command) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		line = strings.TrimSpace(strings.TrimPrefix(line, "- "))
		line = strings.TrimSpace(strings.TrimPrefix(line, "run:"))
		if c, ok := Habit(line); ok {
			c.From = name
			out = append(out, c)
		}
	}
	return out
}

// habitChars is the longest command that is worth telling.
const habitChars = 80

// Habit reads a command line that tests, builds or checks: a known program, then
// plain words. Anything with more than that in it (a pipe, a variable, a second
// command) is none.
func Habit(line string) (Command, bool) {
	line = strings.Join(strings.Fields(line), " ")
	if line == "" || len(line) > habitChars || strings.Trim(line, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ./_:=,@*-") != "" ||
		strings.ContainsFunc(line, func(r rune) bool { return strings.ContainsRune("`$;|&<>(){}'\"\\", r) || r > 126 }) {
		return Command{}, false
	}
	ws := strings.Fields(line)
	for len(ws) > 0 && strings.Contains(ws[0], "=") { // a setting before it
		ws = ws[1:]
	}
	if len(ws) == 0 {
		return Command{}, false
	}
	switch strings.TrimPrefix(ws[0], "./") {
	case "pytest", "tox", "jest", "vitest", "test.sh", "run-tests.sh":
		return Command{Line: line, Purpose: Test}, true
	case "eslint", "golangci-lint", "staticcheck", "ruff", "mypy", "shellcheck":
		return Command{Line: line, Purpose: Lint}, true
	case "make", "go", "npm", "pnpm", "yarn", "bun", "cargo", "just", "task", "gradlew", "gradle", "mvn", "python", "python3", "npx", "deno", "dotnet", "bazel", "mix":
	default:
		return Command{}, false
	}
	for _, w := range ws[1:] {
		switch {
		case w == "test" || w == "check" || w == "tests" || w == "pytest" || w == "verify" || strings.HasPrefix(w, "test:") || w == "vitest" || w == "jest":
			return Command{Line: line, Purpose: Test}, true
		case w == "build" || w == "compile":
			return Command{Line: line, Purpose: Build}, true
		case w == "lint" || w == "vet" || w == "clippy" || w == "eslint" || w == "typecheck":
			return Command{Line: line, Purpose: Lint}, true
		}
	}
	return Command{}, false
}
