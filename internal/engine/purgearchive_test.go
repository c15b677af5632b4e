package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/vault"
)

// What cannot be read in the archive may hold the purged text: the purge says so, and
// reaches all else.
func TestPurgeNamesAnArchivedPageThatItCannotRead(t *testing.T) {
	w := newWorld(t)
	r := w.remember(engine.Note{Text: "the vault code is tulip", Scope: pimento.Global})
	huge := filepath.Join(w.dirs.Global, "archive", "huge.md")
	put(t, huge, "- x\n")
	w.must(os.Truncate(huge, vault.MaxPage+1))
	w.run(func(e *engine.Engine) {
		_, err := e.Purge(t.Context(), string(r.ID), engine.Actor{})
		if err == nil || !strings.Contains(err.Error(), "not gone everywhere") || !strings.Contains(err.Error(), "archive/huge.md") {
			t.Errorf("the purge says %v", err)
		}
	})
	wantOut(t, "the page", get(t, filepath.Join(w.dirs.Global, "MEMORY.md")), "tulip")
	w.must(filepath.WalkDir(filepath.Join(w.dirs.State, "journals"), func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			wantOut(t, path, get(t, path), "tulip")
		}
		return err
	}))
}
