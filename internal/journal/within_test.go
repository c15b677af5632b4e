package journal

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
)

// TestWithin: the events of a time are those that a look at all of them finds, though
// they are a little out of order, some lines are long, and some are no events.
func TestWithin(t *testing.T) {
	j := open(t, t.TempDir())
	types := []pimento.EventType{pimento.Remembered, pimento.Appeared}
	if err := j.Within(t.Context(), time.Time{}, time.Time{}, types, nil); err != nil {
		t.Fatal("of none: ", err)
	}
	r := rand.New(rand.NewPCG(3, 7))
	at := time.Date(2026, 1, 1, 8, 0, 0, 0, time.UTC)
	var all []pimento.Event
	for i := range 3000 {
		at = at.Add(time.Duration(r.IntN(240)) * time.Minute)
		ev := pimento.Event{V: 1, ID: fmt.Sprint("e", i), Type: []pimento.EventType{pimento.Remembered, pimento.Injected, pimento.Appeared}[r.IntN(3)],
			Statement: "0123456789abcdef", Time: at.Add(-time.Duration(r.IntN(60)) * time.Minute)}
		if r.IntN(50) == 0 {
			ev.Text = strings.Repeat("x", r.IntN(9000))
		}
		all = append(all, ev)
	}
	for part := range slices.Chunk(all, 500) {
		if err := j.Append(t.Context(), part); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Rewrite(t.Context(), func(ev *pimento.Event) bool { return !strings.HasSuffix(ev.ID, "7") }); err != nil {
		t.Fatal(err)
	}
	all = slices.DeleteFunc(all, func(ev pimento.Event) bool { return strings.HasSuffix(ev.ID, "7") })
	for range 300 {
		from := all[0].Time.Add(time.Duration(r.Int64N(int64(at.Sub(all[0].Time)))) - 48*time.Hour)
		to := from.Add(time.Duration(r.IntN(400)) * time.Hour)
		if r.IntN(10) == 0 {
			to = time.Time{}
		}
		var want, got []string
		for _, ev := range all {
			if slices.Contains(types, ev.Type) && !ev.Time.Before(from) && (to.IsZero() || ev.Time.Before(to)) {
				want = append(want, ev.ID)
			}
		}
		if err := j.Within(t.Context(), from, to, types, func(ev pimento.Event) { got = append(got, ev.ID) }); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("from %v to %v: %d events, want %d", from, to, len(got), len(want))
		}
	}
}
