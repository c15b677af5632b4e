package engine_test

import (
	"path/filepath"
	"testing"

	"github.com/pimento-memory/pimento"
)

// What a compaction takes away is looked through for what was decided and found
// out, in both arrays of messages; it waits in the inbox, once, and a no is
// kept.
func TestACompactionProposesWhatItTakesAway(t *testing.T) {
	w := residentWorld(t)
	c := w.chat("s")
	compact := func(id string) {
		c.event(pimento.BeforeCompact, func(in *pimento.Turn) {
			in.Compaction = id
			in.Dropped = []pimento.Message{{Role: "user", Text: "We decided to keep the queue in postgres, one table for each tenant. Go on."},
				{Role: "assistant", Text: "The key AKIAQ3EGRZ7TNLW2M5XB was what we decided to use for the staging account."},
				{Role: "assistant", Text: "We decided that sccache breaks -Werror."}}
			in.SplitTurn = []pimento.Message{{Role: "assistant", Text: "The root cause was a connection that nobody closed."}}
		})
	}
	put(t, filepath.Join(w.dir, ".pi/memory/MEMORY.md"), "## Build\n\n- We decided that sccache breaks -Werror.\n")
	compact("c1")
	waiting := w.inbox()
	if len(waiting) != 2 || waiting[0].Text != "We decided to keep the queue in postgres, one table for each tenant." || waiting[0].Kind != pimento.KindDecision ||
		waiting[0].Source != "compaction" || waiting[0].Session != "s" || waiting[1].Text != "The root cause was a connection that nobody closed." {
		t.Fatalf("%+v", waiting)
	}
	w.accept(pimento.Statement(waiting[1].ID))
	wantIn(t, "the page", get(t, filepath.Join(w.dir, ".pi/memory/MEMORY.md")), "nobody closed")
	compact("c2")
	if len(w.inbox()) != 1 {
		t.Errorf("the same is proposed again: %+v", w.inbox())
	}
	put(t, filepath.Join(w.dirs.Config, "config.json"), `{"capture": "off"}`)
	c = w.chat("other")
	c.event(pimento.BeforeCompact, func(in *pimento.Turn) {
		in.Compaction, in.Dropped = "c3", []pimento.Message{{Role: "user", Text: "We decided to leave the importer as it is for now."}}
	})
	put(t, filepath.Join(w.dirs.Config, "config.json"), `{}`)
	if len(w.inbox()) != 1 {
		t.Errorf("with capture off: %+v", w.inbox())
	}
}

// The user's own notes on a project are theirs, and stand in front of their
// model.
func TestResidentShowsLocalNotes(t *testing.T) {
	w := residentWorld(t)
	put(t, filepath.Join(w.dir, ".pi/memory/MEMORY.local.md"), "- my own port is 7777\n")
	wantIn(t, "prefix", w.chat("s").say("hello").Prefix, "### Local MEMORY.local.md  (.pi/memory/MEMORY.local.md)\n\n- my own port is 7777")
}
