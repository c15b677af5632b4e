package engine_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/remember"
)

// Every reason code of a write, each through the one write path, and nothing on
// the page but where it says OK.
func TestEveryCodeIsReachable(t *testing.T) {
	w := newWorld(t)
	w.page("MEMORY.md", "- Deploys go through staging.\n")
	put(t, filepath.Join(w.dirs.Config, "config.json"), `{"capture": "auto"}`)
	h := w.at(filepath.Join(w.home, "foreign"))
	hostile(h, h.dir)
	version := string(pimento.DigestOf([]byte("- Deploys go through staging.\n")))[:12]
	for name, c := range map[string]struct {
		note engine.Note
		at   *world
		want pimento.Code
	}{
		"secret":           {engine.Note{Text: "key AKIAQ3EGRZ7TNLW2M5XB"}, w, pimento.CodeSecret},
		"nothing":          {engine.Note{Text: " \n"}, w, pimento.CodeSchema},
		"not text":         {engine.Note{Text: "a\x00b"}, w, pimento.CodeSchema},
		"no such place":    {engine.Note{Text: "a fact", Page: "../out.md"}, w, pimento.CodeSchema},
		"too large":        {engine.Note{Text: strings.Repeat("many words ", 200000)}, w, pimento.CodeTooLarge},
		"the same":         {engine.Note{Text: "deploys go through staging"}, w, pimento.CodeDuplicate},
		"captured nowhere": {engine.Note{Text: "a captured fact", Implicit: true, Actor: "agent"}, w, pimento.CodeProvenance},
		"no consent":       {engine.Note{Text: "a fact", Scope: pimento.Project}, h, pimento.CodeScope},
		"another version":  {engine.Note{Text: "- all new", Overwrite: true, Version: "0123456789ab"}, w, pimento.CodeDestructive},
		"not there yet":    {engine.Note{Text: "- all new", Overwrite: true, Version: remember.NoPage}, w, pimento.CodeDestructive},
		"a log":            {engine.Note{Text: "- all new", Overwrite: true, Daily: true}, w, pimento.CodeDestructive},
	} {
		t.Run(name, func(t *testing.T) {
			if c.note.Scope == "" {
				c.note.Scope = pimento.Global
			}
			c.at.run(func(e *engine.Engine) {
				r, err := e.Remember(t.Context(), c.note)
				got := r.Code
				if err != nil {
					got = pimento.CodeOf(err)
				}
				if got != c.want {
					t.Errorf("%s (%s, %v), want %s", got, r.Reason, err, c.want)
				}
			})
			if got := get(t, w.global("MEMORY.md")); got != "- Deploys go through staging.\n" {
				t.Errorf("the page is now %q", got)
			}
		})
	}
	t.Run("policy", func(t *testing.T) {
		w.run(func(e *engine.Engine) {
			_, err := e.Forget(t.Context(), string(w.remember(engine.Note{Text: "a fact that goes", Scope: pimento.Global}).ID), engine.Actor{})
			w.must(err)
			r, err := e.Remember(t.Context(), engine.Note{Text: "a fact that goes", Scope: pimento.Global, Implicit: true, Actor: "agent", Session: "s"})
			if err != nil || r.Code != pimento.CodePolicy {
				t.Errorf("%s %v", r.Code, err)
			}
		})
	})
	t.Run("OK", func(t *testing.T) {
		if r := w.remember(engine.Note{Text: "- all new", Scope: pimento.Global, Overwrite: true, Version: version}); r.Code != pimento.CodeOK || r.Recovery == "" {
			t.Errorf("%+v", r)
		}
	})
	t.Run("not strict", func(t *testing.T) {
		put(t, w.global("config.json"), `{"strictWriteback": false}`)
		r := w.remember(engine.Note{Text: "a captured fact", Scope: pimento.Global, Implicit: true, Actor: "agent"})
		if r.Code != pimento.CodeOK {
			t.Errorf("%+v", r)
		}
	})
	wantIn(t, "journal", w.events(), `"reason":"SECRET_DETECTED"`, `"reason":"DESTRUCTIVE_OP"`, `"reason":"PROVENANCE_MISSING"`)
	wantOut(t, "journal", w.events(), "AKIAQ3EGRZ7TNLW2M5XB")
}
