package engine_test

import (
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
)

// A configuration that cannot be read is told to the person when a session starts, and
// not again with each prompt.
func TestABrokenConfigurationIsTold(t *testing.T) {
	w := newWorld(t)
	w.configure(`{"profile": `)
	e := w.open()
	for _, c := range []struct {
		event pimento.TurnEvent
		want  int
	}{{pimento.SessionStart, 1}, {pimento.PromptTurn, 0}} {
		r := e.Turn(w.Context(), pimento.Turn{Event: c.event, Harness: "pi", Session: "s", Dir: w.dir, Prompt: "hello"})
		if len(r.Notices) != c.want || c.want == 1 && !strings.Contains(r.Notices[0].Text, "config.json") {
			t.Errorf("%s: %+v", c.event, r.Notices)
		}
	}
	w.must(e.Close())
}
