package engine

import (
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
)

// A process that ends with its event reads on after a prompt only until the deadline,
// and when a turn or a session is over, for longer, whatever the prompts found.
func TestLeisureAfterAnEvent(t *testing.T) {
	e, _, _ := served(t)
	e.opt.Deadline = time.Second
	now := time.Now()
	e.opt.Clock = func() time.Time { return now }
	for _, c := range []struct {
		event  pimento.TurnEvent
		behind bool
		after  time.Duration // since the event came
		want   time.Duration
	}{
		{pimento.PromptTurn, false, 0, 0},
		{pimento.PromptTurn, true, 400 * time.Millisecond, 600 * time.Millisecond},
		{pimento.PromptTurn, true, 2 * time.Second, -time.Second},
		{pimento.SessionStart, false, 0, 0},
		{pimento.SessionStart, true, time.Second, 2 * time.Second},
		{pimento.TurnEnd, false, time.Second, endSync},
		{pimento.SessionEnd, false, time.Second, lastSync},
	} {
		turn := turn{Turn: pimento.Turn{Event: c.event}, e: e, behind: c.behind, started: now.Add(-c.after)}
		if got := turn.leisure(); got != c.want {
			t.Errorf("%s, behind %t, after %v: %v, want %v", c.event, c.behind, c.after, got, c.want)
		}
	}
}
