package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
)

// TestAProjectsTasksStayItsOwn: the daybook keeps one scratchpad for the user,
// and a project neither sees nor changes another one's items in it.
func TestAProjectsTasksStayItsOwn(t *testing.T) {
	w := newWorld(t)
	w.profile = "daybook"
	a, b := w.at(filepath.Join(w.home, "a")), w.at(filepath.Join(w.home, "b"))
	scratch := func(w *world, action, text string) (s engine.Scratchpad) {
		w.run(func(e *engine.Engine) {
			var err error
			s, err = e.Scratch(t.Context(), action, text, engine.Actor{})
			w.must(err)
		})
		return s
	}
	scratch(a, "add", "Buy a lathe")
	scratch(a, "add", "Oil the saw")
	scratch(a, "done", "saw")
	if s := scratch(b, "list", ""); len(s.Items) != 0 || strings.Contains(s.Text, "lathe") {
		t.Errorf("b sees %q", s.Text)
	}
	if s := scratch(b, "done", "lathe"); s.Action != pimento.Refuse {
		t.Errorf("b ticked a's item: %+v", s.Result)
	}
	if s := scratch(b, "clear", ""); len(s.Recoveries) != 0 || strings.Contains(s.Was+s.Text, "saw") {
		t.Errorf("b cleared a's item, or was shown it: %+v", s)
	}
	scratch(b, "add", "Paint the door")
	b.run(func(e *engine.Engine) {
		pages, err := e.Read(t.Context(), "SCRATCHPAD.md")
		b.must(err)
		wantIn(t, "b's page", pages[0].Text, "Paint the door")
		if strings.Contains(pages[0].Text, "lathe") {
			t.Errorf("b reads a's items:\n%s", pages[0].Text)
		}
	})
	s := scratch(a, "clear", "")
	if len(s.Recoveries) != 1 || strings.Contains(s.Text, "saw") || !strings.Contains(s.Text, "lathe") {
		t.Errorf("a's own: %+v", s)
	}
	a.run(func(e *engine.Engine) {
		r, err := e.Restore(t.Context(), s.Recoveries[0], engine.Actor{})
		a.must(err)
		wantIn(t, "restored", r.Text, "Oil the saw")
	})
}

// TestALocalPageIsNotAskedForOthers: the personal page of a project is a root
// of its own that holds nothing else.
func TestALocalPageIsNotAskedForOthers(t *testing.T) {
	w := newWorld(t)
	w.remember(engine.Note{Text: "Everybody knows this", Scope: pimento.Project})
	w.remember(engine.Note{Text: "Only I know this", Scope: pimento.Local})
	w.run(func(e *engine.Engine) {
		for page, want := range map[string]string{"MEMORY.md": "Everybody", "MEMORY.local.md": "Only I"} {
			pages, err := e.Read(t.Context(), page)
			w.must(err)
			if len(pages) != 1 {
				t.Errorf("%s: %d pages", page, len(pages))
			}
			wantIn(t, page, pages[0].Text, want)
		}
		r := e.Turn(t.Context(), pimento.Turn{Event: pimento.PromptTurn, Harness: "pi", Session: "s", Prompt: "who knows this?"})
		r.After(t.Context())
		if len(r.Block.Faults) > 0 {
			t.Errorf("faults: %v", r.Block.Faults)
		}
	})
}

// TestAFloodIsToldOnce: what a pull brings is one line, not 600 tokens on each
// of the next prompts.
func TestAFloodIsToldOnce(t *testing.T) {
	both(t, func(t *testing.T, w *world, c *chat) {
		w.page("MEMORY.md", three)
		c.say("hello")
		var b strings.Builder
		for i := range 300 {
			fmt.Fprintf(&b, "- Item %d was pulled from elsewhere.\n", i)
		}
		w.page("topics/pulled.md", b.String())
		tail := c.news()
		wantIn(t, "tail", tail, "300 entries appeared at once")
		if n := strings.Count(tail, "\n- "); n != 1 {
			t.Errorf("%d lines:\n%s", n, tail)
		}
		wantEmpty(t, "tail", c.news())
		w.page("topics/pulled.md", strings.Replace(b.String(), "Item 7 was", "Item 7 is", 1))
		wantIn(t, "tail", c.news(), "Item 7 is pulled")
	})
}

// A project's configuration is the team's, as its pages are.
func TestAProjectsProfileIsWrittenLikeItsPages(t *testing.T) {
	w := newWorld(t).at(repo(t, filepath.Join(t.TempDir(), "r")))
	w.remember(engine.Note{Text: "Alpha likes apples.", Scope: pimento.Project})
	w.run(func(e *engine.Engine) {
		path, err := e.ProfileUse(t.Context(), "daybook", false)
		w.must(err)
		info, err := os.Stat(path)
		w.must(err)
		page, err := os.Stat(filepath.Join(filepath.Dir(path), "MEMORY.md"))
		w.must(err)
		if info.Mode() != page.Mode() {
			t.Errorf("%v, and pages are %v", info.Mode(), page.Mode())
		}
		if p, _ := e.Profile(t.Context()); p.Name != "daybook" {
			t.Error(p.Name)
		}
	})
}
