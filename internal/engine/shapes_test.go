package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/inject"
	"github.com/pimento-memory/pimento/internal/page"
)

// shapes are the files of kept shapes that are there.
func (w *world) shapes() []string {
	w.Helper()
	files, err := filepath.Glob(w.dirs.State + "/tables/*/page-table.shapes")
	w.must(err)
	return files
}

// sidecar is what verify says of the shapes of a scope; write makes them right.
func (w *world) sidecar(scope pimento.Scope, write bool) (found engine.Sidecar) {
	w.Helper()
	w.run(func(e *engine.Engine) {
		files, err := e.Sidecars(w.Context(), write)
		w.must(err)
		for _, s := range files {
			if s.Scope == scope && strings.HasSuffix(s.Path, ".shapes") {
				found = s
			}
		}
	})
	return found
}

// rules is a page that no room of 200 tokens holds.
func rules(n int) string {
	var b strings.Builder
	b.WriteString("## Rules\n\n")
	for i := range n {
		fmt.Fprintf(&b, "- Never touch part %d of the ledger by hand, because the auditors count it\n", i)
	}
	return b.String()
}

// What an entry can be shown as is kept when it is written; what somebody else
// wrote, when a turn has seen it; and verify makes the same bytes.
func TestShapesAreMadeWhenAnEntryIsWritten(t *testing.T) {
	w := residentWorld(t)
	w.remember(engine.Note{Text: "The linker is mold.", Scope: pimento.Project})
	if s := w.sidecar(pimento.Project, false); !s.Present || !s.Valid || s.Lines != 2 {
		t.Fatalf("after a write: %+v", s)
	}
	before := get(t, w.sidecar(pimento.Project, false).Path)
	put(t, filepath.Join(w.dir, ".pi/memory/MEMORY.md"), "## Build\n\n- The linker is mold again.\n")
	w.chat("s").say("hello")
	s := w.sidecar(pimento.Project, false)
	if after := get(t, s.Path); !s.Valid || s.Lines != 1 || after == before || !strings.Contains(after, "mold again") {
		t.Errorf("after a hand edit and a turn: %+v", s)
	}
	w.must(os.Remove(s.Path))
	w.must(os.WriteFile(w.sidecar(pimento.Global, false).Path, []byte("not shapes"), 0o600))
	if s := w.sidecar(pimento.Global, true); !s.Written {
		t.Errorf("damaged shapes are left: %+v", s)
	}
	for _, scope := range []pimento.Scope{pimento.Project, pimento.Global} {
		if s := w.sidecar(scope, true); !s.Valid || s.Written {
			t.Errorf("the second verify: %+v", s)
		}
	}
	r := w.remember(engine.Note{Text: "A fact that goes.", Scope: pimento.Project})
	w.run(func(e *engine.Engine) { _, err := e.Forget(t.Context(), string(r.ID), engine.Actor{}); w.must(err) })
	if s := w.sidecar(pimento.Project, false); !s.Valid || strings.Contains(get(t, s.Path), "A fact that goes") {
		t.Errorf("after a forget: %+v", s)
	}
}

// What somebody took off the page, or the page with it, is not kept as a shape: it
// may have been encrypted with another tool.
func TestNoShapesOfWhatIsGone(t *testing.T) {
	for name, take := range map[string]func(string) error{
		"the page":  os.Remove,
		"its lines": func(file string) error { return os.WriteFile(file, []byte("## Build\n"), 0o600) },
	} {
		w := residentWorld(t)
		w.remember(engine.Note{Text: "The vault code is tulip.", Scope: pimento.Project})
		file := w.sidecar(pimento.Project, false).Path
		wantIn(t, "shapes", get(t, file), "tulip")
		w.must(take(filepath.Join(w.dir, ".pi/memory/MEMORY.md")))
		w.chat("s").say("hello")
		wantOut(t, "shapes after "+name+" went", get(t, file), "tulip")
	}
}

// The decision shows what was kept, of exactly the bytes that the page has, and
// only when the page does not fit.
func TestTheDecisionReadsKeptShapes(t *testing.T) {
	w := residentWorld(t)
	path := filepath.Join(w.dir, ".pi/memory/MEMORY.md")
	text := rules(40)
	put(t, path, text)
	put(t, w.global("config.json"), `{"maxMemoryTokens": 700}`)
	made := w.chat("made").say("hello").Prefix
	wantIn(t, "prefix", made, "- Never touch part 3")
	if kept := w.chat("kept").say("hello").Prefix; kept != made {
		t.Errorf("kept shapes give another prefix:\n%s\nthan made ones:\n%s", kept, made)
	}
	// Shapes that say of themselves where they came from.
	entries := page.Parse("MEMORY.md", []byte(text)).Entries()
	for i := range entries {
		entries[i].Text = "KEPT" + entries[i].Text[5:]
	}
	file := w.sidecar(pimento.Project, false).Path
	w.must(os.WriteFile(file, inject.EncodeShapes(pimento.DigestOf([]byte(text)), entries), 0o600))
	marked := w.chat("marked")
	marked.forged = true
	wantIn(t, "prefix", marked.say("hello").Prefix, "- KEPT touch part 3")

	put(t, path, text+"- One more rule\n") // now they are those of other bytes
	wantOut(t, "prefix", w.chat("edited").say("hello").Prefix, "KEPT")
	if s := w.sidecar(pimento.Project, false); !s.Valid {
		t.Errorf("a turn that needed shapes left %+v", s)
	}

	put(t, path, rules(3)) // fits as it stands, whatever was kept
	entries = page.Parse("MEMORY.md", []byte(rules(3))).Entries()
	for i := range entries {
		entries[i].Text = "KEPT"
	}
	w.must(os.WriteFile(file, inject.EncodeShapes(pimento.DigestOf([]byte(rules(3))), entries), 0o600))
	put(t, w.global("config.json"), `{}`)
	wantOut(t, "prefix", w.chat("fits").say("hello").Prefix, "KEPT")
}

// A profile that shows pages as they stand keeps no shapes.
func TestNoShapesWithoutPaging(t *testing.T) {
	w := newWorld(t)
	w.remember(engine.Note{Text: "The linker is mold.", Scope: pimento.Global})
	w.chat("s").say("hello")
	if s := w.sidecar(pimento.Global, true); s.Path != "" {
		t.Errorf("%+v", s)
	}
	if files := w.shapes(); files != nil {
		t.Errorf("kept: %v", files)
	}
}
