package rpc

import (
	"testing"

	"github.com/pimento-memory/pimento"
)

// TestLimitsFollowTheNewestTurn: a tool or command is bound by what the harness
// said with its session's last turn, and by no other session's.
func TestLimitsFollowTheNewestTurn(t *testing.T) {
	s := &server{limits: map[string]limits{}}
	s.greetings(request{Session: "a"})
	for _, c := range []struct {
		turn pimento.Turn
		ask  string
		want limits
	}{
		{pimento.Turn{Session: "b"}, "", limits{}},
		{pimento.Turn{Session: "a", Untrusted: true}, "", limits{untrusted: true}},
		{pimento.Turn{Session: "b", Off: true}, "b", limits{off: true}},
		{pimento.Turn{Untrusted: true}, "b", limits{off: true}}, // no session: binds nobody
		{pimento.Turn{Session: "c"}, "a", limits{untrusted: true}},
		{pimento.Turn{Session: "a"}, "a", limits{}},
	} {
		s.note(&c.turn)
		by := s.asker(request{Session: c.ask}, "agent")
		if by.limits != c.want || by.Name != "agent" {
			t.Errorf("after %+v, %q asks: %+v, want %+v", c.turn, c.ask, by, c.want)
		}
	}
}
