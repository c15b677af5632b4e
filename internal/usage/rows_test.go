package usage_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/pimento-memory/pimento/internal/usage"
)

func TestSum(t *testing.T) {
	at := func(day int) time.Time { return time.Date(2026, 3, day, 10, 0, 0, 0, time.UTC) }
	dead, live := usage.Shown{ID: "dead", Text: "d"}, usage.Shown{ID: "live", Text: "l"}
	var s usage.Sum
	add := func(r usage.Row) {
		line, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		s.Add(line)
	}
	for i := range 5 {
		add(usage.Row{Time: at(2 + i%2), Injected: []usage.Shown{dead, live}})
		add(usage.Row{Time: at(2 + i%2), Event: usage.RowUsage, InjectedCount: 2, UsedCount: 1, Used: []usage.Shown{live}, Tokens: 30, Wasted: 20})
	}
	add(usage.Row{Time: at(1), Event: usage.RowUsage, InjectedCount: 1, Contradicted: []usage.Shown{dead}, Tokens: 10, Wasted: 10})
	add(usage.Row{Time: at(1), Event: usage.RowSession, SessionCount: 2})
	s.Add([]byte(`[]`))
	s.Add([]byte(`{"event":"later"}`))
	if s.Prompts != 5 || s.Sessions != 1 || s.Answers != 6 || s.Injected != 11 || s.Used != 5 || s.Contradicted != 1 || s.Wasted != 110 {
		t.Errorf("%+v", s)
	}
	if len(s.Days) != 3 || s.Days[0].Day != "2026-03-01" || s.Days[1].Rate() != 0.5 {
		t.Errorf("%+v", s.Days)
	}
	if d := s.Dead(); len(d) != 1 || d[0] != "dead" {
		t.Errorf("dead weight %v", d)
	}
	if usage.Rate(1, 3) != 0.33 || usage.Rate(0, 0) != 0 {
		t.Error("rate")
	}
}
