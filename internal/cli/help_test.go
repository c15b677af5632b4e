package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// run calls Main as a pipe would, in an empty home.
func run(t *testing.T, columns string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return runIn(context.Background(), t, columns, args...)
}

func runIn(ctx context.Context, t *testing.T, columns string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	home := t.TempDir()
	vars := map[string]string{"HOME": home, "COLUMNS": columns}
	var out, errs bytes.Buffer
	code = Main(ctx, Env{Args: args, Getenv: func(k string) string { return vars[k] }, Dir: home,
		Stdout: &out, Stderr: &errs, Now: time.Now})
	return code, out.String(), errs.String()
}

// TestEveryHelpPage holds each page to what a newcomer needs: an example, lines
// that fit, nothing at their ends.
func TestEveryHelpPage(t *testing.T) {
	a := &app{env: Env{Getenv: func(string) string { return "" }}}
	calls := [][]string{{"--help"}, {}}
	for _, s := range specs() {
		calls = append(calls, []string{s.name, "--help"})
		for _, sub := range s.command(a).subs {
			calls = append(calls, []string{s.name, sub.word(), "--help"})
		}
	}
	for _, args := range calls {
		for columns, width := range map[string]int{"": 80, "40": 40, "60": 60, "200": 80} {
			code, text, complaint := run(t, columns, args...)
			if code != 0 || complaint != "" {
				t.Errorf("%v: exit status %d, %s", args, code, complaint)
			}
			if len(args) > 1 && !strings.Contains(text, "example\n  ") {
				t.Errorf("%v: no example:\n%s", args, text)
			}
			for line := range strings.Lines(text) {
				line = strings.TrimSuffix(line, "\n")
				if line != strings.TrimRight(line, " ") {
					t.Errorf("%v: space at the end of %q", args, line)
				}
				one := lastGap(strings.TrimSuffix(line, ` \`), 0) < 0 // a word or a quotation of an example
				if n := utf8.RuneCountInString(line); n > width && !one {
					t.Errorf("%v at %q columns: %d: %s", args, columns, n, line)
				}
			}
		}
	}
}

// TestCommandLine: a line for a shell is broken, and is the same command.
func TestCommandLine(t *testing.T) {
	const line = `  echo '{"say": "a b"}' | pimento remember "a long sentence" --scope global`
	for _, c := range []struct {
		width int
		want  string
	}{
		{80, line},
		{50, "  echo '{\"say\": \"a b\"}' | pimento remember \\\n      \"a long sentence\" --scope global"},
		{20, "  echo \\\n      '{\"say\": \"a b\"}' \\\n      | pimento \\\n      remember \\\n      \"a long sentence\" \\\n      --scope global"},
	} {
		got := commandLine(line, c.width)
		if got != c.want {
			t.Errorf("%d columns:\n%s\nwant\n%s", c.width, got, c.want)
		}
		if whole := strings.ReplaceAll(got, " \\\n      ", " "); whole != line {
			t.Errorf("%d columns: it says %s", c.width, whole)
		}
	}
}

// TestMergeHelpCanBePasted: what git has to be told stands there as the README has it.
func TestMergeHelpCanBePasted(t *testing.T) {
	for _, columns := range []string{"", "40"} {
		_, text, _ := run(t, columns, "merge", "--help")
		text = strings.ReplaceAll(text, " \\\n      ", " ")
		for _, want := range []string{
			"\n  git config merge.pimento.driver 'pimento merge %O %A %B %P'\n",
			"\n  echo '.pi/memory/**/*.md merge=pimento' >> \"$(git rev-parse --git-path info/attributes)\"\n",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("at %q columns it lacks %q:\n%s", columns, want, text)
			}
		}
	}
}

func TestInterruptible(t *testing.T) {
	for _, c := range []struct {
		args string
		want bool
	}{{"", true}, {"--version", false}, {"version", false}, {"hook pi", false}, {"rpc", true}, {"remember hook", true}} {
		if got := Interruptible(strings.Fields(c.args)); got != c.want {
			t.Errorf("Interruptible(%q) = %v", c.args, got)
		}
	}
}

func TestOutlives(t *testing.T) {
	for args, want := range map[string]bool{"rpc": true, "": false, "hook pi": false, "recall rpc": false} {
		if got := Outlives(strings.Fields(args)); got != want {
			t.Errorf("Outlives(%q) = %v", args, got)
		}
	}
}

// TestEveryJSON: a script asks each command for JSON, which is checked as it is printed.
func TestEveryJSON(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	asked := map[string]bool{}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			if strings.Contains(line, "--json") {
				for _, word := range strings.Fields(line) {
					asked[word] = true
				}
			}
		}
	}
	for _, s := range specs() {
		protocol := s.name == "hook" || s.name == "rpc" || s.name == "mcp" || s.name == "demo"
		if !asked[s.name] && !protocol {
			t.Errorf("no script runs: pimento %s --json", s.name)
		}
	}
}
