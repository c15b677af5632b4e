package engine

import (
	"slices"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
)

// What we wrote is logged once, however many processes that were behind the files saw it
// in them afterwards. What somebody did to a file is logged each time.
func TestWhatIsSeenAgainIsLoggedOnce(t *testing.T) {
	for _, c := range []struct{ events, want string }{
		{"agent:remembered:a sync:appeared:a", "remembered:a"},
		{"agent:remembered:a agent:forgotten:a sync:vanished:a sync:vanished:a", "remembered:a forgotten:a"},
		{"user:aliased:a>b sync:aliased:a>b sync:vanished:b", "aliased:b vanished:b"},
		{"sync:vanished:a sync:appeared:a sync:vanished:a", "vanished:a appeared:a vanished:a"},
		{"agent:forgotten:a user:forgotten:a", "forgotten:a forgotten:a"},
	} {
		l := newLogger(pimento.Project, LogQuery{}, idQuery{})
		for _, w := range strings.Fields(c.events) {
			p := strings.Split(w, ":")
			from, to, edited := strings.Cut(p[2], ">")
			ev := pimento.Event{Actor: p[0], Type: pimento.EventType(p[1]), Page: "MEMORY.md", Statement: pimento.Statement(from)}
			if edited {
				ev.From, ev.Statement = ev.Statement, pimento.Statement(to)
			}
			l.take(ev)
		}
		var got []string
		for _, x := range l.out {
			got = append(got, string(x.What)+":"+string(x.ID))
		}
		if want := strings.Fields(c.want); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", c.events, got, want)
		}
	}
}
