package engine_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
)

// edits is the end of a turn in which the agent wrote files.
func (c *chat) edits(files ...string) {
	c.w.Helper()
	c.event(pimento.TurnEnd, func(in *pimento.Turn) { in.Edited = files })
}

// reminding is a memory about some files, among many others.
func (w *world) reminding() {
	w.crowd()
	w.page("topics/code.md", `- [lesson] internal/engine/turn.go must never wait for the network.
- [fact] Changes of turn.go need a run of the replay tests.
- [fact] turn.go is owned by the tortoise squad.
- [fact] After a change of turn.go the goldens of the engine are made anew.
- [fact] The engine room of the ship is painted green.
- [lesson] parser.go keeps bytes as they are.
`)
}

// After the agent has written files, the next prompt that is more than "thanks"
// comes with what memory says about them, once; the profile says how much.
func TestEditsBringReminders(t *testing.T) {
	for name, max := range map[string]int{"default": 1, "situation": 3} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.profile = name
			w.reminding()
			c := w.branchChat("s")
			c.say(offTopic)
			c.edits(filepath.Join(w.dir, "internal/engine/turn.go"))
			wantOut(t, "the tail of a closer", c.say("thanks").Tail, "turn.go")
			tail := c.say(offTopic).Tail
			wantIn(t, "the tail", tail, "## About files edited just now", "turn.go")
			wantOut(t, "the tail", tail, "engine room", "parser.go")
			if n := strings.Count(tail, "turn.go"); n != max {
				t.Errorf("%d reminders, want %d:\n%s", n, max, tail)
			}
			wantOut(t, "the next tail", c.say(offTopic).Tail, "turn.go")
			wantIn(t, "events", w.events(), `"type":"injected"`)
		})
	}
}

// Of many files the last ten count; what the model has already, and pages of
// memory, remind of nothing.
func TestWhichEditsRemind(t *testing.T) {
	w := newWorld(t)
	w.reminding()
	c := w.branchChat("s")
	c.say("what do we know about parser.go?")
	c.edits("parser.go")
	wantOut(t, "the tail", c.say(offTopic).Tail, "About files")
	c.edits(".pi/memory/topics/turn.go.md", "memory/turn.go.md")
	wantOut(t, "the tail", c.say(offTopic).Tail, "turn.go")
	c.edits("engine/turn.go")
	for i := range 10 {
		c.edits(fmt.Sprintf("zzz%d.txt", i))
	}
	wantOut(t, "the tail", c.say(offTopic).Tail, "turn.go")
	c.event(pimento.TurnEnd, func(in *pimento.Turn) { in.Edited, in.Off = []string{"engine/turn.go"}, true })
	wantOut(t, "the tail", c.say(offTopic).Tail, "turn.go")
	w.profile = "daybook"
	c.edits("engine/turn.go")
	wantOut(t, "a tail without the policy", c.say(offTopic).Tail, "turn.go")
}

// A harness that cannot tell what is in context is reminded once as well, in
// processes of their own.
func TestRemindersWithoutABranch(t *testing.T) {
	w := newWorld(t)
	w.reminding()
	c := w.chat("s")
	c.say(offTopic)
	c.edits("internal/engine/turn.go")
	wantIn(t, "the tail", c.say(offTopic).Tail, "turn.go")
	wantOut(t, "the next tail", c.say(offTopic).Tail, "turn.go")
}
