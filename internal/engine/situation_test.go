package engine_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
)

// scoredWorld is a world whose user has chosen the scored profile.
func scoredWorld(t *testing.T) *world {
	w := newWorld(t)
	put(t, filepath.Join(w.dirs.Config, "config.json"), `{"profile": "situation"}`)
	return w
}

// TestClosersRecallNothing: the document's list, and words to go on, whatever the letter case and
// the marks at the end, and up to eight signs without a letter or digit of any
// script.
func TestClosersRecallNothing(t *testing.T) {
	w := scoredWorld(t)
	w.page("topics/lessons.md", "- [lesson] ok yes no thanks thank you got it sure right correct agreed nice cool great perfect please continue keep going 好的 ладно はい 네\n")
	c := w.chat("s")
	for _, p := range []string{"ok", "yes", "no", "thanks", "thank you", "got it", "sure", "right", "correct", "agreed", "nice", "cool", "great", "perfect",
		"OK", "Thanks!", "  got it. ", "continue", "Go on.", "keep going", "yes please", "👍", "👌", "✅", "🙏", "😊", "🎉", "💯", "🎉🎉🎉", "...", "!?", "👍👍👍👍👍👍👍👍"} {
		wantEmpty(t, "the tail of "+p, c.say(p).Tail)
	}
	for _, p := range []string{"ok thanks great perfect", "好的", "ладно", "はい", "네"} {
		wantIn(t, "the tail of "+p, w.chat("other "+p).say(p).Tail, "Contextually Relevant Memories", "got it sure")
	}
}

// TestAFullMemoryIsToldBesideTheFirstPrompt: a session's start has no message beside which
// the signal could stand, and must not count as having told it.
func TestAFullMemoryIsToldBesideTheFirstPrompt(t *testing.T) {
	w := scoredWorld(t)
	var pins strings.Builder
	for i := range 90 {
		fmt.Fprintf(&pins, "- [preference] the rule number %d of this workshop holds for everybody *(pinned)*\n", i)
	}
	w.page("topics/preferences.md", pins.String())
	c := w.chat("s")
	wantOut(t, "the start's tail", c.event(pimento.SessionStart, nil).Tail, "capacity")
	wantIn(t, "the first prompt's tail", c.say("which glue do we use?").Tail, "Memory above 80% capacity")
	wantOut(t, "the second prompt's tail", c.say("and which varnish?").Tail, "capacity")
}

// TestOnlyTheUsersWordIsGroundTruth: what is pinned or confirmed is told as the
// user's word, all else as guidance. The original declared all of it
// authoritative and told the model not to check.
func TestOnlyTheUsersWordIsGroundTruth(t *testing.T) {
	w := scoredWorld(t)
	pinned := w.remember(engine.Note{Text: "answers are short", Kind: "preference", Pinned: true})
	said := w.remember(engine.Note{Text: "commits are small", Kind: "preference"})
	w.remember(engine.Note{Text: "branches are named after tickets", Kind: "preference"})
	w.run(func(e *engine.Engine) {
		_, err := e.Confirm(t.Context(), string(said.ID), engine.Actor{})
		w.must(err)
	})
	prefix := w.chat("s").event(pimento.SessionStart, nil).Prefix
	wantIn(t, "the report", prefix, `entries under Pinned and entries marked "confirmed" are the user's word`, "All others are guidance",
		"## Pinned\n\n- answers are short", "- commits are small (confirmed ", "- branches are named after tickets (")
	wantOut(t, "the report", prefix, "tickets (confirmed")
	if pinned.ID == "" {
		t.Error("nothing was pinned")
	}
}

// TestANoteNearAnotherIsProposedToBeMerged under any profile, never for a log,
// another kind of page's pin, or a version.
func TestANoteNearAnotherIsProposedToBeMerged(t *testing.T) {
	for _, tt := range []struct {
		name, first, second string
		change              func(*engine.Note)
		want                int
	}{
		{"nearly the same", "the canary needs ten minutes", "the canary needs about ten minutes", nil, 1},
		{"one says more", "prefer small commits", "prefer small, focused commits", nil, 1},
		{"another version", "v3.12.4 released", "v3.12.0 released", nil, 0},
		{"another number", "the timeout is 30 seconds", "the timeout is 60 seconds", nil, 0}, // a contradiction is for a person to see
		{"in a log", "the canary needs ten minutes", "the canary needs about ten minutes", func(n *engine.Note) { n.Daily = true }, 0},
		{"the first is pinned and says less", "prefer small commits", "prefer small, focused commits", func(n *engine.Note) { n.Pinned = true }, 1},
		{"of something else", "the canary needs ten minutes", "the linter runs before every commit", nil, 0},
	} {
		w := newWorld(t)
		first, second := engine.Note{Text: tt.first}, engine.Note{Text: tt.second}
		if tt.change != nil {
			tt.change(&first)
			second.Daily = first.Daily
		}
		w.remember(first)
		r := w.remember(second)
		if r.Action != pimento.Put || len(r.Proposals) != tt.want {
			t.Errorf("%s: %s with %d proposals, want %d (%s)", tt.name, r.Action, len(r.Proposals), tt.want, r.Reason)
		}
		w.run(func(e *engine.Engine) {
			list, err := e.Inbox(t.Context())
			w.must(err)
			if len(list) != tt.want {
				t.Errorf("%s: %d wait in the inbox", tt.name, len(list))
			}
			for _, p := range list {
				if first.Pinned && p.Text != tt.first {
					t.Errorf("%s: a pinned entry would go: %+v", tt.name, p)
				}
			}
		})
	}
}

// TestAnotherMergeIsProposedAfterANo: a no to one merge of a note is none to another, and what
// two others are to each other hides nothing of what they are to it.
func TestAnotherMergeIsProposedAfterANo(t *testing.T) {
	w := newWorld(t)
	w.remember(engine.Note{Text: "prefer small focused commits on main"})
	w.remember(engine.Note{Text: "prefer small focused commits everywhere"})
	short := engine.Note{Text: "prefer small focused commits"}
	first := w.remember(short)
	if len(first.Proposals) != 1 {
		t.Fatalf("%+v", first)
	}
	w.run(func(e *engine.Engine) {
		_, err := e.InboxReject(t.Context(), first.Proposals[0], user)
		w.must(err)
		_, err = e.Forget(t.Context(), string(first.ID), user)
		w.must(err)
	})
	if again := w.remember(short); len(again.Proposals) != 1 || again.Proposals[0] == first.Proposals[0] {
		t.Errorf("after a no: %+v", again)
	}
	w = newWorld(t)
	w.remember(engine.Note{Text: "deploys happen on Tuesday"})
	w.remember(engine.Note{Text: "always deploys happen on Tuesday, remember"})
	if r := w.remember(engine.Note{Text: "deploys happen on Friday"}); len(r.Opposes) != 2 {
		t.Errorf("it opposes %v", r.Opposes)
	}
}

// TestANoteAgainstAnother: whoever writes what cannot hold beside another entry is told of
// that one, pinned or not; both stand, and nothing is proposed.
func TestANoteAgainstAnother(t *testing.T) {
	for _, pinned := range []bool{false, true} {
		w := newWorld(t)
		first := w.remember(engine.Note{Text: "the timeout is 30 seconds", Pinned: pinned})
		r := w.remember(engine.Note{Text: "the timeout is 60 seconds"})
		if r.Action != pimento.Put || len(r.Opposes) != 1 || !strings.HasSuffix(r.Opposes[0], string(first.ID)) ||
			r.Reason != "they give different numbers for one thing; forget or edit the one that does not hold" {
			t.Errorf("pinned %v: %+v", pinned, r)
		}
	}
	w := newWorld(t)
	w.remember(engine.Note{Text: "the release is on Friday"})
	w.now = w.now.AddDate(0, 0, 3)
	if r := w.remember(engine.Note{Text: "the release moved to Monday"}); len(r.Proposals) != 1 || len(r.Against) != 1 || r.Against[0].Text != "the release is on Friday" {
		t.Errorf("days later: %+v", r)
	}
	w.remember(engine.Note{Text: "prefer tabs"})
	w.now = w.now.AddDate(0, 0, 3)
	w.remember(engine.Note{Text: "never use tabs"})
	for question, want := range map[string]string{"on which day is the release?": "the release moved to Monday", "tabs or spaces?": "never use tabs"} {
		w.run(func(e *engine.Engine) {
			if a := e.Recall(t.Context(), pimento.Query{Text: question}); len(a.Hits) == 0 || a.Hits[0].Entry.Text != want {
				t.Errorf("%s: %+v", question, a.Hits)
			}
		})
	}
}

// TestWhatStillStandsIsNotWithdrawn: one of two that say the same in nearly the same words
// can go, by hand or by consolidate, without the model being told to ignore what it says.
// What says more than the other is missed.
func TestWhatStillStandsIsNotWithdrawn(t *testing.T) {
	const short, long = "from now on use pnpm here, never npm", "Use pnpm in this repository, never npm"
	for goes, left := range map[string]string{short: long, long: short} {
		w := newWorld(t)
		w.page("MEMORY.md", "- "+short+"\n- "+long+"\n- Lunch is at noon\n")
		c := w.chat("one")
		wantIn(t, "prefix", c.say("hello").Prefix, short, long)
		w.page("MEMORY.md", strings.Replace("- "+short+"\n- "+long+"\n", "- "+goes+"\n", "", 1))
		tail := c.say("hello again").Tail
		wantIn(t, "tail", tail, "withdrawn: Lunch is at noon")
		if want := map[string]string{short: "edited: " + short + " -> " + long, long: "withdrawn: " + long}[goes]; !strings.Contains(tail, want) {
			t.Errorf("without %q: %s", goes, tail)
		}
		w.run(func(e *engine.Engine) {
			_, err := e.Archive(t.Context(), []string{string(id(left))}, "tidied", true, engine.Actor{})
			w.must(err)
		})
		wantIn(t, "tail", c.say("and now?").Tail, "withdrawn: "+left)
	}
}

// TestAHitHasItsDate: what is recalled says when it was written and whether the
// user vouched for it, like what is listed. What came in bulk says nothing: when it
// was first seen is not when it was said.
func TestAHitHasItsDate(t *testing.T) {
	w := newWorld(t)
	w.remember(engine.Note{Text: "the lathe was oiled with paraffin", Kind: "done", Page: "topics/upkeep.md"})
	said := w.remember(engine.Note{Text: "the boiler was descaled with vinegar", Kind: "done", Page: "topics/upkeep.md"})
	w.now = w.now.AddDate(0, 0, 3)
	w.run(func(e *engine.Engine) {
		_, err := e.Confirm(t.Context(), string(said.ID), engine.Actor{})
		w.must(err)
	})
	var bulk strings.Builder
	for i := range 30 {
		fmt.Fprintf(&bulk, "- [done] the cistern number %d was sealed with tar\n", i)
	}
	w.page("topics/cisterns.md", bulk.String())
	c := w.chat("s")
	wantIn(t, "tail", c.say("what was the lathe oiled with?").Tail, "paraffin (2026-03-14, project)")
	wantIn(t, "tail", c.say("what was the boiler descaled with?").Tail, "vinegar (confirmed 2026-03-17, project)")
	wantIn(t, "tail", c.say("what was cistern number 7 sealed with?").Tail, "number 7 was sealed with tar (global)")
}
