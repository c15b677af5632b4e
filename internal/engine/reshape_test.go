package engine

import (
	"os"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/vault"
)

// The shapes of what we write ourselves are made once; those of a hand edit when
// the answer is out, and not again.
func TestShapesAreMadeOnce(t *testing.T) {
	e, _, st := gate(t)
	if err := vault.SaveConfigKey(t.Context(), e.configFile(), "profile", "resident"); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Remember(t.Context(), Note{Text: "The linker is mold.", Scope: pimento.Global}); err != nil {
		t.Fatal(err)
	}
	if st.reshape.Load() {
		t.Error("what was just made would be made again")
	}
	if err := os.Remove(e.shapesFile(st)); err != nil {
		t.Fatal(err)
	}
	asks(t, e, "hello")
	if _, err := os.Stat(e.shapesFile(st)); err == nil {
		t.Error("a turn that saw no change made them")
	}
	writePage(t, st, "- The linker is mold, since 2.30.\n")
	asks(t, e, "go on")
	if _, err := os.Stat(e.shapesFile(st)); err != nil || st.reshape.Load() {
		t.Errorf("after a hand edit: %v, to be made again: %t", err, st.reshape.Load())
	}
}
