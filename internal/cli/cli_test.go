package cli_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/pimento-memory/pimento/internal/cli"
	"github.com/pimento-memory/pimento/internal/embed/bert/berttest"
	"github.com/pimento-memory/pimento/internal/mcpserver"
	"github.com/pimento-memory/pimento/internal/network"
)

// TestMain makes the test binary stand in for the program: scripts that run
// `pimento` run cli.Main in a process of its own, exactly as cmd/pimento does.
func TestMain(m *testing.M) {
	main := func(env cli.Env) {
		env.Args, env.Getenv, env.Now = os.Args[1:], os.Getenv, time.Now
		env.Stdin, env.Stdout, env.Stderr = os.Stdin, os.Stdout, os.Stderr
		env.Dir, _ = os.Getwd()
		run := func(env cli.Env) int { return cli.Main(context.Background(), env) }
		if slices.Contains(env.Args, "--json") {
			os.Exit(jsonly(env, run))
		}
		os.Exit(run(env))
	}
	testscript.Main(m, map[string]func(){"pimento": func() { main(cli.Env{}) }, "pimento-mcp": func() {
		main(cli.Env{MCP: func(ctx context.Context, in io.Reader, out, log io.Writer, m cli.MCP) error {
			return mcpserver.Serve(ctx, in, out, log, mcpserver.Options(m))
		}})
	}, "pimento-net": func() { _ = network.New().Serve(context.Background(), os.Stdin, os.Stdout) }})
}

// TestScripts runs every journey in testdata. A script starts in $WORK/repo, a
// git repository without any memory, with a home of its own and a clock that
// stands still.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) < 10 {
		t.Fatalf("found %d scripts, %v", len(files), err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		RequireExplicitExec: false,
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, "home")
			repo := filepath.Join(env.WorkDir, "home", "repo")
			for _, d := range []string{".git/objects", ".git/refs", ".git/info"} {
				if err := os.MkdirAll(filepath.Join(repo, d), 0o755); err != nil {
					return err
				}
			}
			if err := os.WriteFile(filepath.Join(repo, ".git", "HEAD"), []byte("ref: refs/heads/main\n"), 0o644); err != nil {
				return err
			}
			env.Setenv("HOME", home)
			env.Setenv("GLOBAL", filepath.Join(home, ".pi", "agent", "memory"))
			env.Setenv("PIMENTO_NOW", "2026-11-21T12:00:00Z")
			env.Setenv("PIMENTO_DEADLINE_MS", "5000") // tests never depend on speed
			env.Setenv("NO_COLOR", "1")
			env.Cd = repo
			return nil
		},
		Condition: func(cond string) (bool, error) {
			return cond == "root" && os.Geteuid() == 0, nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"status":  cmdStatus,
			"idof":    cmdIDOf,
			"refused": cmdRefused,
			"update":  cmdUpdate,
			"ask":     cmdAsk,
			"waiting": cmdWaiting,
			"repeat":  cmdRepeat,
			"hexfile": cmdHexFile,
			"mkmodel": cmdMakeModel,
			"serve":   cmdServe,
			"session": cmdSession,
		},
	})
}

// status N COMMAND... runs a command and checks its exit status. Its output is
// there for stdout and stderr as usual. "fail" is any of the documented ones
// but 0: a crash or a signal is none of them.
func cmdStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N pimento ARGS...")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if err != nil {
		got = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if args[0] == "fail" && got >= "1" && got <= "5" && len(got) == 1 {
		return
	}
	if got != args[0] {
		ts.Fatalf("%s: exit status %s, want %s", strings.Join(args[1:], " "), got, args[0])
	}
}

// ask SESSION TOOL JSON calls a tool as pi does for a session.
func cmdAsk(ts *testscript.TestScript, _ bool, args []string) {
	line := fmt.Sprintf(`{"id":1,"op":"tool","v":1,"session":%q,"name":%q,"args":%s}`, args[0], args[1], args[2])
	ts.Check(ts.Exec("sh", "-c", `printf '%s\n' "$1" | pimento rpc`, "sh", line))
}

// idof VAR WORDS... sets VAR to the id of the first hit for the words.
func cmdIDOf(ts *testscript.TestScript, _ bool, args []string) {
	firstID(ts, args[0], append([]string{"recall", "--json"}, args[1:]...)...)
}

// waiting VAR sets VAR to the id of what has waited longest in the inbox.
func cmdWaiting(ts *testscript.TestScript, _ bool, args []string) {
	firstID(ts, args[0], "inbox", "--json")
}

func firstID(ts *testscript.TestScript, name string, args ...string) {
	ts.Check(ts.Exec("pimento", args...))
	_, rest, ok := strings.Cut(ts.ReadFile("stdout"), `"id": "`)
	if !ok {
		ts.Fatalf("nothing for %q", args)
	}
	ts.Setenv(name, rest[:16])
}

// refused FILE REASON wants memory_update to refuse a file name, with a reason
// that matches, and to say that nothing was written.
func cmdRefused(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: refused FILE REASON")
	}
	err := ts.Exec("pimento", "tool", "memory_update", `{"fileName": "`+args[0]+`", "content": "# X\n"}`)
	if err == nil || err.Error() != "exit status 1" {
		ts.Fatalf("%s: %v, want exit status 1", args[0], err)
	}
	if got := ts.ReadFile("stderr"); !regexp.MustCompile(args[1]).MatchString(got) || !strings.Contains(got, "Not written: ") {
		ts.Fatalf("%s: %s", args[0], got)
	}
}

// update FILE writes a small topic file with memory_update. Its content is its
// name, so that no two are the same.
func cmdUpdate(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: update FILE")
	}
	ts.Check(ts.Exec("pimento", "tool", "memory_update", fmt.Sprintf(`{"fileName": %q, "content": %q}`, args[0], "# "+args[0])))
}

// repeat N TEXT FILE writes TEXT N times into a file.
func cmdRepeat(ts *testscript.TestScript, _ bool, args []string) {
	n := 0
	for _, c := range args[0] {
		n = n*10 + int(c-'0')
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(strings.Repeat(args[1], n)), 0o644))
}

// session DOCUMENT types every line of a document that begins with "$ " into a
// shell and wants the lines below it for an answer, up to any recovery id. The
// document lies relative to this package.
func cmdSession(ts *testscript.TestScript, _ bool, args []string) {
	b, err := os.ReadFile(args[0])
	ts.Check(err)
	typed := regexp.MustCompile(`(?m)^\$ (.*)\n((?:[^$`+"`"+`\n].*\n)*)`).FindAllSubmatch(b, -1)
	if len(typed) < 5 {
		ts.Fatalf("%s: %d commands", args[0], len(typed))
	}
	anyID := regexp.MustCompile(`\b01[0-9A-Z]{24}\b`)
	for _, m := range typed {
		ts.Check(ts.Exec("sh", "-c", string(m[1])))
		got, want := anyID.ReplaceAllString(ts.ReadFile("stdout"), "ID"), anyID.ReplaceAllString(string(m[2]), "ID")
		if got != want {
			ts.Fatalf("%s\nsays\n%sand not\n%s", m[1], got, want)
		}
	}
}

// hexfile FILE writes a file with NUL bytes and invalid UTF-8.
func cmdHexFile(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte("nul \x00 inside\xff\xfe\n"), 0o644))
}

// mkmodel DIR writes a small embedding model.
func cmdMakeModel(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(berttest.Write(ts.MkAbs(args[0]), 1))
}

// serve VAR DIR serves a directory on loopback and sets VAR to its address.
// Below /v1/embeddings it is an endpoint with vectors of three numbers, that
// wants the key "sesame".
func cmdServe(ts *testscript.TestScript, _ bool, args []string) {
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir(ts.MkAbs(args[1]))))
	mux.HandleFunc("POST /v1/embeddings", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer sesame" {
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		fmt.Fprint(w, `{"data":[{"index":0,"embedding":[1,2,3]}]}`)
	})
	server := httptest.NewServer(mux)
	ts.Defer(server.Close)
	ts.Setenv(args[0], server.URL)
}
