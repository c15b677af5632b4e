package engine_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/think"
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

// A reading is a language model that keeps what it was given; err is its answer
// when it is set.
type reading struct {
	mu        sync.Mutex
	says      string
	err       error
	read      []string
	meanwhile func() // what happens while it reads
}

func (r *reading) Think(_ context.Context, ask think.Ask) (think.Thought, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []string
	for _, m := range ask.Material {
		all = append(all, m.Text)
	}
	r.read = append(r.read, ask.For+": "+strings.Join(all, "\n"))
	if r.meanwhile != nil {
		r.meanwhile()
	}
	return think.Thought{Text: r.says, By: "reading", In: 90, Out: 9}, r.err
}
func (r *reading) Room(think.Ask) int { return 8000 }
func (r *reading) Close() error       { return nil }

// With a language model, and the user's word that it may read what compactions
// take away, it is the model that reads both arrays, after the answer, and only
// what they say is proposed; its summary is not read as well. A model that fails,
// and a process that answers once, leave it to the words.
func TestACompactionIsReadByTheModel(t *testing.T) {
	const byWords = "We decided to keep the queue in postgres, one table for each tenant."
	answer := `{"remember":[{"text":"pgbouncer runs with pool_mode session","kind":"fact"},{"text":"The team prefers Svelte over React","kind":"preference"}]}`
	for name, c := range map[string]struct {
		worth  string
		once   bool
		err    error
		want   []string
		models int
	}{
		"read":        {"all", false, nil, []string{"pgbouncer runs with pool_mode session"}, 1},
		"failed":      {"all", false, errors.New("overloaded"), []string{byWords}, 1},
		"not allowed": {"answers", false, nil, []string{byWords}, 0},
		"once":        {"all", true, nil, []string{byWords}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := residentWorld(t)
			w.configure(`{"worth": "` + c.worth + `", "thinker": {"command": ["oracle"]}}`)
			model := &reading{says: answer, err: c.err}
			opt := w.options()
			opt.Serve, opt.Think = !c.once, func(think.Choice) (think.Thinker, error) { return model, nil }
			e, err := engine.Open(opt)
			w.must(err)
			chat := w.branchChat("s")
			chat.engine = e
			chat.event(pimento.BeforeCompact, func(in *pimento.Turn) {
				in.Compaction = "c1"
				in.Dropped = []pimento.Message{{Role: "user", Text: byWords + " Go on."}, {Role: "tool", Text: "The team prefers Svelte over React"}}
				in.SplitTurn = []pimento.Message{{Role: "assistant", Text: "It works since pgbouncer runs with pool_mode session."}}
			})
			chat.event(pimento.AfterCompact, func(in *pimento.Turn) { in.Compaction, in.Summary = "c1", "nothing of note" })
			w.must(e.Close()) // waits for what is under way
			var got []string
			for _, p := range w.inbox() {
				got = append(got, p.Text)
				if p.Source != "compaction" || p.Session != "s" {
					t.Errorf("%+v", p)
				}
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
			if len(model.read) != c.models {
				t.Fatalf("it read %q", model.read)
			}
			for _, r := range model.read {
				wantIn(t, "what it read", r, "compaction: user: We decided", "assistant: It works since pgbouncer")
				wantOut(t, "what it read", r, "Svelte")
			}
		})
	}
}

// Who takes the word back while the model reads is obeyed: the turn's view of the
// world is an old one by then.
func TestAReadingObeysWhatIsSaidMeanwhile(t *testing.T) {
	for name, answers := range map[string]error{"read": nil, "failed": errors.New("overloaded")} {
		w := residentWorld(t)
		w.configure(`{"worth": "all", "thinker": {"command": ["oracle"]}}`)
		model := &reading{says: `{"remember":[{"text":"We keep the queue in postgres, one table for each tenant","kind":"decision"}]}`, err: answers}
		model.meanwhile = func() { w.configure(`{"capture": "off"}`) }
		opt := w.options()
		opt.Serve, opt.Think = true, func(think.Choice) (think.Thinker, error) { return model, nil }
		e, err := engine.Open(opt)
		w.must(err)
		chat := w.branchChat("s")
		chat.engine = e
		chat.event(pimento.BeforeCompact, func(in *pimento.Turn) {
			in.Compaction = "c1"
			in.Dropped = []pimento.Message{{Role: "user", Text: "We decided to keep the queue in postgres, one table for each tenant."}}
		})
		w.must(e.Close())
		if got := w.inbox(); len(model.read) != 1 || len(got) != 0 {
			t.Errorf("%s %d times, and proposed: %+v", name, len(model.read), got)
		}
	}
}
