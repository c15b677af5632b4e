package setup_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/setup"
)

func extension(text string) fstest.MapFS {
	return fstest.MapFS{"index.ts": {Data: []byte(text)}, "child.ts": {Data: []byte("child " + text)}}
}

func job(t *testing.T, text string) setup.Pi {
	t.Helper()
	return setup.Pi{AgentDir: filepath.Join(t.TempDir(), "agent"), Program: "/opt/pimento", Version: "v1", Files: extension(text)}
}

func apply(t *testing.T, j setup.Pi) *setup.Plan {
	t.Helper()
	plan, err := j.Plan()
	if err != nil {
		t.Fatal(err)
	}
	if err := plan.Apply(); err != nil {
		t.Fatal(err)
	}
	return plan
}

func inDir(j setup.Pi, name string) string {
	return filepath.Join(j.AgentDir, "extensions", "pimento", name)
}

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

	j.Files = fstest.MapFS{"index.ts": {Data: []byte("two")}} // child.ts is gone
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
	other := filepath.Join(j.AgentDir, "extensions", "other.ts")
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

func TestLinksAndForgedManifests(t *testing.T) {
	j := job(t, "one")
	elsewhere := t.TempDir()
	if err := os.MkdirAll(filepath.Join(j.AgentDir, "extensions"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, inDir(j, "")[:len(inDir(j, ""))]); err != nil {
		t.Skip(err)
	}
	if _, err := j.Plan(); pimento.KindOf(err) != pimento.KindConflict {
		t.Errorf("a linked folder: err = %v", err)
	}

	j = job(t, "one")
	apply(t, j)
	forged := `{"v":1,"files":{"../../../precious":"00"}}`
	if err := os.WriteFile(inDir(j, setup.ManifestName), []byte(forged), 0o644); err != nil {
		t.Fatal(err)
	}
	j.Remove = true
	if _, err := j.Plan(); pimento.KindOf(err) != pimento.KindConflict {
		t.Errorf("a forged manifest: err = %v", err)
	}
}

func TestEmbeddedExtension(t *testing.T) {
	j := job(t, "")
	j.Files = nil
	apply(t, j)
	if got := read(t, inDir(j, "index.ts")); !strings.Contains(got, "ExtensionAPI") {
		t.Error("the embedded extension has no entry point")
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
