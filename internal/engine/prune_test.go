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

const oldReference = "---\ndate: 2025-01-01\ntype: reference\n---\nHow the old exporter was called.\n"

// The counter of writes is one for all processes, runs the retention when it is
// full, and starts again; a write that changes nothing does not count.
func TestRetentionAfterWrites(t *testing.T) {
	w := newWorld(t)
	w.profile = "mind"
	put(t, w.dirs.Config+"/config.json", `{"overrides": {"default_scope": "global", "retention": {"every": 3}}}`)
	w.page("knowledge/old.md", oldReference)
	there := func() bool { return get(t, w.global("knowledge/old.md")) != "" }
	w.remember(engine.Note{Text: "The first fact."})
	w.remember(engine.Note{Text: "The first fact."})
	w.remember(engine.Note{Text: "The second fact."})
	if !there() {
		t.Fatal("acted after two writes")
	}
	w.run(func(e *engine.Engine) {
		rep, err := e.Prune(t.Context(), false, engine.Actor{})
		if w.must(err); rep.Writes != 2 || rep.Every != 3 || len(rep.Expired) != 1 || rep.Applied {
			t.Errorf("%+v", rep)
		}
	})
	w.remember(engine.Note{Text: "The third fact."})
	if there() || get(t, w.global("archive/knowledge/old.md")) != oldReference {
		t.Error("the third write did not act")
	}
	w.run(func(e *engine.Engine) {
		rep, err := e.Prune(t.Context(), false, engine.Actor{})
		if w.must(err); rep.Writes != 0 || len(rep.Expired) != 0 {
			t.Errorf("%+v", rep)
		}
		_, err = e.Restore(t.Context(), "archive/knowledge/old.md", engine.Actor{})
		w.must(err)
	})
	if get(t, w.global("knowledge/old.md")) != oldReference {
		t.Error("not restored")
	}
}

// Raw files go only through folders of the root itself: a link leads nowhere.
func TestRetentionFollowsNoLink(t *testing.T) {
	w := newWorld(t)
	w.profile = "mind"
	outside := t.TempDir()
	put(t, outside+"/precious.jsonl", "{}\n")
	old := w.now.AddDate(-1, 0, 0)
	w.must(os.Chtimes(outside+"/precious.jsonl", old, old))
	w.mkdir(w.global("raw"))
	w.must(os.Symlink(outside, w.global("raw/sessions")))
	for i := range 3 {
		put(t, w.global(fmt.Sprintf("raw/compaction/deep/c%d.md", i)), "x\n")
		w.must(os.Chtimes(w.global(fmt.Sprintf("raw/compaction/deep/c%d.md", i)), old, old))
	}
	w.must(os.Symlink(outside+"/precious.jsonl", w.global("raw/compaction/deep/link.jsonl")))
	w.run(func(e *engine.Engine) {
		rep, err := e.Prune(t.Context(), true, engine.Actor{})
		w.must(err)
		if len(rep.Deleted) != 3 || len(rep.Faults) != 1 || !strings.Contains(rep.Faults[0].Detail, "link") {
			t.Errorf("%+v", rep)
		}
		for _, x := range rep.Expired {
			if strings.Contains(x.Page, "precious") || strings.Contains(x.Page, "link") {
				t.Errorf("%+v", x)
			}
		}
	})
	if get(t, outside+"/precious.jsonl") != "{}\n" {
		t.Error("deleted through a link")
	}
}

// A profile that came with a repository does not empty the user's own folders.
func TestRetentionOfAProjectsProfile(t *testing.T) {
	w := newWorld(t)
	w = w.at(repo(t, filepath.Join(w.home, "shop")))
	w.run(func(e *engine.Engine) { _, err := e.Trust(t.Context(), ""); w.must(err) })
	raw := w.global("raw/sessions/old.jsonl")
	put(t, raw, "{}\n")
	w.must(os.Chtimes(raw, w.now.AddDate(-1, 0, 0), w.now.AddDate(-1, 0, 0)))
	put(t, filepath.Join(w.dir, ".pi/memory/config.json"), `{"profile": "mind"}`)
	w.run(func(e *engine.Engine) { _, err := e.Trust(t.Context(), ""); w.must(err) })
	for i := range 51 {
		w.remember(engine.Note{Text: fmt.Sprintf("Fact number %d of the user.", i), Scope: pimento.Global})
	}
	if get(t, raw) == "" {
		t.Error("a project's profile deleted the user's file")
	}
}
