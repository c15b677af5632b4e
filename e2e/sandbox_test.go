package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/pimento-memory/pimento/e2e/stub"
)

// The versions that the extension is for. The first is tested in full.
const (
	newest = "1.5.2"
	older  = "0.87.1"
	oldest = "0.74.2"
	nodeIs = "22.23.3"
	qmdIs  = "2.8.3"

	claudeIs = "2.1.330"
	codexIs  = "0.169.0"

	opencodeIs = "1.18.33"
)

// patience is how long anything may take before it counts as hung. No test
// asserts on a shorter time.
const patience = 120 * time.Second

// repo is the root of this checkout.
func repo(t testing.TB) string {
	t.Helper()
	dir, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func cacheDir() string {
	if dir := os.Getenv("PIMENTO_TEST_CACHE"); dir != "" {
		return dir
	}
	home, _ := os.UserHomeDir()
	return filepath.Join(home, ".cache", "pimento-test")
}

// piCommand is the argv prefix that runs a version of pi.
func piCommand(t testing.TB, version string) []string {
	t.Helper()
	node := filepath.Join(cacheDir(), "node-"+nodeIs, "node_modules", "node-linux-"+arch(), "bin", "node")
	dir := filepath.Join(cacheDir(), "pi-"+version)
	for _, cli := range []string{
		filepath.Join(dir, "package", "dist", "bundle", "cli.js"),
		filepath.Join(dir, "node_modules", "@earendil-works", "pi-coding-agent", "dist", "bundle", "cli.js"),
		filepath.Join(dir, "node_modules", "@earendil-works", "pi-coding-agent", "dist", "cli.js"),
	} {
		if exists(node) && exists(cli) {
			return []string{node, cli}
		}
	}
	if os.Getenv("CI") == "true" {
		t.Fatalf("pi %s is not installed below %s; run ./test.sh", version, cacheDir())
	}
	t.Skipf("SKIP %s: pi %s is not installed (./test.sh installs it)", t.Name(), version)
	return nil
}

// arch is this machine's as npm calls it.
func arch() string { return map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH] }

// installed is a program of another agent, which a machine need not have.
func installed(t testing.TB, name string, path ...string) string {
	t.Helper()
	file := filepath.Join(append([]string{cacheDir(), name, "node_modules"}, path...)...)
	if !exists(file) {
		t.Skipf("SKIP %s: %s is not installed (./test.sh installs it)", t.Name(), name)
	}
	return file
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// built holds the programs under test, each built once.
var built struct {
	sync.Mutex
	dir  string
	path map[string]string
}

func TestMain(m *testing.M) {
	code := m.Run()
	if built.dir != "" {
		_ = os.RemoveAll(built.dir)
	}
	os.Exit(code)
}

// program builds a command of this module and returns its path.
func program(t testing.TB, pkg string) string {
	t.Helper()
	built.Lock()
	defer built.Unlock()
	if path, ok := built.path[pkg]; ok {
		return path
	}
	if built.dir == "" {
		dir, err := os.MkdirTemp("", "pimento-e2e-")
		if err != nil {
			t.Fatal(err)
		}
		built.dir, built.path = dir, map[string]string{}
	}
	path := filepath.Join(built.dir, filepath.Base(pkg))
	cmd := exec.Command("go", "build", "-o", path, pkg)
	cmd.Dir = repo(t)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build %s: %v\n%s", pkg, err, out)
	}
	built.path[pkg] = path
	return path
}

// A sandbox is one person's machine: a home, pi's folder, a project, a model.
type sandbox struct {
	t       testing.TB
	dir     string
	home    string
	agent   string
	project string
	model   *stub.Model
	real    []string // provider and model that answer instead of the stub
	pi      []string
	env     map[string]string // beside the fixed ones
	args    []string          // before the prompt arguments
}

// newSandbox makes a machine with the newest pi, the extension from this
// checkout, and the real binary.
func newSandbox(t testing.TB, answer func(int, stub.Request) stub.Reply) *sandbox {
	t.Helper()
	s := bareSandbox(t, newest, answer)
	s.env["PIMENTO_BIN"] = pimento(t)
	s.args = []string{"-e", filepath.Join(repo(t), "extensions", "pi", "index.ts")}
	return s
}

// pimento is the real binary. Tests on a busy machine give a turn more time
// than a person would like to wait.
func pimento(t testing.TB) string {
	t.Helper()
	if !exists(filepath.Join(repo(t), "cmd", "pimento", "main.go")) {
		t.Skipf("SKIP %s: there is no cmd/pimento yet", t.Name())
	}
	return program(t, "./cmd/pimento")
}

// bareSandbox makes a machine with pi and without Pimento.
func bareSandbox(t testing.TB, version string, answer func(int, stub.Request) stub.Reply) *sandbox {
	t.Helper()
	pi := piCommand(t, version)
	s := machine(t, answer)
	s.pi = pi
	s.window(128000, 0)
	return s
}

// machine makes one with nothing but a project and a model.
func machine(t testing.TB, answer func(int, stub.Request) stub.Reply) *sandbox {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &sandbox{t: t, dir: dir, home: filepath.Join(dir, "home"), agent: filepath.Join(dir, "home", ".pi", "agent"),
		project: filepath.Join(dir, "home", "work", "proj"), env: map[string]string{"PIMENTO_DEADLINE_MS": "5000"}}
	for _, d := range []string{s.agent, s.project, filepath.Join(dir, "tmp")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(s.remove)
	s.git("init", "-q")
	s.model = stub.Start(answer)
	t.Cleanup(s.model.Close)
	return s
}

// window sets the model's context window, and with keep > 0 how many recent
// tokens a compaction keeps.
func (s *sandbox) window(tokens, keep int) {
	s.t.Helper()
	models := map[string]any{"providers": map[string]any{"stub": map[string]any{
		"baseUrl": s.model.URL, "api": "openai-completions", "apiKey": "stub-key",
		"models": []any{map[string]any{"id": "stub-model", "name": "Stub", "contextWindow": tokens, "maxTokens": 1024}},
	}}}
	s.write(filepath.Join(s.agent, "models.json"), mustJSON(models))
	settings := map[string]any{}
	if keep > 0 {
		settings["compaction"] = map[string]any{"enabled": true, "reserveTokens": 1000, "keepRecentTokens": keep}
	}
	s.write(filepath.Join(s.agent, "settings.json"), mustJSON(settings))
}

func mustJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// write makes a file and the folders above it.
func (s *sandbox) write(path, text string) {
	s.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// global is the path of a page of the global memory.
func (s *sandbox) global(page string) string { return filepath.Join(s.agent, "memory", page) }

// inProject is the path of a page of the project's memory.
func (s *sandbox) inProject(page string) string {
	return filepath.Join(s.project, ".pi", "memory", page)
}

func (s *sandbox) git(args ...string) {
	s.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = s.project
	cmd.Env = s.environ()
	if out, err := cmd.CombinedOutput(); err != nil {
		s.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// environ is everything that reaches a program under test.
func (s *sandbox) environ() []string {
	env := map[string]string{}
	if len(s.real) > 0 { // its key may have any name
		for _, kv := range os.Environ() {
			if k, v, _ := strings.Cut(kv, "="); !strings.HasPrefix(k, "PI_") && !strings.HasPrefix(k, "PIMENTO_") {
				env[k] = v
			}
		}
	}
	maps.Copy(env, map[string]string{
		"HOME": s.home, "PATH": "/usr/local/bin:/usr/bin:/bin", "TERM": "dumb", "LANG": "C.UTF-8", "TZ": "UTC",
		"TMPDIR":              filepath.Join(s.dir, "tmp"),
		"PI_CODING_AGENT_DIR": s.agent, "PI_OFFLINE": "1", "PI_SKIP_VERSION_CHECK": "1", "PI_TELEMETRY": "0",
		"XDG_STATE_HOME":  filepath.Join(s.home, ".local", "state"),
		"XDG_CACHE_HOME":  filepath.Join(s.home, ".cache"),
		"XDG_CONFIG_HOME": filepath.Join(s.home, ".config"),
		"XDG_DATA_HOME":   filepath.Join(s.home, ".local", "share"),
		"GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@example.org",
		"GIT_COMMITTER_NAME": "t", "GIT_COMMITTER_EMAIL": "t@example.org",
	})
	if len(s.pi) > 0 {
		env["PATH"] = filepath.Dir(s.pi[0]) + ":" + env["PATH"]
	}
	maps.Copy(env, s.env)
	var list []string
	for k, v := range env {
		list = append(list, k+"="+v)
	}
	return list
}

// A result is what a program left behind.
type result struct {
	out, err string
	code     int
}

// run executes a program in the project; one that outlives patience fails the
// test.
func (s *sandbox) run(argv ...string) result {
	s.t.Helper()
	cmd, out, errs := s.command(argv...)
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		s.t.Fatalf("%v: %v\n%s", argv, err, errs)
	}
	return result{out: out.String(), err: errs.String(), code: cmd.ProcessState.ExitCode()}
}

func (s *sandbox) command(argv ...string) (cmd *exec.Cmd, out, errs *bytes.Buffer) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	s.t.Cleanup(cancel)
	cmd = exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = s.project, s.environ()
	out, errs = &bytes.Buffer{}, &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = out, errs
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	return cmd, out, errs
}

// piArgs is the command line of pi with the model.
func (s *sandbox) piArgs(args ...string) []string {
	provider, model := "stub", "stub-model"
	if len(s.real) > 0 {
		provider, model = s.real[0], s.real[1]
	}
	argv := append([]string{}, s.pi...)
	argv = append(argv, "--provider", provider, "--model", model)
	return append(append(argv, s.args...), args...)
}

// print runs `pi -p` and fails the test unless it ends well.
func (s *sandbox) print(args ...string) result {
	s.t.Helper()
	r := s.run(s.piArgs(append([]string{"-p"}, args...)...)...)
	if r.code != 0 {
		s.t.Fatalf("pi -p %q: exit %d\n%s\n%s", args, r.code, r.out, r.err)
	}
	return r
}

// awkward installs the programs into a folder whose name is one for a shell to trip
// over, and returns pimento's path.
func (s *sandbox) awkward() string {
	s.t.Helper()
	dir := filepath.Join(s.dir, `it's a "bin"`)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		s.t.Fatal(err)
	}
	for _, from := range []string{pimento(s.t), program(s.t, "./cmd/pimento-mcp")} {
		if out, err := exec.Command("cp", from, dir).CombinedOutput(); err != nil {
			s.t.Fatalf("cp: %v\n%s", err, out)
		}
	}
	return filepath.Join(dir, "pimento")
}

// ok runs a program and fails the test unless it ends well.
func (s *sandbox) ok(argv ...string) string {
	s.t.Helper()
	r := s.run(argv...)
	if r.code != 0 {
		s.t.Fatalf("%q: exit %d\n%s\n%s", argv, r.code, r.out, r.err)
	}
	return r.out
}

// pimento runs the real binary and fails the test unless it ends well.
func (s *sandbox) pimento(args ...string) string {
	s.t.Helper()
	return s.ok(append([]string{pimento(s.t)}, args...)...)
}

// request is the n-th request that the model got.
func (s *sandbox) request(n int) stub.Request {
	s.t.Helper()
	all := s.model.Requests()
	if n < 0 {
		n += len(all)
	}
	if n < 0 || n >= len(all) {
		s.t.Fatalf("the model got %d requests, want number %d", len(all), n)
	}
	return all[n]
}

// files maps every file below dir to its content.
func files(dir string) map[string]string {
	found := map[string]string{}
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			b, _ := os.ReadFile(path)
			rel, _ := filepath.Rel(dir, path)
			found[rel] = string(b)
		}
		return nil
	})
	return found
}

// memorySection is what stands in the request's system prompt as memory.
func memorySection(r stub.Request) string {
	_, rest, ok := strings.Cut(r.System, "<memory>\n")
	if !ok {
		return ""
	}
	text, _, _ := strings.Cut(rest, "\n</memory>")
	return text
}

func has(t testing.TB, what, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%s does not hold %q:\n%s", what, p, clip(text))
		}
	}
}

func hasNot(t testing.TB, what, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if strings.Contains(text, p) {
			t.Errorf("%s holds %q:\n%s", what, p, clip(text))
		}
	}
}

func clip(text string) string {
	if len(text) > 6000 {
		return fmt.Sprintf("%s\n... %d bytes ...\n%s", text[:3000], len(text)-6000, text[len(text)-3000:])
	}
	return text
}
