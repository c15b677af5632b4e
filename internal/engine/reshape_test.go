package engine

import (
	"os"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
)

// The shapes of what we write ourselves are made once; those of a hand edit when
// the answer is out, and not again.
func TestShapesAreMadeOnce(t *testing.T) {
	e, _, st := gate(t)
	now := time.Now()
	e.opt.Clock = func() time.Time { return now } // however slow we are, a page that is the same is not taken in again
	if err := e.setOwn(t.Context(), "profile", "resident"); err != nil {
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

// Shapes that nobody reads any more, because the profile has another way, go with the
// first change of the page: they would say what was taken away. Until then they say no
// more than the page.
func TestShapesGoWithTheirProfile(t *testing.T) {
	for name, change := range map[string]func(*Engine, *store){
		"a hand edit": func(e *Engine, st *store) {
			writePage(t, st, "- Nothing of it.\n")
			asks(t, e, "hello")
		},
		"a note": func(e *Engine, _ *store) {
			if _, err := e.Remember(t.Context(), Note{Text: "The linter is vet.", Scope: pimento.Global}); err != nil {
				t.Fatal(err)
			}
		},
		"a page that is gone": func(e *Engine, st *store) {
			if err := os.Remove(st.path(page.Memory)); err != nil {
				t.Fatal(err)
			}
			asks(t, e, "hello")
		},
	} {
		t.Run(name, func(t *testing.T) {
			e, _, st := gate(t)
			use := func(profile string) {
				if err := e.setOwn(t.Context(), "profile", profile); err != nil {
					t.Fatal(err)
				}
				asks(t, e, "hello")
			}
			use("resident")
			if _, err := e.Remember(t.Context(), Note{Text: "The linker is mold.", Scope: pimento.Global}); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(e.shapesFile(st)); err != nil {
				t.Fatal("there are none to be left behind")
			}
			use("default")
			change(e, st)
			e.reshapeAll() // as at the end of a process
			if _, err := os.Stat(e.shapesFile(st)); err == nil {
				t.Error("they are still there")
			}
		})
	}
}
