package engine_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
)

// lasting is a conversation of a harness that keeps whatever it is given.
func (w *world) lasting(session string) *chat {
	c := w.chat(session)
	c.turn.Harness, c.turn.Lasting, c.turn.Room = "claude", true, 9400
	return c
}

func (c *chat) starts(reason string) pimento.Block {
	c.w.Helper()
	return c.event(pimento.SessionStart, func(in *pimento.Turn) { in.Reason = reason })
}

// Where the prefix stays in the conversation it is given once: at the start, or with the
// first prompt of a session whose start nobody told; and again when it is another one or
// the context is gone.
func TestALastingPrefixIsGivenOnce(t *testing.T) {
	w := newWorld(t)
	w.remember(engine.Note{Text: "Deploys go through the staging cluster"})
	c := w.lasting("a")
	b := c.starts("startup")
	wantIn(t, "the start", b.Prefix, "staging cluster")
	wantOut(t, "the start", b.Prefix, "takes the place")
	if b := c.say("how do deploys go?"); b.Prefix != "" || b.Tail != "" {
		t.Errorf("given again: %+v", b)
	}
	if b := c.starts("resume"); b.Prefix != "" {
		t.Errorf("a session that goes on: %q", b.Prefix)
	}

	late := w.lasting("late")
	wantIn(t, "the first prompt", late.say("hello there").Prefix, "staging cluster")
	if b := late.say("hello again"); b.Prefix != "" {
		t.Errorf("given again: %q", b.Prefix)
	}

	r := w.remember(engine.Note{Text: "Redis listens on port 6380"})
	wantIn(t, "what is new", c.say("paint the fence").Tail, "added: Redis listens")
	w.run(func(e *engine.Engine) {
		_, err := e.Forget(t.Context(), string(r.ID), engine.Actor{})
		w.must(err)
	})
	b = c.say("paint the fence again")
	wantIn(t, "what was taken back", b.Tail, "withdrawn: Redis listens")
	if b.Prefix != "" {
		t.Errorf("the same prefix was given again: %q", b.Prefix)
	}
	w.page("MEMORY.md", "Deploys stopped.\n")
	wantIn(t, "what the prefix said", c.say("paint the gate").Tail, "Deploys stopped.")

	w.profile = "daybook"
	wantIn(t, "another profile's prefix", c.say("paint the shed").Prefix, "takes the place of the memory that stands further up", "Deploys stopped.")
	if b := c.say("paint the roof"); b.Prefix != "" {
		t.Errorf("given again: %q", b.Prefix)
	}
}

// Of the events that may follow a compaction one begins anew, in whichever order they
// come, and one that no compaction went before begins nothing.
func TestALastingPrefixAfterACompaction(t *testing.T) {
	w := newWorld(t)
	w.remember(engine.Note{Text: "Deploys go through the staging cluster"})
	after := func(c *chat) { c.event(pimento.AfterCompact, func(in *pimento.Turn) { in.Reason = "auto" }) }
	before := func(c *chat) { c.event(pimento.BeforeCompact, func(in *pimento.Turn) { in.Reason = "auto" }) }

	c := w.lasting("claude")
	c.starts("startup")
	after(c)
	if b := c.say("hello there"); b.Prefix != "" {
		t.Errorf("without a compaction: %q", b.Prefix)
	}
	before(c)
	wantIn(t, "the start after it", c.starts("compact").Prefix, "staging cluster")
	after(c)
	if b := c.say("hello again"); b.Prefix != "" {
		t.Errorf("given twice: %q", b.Prefix)
	}

	c = w.lasting("no start after it")
	c.starts("startup")
	before(c)
	after(c)
	wantIn(t, "the prompt after it", c.say("hello there").Prefix, "staging cluster")

	c.starts("startup")
	wantIn(t, "the start of a cleared one", c.starts("clear").Prefix, "staging cluster")
}

// What a tool answered is in the conversation, and neither told nor recalled again.
func TestWhatAToolAnsweredIsInContext(t *testing.T) {
	w := newWorld(t)
	w.crowd()
	c := w.lasting("a")
	c.starts("startup")
	r := w.remember(engine.Note{Text: "The zeppelin importer streams its rows"})
	c.event(pimento.ToolUsed, func(in *pimento.Turn) { in.InContext = []string{string(r.ID)} })
	wantOut(t, "the tail", c.say("how does the zeppelin importer work?").Tail, "zeppelin")
}

// A harness takes so much at once: the prefix leaves room for a tail, and both together
// keep to it.
func TestRoomOfAHarness(t *testing.T) {
	for _, name := range []string{"default", "daybook", "situation", "mind", "resident", "catalog"} {
		w := newWorld(t)
		w.profile = name
		w.crowd()
		var long []string
		for range 300 {
			long = append(long, "- The ünïcode zeppelin importer streams its rows from the hangar, and writes them where the pilots look for them.")
		}
		w.page("MEMORY.md", strings.Join(long, "\n")+"\n")
		for _, room := range []int{1, 300, 2000, 9400} {
			c := w.lasting("a")
			c.turn.Room, c.turn.Session = room, name+string(rune('a'+room%26))
			for _, b := range []pimento.Block{c.say("what of the zeppelin importer and its rows?"), c.say("and what listens behind the gateway?")} {
				if n := utf8.RuneCountInString(b.Prefix) + utf8.RuneCountInString(b.Tail); n > room {
					t.Errorf("%s: %d characters in a room of %d", name, n, room)
				}
			}
		}
	}
}

// A tool of another process may have opened an encrypted page: nothing of what the model
// says since is kept.
func TestAToolThatMayHaveOpenedAnEncryptedPage(t *testing.T) {
	w := newWorld(t)
	w.lock(false)
	w.page("topics/accounts.md", "- "+secret+"\n")
	w.run(func(e *engine.Engine) {
		_, err := e.Encrypt(t.Context(), "topics/accounts.md", true, engine.Actor{})
		w.must(err)
		a := e.Ask(t.Context(), pimento.Query{Text: "zanzibar vault"}, engine.Actor{Name: "agent", Session: "of a server"})
		if len(a.Hits) != 1 {
			t.Fatalf("%+v", a)
		}
		e.Ask(t.Context(), pimento.Query{Text: "is it that the vault opens with elderberries?"}, engine.Actor{Name: "agent", Session: "of a server"})
	})
	for _, w.profile = range []string{"default", "situation", "mind", "daybook"} {
		w.repeatsAfterATool()
	}
	if files := w.holding("elderberries"); files != nil {
		t.Errorf("what the model made of it stands in %v", files)
	}
}

func (w *world) repeatsAfterATool() {
	w.Helper()
	c := w.lasting(w.profile)
	c.starts("startup")
	c.event(pimento.ToolUsed, func(in *pimento.Turn) { in.InContext = []string{"0123456789abcdef"} })
	said := "From now on: " + secret + " We decided to use that always. Remember it, it is a lesson learned."
	told := []pimento.Message{{Role: "user", Text: "what opens it?"}, {Role: "assistant", Text: said}}
	c.event(pimento.TurnEnd, func(in *pimento.Turn) { in.Prompt, in.Answer = "what opens it?", said })
	c.event(pimento.BeforeCompact, func(in *pimento.Turn) { in.Dropped = told })
	c.event(pimento.AfterCompact, func(in *pimento.Turn) { in.Summary = said })
	c.event(pimento.SessionEnd, func(in *pimento.Turn) { in.Reason, in.Dropped = "quit", told })
}
