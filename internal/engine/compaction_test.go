package engine_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
)

const streamed = "## Goal\n\nThe zeppelin importer was rewritten to stream its rows, with the key AKIAIOSFODNN7EXAMPLQ."

func summed(w *world, session, summary string) {
	w.Helper()
	w.chat(session).event(pimento.AfterCompact, func(in *pimento.Turn) { in.Compaction, in.Summary = "c1", summary })
}

// What a compaction made of a session becomes a page of the user's own memory,
// without the secrets in it, and is recalled like any other: in this project and
// in no other. The same twice is one page, too little is none, and nothing is
// written into the repository.
func TestCompactionsBecomePages(t *testing.T) {
	w := newWorld(t)
	w.profile = "mind"
	dir := repo(t, filepath.Join(w.home, "shop"))
	shop, other := w.at(dir), w.at(repo(t, filepath.Join(w.home, "other")))
	open := shop.chat("open")
	open.say("hello")
	summed(shop, "a", streamed)
	w.now = w.now.Add(time.Minute)
	summed(w.at(dir), "a", streamed)
	summed(shop, "b", "zeppelin: short")
	pages, _ := filepath.Glob(w.global("raw/compaction/*.md"))
	if len(pages) != 1 {
		t.Fatalf("pages: %q", pages)
	}
	got := get(t, pages[0])
	wantIn(t, "the page", got, "---\ndate: 2026-03-14T10:00:00", "type: compaction\ntier: L2\n---\n", "stream its rows, with the key [secret: ")
	wantOut(t, "the page", got, "AKIA")
	if files, _ := filepath.Glob(filepath.Join(dir, ".pi", "*")); len(files) > 0 {
		t.Errorf("in the repository: %q", files)
	}
	wantIn(t, "the tail", shop.chat("c").say("what about the zeppelin importer?").Tail, "stream its rows")
	wantOut(t, "another project's tail", other.chat("d").say("what about the zeppelin importer?").Tail, "zeppelin importer was")
	wantOut(t, "what is told as news", open.say("paint the garden fence green").Tail, "zeppelin")
	shop.run(func(e *engine.Engine) {
		a := e.Recall(t.Context(), pimento.Query{Text: "zeppelin importer rows"})
		if len(a.Hits) == 0 || a.Hits[0].Entry.Page != "raw/compaction/"+filepath.Base(pages[0]) {
			t.Errorf("%+v", a)
		}
	})
}

// Where pi-mind kept a project's memory, such pages stay in its folder.
func TestCompactionsStayInPiMind(t *testing.T) {
	w := newWorld(t)
	w.profile = "mind"
	dir := repo(t, filepath.Join(w.home, "shop"))
	put(t, filepath.Join(dir, ".pi-mind", "knowledge", "x.md"), "---\ntype: project\n---\n\nDeploys go out on Tuesdays.\n")
	s := w.at(dir)
	summed(s, "a", streamed)
	in := func(dir string) int {
		pages, _ := filepath.Glob(filepath.Join(dir, "raw/compaction/*.md"))
		return len(pages)
	}
	if in(w.dirs.Global) != 1 || in(filepath.Join(dir, ".pi-mind")) != 0 {
		t.Error("written into a folder without the user's yes")
	}
	s.run(func(e *engine.Engine) { _, err := e.Trust(t.Context(), ""); s.must(err) })
	summed(s, "b", "Another matter: "+streamed)
	if in(w.dirs.Global) != 1 || in(filepath.Join(dir, ".pi-mind")) != 1 {
		t.Error("not written into the folder that was adopted")
	}
}

// What users said is kept for as many days as the profile says.
func TestPastsExpire(t *testing.T) {
	w := newWorld(t)
	w.profile = "mind"
	w.billing("old")
	found := func() int {
		n := 0
		w.run(func(e *engine.Engine) {
			hits, err := e.SearchSessions(t.Context(), "billing export timeout", 10)
			w.must(err)
			n = len(hits)
		})
		return n
	}
	w.now = w.now.Add(14 * 24 * time.Hour)
	w.chat("new").event(pimento.SessionStart, nil)
	if found() != 1 {
		t.Error("gone on the last day")
	}
	w.now = w.now.Add(24 * time.Hour)
	w.chat("newer").event(pimento.SessionStart, nil)
	if found() != 0 {
		t.Error("still there after fifteen days")
	}
}
