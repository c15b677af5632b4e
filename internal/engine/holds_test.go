package engine_test

import (
	"path/filepath"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
)

// The name of the personal page is no project page's, in whatever letters: to ask for it
// there is no error that hides what another scope has.
func TestNoProjectPageIsNamedLikeThePersonalOne(t *testing.T) {
	w := newWorld(t)
	w = w.at(repo(t, filepath.Join(w.home, "repo")))
	w.remember(engine.Note{Text: "Be brief.", Scope: pimento.Project})
	w.page("memory.local.md", "- Be bold.\n")
	w.run(func(e *engine.Engine) {
		found, err := e.Read(t.Context(), "memory.local.md")
		if err != nil || len(found) != 1 || found[0].Scope != pimento.Global {
			t.Errorf("%+v, %v", found, err)
		}
	})
}
