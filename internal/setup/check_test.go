package setup_test

import (
	"os"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento/internal/setup"
)

// What is installed can be looked at: what it starts, and what of it is gone or was changed.
func TestInstalled(t *testing.T) {
	j := job(t, "one")
	if _, ok, err := j.Installed(); ok || err != nil {
		t.Errorf("before: %t, %v", ok, err)
	}
	j.Program = inDir(j, "index.ts") // one that is there
	apply(t, j)
	in, ok, err := j.Installed()
	if !ok || err != nil || in.Program != j.Program || in.Version != "v1" || in.Gone != nil || in.Changed != nil {
		t.Errorf("%+v, %t, %v", in, ok, err)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.Remove(inDir(j, "child.ts")))
	must(os.WriteFile(inDir(j, "deep/er/data.json"), []byte("mine"), 0o644))
	in, _, _ = j.Installed()
	if got := in.String(); !strings.Contains(got, "gone: "+inDir(j, "child.ts")) || !strings.Contains(got, "changed by you: "+inDir(j, "deep/er/data.json")) {
		t.Error(got)
	}
	must(os.Remove(inDir(j, "index.ts")))
	if in, _, _ = j.Installed(); len(in.Gone) != 3 {
		t.Errorf("the program and two files are gone: %+v", in)
	}
	must(os.WriteFile(inDir(j, setup.ManifestName), []byte("{"), 0o644))
	if _, _, err := j.Installed(); err == nil {
		t.Error("a manifest that cannot be read")
	}
}
