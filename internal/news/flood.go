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

// A mass is a sort of change of which many are told as one line.
type mass struct {
	op    Op
	scope pimento.Scope
	page  string // "" for edits of what the conversation was never shown
}

// massOf is the sort of a change, false for what is told by itself in any case.
func massOf(c Change) (m mass, ok bool) {
	m = mass{c.Op, c.Scope, c.Page}
	if c.Op == Edited && c.Old == "" {
		m.page = ""
	}
	return m, c.Statement != "" && (c.Op == Edited || c.Op == Withdrawn || c.Op == Returned)
}

// Summed puts one line in the place of more than [BulkOver] changes of one sort and
// page: a checkout takes away or alters what a conversation has in front of it, and
// brings it back.
func Summed(all []Change) (out []Change) {
	count, line := map[mass]int{}, map[mass]int{}
	for _, c := range all {
		if m, ok := massOf(c); ok {
			count[m]++
		}
	}
	for _, c := range all {
		m, ok := massOf(c)
		if !ok || count[m] <= BulkOver {
			out = append(out, c)
			continue
		}
		if i, ok := line[m]; ok {
			out[i].Also = append(out[i].Also, c.ID)
			continue
		}
		line[m] = len(out)
		out = append(out, Change{ID: c.ID, Op: c.Op, Text: m.line(count[m]), Scope: m.scope, Page: m.page})
	}
	return out
}

func (m mass) line(n int) string {
	switch {
	case m.page == "":
		return fmt.Sprintf("%d entries changed at once (a pull, a checkout or an import); search for what you need", n)
	case m.op == Returned:
		return fmt.Sprintf("%d entries of %s that were withdrawn", n, m.page)
	}
	return fmt.Sprintf("%d entries of %s at once (a pull or a checkout); read that page before you rely on what stands above of it", n, m.page)
}
