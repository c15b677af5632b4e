package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
)

// What came with many others, as a pull brings it, says nothing about when it was
// said. So it has no standing, like what a clone brought, until somebody says,
// edits or confirms it.
func TestWhatCameInBulkHasNoStanding(t *testing.T) {
	w := newWorld(t)
	mine := w.remember(engine.Note{Text: "the lathe is oiled with paraffin", Page: "topics/upkeep.md"})
	var bulk strings.Builder
	for i := range 30 {
		fmt.Fprintf(&bulk, "- cistern number %d is sealed with tar\n", i)
	}
	w.page("topics/cisterns.md", bulk.String())
	b := w.chat("s").say("what is the lathe oiled with?")
	wantIn(t, "the prefix", b.Prefix, "paraffin (2026-03-14, project)")
	wantOut(t, "the prefix", b.Prefix, "sealed with tar")

	w.now = w.now.AddDate(0, 0, 40)
	var edited, confirmed engine.Result
	w.run(func(e *engine.Engine) {
		if st := e.Stale(t.Context()).Entries; len(st) != 0 {
			t.Errorf("%d are stale, the first: %+v", len(st), st[0])
		}
		var err error
		edited, err = e.Edit(t.Context(), string(id("cistern number 7 is sealed with tar")), "cistern number 7 is sealed with wax", engine.Actor{Name: "user"})
		w.must(err)
		confirmed, err = e.Confirm(t.Context(), string(id("cistern number 9 is sealed with tar")), engine.Actor{Name: "user"})
		w.must(err)
	})
	for what, at := range map[pimento.Statement]string{mine.ID: "candidate", edited.ID: "provisional", confirmed.ID: "candidate"} {
		if s := w.story(what).Standing; s.Lifecycle != at || s.Evidence != 1 || s.Last.IsZero() {
			t.Errorf("%s: %+v, want %s", what, s, at)
		}
	}
	wantIn(t, "the prefix", w.chat("s2").say("hello").Prefix, "wax (2026-04-23, global)", "number 9 is sealed with tar (confirmed 2026-04-23, global)")
}
