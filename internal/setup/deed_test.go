package setup_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/setup"
)

// codex installs into Codex with a program in its stead that keeps what it was told in
// config.toml as the real one does.
func codex(t *testing.T) setup.Job {
	t.Helper()
	j, err := setup.Codex(filepath.Join(t.TempDir(), ".codex"), "/opt/pimento", "v1")
	if err != nil {
		t.Fatal(err)
	}
	j.Tool = filepath.Join(t.TempDir(), "codex")
	script := `#!/bin/sh
cd "$CODEX_HOME" || exit 1
echo "$*" >>told
case "$*" in
"plugin marketplace add $CODEX_HOME/pimento") test -f pimento/.agents/plugins/marketplace.json && echo '[marketplaces.pimento]' >>config.toml ;;
"plugin add pimento@pimento") echo '[plugins."pimento@pimento"]' >>config.toml ;;
"plugin remove pimento@pimento") sed -i '/plugins/d' config.toml ;;
"plugin marketplace remove pimento") sed -i '/marketplaces/d' config.toml ;;
*) exit 1 ;;
esac
`
	if err := os.WriteFile(j.Tool, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return j
}

// told is what the program was told since one last asked.
func told(t *testing.T, j setup.Job) []string {
	t.Helper()
	path := filepath.Join(j.Home, "told")
	raw, _ := os.ReadFile(path)
	_ = os.Remove(path)
	return strings.FieldsFunc(string(raw), func(r rune) bool { return r == '\n' })
}

func TestCodexIsToldOfThePlugin(t *testing.T) {
	j := codex(t)
	add := []string{"plugin marketplace add " + j.Dir, "plugin add pimento@pimento"}
	apply(t, j)
	if got := told(t, j); !slices.Equal(got, add) {
		t.Errorf("told %q", got)
	}
	if plan := apply(t, j); !plan.Empty() {
		t.Errorf("a second time: %s", plan.Text())
	}

	j.Program = "/elsewhere/pimento" // its copy is an old one now
	apply(t, j)
	if got := told(t, j); !slices.Equal(got, add) {
		t.Errorf("told of the new program: %q", got)
	}
	if err := os.WriteFile(j.Settings, []byte("[marketplaces.pimento]\n"), 0o644); err != nil { // somebody removed the plugin
		t.Fatal(err)
	}
	apply(t, j)
	if got := told(t, j); !slices.Equal(got, add[1:]) {
		t.Errorf("told again: %q", got)
	}

	j.Remove = true
	apply(t, j)
	if got := told(t, j); !slices.Equal(got, []string{"plugin remove pimento@pimento", "plugin marketplace remove pimento"}) {
		t.Errorf("told at the end: %q", got)
	}
	if _, err := os.Stat(j.Dir); !os.IsNotExist(err) {
		t.Errorf("the folder is still there: %v", err)
	}
	if plan := apply(t, j); !plan.Empty() {
		t.Errorf("a second removal: %s", plan.Text())
	}
}

// Until the harness has done its part, nothing counts as installed.
func TestAnInstallationGoesOnWhereItStopped(t *testing.T) {
	j := codex(t)
	good := j.Tool
	j.Tool = filepath.Join(t.TempDir(), "codex")
	if err := os.WriteFile(j.Tool, []byte("#!/bin/sh\necho a warning\necho 'error: unrecognized subcommand' >&2\nexit 2\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	plan, err := j.Plan()
	if err != nil {
		t.Fatal(err)
	}
	if err := plan.Apply(t.Context()); pimento.KindOf(err) != pimento.KindUnavailable || !strings.Contains(err.Error(), "unrecognized subcommand") {
		t.Errorf("err = %v", err)
	}
	j.Tool = good
	apply(t, j)
	if got := told(t, j); len(got) != 2 {
		t.Errorf("told %q", got)
	}
}

func TestWithoutTheHarnessItsPartIsShown(t *testing.T) {
	j := codex(t)
	j.Tool = ""
	plan := apply(t, j)
	if !strings.Contains(plan.Text(), "codex plugin add pimento@pimento  (not found: run this yourself)") {
		t.Error(plan.Text())
	}
	if !strings.Contains(plan.Done(), "left to you") {
		t.Error(plan.Done())
	}
	if _, err := os.Stat(filepath.Join(j.Dir, "hooks", "hooks.json")); err != nil {
		t.Error(err)
	}
}
