package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento/internal/engine"
)

func (w *world) transcripts() string { return filepath.Join(w.home, ".pi", "agent", "sessions") }

// spoken writes a transcript of pi's about a session in a directory.
func spoken(w *world, id, dir string, said ...string) string {
	w.Helper()
	file := filepath.Join(w.transcripts(), "--"+strings.ReplaceAll(strings.Trim(dir, "/"), "/", "-")+"--", id+".jsonl")
	var b strings.Builder
	fmt.Fprintf(&b, `{"type":"session","version":3,"id":%q,"timestamp":"2026-03-13T10:00:00Z","cwd":%q}`+"\n", id, dir)
	for i, s := range said {
		fmt.Fprintf(&b, `{"type":"message","id":"%d","timestamp":"2026-03-13T10:0%d:00Z","message":{"role":"user","content":%q}}`+"\n", i, i, s)
	}
	put(w, file, b.String())
	return file
}

var exporting = []string{"why does the billing export time out at night?", "look at the cron job that feeds it", "then raise the statement timeout to ninety seconds"}

// The transcripts of this repository are taken over: begun in it, in a folder
// of it or in a linked work tree. One whose name merely begins like it, another
// repository and a folder that is gone are not; and only what is new.
func TestSessionsAreTakenOver(t *testing.T) {
	w := newWorld(t)
	w.profile = "mind"
	shop := repo(t, filepath.Join(w.home, "shop"))
	other := repo(t, filepath.Join(w.home, "shop-two"))
	w.mkdir(filepath.Join(shop, "cmd", "deep"))
	file := spoken(w, "one", shop, exporting...)
	spoken(w, "deep", filepath.Join(shop, "cmd", "deep"), append([]string{"the key is AKIAIOSFODNN7EXAMPLQ, use it"}, exporting...)...)
	spoken(w, "other", other, exporting...)
	spoken(w, "gone", filepath.Join(w.home, "shop", "never"), exporting...)
	s := w.at(shop)
	take := func() (got engine.Taken) {
		s.run(func(e *engine.Engine) {
			var err error
			got, err = e.TakeSessions(t.Context())
			s.must(err)
		})
		return got
	}
	if got, want := take(), (engine.Taken{Files: 4, Read: 4, Sessions: 2, New: 7}); got != want {
		t.Errorf("%+v", got)
	}
	if got, want := take(), (engine.Taken{Files: 4}); got != want {
		t.Errorf("the second time: %+v", got)
	}

	more := get(t, file) + `{"type":"message","id":"9","timestamp":"2026-03-13T10:09:00Z","message":{"role":"user","content":"and tell the accountants about it"}}` + "\n"
	put(t, file, more)
	s.must(os.Chtimes(file, time.Now(), time.Now().Add(time.Second)))
	if got, want := take(), (engine.Taken{Files: 4, Read: 1, Sessions: 1, New: 1}); got != want {
		t.Errorf("after it went on: %+v", got)
	}
	s.run(func(e *engine.Engine) {
		hits, err := e.SearchSessions(t.Context(), "billing export timeout accountants", 10)
		s.must(err)
		if len(hits) != 2 || hits[0].Session != "one" {
			t.Errorf("%+v", hits)
		}
		all, err := e.Sessions(t.Context())
		s.must(err)
		if len(all) != 2 || strings.Contains(fmt.Sprint(all), "AKIA") {
			t.Errorf("%+v", all)
		}
	})
	w.at(other).run(func(e *engine.Engine) {
		if all, err := e.Sessions(t.Context()); err != nil || len(all) > 0 {
			t.Errorf("another repository's: %+v, %v", all, err)
		}
	})
}

// A session that was recorded as it went is not kept twice, and what is older
// than the profile keeps it is not taken over.
func TestTakenOverOnce(t *testing.T) {
	w := newWorld(t)
	w.profile = "mind"
	dir := repo(t, filepath.Join(w.home, "shop"))
	s := w.at(dir)
	s.billing("one")
	spoken(w, "one", dir, exporting...)
	take := func() (n int) {
		s.run(func(e *engine.Engine) {
			got, err := e.TakeSessions(t.Context())
			s.must(err)
			n = got.New
		})
		return n
	}
	if n := take(); n != 0 {
		t.Errorf("%d of what was known", n)
	}
	spoken(w, "two", dir, exporting...)
	s.now = s.now.Add(30 * 24 * time.Hour)
	if n := take(); n != 0 {
		t.Errorf("%d of what is too old", n)
	}
}
