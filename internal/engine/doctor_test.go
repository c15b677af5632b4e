package engine_test

import (
	"os"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento/internal/engine"
)

// TestDoctorOnUnreadableConfig: whoever named a file as the directory of settings, or
// took the right to read them away, is told what to do.
func TestDoctorOnUnreadableConfig(t *testing.T) {
	w := newWorld(t)
	w.dirs.Config = w.home + "/file/pimento"
	w.must(os.WriteFile(w.home+"/file", nil, 0o600))
	w.run(func(e *engine.Engine) {
		for _, c := range e.Doctor(t.Context()) {
			if c.Name == "config" && !c.OK && strings.Contains(c.Hint, "a file stands where a folder has to be") {
				return
			}
		}
		t.Errorf("%+v", e.Doctor(t.Context()))
	})
}
