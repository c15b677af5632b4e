package setup_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/setup"
)

func extension(text string) map[string][]byte {
	return map[string][]byte{"index.ts": []byte(text), "child.ts": []byte("child " + text), "deep/er/data.json": []byte("{}")}
}

func job(t *testing.T, text string) setup.Job {
	t.Helper()
	home := filepath.Join(t.TempDir(), "agent")
	return setup.Job{Harness: "pi", Home: home, Dir: filepath.Join(home, "extensions", "pimento"), Entry: "index.ts",
		Program: "/opt/pimento", Version: "v1", Files: extension(text)}
}

func apply(t *testing.T, j setup.Job) *setup.Plan {
	t.Helper()
	plan, err := j.Plan()
	if err != nil {
		t.Fatal(err)
	}
	if err := plan.Apply(t.Context()); err != nil {
		t.Fatal(err)
	}
	return plan
}

func inDir(j setup.Job, name string) string { return filepath.Join(j.Dir, name) }

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestInstallIsIdempotentAndUpgradesInPlace(t *testing.T) {
	j := job(t, "one")
	apply(t, j)
	if got := read(t, inDir(j, "index.ts")); got != "one" {
		t.Errorf("index.ts = %q", got)
	}
	if m := read(t, inDir(j, setup.ManifestName)); !strings.Contains(m, `"program": "/opt/pimento"`) {
		t.Errorf("manifest does not name the program:\n%s", m)
	}
	if plan := apply(t, j); !plan.Empty() {
		t.Errorf("second install: %s", plan.Text())
	}

	j.Files = map[string][]byte{"index.ts": []byte("two")} // child.ts is gone
	apply(t, j)
	if got := read(t, inDir(j, "index.ts")); got != "two" {
		t.Errorf("after upgrade index.ts = %q", got)
	}
	if _, err := os.Stat(inDir(j, "child.ts")); !os.IsNotExist(err) {
		t.Errorf("child.ts of the old version is still there: %v", err)
	}
}

func TestInstallChangesNothingWhenAFileIsNotOurs(t *testing.T) {
	j := job(t, "one")
	apply(t, j)
	mine := "my own index\n"
	if err := os.WriteFile(inDir(j, "index.ts"), []byte(mine), 0o644); err != nil {
		t.Fatal(err)
	}
	j.Files = extension("two")
	_, err := j.Plan()
	if pimento.KindOf(err) != pimento.KindConflict || !strings.Contains(err.Error(), "index.ts") {
		t.Errorf("err = %v", err)
	}
	if got := read(t, inDir(j, "index.ts")); got != mine {
		t.Errorf("index.ts = %q", got)
	}
}

func TestRemoveLeavesWhatItDidNotWrite(t *testing.T) {
	j := job(t, "one")
	apply(t, j)
	for name, text := range map[string]string{"notes.txt": "mine", "child.ts": "changed by me"} {
		if err := os.WriteFile(inDir(j, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	other := filepath.Join(j.Home, "extensions", "other.ts")
	if err := os.WriteFile(other, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	j.Remove = true
	plan := apply(t, j)
	if !strings.Contains(plan.Text(), "child.ts  (changed by you)") {
		t.Errorf("the kept file is not named:\n%s", plan.Text())
	}
	for _, path := range []string{inDir(j, "notes.txt"), inDir(j, "child.ts"), other} {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{"index.ts", setup.ManifestName} {
		if _, err := os.Stat(inDir(j, name)); !os.IsNotExist(err) {
			t.Errorf("%s is still there", name)
		}
	}
	if plan := apply(t, j); !plan.Empty() {
		t.Errorf("second removal: %s", plan.Text())
	}
}

// TestPiFindsAllThatItLoadsOrNothing: a setup that is killed must not keep pi from
// starting.
func TestPiFindsAllThatItLoadsOrNothing(t *testing.T) {
	j := job(t, "one")
	plan := apply(t, j)
	if n := len(plan.Steps); filepath.Base(plan.Steps[n-2].Path) != "index.ts" || filepath.Base(plan.Steps[n-1].Path) != setup.ManifestName {
		t.Errorf("written: %+v", plan.Steps)
	}
	j.Remove = true
	if plan = apply(t, j); filepath.Base(plan.Steps[0].Path) != "index.ts" {
		t.Errorf("removed: %+v", plan.Steps)
	}
}

func TestRemoveTakesWhatAKilledSetupLeft(t *testing.T) {
	j := job(t, "one")
	apply(t, j)
	if err := os.Remove(inDir(j, setup.ManifestName)); err != nil {
		t.Fatal(err)
	}
	j.Remove = true
	apply(t, j)
	if _, err := os.Stat(inDir(j, "")); !os.IsNotExist(err) {
		t.Errorf("the folder is still there: %v", err)
	}
}

func TestRemoveTakesTheFolderWhenItIsEmpty(t *testing.T) {
	j := job(t, "one")
	apply(t, j)
	if err := os.WriteFile(inDir(j, ".pimento-1505947532"), []byte("half a f"), 0o600); err != nil { // a killed setup's
		t.Fatal(err)
	}
	j.Remove = true
	apply(t, j)
	if _, err := os.Stat(inDir(j, "")); !os.IsNotExist(err) {
		t.Errorf("the folder is still there: %v", err)
	}
}

// The folders above go with it that it made, and those that were there stay.
func TestRemoveTakesTheFoldersThatItMade(t *testing.T) {
	j := job(t, "one")
	apply(t, j)
	apply(t, j) // that they are there by now changes nothing
	j.Files = extension("two")
	apply(t, j)
	j.Remove = true
	apply(t, j)
	if _, err := os.Stat(j.Home); !os.IsNotExist(err) {
		t.Errorf("%s is still there: %v", j.Home, err)
	}
	if _, err := os.Stat(filepath.Dir(j.Home)); err != nil {
		t.Error(err)
	}

	j.Remove = false
	if err := os.Mkdir(j.Home, 0o755); err != nil {
		t.Fatal(err)
	}
	apply(t, j)
	j.Remove = true
	apply(t, j)
	if left, err := os.ReadDir(j.Home); err != nil || len(left) > 0 {
		t.Errorf("the harness's own folder: %v, %v", left, err)
	}
}

func TestLinksAndForgedManifests(t *testing.T) {
	j := job(t, "one")
	elsewhere := t.TempDir()
	if err := os.MkdirAll(filepath.Join(j.Home, "extensions"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, j.Dir); err != nil {
		t.Skip(err)
	}
	if _, err := j.Plan(); pimento.KindOf(err) != pimento.KindConflict {
		t.Errorf("a linked folder: err = %v", err)
	}

	j = job(t, "one")
	if err := os.MkdirAll(inDir(j, "deep"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, inDir(j, "deep/er")); err != nil {
		t.Fatal(err)
	}
	if _, err := j.Plan(); pimento.KindOf(err) != pimento.KindConflict {
		t.Errorf("a linked folder within: err = %v", err)
	}

	for _, name := range []string{"../../../precious", "deep/../../precious", "/precious", `deep\\..\\..\\precious`, ".", "deep//x"} {
		j = job(t, "one")
		apply(t, j)
		forged := `{"v":1,"files":{"` + name + `":"00"}}`
		if err := os.WriteFile(inDir(j, setup.ManifestName), []byte(forged), 0o644); err != nil {
			t.Fatal(err)
		}
		j.Remove = true
		if _, err := j.Plan(); pimento.KindOf(err) != pimento.KindConflict {
			t.Errorf("a manifest that names %s: err = %v", name, err)
		}
	}
}

// A folder that others share may be a link, keeps what is theirs, and goes only if it
// was not there before.
func TestAFolderThatOthersShare(t *testing.T) {
	shared := func() setup.Job {
		j := job(t, "one")
		j.Shared, j.Dir = true, filepath.Join(j.Home, "plugins")
		return j
	}
	gone := func(j setup.Job) bool {
		apply(t, j)
		j.Remove = true
		apply(t, j)
		_, err := os.Stat(j.Dir)
		return os.IsNotExist(err)
	}
	j := shared()
	apply(t, j)
	j.Program = "/elsewhere/pimento"
	if !gone(j) {
		t.Error("what we made is still there")
	}
	j = shared()
	target := t.TempDir()
	if err := os.MkdirAll(j.Home, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, j.Dir); err != nil {
		t.Skip(err)
	}
	if gone(j) {
		t.Error("somebody's folder is gone")
	}
	if err := os.WriteFile(inDir(j, setup.ManifestName), []byte(`{"theirs": true}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := j.Plan(); pimento.KindOf(err) != pimento.KindConflict {
		t.Errorf("a manifest of somebody else's: err = %v", err)
	}
}

func TestEmbeddedExtension(t *testing.T) {
	j, err := setup.Pi(t.TempDir(), "/opt/pimento", "v1")
	if err != nil {
		t.Fatal(err)
	}
	apply(t, j)
	if got := read(t, inDir(j, "index.ts")); !strings.Contains(got, "ExtensionAPI") {
		t.Error("the embedded extension has no entry point")
	}
}

// The command of a hook is for a shell, that of a server is not.
func TestPluginStartsTheProgram(t *testing.T) {
	program := filepath.Join(t.TempDir(), "it's \"my\" $HOME & <co>")
	if err := os.WriteFile(program, []byte("#!/bin/sh\necho \"$@\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	j, err := setup.Claude(t.TempDir(), program, "v1")
	if err != nil {
		t.Fatal(err)
	}
	apply(t, j)
	var hooks struct {
		Hooks map[string][]struct{ Hooks []struct{ Command string } }
	}
	if err := json.Unmarshal([]byte(read(t, inDir(j, "hooks/hooks.json"))), &hooks); err != nil || len(hooks.Hooks) == 0 {
		t.Fatal(err, hooks)
	}
	for event, groups := range hooks.Hooks {
		out, err := exec.Command("sh", "-c", groups[0].Hooks[0].Command).CombinedOutput()
		if err != nil || string(out) != "hook claude\n" {
			t.Errorf("%s: %v, %s", event, err, out)
		}
	}
	var servers struct {
		Servers map[string]struct {
			Command string
			Args    []string
		} `json:"mcpServers"`
	}
	if err := json.Unmarshal([]byte(read(t, inDir(j, ".mcp.json"))), &servers); err != nil || servers.Servers["memory"].Command != program {
		t.Error(err, servers)
	}
	j.Remove = true
	apply(t, j)
	if _, err := os.Stat(j.Dir); !os.IsNotExist(err) {
		t.Errorf("the folder is still there: %v", err)
	}
}

// What pi loads must not stay behind without what it needs: pi does not start with an
// extension that throws. Its text stays, each time under a name of its own.
func TestRemoveLeavesNothingThatPiLoads(t *testing.T) {
	j := job(t, "one")
	dir := inDir(j, "")
	for i, name := range []string{"index.ts.yours", "index.ts.yours2"} {
		j.Remove = false
		apply(t, j)
		text := fmt.Sprintf("// mine, %d\n", i)
		if err := os.WriteFile(filepath.Join(dir, "index.ts"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		j.Remove = true
		if plan := apply(t, j); !strings.Contains(plan.Text(), "kept as "+name) {
			t.Errorf("the plan does not say so:\n%s", plan.Text())
		}
		if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(b) != text {
			t.Errorf("%s: %q, %v", name, b, err)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "*.ts")); len(left) > 0 {
			t.Errorf("pi would load %v", left)
		}
	}
}
