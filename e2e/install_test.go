package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento/e2e/stub"
)

// The ways in which pi can be given the package at the root of this repository.

// packed is the package as npm would publish it.
func packed(t testing.TB, dir string) string {
	t.Helper()
	cmd := exec.Command("npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", dir)
	cmd.Dir = repo(t)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("npm pack: %v", err)
	}
	return filepath.Join(dir, strings.TrimSpace(string(out)))
}

func TestInstallPackage(t *testing.T) {
	t.Parallel()
	ways := map[string]func(s *sandbox) []string{ // returns what to say before -p
		"directory": func(s *sandbox) []string { s.install(repo(t)); return nil },
		"project":   func(s *sandbox) []string { s.install("-l", repo(t)); return []string{"--approve"} },
		// pi finds a tarball again only by the package's name; "npm:/x.tgz" installs
		// and then loads nothing.
		"tarball": func(s *sandbox) []string { s.install("npm:pimento@file:" + packed(t, s.dir)); return nil },
		"git":     func(s *sandbox) []string { s.hosted(); s.install("git:" + home); return nil },
		"git -l":  func(s *sandbox) []string { s.hosted(); s.install("-l", "git:"+home); return []string{"--approve"} },
		"once":    func(s *sandbox) []string { return []string{"-e", repo(t)} },
	}
	for name, install := range ways {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := fakeSandbox(t, newest, "good", stub.Script())
			s.args = nil
			s.args = install(s)
			s.print("first")
			if memorySection(s.request(0)) != "FAKE-PREFIX" {
				t.Errorf("the section is %q", memorySection(s.request(0)))
			}
		})
	}
}

// home is where the repository lives.
const home = "github.com/pimento-memory/pimento"

// hosted makes git fetch the repository's home from a copy of this checkout.
func (s *sandbox) hosted() {
	s.t.Helper()
	dir := filepath.Join(s.dir, "hosted")
	for _, path := range []string{"package.json", "extensions"} {
		from := filepath.Join(repo(s.t), path)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			s.t.Fatal(err)
		}
		if out, err := exec.Command("cp", "-r", from, dir).CombinedOutput(); err != nil {
			s.t.Fatalf("cp: %v\n%s", err, out)
		}
	}
	s.write(filepath.Join(s.home, ".gitconfig"), "[url \"file://"+dir+"\"]\n\tinsteadOf = https://"+home+"\n\tinsteadOf = https://"+home+".git\n")
	project := s.project
	s.project = dir
	s.git("init", "-q")
	s.git("add", ".")
	s.git("commit", "-q", "-m", "all")
	s.project = project
}

// A package in a project that the person did not approve is not loaded.
func TestInstallProjectNeedsTrust(t *testing.T) {
	t.Parallel()
	s := fakeSandbox(t, newest, "good", stub.Script())
	s.args = nil
	s.install("-l", repo(t))
	s.args = []string{"--no-approve"}
	s.print("first")
	hasNot(t, "the request", s.request(0).Text(), "FAKE-")
}

func (s *sandbox) install(args ...string) {
	s.t.Helper()
	argv := append(append([]string{}, s.pi...), "install")
	if r := s.run(append(argv, args...)...); r.code != 0 {
		s.t.Fatalf("pi install %q: exit %d\n%s\n%s", args, r.code, r.out, r.err)
	}
}

// Somebody who ran both `pimento setup pi` and `pi install` still has a pi that
// starts, with one memory.
func TestInstalledTwice(t *testing.T) {
	t.Parallel()
	for _, version := range []string{newest, older, oldest} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			s := fakeSandbox(t, version, "good", stub.Script())
			if out, err := exec.Command("cp", "-r", filepath.Join(repo(t), "extensions", "pi"), filepath.Join(s.dir, "copy")).CombinedOutput(); err != nil {
				t.Fatalf("cp: %v\n%s", err, out)
			}
			s.args = append(s.args, "-e", filepath.Join(s.dir, "copy", "index.ts"))
			r := s.print("first", "second")
			has(t, "the errors", r.err, "installed twice")
			if n := strings.Count(s.request(1).Text(), "FAKE-TAIL"); n != 2 {
				t.Errorf("%d tails after two prompts", n)
			}
			if n := len(turns(s, "session_start")); n != 1 {
				t.Errorf("%d sessions were started", n)
			}
		})
	}
}

// The published package holds what the extension needs and nothing of the rest.
func TestPackageFiles(t *testing.T) {
	t.Parallel()
	piCommand(t, newest) // for npm
	cmd := exec.Command("npm", "pack", "--dry-run", "--json", "--ignore-scripts")
	cmd.Dir = repo(t)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("npm pack: %v", err)
	}
	var lists []struct{ Files []struct{ Path string } }
	if err := json.Unmarshal(out, &lists); err != nil || len(lists) != 1 {
		t.Fatalf("npm pack: %v\n%s", err, out)
	}
	listed := map[string]bool{}
	for _, f := range lists[0].Files {
		listed[f.Path] = true
		if strings.HasSuffix(f.Path, ".go") {
			t.Errorf("the package holds %s", f.Path)
		}
	}
	sources, err := filepath.Glob(filepath.Join(repo(t), "extensions", "pi", "*.ts"))
	if err != nil || len(sources) == 0 {
		t.Fatal("no sources")
	}
	for _, path := range append(sources, "package.json", "tools.json") {
		name := filepath.Base(path)
		if name != "package.json" {
			name = "extensions/pi/" + name
		}
		if !listed[name] {
			t.Errorf("the package lacks %s", name)
		}
	}
	b, err := os.ReadFile(filepath.Join(repo(t), "package.json"))
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Keywords         []string
		Dependencies     map[string]string
		PeerDependencies map[string]string
	}
	if err := json.Unmarshal(b, &manifest); err != nil {
		t.Fatal(err)
	}
	if len(manifest.Dependencies) != 0 || manifest.PeerDependencies["@earendil-works/pi-coding-agent"] != "*" {
		t.Errorf("dependencies %v, peers %v", manifest.Dependencies, manifest.PeerDependencies)
	}
	has(t, "the keywords", strings.Join(manifest.Keywords, " "), "pi-package")
}
