package news

import (
	"fmt"

	"github.com/pimento-memory/pimento"
)

// A flood is what one sync saw appear at once: a pull, a checkout, an import.
// It is told as one line, by the notice of its first event.
type flood struct {
	first pimento.Event
	n     int
	text  string // already a line
}

func (f *flood) String() string {
	if f.text != "" {
		return f.text
	}
	return fmt.Sprintf("%d entries appeared at once (a pull, a checkout or an import); search for what you need", f.n)
}

// count adds an event to its sync's flood.
func count(floods []*flood, ev pimento.Event) []*flood {
	for _, f := range floods {
		if f.text == "" && f.first.Time.Equal(ev.Time) && f.first.Scope == ev.Scope {
			f.n++
			return floods
		}
	}
	return append(floods, &flood{first: ev, n: 1})
}
